import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { Actor, MemoryStore } from "../../../core/ports/memory-store.ts";
import { storedForReader } from "../accounts/audiences.ts";
import { storedMemories } from "../accounts/usage.ts";
import type { ChangedBy } from "../conflicts/apply-status.ts";
import type { Engine } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import type { HitIndex } from "../search/hits.ts";
import { findHits } from "../search/hits.ts";
import { fillVectors, pendingIds, pendingMemories, removeMemories, touchRecalls } from "./change.ts";
import { insertBatch } from "./correct.ts";
import { eraseMemories } from "./erase.ts";
import { lastTextOfRun } from "./insert.ts";
import { countAllPending, countPending } from "./pending.ts";
import {
  counters,
  countMemories,
  findRow,
  getVector,
  idsOfMemories,
  listFleets,
  listMemories,
  listTenants,
  memoryStats,
  pageOfMemories,
  rowOfRequest,
  severalMemories,
  severalWithin,
  tenantsWithDeleted,
  vectorsOf,
} from "./read.ts";
import { restoreMemories } from "./restore.ts";
import { toStoredMemory } from "./rows.ts";
import { updateMemory } from "./update.ts";

/** The memory store over SQLite; `jobAdded` is called after a transaction that queued work. */
export function sqliteMemoryStore(db: Engine, hitIndex: HitIndex, clock: Clock, jobAdded: () => void): MemoryStore {
  const { space } = hitIndex;
  const by = (actor: Actor): ChangedBy => ({ actor, now: toTimestamp(clock.now()), nowMs: clock.now() });
  const change = <T>(body: () => T) => guarded(() => db.write(body));
  /** A change that may queue work. */
  const queueing = async <T>(body: () => T): Promise<T> => {
    const done = await change(body);
    jobAdded();
    return done;
  };
  return {
    insert: (batch) => queueing(() => insertBatch(db, space, batch, by(batch.actor))),
    get: (key, read_scope) =>
      guarded(() => {
        const row = findRow(db.drizzleRead, key, read_scope);
        return row && toStoredMemory(row);
      }),
    ofRequest: (tenant_id, client_request_id) => guarded(() => rowOfRequest(db, tenant_id, client_request_id)),
    getVector: (key) => guarded(() => getVector(db, space, key)),
    vectorsOf: (tenant_id, ids) => guarded(() => vectorsOf(db, space, tenant_id, ids)),
    several: (read_scope, ids) => guarded(() => severalMemories(db, read_scope, ids)),
    severalWithin: (read_scope, wanted) => guarded(() => severalWithin(db, read_scope, wanted)),
    list: (page) => guarded(() => listMemories(db, page)),
    page: (page) => guarded(() => pageOfMemories(db, page)),
    ids: (filter, after, limit) => guarded(() => idsOfMemories(db, filter, after, limit)),
    count: (filter) => guarded(() => countMemories(db, filter)),
    stats: (filter) => guarded(() => memoryStats(db, filter)),
    stored: (tenant_id, read_scope) =>
      guarded(() => (read_scope ? storedForReader(db, read_scope) : storedMemories(db.readConnection, tenant_id))),
    update: (filter, actor, decide) => queueing(() => updateMemory(db, space, filter, by(actor), decide)),
    remove: (filter, actor, limit, options) =>
      queueing(() => removeMemories(db, filter, by(actor), { ...options, limit })),
    restore: (batch) => queueing(() => restoreMemories(db, space, batch, by(batch.actor))),
    erase: (filter, actor, limit, permit) => queueing(() => eraseMemories(db, filter, by(actor), { limit, permit })),
    tenantsWithDeleted: () => guarded(() => tenantsWithDeleted(db)),
    hits: async ({ extras, ...query }) => {
      const known = await extras;
      return guarded(() => findHits(db, hitIndex, { ...query, extras: known ?? [] }));
    },
    lastOfRun: (draft) => guarded(() => lastTextOfRun(db, draft)),
    pending: (tenant_id, ids, embedder_id) => guarded(() => pendingMemories(db, tenant_id, ids, embedder_id)),
    pendingIds: (tenant_id, ids, embedder_id) => guarded(() => pendingIds(db, tenant_id, ids, embedder_id)),
    countPending: (filter, most) => guarded(() => countPending(db, space, filter, most)),
    countAllPending: () => guarded(() => countAllPending(db, space)),
    fillVectors: (tenant_id, vectors) => queueing(() => fillVectors(db, space, tenant_id, vectors, clock.now())),
    touchRecalls: (tenant_id, ids, at_) => change(() => touchRecalls(db, tenant_id, ids, at_)),
    tenants: () => guarded(() => listTenants(db)),
    fleets: (read_scope) => guarded(() => listFleets(db, read_scope)),
    counters: () => guarded(() => counters(db)),
  };
}
