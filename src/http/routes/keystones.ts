import { IfMatchHeaders } from "../../core/schema/common.ts";
import {
  Keystone,
  KeystoneList,
  KeystoneListQuery,
  KeystoneLock,
  KeystonePath,
  KeystoneRemoved,
  KeystoneWrite,
  KeystoneWritten,
} from "../../core/schema/keystone.ts";
import {
  KeystoneAccept,
  KeystoneDecided,
  KeystoneDismiss,
  KeystoneProposal,
  KeystoneProposalList,
  KeystonePropose,
} from "../../core/schema/keystone-proposal.ts";
import { PlaceQuery } from "../../core/schema/keystones/place.ts";
import { MemoryAddressQuery } from "../../core/schema/memory-query.ts";
import { acceptProposal, dismissProposal } from "../../keystones/decide.ts";
import { listProposals, proposeKeystone } from "../../keystones/proposals.ts";
import { listKeystones } from "../../keystones/read.ts";
import { lockKeystone, removeKeystone, writeKeystone } from "../../keystones/write.ts";
import type { Operation } from "../operation.ts";
import { operation, withHeaders } from "../operation.ts";
import { TRUNCATED } from "../paged.ts";

const tag = "Keystones";
const path = "/api/v1/keystones";
const proposals = "/api/v1/keystone-proposals";
const OfTenant = MemoryAddressQuery.pick({ tenant_id: true });
/** What may stand against a change of the rules. */
const DECIDING = ["PERSON_REQUIRED", "AGENT_TRUST_TOO_LOW", "ADMIN_REQUIRED"] as const;

export const keystoneOperations: readonly Operation[] = [
  operation({
    method: "GET",
    path,
    // The plugin of the existing product asks here.
    aliases: ["/api/v1/memclaw/keystones"],
    id: "listKeystones",
    tag,
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
    path,
    id: "writeKeystone",
    tag,
    summary: "Write a rule under its doc_id",
    description:
      "With `place` it stands at its place, beside rules of this doc_id elsewhere; else it replaces the only rule of this doc_id, wherever that stands. It is noted who did. Locked rules are changed by administrators alone. Over MCP without a key a rule is proposed instead, unless the setting `keystones.from_mcp` says `write`.",
    rate: "write",
    changes: ["documents"],
    idempotent: true,
    headers: IfMatchHeaders,
    body: KeystoneWrite,
    reply: KeystoneWritten,
    versioned: true,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", ...DECIDING, "PRECONDITION_FAILED", "PLAN_LIMIT_READ_ONLY"],
    run: (ctx, { headers, body }) => writeKeystone(ctx, { ...body, if_match: headers["if-match"] }),
  }),
  operation({
    method: "POST",
    path: `${path}/{doc_id}/lock`,
    id: "lockKeystone",
    tag,
    summary: "Lock a rule against all but administrators, or open it again",
    rate: "write",
    changes: ["documents"],
    idempotent: true,
    params: KeystonePath,
    body: KeystoneLock,
    reply: Keystone,
    versioned: true,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", "PERSON_REQUIRED", "ADMIN_REQUIRED", "NOT_FOUND", "CONFLICT"],
    run: (ctx, { params, body }) => lockKeystone(ctx, { ...body, ...params }),
  }),
  operation({
    method: "GET",
    path: proposals,
    id: "listKeystoneProposals",
    tag,
    summary: "What agents would change of the rules, newest first",
    description: "Each beside the rule that it would change. They bind nobody until a person accepts them.",
    query: OfTenant,
    reply: KeystoneProposalList,
    statuses: [200],
    refusals: ["TENANT_MISMATCH"],
    run: (ctx, { query }) => listProposals(ctx, query),
  }),
  operation({
    method: "POST",
    path: proposals,
    id: "proposeKeystone",
    tag,
    summary: "Propose a rule, or that one is removed",
    description:
      "One proposal a rule: the last one stands. It needs the trust that the change itself would. scope, fleet_id and agent_id beside `rule` say which of several rules is to be removed.",
    rate: "write",
    changes: ["documents"],
    idempotent: true,
    body: KeystonePropose,
    reply: KeystoneProposal,
    statuses: [202],
    refusals: ["TENANT_MISMATCH", "AGENT_TRUST_TOO_LOW", "NOT_FOUND", "CONFLICT", "PLAN_LIMIT_READ_ONLY"],
    run: (ctx, { body }) => proposeKeystone(ctx, body),
  }),
  operation({
    method: "POST",
    path: `${proposals}/{doc_id}/accept`,
    id: "acceptKeystoneProposal",
    tag,
    summary: "Make what was proposed the rule",
    description: "For people: an agent's key, and whatever comes over MCP, is refused.",
    rate: "write",
    changes: ["documents"],
    idempotent: true,
    params: KeystonePath,
    body: KeystoneAccept,
    reply: KeystoneDecided,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", ...DECIDING, "NOT_FOUND", "CONFLICT", "PLAN_LIMIT_READ_ONLY"],
    run: (ctx, { params, body }) => acceptProposal(ctx, { ...body, ...params }),
  }),
  operation({
    method: "POST",
    path: `${proposals}/{doc_id}/dismiss`,
    id: "dismissKeystoneProposal",
    tag,
    summary: "Drop what was proposed",
    rate: "write",
    changes: ["documents"],
    idempotent: true,
    params: KeystonePath,
    body: KeystoneDismiss,
    reply: KeystoneDecided,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", ...DECIDING, "NOT_FOUND", "CONFLICT"],
    run: (ctx, { params, body }) => dismissProposal(ctx, { ...body, ...params }),
  }),
  operation({
    method: "DELETE",
    path: `${path}/{doc_id}`,
    id: "removeKeystone",
    tag,
    summary: "Delete a rule",
    description:
      "Of several rules of this doc_id it deletes the one that scope, fleet_id and agent_id say; where several fit, none: 409 with `details.places`.",
    rate: "write",
    changes: ["documents"],
    params: KeystonePath,
    headers: IfMatchHeaders,
    query: OfTenant.extend(PlaceQuery.shape),
    reply: KeystoneRemoved,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", ...DECIDING, "NOT_FOUND", "CONFLICT", "PRECONDITION_FAILED"],
    run: (ctx, { params, query, headers }) =>
      removeKeystone(ctx, { ...query, ...params, if_match: headers["if-match"] }),
  }),
];
