import { contentHash } from "../../src/core/kernel/hash.ts";
import { newId } from "../../src/core/kernel/ids.ts";
import type { InsertBatch, NewMemory, RowVectors } from "../../src/core/ports/memory-store.ts";
import type { StoredMemory } from "../../src/core/ports/stored-memory.ts";
import { fakeClock } from "./clock.ts";

export const TENANT = "default";

let written = 0;

/** A statement that no other test writes. */
export const aStatement = (about = "the office plant"): string =>
  `Note ${++written} about ${about}: it stands in row ${written}.`;

/** Body of a single write. */
export const aMemory = (fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  tenant_id: TENANT,
  content: aStatement(),
  ...fields,
});

const clock = fakeClock();

/** A row as it lies in storage: each a second younger than the one built before. */
export function aRow(fields: Partial<StoredMemory> = {}): StoredMemory {
  clock.advance(1_000);
  const { tenant_id = TENANT, fleet_id = null, content = aStatement() } = fields;
  return {
    id: newId(clock),
    tenant_id,
    fleet_id,
    agent_id: "ada",
    memory_type: "fact",
    title: null,
    content,
    weight: 0.5,
    source_uri: null,
    run_id: null,
    metadata: null,
    system_metadata: null,
    entity_links: [],
    content_hash: contentHash(tenant_id, fleet_id, content),
    created_at: new Date(clock.now()).toISOString(),
    expires_at: null,
    deleted_at: null,
    subject_entity_id: null,
    predicate: null,
    object_value: null,
    ts_valid_start: null,
    ts_valid_end: null,
    status: "active",
    visibility: "scope_team",
    recall_count: 0,
    last_recalled_at: null,
    supersedes_id: null,
    embedded_by: null,
    ...fields,
  };
}

export const DIMENSIONS = 64;
/** The vector space of storage tests: small, so that vectors can be written down. */
export const SPACE = { id: "test-space", dimensions: DIMENSIONS, center: new Float32Array(DIMENSIONS) } as const;

/** The unit vector in `direction` degrees of the plane that the seeds span; near directions have near signs too. */
export function aVector(degrees: number): Float32Array {
  const angle = (degrees * Math.PI) / 180;
  const values = Float32Array.from({ length: DIMENSIONS }, (_, i) => Math.cos(angle + (2 * Math.PI * i) / DIMENSIONS));
  const norm = Math.hypot(...values);
  return values.map((value) => value / norm);
}

/** What a row read together with the one before it looks like; null without one before. */
export const readAfter = (previous: StoredMemory | undefined, values: Float32Array): RowVectors["context"] =>
  previous ? { values, previous_hash: previous.content_hash } : null;

/** A row ready for insertion: with its own vector when given one, pending otherwise. */
export const anEntry = (
  memory: StoredMemory,
  own?: Float32Array,
  context: RowVectors["context"] = null,
): NewMemory => ({
  memory: own ? { ...memory, embedded_by: SPACE.id } : memory,
  vectors: own ? ({ own, context } satisfies RowVectors) : null,
  client_request_id: null,
});

export const ACTOR = { agent_id: "tester", auth_source: "standalone" } as const;

export const aBatch = (entries: readonly NewMemory[], fields: Partial<InsertBatch> = {}): InsertBatch => ({
  entries,
  actor: ACTOR,
  memories_limit: 1_000,
  jobsFor: () => [],
  ...fields,
});
