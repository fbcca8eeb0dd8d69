import * as fc from "fast-check";
import { contentHash } from "../../../src/core/kernel/hash.ts";
import type { MemoryPatch } from "../../../src/core/ports/memory-store.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { SPACE } from "../../support/builders.ts";
import { aFinding } from "../contract/contradictions.ts";
import { filter } from "./memory-filters.ts";
import { content, drawnEntry, entryOf, jobsOf, metadata, status, visibility, weight } from "./memory-rows.ts";
import {
  actor,
  degrees,
  EVERY_ID,
  fleet,
  limit,
  memoryId,
  memoryIds,
  orNull,
  readScope,
  tenant,
  time,
  vectorAt,
} from "./pools.ts";
import type { PlainWorld } from "./world.ts";
import { plainStepOf, stepOf } from "./world.ts";

/** Rows of a tenant by their ids, deleted ones too. */
export const rowsOf = async (world: PlainWorld, tenant_id: string, ids: readonly string[] = EVERY_ID) =>
  world.storage.memories.list({
    filter: { tenant_id, ids, include_deleted: true },
    sort: "created_at",
    order: "asc",
    after: null,
    offset: 0,
    limit: 500,
  });

/** A caller names each row anew: entries whose id is taken, anywhere, are left out. */
const untaken = async (world: PlainWorld, drawn: readonly Drawn[]): Promise<Drawn[]> => {
  const taken = new Set<string>();
  for (const tenant_id of ["default", "acme"]) for (const { id } of await rowsOf(world, tenant_id)) taken.add(id);
  return drawn.filter(({ row }) => !taken.has(row.id) && taken.add(row.id));
};
type Drawn = Parameters<typeof entryOf>[1];

const insert = plainStepOf(
  "insert",
  fc.record({
    tenant_id: tenant,
    actor,
    drawn: fc.array(drawnEntry, { minLength: 1, maxLength: 4 }),
    memories_limit: fc.constantFrom(1_000, 1_000, 3),
  }),
  async (world, { tenant_id, drawn, ...batch }) => {
    const entries = (await untaken(world, drawn)).map((one) => entryOf(tenant_id, one));
    return world.storage.memories.insert({ ...batch, entries, jobsFor: (rows) => jobsOf(tenant_id, rows) });
  },
);

const correct = stepOf(
  "correct",
  fc.record({ tenant_id: tenant, actor, drawn: drawnEntry, corrected: memoryId }),
  async (world, { tenant_id, drawn, corrected, actor }) => {
    const entries = (await untaken(world, [drawn])).map((one) => entryOf(tenant_id, one));
    if (entries.length === 0) return null;
    return world.storage.memories.insert({
      entries,
      actor,
      memories_limit: 1_000,
      jobsFor: (rows) => jobsOf(tenant_id, rows),
      corrects: {
        filter: { tenant_id, ids: [corrected] },
        permit: () => {},
        findingOf: (newer, older) => aFinding(older, newer, { rule: "correction", confidence: 1 }),
      },
    });
  },
);

const patch = fc.record(
  {
    content,
    status,
    visibility,
    weight,
    metadata,
    title: fc.constantFrom(null, "Birds"),
    expires_at: orNull(time),
    ts_valid_start: orNull(time),
    ts_valid_end: orNull(time),
    memory_type: fc.constantFrom("fact", "task"),
  },
  { requiredKeys: [] },
);

/** What a patch makes of a row, with what follows from another text. */
function wholePatch(current: StoredMemory, drawn: MemoryPatch, own: Float32Array | null): MemoryPatch {
  if (drawn.content === undefined || drawn.content === current.content) return drawn;
  const content_hash = contentHash(current.tenant_id, current.fleet_id, drawn.content);
  return { ...drawn, content_hash, embedded_by: own && SPACE.id };
}

const update = plainStepOf(
  "update",
  fc.record({ tenant_id: tenant, id: memoryId, patch, degrees, actor, keeps: fc.boolean(), is_read: fc.boolean() }),
  (world, { tenant_id, id, patch: drawn, degrees: at, actor, keeps, is_read }) =>
    world.storage.memories.update({ tenant_id, ids: [id] }, actor, (current) => {
      const own = vectorAt(at);
      const whole = wholePatch(current, drawn, own);
      const isOther = whole.content_hash !== undefined;
      return {
        patch: whole,
        action: "memory.update",
        ...(isOther && { vectors: own && { own, context: null } }),
        ...(isOther && keeps && { keeps: { content: current.content, title: current.title } }),
        jobs: is_read ? jobsOf(tenant_id, [current]) : [],
      };
    }),
);

/** Moves to a fleet, or to all. */
const move = plainStepOf(
  "move",
  fc.record({
    tenant_id: tenant,
    ids: memoryIds,
    fleet_id: orNull(fleet),
    actor,
    dry_run: fc.boolean(),
    is_read: fc.boolean(),
  }),
  (world, { tenant_id, ids, fleet_id, is_read, ...batch }) =>
    world.storage.memories.move({
      ...batch,
      filter: { tenant_id, ids },
      jobsFor: (rows) => (is_read ? jobsOf(tenant_id, rows) : []),
      placing: (current) => {
        if (current.fleet_id === fleet_id) return { outcome: "already_there" };
        if (fleet_id === null && current.visibility === "scope_agent") return { outcome: "refused", error: "private" };
        const isShown = current.visibility === "scope_org";
        const visibility = fleet_id === null ? "scope_org" : isShown ? "scope_team" : current.visibility;
        const content_hash = contentHash(tenant_id, fleet_id, current.content);
        const entity_links = current.entity_links.filter(({ inferred }) => inferred !== true);
        return { outcome: "moved", patch: { fleet_id, visibility, content_hash, entity_links } };
      },
    }),
);

const remove = plainStepOf(
  "remove",
  fc.record({ filter, actor, limit, deleted_at: fc.constantFrom(undefined, "2026-03-01T12:00:00.000Z") }),
  (world, { filter: which, actor, limit: most, deleted_at }) =>
    world.storage.memories.remove(which, actor, most, deleted_at === undefined ? {} : { deleted_at }),
);

const restore = plainStepOf(
  "restore",
  fc.record({ filter, actor, limit, memories_limit: fc.constantFrom(1_000, 4) }),
  async (world, { filter: which, ...batch }) => {
    const outcomes: unknown[] = [];
    for (let after: number | null = null, steps = 0; steps === 0 || (after !== null && steps < 30); steps++) {
      const step = await world.storage.memories.restore({
        ...batch,
        filter: { ...which, include_deleted: true, deleted: which.deleted ?? {} },
        after,
        jobsFor: (rows) => jobsOf(which.tenant_id, rows),
      });
      outcomes.push(step.outcomes);
      after = step.next;
    }
    return outcomes;
  },
);

const erase = plainStepOf(
  "erase",
  fc.record({ filter, actor, limit }),
  (world, { filter: which, actor, limit: most }) => world.storage.memories.erase(which, actor, most),
);

const recall = plainStepOf("recall", fc.record({ tenant_id: tenant, ids: memoryIds, at: time }), (world, drawn) =>
  world.storage.memories.touchRecalls(drawn.tenant_id, drawn.ids, drawn.at),
);

const fill = stepOf(
  "fill vectors",
  fc.record({ tenant_id: tenant, ids: memoryIds, degrees: fc.constantFrom(0, 13, 31), stale: fc.boolean() }),
  async (world, { tenant_id, ids, degrees: at, stale }) => {
    const pending = await world.storage.memories.pending(tenant_id, ids, SPACE.id);
    const own = vectorAt(at);
    if (!own) return null;
    const vectors = pending.map(({ memory, previous }) => ({
      id: memory.id,
      content_hash: stale ? "another" : memory.content_hash,
      vectors: { own, context: previous && { values: own, previous_hash: previous.content_hash } },
    }));
    await world.storage.memories.fillVectors(tenant_id, vectors);
    return pending;
  },
);

const forgetTexts = plainStepOf(
  "remove kept texts",
  fc.record({ tenant_id: tenant, before: time, limit }),
  (world, { tenant_id, before, limit: most }) => world.storage.keptTexts.removeBefore(tenant_id, before, most),
);

const tell = plainStepOf(
  "tell",
  fc.record({ readScope, told: memoryIds, watched: memoryIds, used: memoryIds, at: time }),
  (world, { readScope: read_scope, ...drawn }) =>
    world.storage.tellings.record({ tenant_id: read_scope.tenant_id, read_scope, ...drawn }),
);

/** What the oracle can be told, too. */
export const plainMemorySteps = fc.oneof(
  { arbitrary: insert, weight: 8 },
  { arbitrary: update, weight: 5 },
  { arbitrary: move, weight: 3 },
  { arbitrary: remove, weight: 3 },
  { arbitrary: restore, weight: 2 },
  { arbitrary: erase, weight: 1 },
  { arbitrary: recall, weight: 1 },
  { arbitrary: forgetTexts, weight: 1 },
  { arbitrary: tell, weight: 1 },
);

export const memorySteps = fc.oneof(
  { arbitrary: plainMemorySteps, weight: 24 },
  { arbitrary: correct, weight: 1 },
  { arbitrary: fill, weight: 2 },
);
