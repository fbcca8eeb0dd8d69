import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { Actor, MemoryStore } from "../../../core/ports/memory-store.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import { memoryStore } from "../../memories/store.ts";
import { storedForReader } from "../accounts/audiences.ts";
import { storedMemories } from "../accounts/usage.ts";
import type { Engine } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import type { HitIndex } from "../search/hits.ts";
import { findHits } from "../search/hits.ts";
import { sqliteRunner } from "../units/run.ts";
import { fillVectors, removeMemories, touchRecalls } from "./change.ts";
import { insertBatch } from "./correct.ts";
import { eraseMemories } from "./erase.ts";
import { restoreMemories } from "./restore.ts";
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
  return memoryStore(sqliteRunner(db, jobAdded), space, {
    insert: (batch) => queueing(() => insertBatch(db, space, batch, by(batch.actor))),
    stored: (tenant_id, read_scope) =>
      guarded(() => (read_scope ? storedForReader(db, read_scope) : storedMemories(db.readConnection, tenant_id))),
    update: (filter, actor, decide) => queueing(() => updateMemory(db, space, filter, by(actor), decide)),
    remove: (filter, actor, limit, options) =>
      queueing(() => removeMemories(db, filter, by(actor), { ...options, limit })),
    restore: (batch) => queueing(() => restoreMemories(db, space, batch, by(batch.actor))),
    erase: (filter, actor, limit, permit) => queueing(() => eraseMemories(db, filter, by(actor), { limit, permit })),
    hits: async ({ extras, ...query }) => {
      const known = await extras;
      return guarded(() => findHits(db, hitIndex, { ...query, extras: known ?? [] }));
    },
    fillVectors: (tenant_id, vectors) => queueing(() => fillVectors(db, space, tenant_id, vectors, clock.now())),
    touchRecalls: (tenant_id, ids, at_) => change(() => touchRecalls(db, tenant_id, ids, at_)),
  });
}
