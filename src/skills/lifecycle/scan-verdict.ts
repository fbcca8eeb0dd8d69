import { toTimestamp } from "../../core/kernel/clock.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import type { Services } from "../../core/ports/context.ts";
import type { ScanReport } from "../../core/ports/skill-scanner.ts";
import type { SkillStatus } from "../../core/schema/skill.ts";
import type { SkillsFactory } from "./factory.ts";
import { skillHash } from "./fingerprint.ts";
import type { SkillRole } from "./transitions.ts";

/** Members of data that Cairn sets: what a caller writes there is dropped. */
const OWN = [
  "status",
  "scan",
  "gates",
  "content_hash",
  "created_at",
  "updated_at",
  "deferred_at",
  "edited_at",
  "quarantined_at",
  "reviewed",
  "telemetry",
];
/** Callers without this role cannot say which cluster a skill came from: a reject would bar the cluster. */
const MAY_NAME_CLUSTER: readonly SkillRole[] = ["admin", "worker"];

/** What a caller wrote, without what only Cairn may say. */
export function withoutOwn(data: JsonObject, role: SkillRole): JsonObject {
  const dropped = MAY_NAME_CLUSTER.includes(role) ? OWN : [...OWN, "cluster_fingerprint"];
  return Object.fromEntries(Object.entries(data).filter(([name]) => !dropped.includes(name)));
}

export interface Scanned {
  readonly report: ScanReport;
  /** Whether what it found keeps the skill away from everybody. */
  readonly contained: boolean;
  /** The report as it is kept on the skill. */
  readonly scan: JsonObject;
}

/** Scans a skill by the tenant's limits. Throws UNAVAILABLE without a verdict. */
export async function scanned(services: Services, data: JsonObject, factory: SkillsFactory): Promise<Scanned> {
  const { description_max_bytes, body_max_bytes } = factory;
  const report = await services.scanner.scan(data, { description_max_bytes, body_max_bytes });
  const now = toTimestamp(services.clock.now());
  const contained = report.critical > 0 && factory.sentinel.fail_on_critical;
  const failed = contained ? "quarantined" : "failed";
  const { critical, warn, info, findings } = report;
  const state = critical === 0 ? "clean" : failed;
  const shown = findings.map((finding): JsonObject => ({ ...finding }));
  return { report, contained, scan: { state, scanned_at: now, critical, warn, info, findings: shown } };
}

interface Stamps {
  readonly status: SkillStatus;
  readonly content: string;
  readonly scan: JsonObject;
  readonly target: JsonObject | null;
  readonly agent_id: string | null;
  readonly before: JsonObject | undefined;
  readonly at: string;
}

/** A skill as it is stored: what was written, and what Cairn notes on it. */
export function stamped(data: JsonObject, stamps: Stamps): JsonObject {
  const { status, content, scan, agent_id, before, at } = stamps;
  const { target: _claimed, ...written } = data;
  const origin = isJsonObject(data.origin) ? data.origin : {};
  return {
    ...written,
    status,
    origin: { ...origin, agent_id },
    scan,
    content_hash: skillHash(content),
    ...(stamps.target ? { target: stamps.target } : {}),
    ...(status === "quarantined" ? { quarantined_at: at } : {}),
    created_at: typeof before?.created_at === "string" ? before.created_at : at,
    updated_at: at,
  };
}
