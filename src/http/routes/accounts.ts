import { z } from "zod";
import { changeAgentFleet, changeAgentTrust, getAgent, listAgents } from "../../access/agents.ts";
import { listAudit } from "../../access/audit.ts";
import { createKey, listKeys, revokeKey } from "../../access/keys.ts";
import {
  Agent,
  AgentFleetChange,
  AgentFleetChanged,
  AgentListQuery,
  AgentPath,
  AgentTrustChange,
  AuditLog,
  AuditLogQuery,
  KeyCreate,
  KeyList,
  KeyMinted,
  KeyPath,
  TenantQuery,
} from "../../core/schema/account.ts";
import { FleetList, TenantList } from "../../core/schema/memory-change.ts";
import { listFleets, listTenants } from "../../memories/read.ts";
import type { Operation } from "../operation.ts";
import { operation, withHeaders } from "../operation.ts";
import { TRUNCATED } from "../paged.ts";

const tag = "Access";
const ADMIN_ONLY = ["TENANT_MISMATCH", "ADMIN_REQUIRED"] as const;

export const accountOperations: readonly Operation[] = [
  operation({
    method: "GET",
    path: "/api/v1/tenants",
    id: "listTenants",
    tag,
    summary: "Tenants that have memories",
    reply: TenantList,
    statuses: [200],
    refusals: ["ADMIN_REQUIRED"],
    run: (ctx) => listTenants(ctx),
  }),
  operation({
    method: "GET",
    path: "/api/v1/fleets",
    id: "listFleets",
    tag,
    summary: "Fleets with what they share",
    query: TenantQuery,
    reply: FleetList,
    statuses: [200],
    refusals: ["TENANT_MISMATCH"],
    run: (ctx, { query }) => listFleets(ctx, query),
  }),
  operation({
    method: "GET",
    path: "/api/v1/agents",
    id: "listAgents",
    tag,
    summary: "Agents that have written",
    query: AgentListQuery,
    reply: z.array(Agent),
    statuses: [200],
    refusals: ["TENANT_MISMATCH"],
    run: (ctx, { query }) => listAgents(ctx, query),
  }),
  operation({
    method: "GET",
    path: "/api/v1/agents/{agent_id}",
    id: "getAgent",
    tag,
    summary: "One agent",
    params: AgentPath,
    query: TenantQuery,
    reply: Agent,
    statuses: [200],
    refusals: ["TENANT_MISMATCH", "NOT_FOUND"],
    run: (ctx, { params, query }) => getAgent(ctx, { ...query, ...params }),
  }),
  operation({
    method: "PATCH",
    path: "/api/v1/agents/{agent_id}/trust",
    id: "changeAgentTrust",
    tag,
    summary: "Set an agent's trust; its keys follow",
    rate: "write",
    params: AgentPath,
    query: TenantQuery,
    body: AgentTrustChange,
    reply: Agent,
    statuses: [200],
    refusals: [...ADMIN_ONLY, "NOT_FOUND"],
    run: (ctx, { params, query, body }) => changeAgentTrust(ctx, { ...query, ...params }, body),
  }),
  operation({
    method: "PATCH",
    path: "/api/v1/agents/{agent_id}/fleet",
    id: "changeAgentFleet",
    tag,
    summary: "Move an agent to another home fleet; its keys follow",
    rate: "write",
    params: AgentPath,
    query: TenantQuery,
    body: AgentFleetChange,
    reply: AgentFleetChanged,
    statuses: [200],
    refusals: [...ADMIN_ONLY, "NOT_FOUND"],
    run: (ctx, { params, query, body }) => changeAgentFleet(ctx, { ...query, ...params }, body),
  }),
  operation({
    method: "GET",
    path: "/api/v1/audit-log",
    id: "listAudit",
    tag,
    summary: "Who changed what, newest first",
    description: "Older entries follow with before_id; the header X-Truncated says that there are some.",
    query: AuditLogQuery,
    reply: AuditLog,
    statuses: [200],
    refusals: ADMIN_ONLY,
    run: async (ctx, { query }) => {
      const { items, more } = await listAudit(ctx, query);
      return more ? withHeaders({ items: [...items] }, TRUNCATED) : { items: [...items] };
    },
  }),
  operation({
    method: "POST",
    path: "/api/v1/keys",
    id: "createKey",
    tag,
    summary: "Mint a key, shown once",
    rate: "write",
    body: KeyCreate,
    reply: KeyMinted,
    statuses: [201],
    refusals: ADMIN_ONLY,
    run: (ctx, { body }) => createKey(ctx, body),
  }),
  operation({
    method: "GET",
    path: "/api/v1/keys",
    id: "listKeys",
    tag,
    summary: "Keys of a tenant, without the keys themselves",
    query: TenantQuery,
    reply: KeyList,
    statuses: [200],
    refusals: ADMIN_ONLY,
    run: (ctx, { query }) => listKeys(ctx, query),
  }),
  operation({
    method: "DELETE",
    path: "/api/v1/keys/{key_id}",
    id: "revokeKey",
    tag,
    summary: "End a key at once",
    rate: "write",
    params: KeyPath,
    query: TenantQuery,
    reply: null,
    statuses: [204],
    refusals: [...ADMIN_ONLY, "NOT_FOUND"],
    run: async (ctx, { params, query }) => {
      await revokeKey(ctx, { ...query, ...params });
      return undefined;
    },
  }),
];
