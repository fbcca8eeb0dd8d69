import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { Actor, MemoryStore } from "../../../core/ports/memory-store.ts";
import type { EmbedderSpace } from "../../options.ts";
import { storedMemories } from "../accounts/usage.ts";
import type { By } from "../conflicts/resolve-status.ts";
import type { Connections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { findHits } from "../search/hits.ts";
import { fillVectors, pendingIds, pendingMemories, removeMemories, touchRecalls } from "./change.ts";
import { eraseMemories } from "./erase.ts";
import { insertMemories, lastTextOfRun } from "./insert.ts";
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
export function sqliteMemoryStore(
  at: Connections,
  space: EmbedderSpace,
  clock: Clock,
  jobAdded: () => void,
): MemoryStore {
  const by = (actor: Actor): By => ({ actor, now: toTimestamp(clock.now()), nowMs: clock.now() });
  const change = <T>(body: () => T) => guarded(() => at.transaction(body));
  /** A change that may queue work. */
  const queueing = async <T>(body: () => T): Promise<T> => {
    const done = await change(body);
    jobAdded();
    return done;
  };
  return {
    insert: (batch) => queueing(() => insertMemories(at, space, batch, clock.now())),
    get: (key, read_scope) =>
      guarded(() => {
        const row = findRow(at.drizzleRead, key, read_scope);
        return row && toStoredMemory(row);
      }),
    ofRequest: (tenant_id, client_request_id) => guarded(() => rowOfRequest(at, tenant_id, client_request_id)),
    getVector: (key) => guarded(() => getVector(at, key)),
    vectorsOf: (tenant_id, ids) => guarded(() => vectorsOf(at, space, tenant_id, ids)),
    several: (read_scope, ids) => guarded(() => severalMemories(at, read_scope, ids)),
    severalWithin: (read_scope, wanted) => guarded(() => severalWithin(at, read_scope, wanted)),
    list: (page) => guarded(() => listMemories(at, page)),
    page: (page) => guarded(() => pageOfMemories(at, page)),
    ids: (filter, after, limit) => guarded(() => idsOfMemories(at, filter, after, limit)),
    count: (filter) => guarded(() => countMemories(at, filter)),
    stats: (filter) => guarded(() => memoryStats(at, filter)),
    stored: (tenant_id) => guarded(() => storedMemories(at.readConnection, tenant_id)),
    update: (filter, actor, decide) => queueing(() => updateMemory(at, space, filter, by(actor), decide)),
    remove: (filter, actor, limit, deleted_at) =>
      queueing(() => removeMemories(at, filter, by(actor), limit, deleted_at)),
    restore: (batch) => queueing(() => restoreMemories(at, space, batch, by(batch.actor))),
    erase: (filter, actor, limit) => queueing(() => eraseMemories(at, filter, by(actor), limit)),
    tenantsWithDeleted: () => guarded(() => tenantsWithDeleted(at)),
    hits: (query) => guarded(() => findHits(at, space, query)),
    lastOfRun: (draft) => guarded(() => lastTextOfRun(at, draft)),
    pending: (tenant_id, ids, embedder_id) => guarded(() => pendingMemories(at, tenant_id, ids, embedder_id)),
    pendingIds: (tenant_id, ids, embedder_id) => guarded(() => pendingIds(at, tenant_id, ids, embedder_id)),
    countPending: (filter, most) => guarded(() => countPending(at, space, filter, most)),
    countAllPending: () => guarded(() => countAllPending(at, space)),
    fillVectors: (tenant_id, vectors) => queueing(() => fillVectors(at, space, tenant_id, vectors, clock.now())),
    touchRecalls: (tenant_id, ids, at_) => change(() => touchRecalls(at, tenant_id, ids, at_)),
    tenants: () => guarded(() => listTenants(at)),
    fleets: (read_scope) => guarded(() => listFleets(at, read_scope)),
    counters: () => guarded(() => counters(at)),
  };
}
