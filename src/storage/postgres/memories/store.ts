import type { Clock } from "../../../core/kernel/clock.ts";
import type { InsertBatch, InsertOutcome, MemoryStore, PreviousText } from "../../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import { changedBy } from "../../common/changed-by.ts";
import { storedForReader } from "../accounts/audiences.ts";
import { storedMemories } from "../accounts/usage.ts";
import type { Engine } from "../engine/work.ts";
import { findHits } from "../search/hits.ts";
import { removeMemories, touchRecalls } from "./change.ts";
import { insertBatch } from "./correct.ts";
import { counters, countMemories, listFleets, listTenants, memoryStats, tenantsWithDeleted } from "./count.ts";
import { eraseMemories } from "./erase.ts";
import { fillVectors } from "./fill.ts";
import { lastTextOfRun } from "./insert.ts";
import { countAllPending, countPending, pendingIds, pendingMemories } from "./pending.ts";
import {
  findMemory,
  getVector,
  idsOfMemories,
  listMemories,
  pageOfMemories,
  rowOfRequest,
  severalMemories,
  severalWithin,
  vectorsOf,
} from "./read.ts";
import { restoreMemories } from "./restore.ts";
import { updateMemory } from "./update.ts";

/** The memory store over Postgres. */
export function postgresMemoryStore(engine: Engine, clock: Clock): MemoryStore {
  const { space } = engine;
  return {
    insert: (batch) => insert(engine, batch, changedBy(clock, batch.actor)),
    get: (key, read_scope) => engine.look((work) => findMemory(work, key, read_scope)),
    ofRequest: (tenant_id, name) => engine.look((work) => rowOfRequest(work, tenant_id, name)),
    getVector: (key) => engine.look((work) => getVector(work, key)),
    vectorsOf: (tenant_id, ids) => engine.look((work) => vectorsOf(work, tenant_id, ids)),
    several: (read_scope, ids) => engine.look((work) => severalMemories(work, read_scope, ids)),
    severalWithin: (read_scope, wanted) => engine.look((work) => severalWithin(work, read_scope, wanted)),
    list: (page) => engine.look((work) => listMemories(work, page)),
    page: (page) => engine.snapshot((work) => pageOfMemories(work, page)),
    ids: (filter, after, limit) => engine.look((work) => idsOfMemories(work, filter, { after, limit })),
    count: (filter) => engine.look((work) => countMemories(work, filter)),
    stats: (filter) => engine.snapshot((work) => memoryStats(work, filter)),
    stored: (tenant_id, read_scope) =>
      engine.look((work) => (read_scope ? storedForReader(work, read_scope) : storedMemories(work, tenant_id))),
    update: (filter, actor, decide) =>
      engine.write(filter.tenant_id, (work) => updateMemory(work, filter, changedBy(clock, actor), decide)),
    remove: (filter, actor, limit, { deleted_at, permit } = {}) =>
      engine.write(filter.tenant_id, (work) => {
        const by = changedBy(clock, actor);
        return removeMemories(work, { filter, limit, permit, deleted_at: deleted_at ?? by.now }, by);
      }),
    restore: (batch) =>
      engine.write(batch.filter.tenant_id, (work) => restoreMemories(work, batch, changedBy(clock, batch.actor))),
    erase: (filter, actor, limit, permit) =>
      engine.write(filter.tenant_id, (work) => eraseMemories(work, { filter, limit, permit }, changedBy(clock, actor))),
    tenantsWithDeleted: () => engine.look(tenantsWithDeleted),
    hits: (query) => findHits(engine, space, query),
    lastOfRun: (draft) => lastOfRun(engine, draft),
    pending: (tenant_id, ids, embedder_id) =>
      engine.look((work) => pendingMemories(work, tenant_id, { ids, embedder_id })),
    pendingIds: (tenant_id, ids, embedder_id) =>
      engine.look((work) => pendingIds(work, tenant_id, { ids, embedder_id })),
    countPending: (filter, most) => engine.look((work) => countPending(work, filter, most)),
    countAllPending: () => engine.look(countAllPending),
    fillVectors: (tenant_id, vectors) => engine.write(tenant_id, (work) => fillVectors(work, vectors, clock.now())),
    touchRecalls: (tenant_id, ids, at) =>
      engine.write(tenant_id, async (work) => void (await touchRecalls(work, ids, at))),
    tenants: () => engine.look(listTenants),
    fleets: (read_scope) => engine.look((work) => listFleets(work, read_scope)),
    counters: () => engine.look(counters),
  };
}

async function insert(engine: Engine, batch: InsertBatch, by: ChangedBy): Promise<InsertOutcome[]> {
  const [first] = batch.entries;
  return first ? engine.write(first.memory.tenant_id, (work) => insertBatch(work, batch, by)) : [];
}

/** Rows without a run follow none: nothing is asked for them. */
async function lastOfRun(engine: Engine, draft: StoredMemory): Promise<PreviousText | null> {
  if (draft.run_id === null) return null;
  return engine.look((work) => lastTextOfRun({ ...work, tenant_id: draft.tenant_id }, draft));
}
