import * as fc from "fast-check";
import { contentHash } from "../../../src/core/kernel/hash.ts";
import type { NewMemory } from "../../../src/core/ports/memory-store.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import type { Job } from "../../../src/core/schema/job.ts";
import { anEntry, aRow } from "../../support/builders.ts";
import { agent, degrees, fleet, memoryId, orNull, time, vectorAt } from "./pools.ts";

export const CONTENTS = [
  "The heron stands in the reeds.",
  "The heron stood in the reeds until noon.",
  "Anna Keller moved to Rome in spring.",
  "Staging runs version 14.",
  "Öl und Übermut: 100% off_",
] as const;
export const content = fc.constantFrom(...CONTENTS);
export const visibility = fc.constantFrom("scope_team", "scope_org", "scope_agent");
export const memoryType = fc.constantFrom("fact", "task", "decision");
export const status = fc.constantFrom("active", "confirmed", "pending", "archived", "outdated", "conflicted");
export const weight = fc.constantFrom(0.5, 0, 1, 0.1);
export const runId = fc.constantFrom(null, "r1", "r2");
export const metadata = fc.constantFrom(
  null,
  { kind: "a" },
  { kind: "b", n: 1 },
  { kind: true, "a.b": 1.5 },
  { n: 1e21, kind: null },
  { n: "1", deep: { kind: "a" } },
);

const fields = fc.record({
  id: memoryId,
  content,
  agent_id: agent,
  fleet_id: orNull(fleet),
  visibility,
  memory_type: memoryType,
  status: fc.oneof({ arbitrary: fc.constant("active" as const), weight: 3 }, { arbitrary: status, weight: 1 }),
  weight,
  created_at: time,
  expires_at: fc.oneof({ arbitrary: fc.constant(null), weight: 3 }, { arbitrary: time, weight: 1 }),
  ts_valid_start: orNull(time),
  ts_valid_end: fc.oneof({ arbitrary: fc.constant(null), weight: 3 }, { arbitrary: time, weight: 1 }),
  run_id: runId,
  metadata,
  title: fc.constantFrom(null, "Birds"),
});

/** What is drawn of one entry: its row but for the tenant, and where its vector points. */
export const drawnEntry = fc.record({
  row: fields,
  degrees,
  request: fc.constantFrom(null, null, "try:0", "try:1"),
});
type DrawnEntry = typeof drawnEntry extends fc.Arbitrary<infer T> ? T : never;

export const rowOf = (tenant_id: string, drawn: DrawnEntry["row"]): StoredMemory =>
  aRow({ ...drawn, tenant_id, content_hash: contentHash(tenant_id, drawn.fleet_id, drawn.content) });

export const entryOf = (tenant_id: string, drawn: DrawnEntry): NewMemory => ({
  ...anEntry(rowOf(tenant_id, drawn.row), vectorAt(drawn.degrees) ?? undefined),
  client_request_id: drawn.request,
});

/** What a write of these rows leaves to be done. */
export const jobsOf = (tenant_id: string, rows: readonly StoredMemory[]): Job[] =>
  rows.length === 0
    ? []
    : [{ kind: "understand_memories", payload: { tenant_id, memory_ids: rows.map(({ id }) => id) } }];
