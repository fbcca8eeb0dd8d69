import { afterAll, beforeAll, expect, test } from "bun:test";
import { createDice } from "../../../scripts/bench/text.ts";
import type { MemoryFilter } from "../../../src/core/ports/memory-filter.ts";
import type { Storage } from "../../../src/core/ports/storage.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { assemble } from "../../../src/storage/postgres/assemble.ts";
import { dialectOfServer } from "../../../src/storage/postgres/open.ts";
import { aBatch, anEntry, aRow, DIMENSIONS, SPACE, TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { openDatabase } from "../../support/postgres/engine.ts";
import { RULES } from "../../support/postgres/processes.ts";
import { optionsOf } from "../engines.ts";

// Beyond some thousand rows an index is asked, which may miss what a comparison of all rows finds. Here some hundred will do.

const ROWS = 600;
const AT_ONCE = 300;
/** One row in so many is of another type than the rest. */
const DECISION_EVERY = 20;
const POOL = 20;
const QUESTIONS = 30;
/** Of the true nearest, as the index was made to find them. */
const RECALL_MIN = 0.9;
const dice = createDice(11);
const unit = (values: Float32Array): Float32Array => {
  const norm = Math.hypot(...values);
  return values.map((value) => value / norm);
};
const aDirection = () => unit(Float32Array.from({ length: DIMENSIONS }, () => dice() - 0.5));
const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

const rows = Array.from({ length: ROWS }, (_, i) => ({
  memory: aRow({ memory_type: i % DECISION_EVERY === 0 ? "decision" : "fact", embedded_by: SPACE.id }),
  own: aDirection(),
}));
const filter: MemoryFilter = { tenant_id: TENANT };

let storage: Storage;
beforeAll(async () => {
  const driver = await openDatabase();
  // As Cairn makes it, not as other tests have it.
  await driver.db.execute("drop index if exists memory_vectors_near_halfvec");
  await driver.db.execute("set plan_cache_mode = force_custom_plan");
  const dialect = { ...(await dialectOfServer(driver)), indexedRowsMin: ROWS / 2 };
  storage = await assemble(driver, dialect, optionsOf(null, fakeClock(), RULES.policies));
  for (let at = 0; at < ROWS; at += AT_ONCE) {
    const entries = rows.slice(at, at + AT_ONCE).map(({ memory, own }) => anEntry(memory, own));
    await storage.memories.insert(aBatch(entries, { memories_limit: ROWS }));
  }
});
afterAll(() => storage.close());

const nearest = async (values: Float32Array, asked: MemoryFilter): Promise<string[]> => {
  const vector = { embedder_id: SPACE.id, values };
  const { hits } = await storage.memories.hits({ filter: asked, vector, words: [], pool: POOL });
  return hits.map(({ memory }) => memory.id);
};
const truly = (values: Float32Array, passes: (memory: StoredMemory) => boolean): string[] =>
  rows
    .filter(({ memory }) => passes(memory))
    .map(({ memory, own }) => ({ id: memory.id, like: dot(own, values) }))
    .sort((a, b) => b.like - a.like)
    .slice(0, POOL)
    .map(({ id }) => id);

const shareFound = async (asked: MemoryFilter, passes: (memory: StoredMemory) => boolean): Promise<number> => {
  let found = 0;
  for (let i = 0; i < QUESTIONS; i++) {
    const values = aDirection();
    const ids = await nearest(values, asked);
    expect(ids).toHaveLength(POOL);
    const wanted = new Set(truly(values, passes));
    found += ids.filter((id) => wanted.has(id)).length;
  }
  return found / (QUESTIONS * POOL);
};

test("among thousands of rows the index finds nearly all of the nearest", async () => {
  expect(await shareFound(filter, () => true)).toBeGreaterThan(RECALL_MIN);
});

test("a filter that few of them pass is not left short", async () => {
  const found = await shareFound(
    { ...filter, memory_types: ["decision"] },
    ({ memory_type }) => memory_type === "decision",
  );
  expect(found).toBeGreaterThan(RECALL_MIN);
});

test("rows that the model cannot read are passed over, however few others there are", async () => {
  const silent = Array.from({ length: 2 * POOL }, () => aRow({ embedded_by: SPACE.id }));
  const entries = silent.map((memory) => anEntry(memory, new Float32Array(DIMENSIONS)));
  await storage.memories.insert(aBatch(entries, { memories_limit: 2 * ROWS }));
  const ids = new Set(silent.map(({ id }) => id));
  for (const pool of [POOL, 2 * ROWS]) {
    const vector = { embedder_id: SPACE.id, values: aDirection() };
    const { hits } = await storage.memories.hits({ filter, vector, words: [], pool });
    expect(hits).toHaveLength(Math.min(pool, ROWS));
    expect(hits.filter(({ memory }) => ids.has(memory.id))).toEqual([]);
  }
});
