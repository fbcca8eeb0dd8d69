import { TenantQuery } from "../../core/schema/account.ts";
import {
  Keystone,
  KeystoneList,
  KeystoneListQuery,
  KeystonePath,
  KeystoneRemoved,
  KeystoneWrite,
} from "../../core/schema/keystone.ts";
import { MemoryAddressQuery } from "../../core/schema/memory-query.ts";
import { OrgSettings, OrgSettingsPatch } from "../../core/schema/settings.ts";
import { listKeystones } from "../../keystones/read.ts";
import { removeKeystone, writeKeystone } from "../../keystones/write.ts";
import { changeSettings, getSettings } from "../../system/settings.ts";
import type { Method, Operation } from "../operation.ts";
import { operation, withHeaders } from "../operation.ts";
import { TRUNCATED } from "../paged.ts";

const keystones = "/api/v1/keystones";
const settings = "/api/v1/settings";

const changeSettingsBy = (method: Method): Operation =>
  operation({
    method,
    path: settings,
    id: `${method.toLowerCase()}Settings`,
    tag: "Settings",
    summary: "Merge a part of the tree into the settings",
    rate: "write",
    changes: ["settings"],
    query: TenantQuery,
    body: OrgSettingsPatch,
    reply: OrgSettings,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", "FORBIDDEN", "AGENT_TRUST_TOO_LOW", "ADMIN_REQUIRED"],
    run: (ctx, { query, body }) => changeSettings(ctx, query.tenant_id, body),
  });

export const governanceOperations: readonly Operation[] = [
  operation({
    method: "GET",
    path: keystones,
    // The plugin of the existing product asks here.
    aliases: ["/api/v1/memclaw/keystones"],
    id: "listKeystones",
    tag: "Keystones",
    summary: "The mandatory rules that bind a reader, heaviest first",
    description: "50 at most; the header X-Truncated says when there are more.",
    query: KeystoneListQuery,
    reply: KeystoneList,
    statuses: [200],
    refusals: ["TENANT_MISMATCH"],
    run: async (ctx, { query }) => {
      const { items, truncated } = await listKeystones(ctx, query);
      const reply = query.envelope ? { count: items.length, items } : items;
      return truncated ? withHeaders(reply, TRUNCATED) : reply;
    },
  }),
  operation({
    method: "POST",
    path: keystones,
    id: "writeKeystone",
    tag: "Keystones",
    summary: "Write a rule under its doc_id",
    rate: "write",
    changes: ["documents"],
    idempotent: true,
    body: KeystoneWrite,
    reply: Keystone,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", "AGENT_TRUST_TOO_LOW"],
    run: (ctx, { body }) => writeKeystone(ctx, body),
  }),
  operation({
    method: "DELETE",
    path: `${keystones}/{doc_id}`,
    id: "removeKeystone",
    tag: "Keystones",
    summary: "Delete a rule",
    rate: "write",
    changes: ["documents"],
    params: KeystonePath,
    query: MemoryAddressQuery.pick({ tenant_id: true }),
    reply: KeystoneRemoved,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", "AGENT_TRUST_TOO_LOW", "NOT_FOUND"],
    run: (ctx, { params, query }) => removeKeystone(ctx, { ...query, ...params }),
  }),
  operation({
    method: "GET",
    path: settings,
    id: "getSettings",
    tag: "Settings",
    summary: "The tenant's settings, defaults filled in",
    query: TenantQuery,
    reply: OrgSettings,
    statuses: [200],
    refusals: ["TENANT_MISMATCH"],
    run: (ctx, { query }) => getSettings(ctx, query.tenant_id),
  }),
  changeSettingsBy("PUT"),
  changeSettingsBy("PATCH"),
];
