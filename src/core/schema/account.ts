import { z } from "zod";
import { AgentId, countedText, FleetId, JsonRecord, TenantId, Uuid } from "./common.ts";

const Trust = z
  .union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)], { error: "trust is 0, 1, 2 or 3" })
  .describe("0 restricted, 1 standard, 2 reads across fleets and governs, 3 administers.");

export const KeyCreate = z
  .object({
    tenant_id: TenantId,
    agent_id: AgentId.nullish().describe("Binds the key to one agent."),
    fleet_id: FleetId.nullish().describe("Left out, that of the agent if it is known here; null for none."),
    trust: Trust.nullish().describe("Left out, that of the agent if it is known here."),
    admin: z.boolean().nullish(),
    label: countedText(0, 200).nullish(),
  })
  .meta({ id: "KeyCreate" });
export type KeyCreate = z.infer<typeof KeyCreate>;

export const KeyView = z
  .object({
    id: z.string(),
    key_prefix: z.string(),
    tenant_id: z.string(),
    agent_id: z.string().nullable(),
    fleet_id: z.string().nullable(),
    trust: Trust,
    admin: z.boolean(),
    label: z.string().nullable(),
    created_at: z.string(),
    revoked_at: z.string().nullable(),
  })
  .meta({ id: "Key" });
export type KeyView = z.infer<typeof KeyView>;

export const KeyMinted = KeyView.extend({ raw_key: z.string().describe("Shown this once.") }).meta({ id: "KeyMinted" });
export type KeyMinted = z.infer<typeof KeyMinted>;
export const KeyList = z.object({ items: z.array(KeyView) }).meta({ id: "KeyList" });
export type KeyList = z.infer<typeof KeyList>;
export const KeyPath = z.object({ key_id: Uuid });
export const TenantQuery = z.object({ tenant_id: TenantId });

export const Agent = z
  .object({
    id: z.string(),
    tenant_id: z.string(),
    fleet_id: z.string().nullable(),
    agent_id: z.string(),
    display_name: z.string().nullable(),
    trust_level: Trust,
    search_profile: JsonRecord.nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "Agent" });
export type Agent = z.infer<typeof Agent>;

export const AgentPath = z.object({ agent_id: AgentId });
export const AgentListQuery = z.object({ tenant_id: TenantId, fleet_id: FleetId.optional() });
export type AgentListQuery = z.infer<typeof AgentListQuery>;
export const AgentTrustChange = z
  .object({ trust_level: Trust, fleet_id: FleetId.nullish() })
  .meta({ id: "AgentTrustChange" });
export type AgentTrustChange = z.infer<typeof AgentTrustChange>;
export const AgentFleetChange = z.object({ fleet_id: FleetId }).meta({ id: "AgentFleetChange" });
export type AgentFleetChange = z.infer<typeof AgentFleetChange>;
export const AgentFleetChanged = z
  .object({ agent_id: z.string(), old_fleet_id: z.string().nullable(), new_fleet_id: z.string() })
  .meta({ id: "AgentFleetChanged" });
export type AgentFleetChanged = z.infer<typeof AgentFleetChanged>;

export const AuditLogQuery = z.object({
  tenant_id: TenantId,
  target_id: countedText(0, 500).optional(),
  action: countedText(0, 100).optional(),
  before_id: z.int().min(1).optional().describe("Only entries older than this one."),
  limit: z.int().min(1).max(200).default(50),
});
export type AuditLogQuery = z.infer<typeof AuditLogQuery>;
export const AuditEntry = z
  .object({
    id: z.int(),
    tenant_id: z.string(),
    at: z.string(),
    agent_id: z.string().nullable(),
    auth_source: z.string(),
    action: z.string(),
    target_id: z.string(),
    before: JsonRecord.nullable(),
    after: JsonRecord.nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: "AuditEntry" });
export const AuditLog = z.object({ items: z.array(AuditEntry) }).meta({ id: "AuditLog" });
export type AuditLog = z.infer<typeof AuditLog>;
