import type { Clock } from "../../core/kernel/clock.ts";
import type { HitQuery, HitReply } from "../../core/ports/hits.ts";
import type { MemoryStore } from "../../core/ports/memory-store.ts";
import { storedForReader, storedMemories } from "../accounts/usage.ts";
import { changedBy } from "../common/changed-by.ts";
import { staleRows } from "../common/stale.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Runner } from "../units/work.ts";
import { insertBatch } from "./correct.ts";
import { counters, countMemories, listFleets, listTenants, memoryStats, tenantsWithDeleted } from "./count.ts";
import { eraseMemories } from "./erase.ts";
import { fillVectors } from "./fill.ts";
import { moveMemories } from "./move.ts";
import { countAllPending, countPending, pendingIds, pendingMemories } from "./pending.ts";
import {
  findRow,
  getVector,
  idsOfMemories,
  lastOfRun,
  listMemories,
  pageOfMemories,
  rowOfRequest,
  severalMemories,
  severalWithin,
  vectorsOf,
} from "./read.ts";
import { removeMemories, touchRecalls } from "./remove.ts";
import { restoreMemories } from "./restore.ts";
import { toStoredMemory } from "./rows.ts";
import { updateMemory } from "./update.ts";

/** What a memory store is made of; an engine searches in its own way. */
export interface MemoryParts {
  readonly space: EmbedderSpace;
  readonly clock: Clock;
  hits(query: HitQuery): Promise<HitReply>;
}

/** The memory store. */
export const memoryStore = ({ look, snapshot, write }: Runner, { space, clock, hits }: MemoryParts): MemoryStore => ({
  insert: async (batch) => {
    const [first] = batch.entries;
    if (!first) return [];
    return write(first.memory.tenant_id, (work) => insertBatch(work, batch, changedBy(clock, batch.actor)));
  },
  get: (key, read_scope) =>
    look(function* (work) {
      const row = yield* findRow(work, key, read_scope);
      return row && toStoredMemory(row);
    }),
  ofRequest: (tenant_id, client_request_id) => look(() => rowOfRequest(tenant_id, client_request_id)),
  getVector: (key) => look((work) => getVector(work, space, key)),
  vectorsOf: (tenant_id, ids) => look((work) => vectorsOf(work, space, tenant_id, ids)),
  several: (read_scope, ids) => look((work) => severalMemories(work, read_scope, ids)),
  severalWithin: (read_scope, wanted) => snapshot((work) => severalWithin(work, read_scope, wanted)),
  list: (page) => look((work) => listMemories(work, page)),
  page: (page) => snapshot((work) => pageOfMemories(work, page)),
  ids: (filter, after, limit) => look((work) => idsOfMemories(work, filter, after, limit)),
  count: (filter) => look((work) => countMemories(work, filter)),
  stats: (filter) => snapshot((work) => memoryStats(work, filter)),
  stored: (tenant_id, read_scope) =>
    look((work) => (read_scope ? storedForReader(work, read_scope) : storedMemories(tenant_id))),
  update: (filter, actor, decide) =>
    write(filter.tenant_id, (work) => updateMemory(work, filter, changedBy(clock, actor), decide)),
  remove: (filter, actor, limit, options) =>
    write(filter.tenant_id, (work) => removeMemories(work, { ...options, filter, limit }, changedBy(clock, actor))),
  restore: (batch) =>
    write(batch.filter.tenant_id, (work) => restoreMemories(work, batch, changedBy(clock, batch.actor))),
  move: (batch) => write(batch.filter.tenant_id, (work) => moveMemories(work, batch, changedBy(clock, batch.actor))),
  erase: (filter, actor, limit, permit) =>
    write(filter.tenant_id, (work) => eraseMemories(work, { filter, limit, permit }, changedBy(clock, actor))),
  tenantsWithDeleted: () => look(tenantsWithDeleted),
  hits,
  lastOfRun: (draft) => look(() => lastOfRun(draft)),
  pending: (tenant_id, ids, embedder_id) => look((work) => pendingMemories(work, { tenant_id, ids, embedder_id })),
  pendingIds: (tenant_id, ids, embedder_id) => look((work) => pendingIds(work, { tenant_id, ids, embedder_id })),
  countPending: (filter, most) => look((work) => countPending(work, space, filter, most)),
  countAllPending: () => look((work) => countAllPending(work, space)),
  stale: (asked) => look((work) => staleRows(work, "memories", asked)),
  fillVectors: (tenant_id, vectors) => write(tenant_id, (work) => fillVectors(work, vectors, clock.now())),
  touchRecalls: (tenant_id, ids, at) => write(tenant_id, (work) => touchRecalls(work, ids, at)),
  tenants: () => look(listTenants),
  fleets: (read_scope) => look((work) => listFleets(work, read_scope)),
  counters: () => look(counters),
});
