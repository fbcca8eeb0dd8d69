import type { Clock } from "../../kernel/clock.ts";
import { toTimestamp } from "../../kernel/clock.ts";
import type { MemoryStore } from "../../ports/memory-store.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Connections } from "./connection.ts";
import { guarded } from "./faults.ts";
import { findHits } from "./hits.ts";
import { fillVectors, pendingMemories, removeMemories, touchRecalls } from "./memories-change.ts";
import { insertMemories, lastTextOfRun } from "./memories-insert.ts";
import {
  counters,
  countMemories,
  findRow,
  getVector,
  listFleets,
  listMemories,
  listTenants,
  memoryStats,
} from "./memories-read.ts";
import { updateMemory } from "./memories-update.ts";
import { toStoredMemory } from "./rows.ts";
import { queueSkillReview } from "./skill-reviews.ts";
import { storedMemories } from "./usage.ts";

/** The memory store over SQLite; `jobAdded` is called after a transaction that queued work. */
export function sqliteMemoryStore(
  at: Connections,
  space: EmbedderSpace,
  clock: Clock,
  jobAdded: () => void,
): MemoryStore {
  const now = () => toTimestamp(clock.now());
  const change = <T>(body: () => T) => guarded(() => at.transaction(body));
  return {
    insert: async (batch) => {
      const outcomes = await change(() => insertMemories(at, space, batch, clock.now()));
      jobAdded();
      return outcomes;
    },
    get: (key, reach) =>
      guarded(() => {
        const row = findRow(at.read, key, reach);
        return row && toStoredMemory(row);
      }),
    getVector: (key) => guarded(() => getVector(at, key)),
    list: (page) => guarded(() => listMemories(at, page)),
    count: (filter) => guarded(() => countMemories(at, filter)),
    stats: (filter) => guarded(() => memoryStats(at, filter)),
    stored: (tenant_id) => guarded(() => storedMemories(at.read, tenant_id)),
    update: async (filter, actor, decide) => {
      const by = { actor, now: now(), nowMs: clock.now() };
      const updated = await change(() => {
        const found = updateMemory(at, space, filter, by, decide);
        if (found && found.before.status !== found.after.status) queueSkillReview(at, found.after, by.nowMs);
        return found;
      });
      jobAdded();
      return updated;
    },
    remove: async (filter, actor, limit) => {
      const removed = await change(() => {
        const count = removeMemories(at, filter, { actor, now: now() }, limit);
        if (count > 0) queueSkillReview(at, { tenant_id: filter.tenant_id, status: "deleted" }, clock.now());
        return count;
      });
      jobAdded();
      return removed;
    },
    hits: (query) => guarded(() => findHits(at, space, query)),
    lastOfRun: (draft) => guarded(() => lastTextOfRun(at, draft)),
    pending: (tenant_id, ids, embedder_id) => guarded(() => pendingMemories(at, tenant_id, ids, embedder_id)),
    fillVectors: (tenant_id, _embedder_id, vectors) => change(() => fillVectors(at, space, tenant_id, vectors)),
    touchRecalls: (tenant_id, ids, at_) => change(() => touchRecalls(at, tenant_id, ids, at_)),
    tenants: () => guarded(() => listTenants(at)),
    fleets: (tenant_id) => guarded(() => listFleets(at, tenant_id)),
    counters: () => guarded(() => counters(at)),
  };
}
