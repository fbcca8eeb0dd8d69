import type { Clock } from "../../../core/kernel/clock.ts";
import type { InsertBatch, InsertOutcome, MemoryStore } from "../../../core/ports/memory-store.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import { changedBy } from "../../common/changed-by.ts";
import { memoryStore } from "../../memories/store.ts";
import { storedForReader } from "../accounts/audiences.ts";
import { storedMemories } from "../accounts/usage.ts";
import type { Engine } from "../engine/work.ts";
import { findHits } from "../search/hits.ts";
import { postgresRunner } from "../units/run.ts";
import { removeMemories, touchRecalls } from "./change.ts";
import { insertBatch } from "./correct.ts";
import { eraseMemories } from "./erase.ts";
import { fillVectors } from "./fill.ts";
import { restoreMemories } from "./restore.ts";
import { updateMemory } from "./update.ts";

/** The memory store over Postgres. */
export function postgresMemoryStore(engine: Engine, clock: Clock): MemoryStore {
  const { space } = engine;
  return memoryStore(postgresRunner(engine), space, {
    insert: (batch) => insert(engine, batch, changedBy(clock, batch.actor)),
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
    hits: (query) => findHits(engine, space, query),
    fillVectors: (tenant_id, vectors) => engine.write(tenant_id, (work) => fillVectors(work, vectors, clock.now())),
    touchRecalls: (tenant_id, ids, at) =>
      engine.write(tenant_id, async (work) => void (await touchRecalls(work, ids, at))),
  });
}

async function insert(engine: Engine, batch: InsertBatch, by: ChangedBy): Promise<InsertOutcome[]> {
  const [first] = batch.entries;
  return first ? engine.write(first.memory.tenant_id, (work) => insertBatch(work, batch, by)) : [];
}
