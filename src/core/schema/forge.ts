import { z } from "zod";
import { countedText, FleetId, TenantId } from "./common.ts";

/** What set a run of the Forge off: its schedule, the fan-out over all tenants, or a call for one of them. */
export const FORGE_TRIGGERS = ["schedule", "fanout", "manual"] as const;
export type ForgeTrigger = (typeof FORGE_TRIGGERS)[number];

/** Why a cluster gave no new candidate. */
export const FORGE_REASONS = [
  "volume",
  "diversity",
  "no_common_steps",
  "duplicate",
  "poisoned",
  "refused",
  "unchanged",
  "not_a_candidate",
  "write_cap",
] as const;
export type ForgeReason = (typeof FORGE_REASONS)[number];

const instant = () => z.string().meta({ format: "date-time" });

/** Runs of one procedure, and what became of them. */
export const ForgeCluster = z
  .object({
    size: z.int().describe("Successful runs."),
    distinct_agents: z.int(),
    outcome: z.enum(["written", "skipped"]),
    reason: z.enum(FORGE_REASONS).nullable().describe("Why it was skipped; null when written."),
    detail: z.string().nullable().describe("The status of the skill that stands in the way, or what refused it."),
    doc_id: z.string().nullable(),
    fingerprint: z.string().nullable(),
  })
  .meta({ id: "ForgeCluster" });
export type ForgeCluster = z.infer<typeof ForgeCluster>;

export const ForgeRun = z
  .object({
    id: z.string(),
    tenant_id: z.string(),
    fleet_id: z.string().nullable().describe("The fleet it was limited to."),
    trigger: z.enum(FORGE_TRIGGERS),
    requested_at: instant(),
    started_at: instant().nullable(),
    finished_at: instant().nullable(),
    traces: z.int().describe("Runs of agents within the window."),
    successes: z.int(),
    failures: z.int(),
    unknown: z.int(),
    clusters: z.array(ForgeCluster).describe("Largest first."),
    written: z.int(),
    skipped: z.int(),
    error: z.string().nullable().describe("Why it ended early, or why its last attempt failed."),
  })
  .meta({ id: "ForgeRun", description: "One run of the Forge over a tenant's memories." });
export type ForgeRun = z.infer<typeof ForgeRun>;

export const FORGE_RUN_LIST_MAX = 200;
export const ForgeRunQuery = z.object({
  tenant_id: TenantId,
  limit: z.int().min(1).max(FORGE_RUN_LIST_MAX).default(20),
});
export type ForgeRunQuery = z.infer<typeof ForgeRunQuery>;
export const ForgeRunList = z.object({ items: z.array(ForgeRun) }).meta({ id: "ForgeRunList" });
export type ForgeRunList = z.infer<typeof ForgeRunList>;

/** What an administrator may set off. */
export const LIFECYCLE_ACTIONS = ["forge-distill"] as const;
export const LifecyclePath = z.object({ action: countedText(0, 100).describe("`forge-distill`.") });

export const LifecycleFanout = z
  .object({
    action: z.string(),
    published: z.int().describe("Tenants whose Forge was set off."),
    failed: z.int(),
  })
  .meta({ id: "LifecycleFanout" });
export type LifecycleFanout = z.infer<typeof LifecycleFanout>;

export const LifecycleRequest = z
  .object({ org_id: TenantId, fleet_id: FleetId.nullish().describe("Only what this fleet wrote.") })
  .meta({ id: "LifecycleRequest" });
export type LifecycleRequest = z.infer<typeof LifecycleRequest>;

export const LifecycleTriggered = z
  .object({ action: z.string(), org_id: z.string(), audit_id: z.int().describe("Its entry in the audit log.") })
  .meta({ id: "LifecycleTriggered" });
export type LifecycleTriggered = z.infer<typeof LifecycleTriggered>;
