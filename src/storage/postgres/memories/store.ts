import type { Clock } from "../../../core/kernel/clock.ts";
import type { InsertBatch, InsertOutcome, MemoryStore } from "../../../core/ports/memory-store.ts";
import type { Engine } from "../engine/work.ts";
import { findHits } from "../search/hits.ts";
import { unbuilt } from "../unbuilt.ts";
import { insertMemories } from "./insert.ts";

/** The memory store over Postgres. */
export function postgresMemoryStore(engine: Engine, clock: Clock): MemoryStore {
  const { space } = engine;
  return {
    ...unbuilt<MemoryStore>("memories"),
    insert: (batch) => insert(engine, batch, clock.now()),
    hits: (query) => engine.snapshot((work) => findHits(work, space, query)),
  };
}

async function insert(engine: Engine, batch: InsertBatch, nowMs: number): Promise<InsertOutcome[]> {
  const [first] = batch.entries;
  return first ? engine.write(first.memory.tenant_id, (work) => insertMemories(work, batch, nowMs)) : [];
}
