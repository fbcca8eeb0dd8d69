import { TenantQuery } from "../../core/schema/account.ts";
import { OrgSettings, OrgSettingsPatch } from "../../core/schema/settings.ts";
import { changeSettings, getSettings } from "../../system/settings.ts";
import type { Method, Operation } from "../operation.ts";
import { operation } from "../operation.ts";

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
    refusals: ["TENANT_MISMATCH", "FORBIDDEN", "PERSON_REQUIRED", "AGENT_TRUST_TOO_LOW", "ADMIN_REQUIRED"],
    run: (ctx, { query, body }) => changeSettings(ctx, query.tenant_id, body),
  });

export const settingsOperations: readonly Operation[] = [
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
