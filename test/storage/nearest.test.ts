import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { silentLogger } from "../../src/core/kernel/log.ts";
import type { StoredMemory } from "../../src/core/ports/stored-memory.ts";
import { searchableText } from "../../src/documents/searchable.ts";
import { storagePolicies } from "../../src/startup/storage-policies.ts";
import { openSqlite } from "../../src/storage/sqlite/open.ts";
import { ACTOR, aBatch, anEntry, aRow, DIMENSIONS, SPACE, TENANT } from "../support/builders.ts";
import { fakeClock } from "../support/clock.ts";
import { asked } from "./subject.ts";

const ROWS = 1_000;
const POOL = 100;
/** As many rows as the index codes a second time, to know how far to look. */
const SAMPLE_EVERY = 16;

type Vector = Float32Array<ArrayBuffer>;
/** Signs drawn from a seed. */
function signs(seed: number): Vector {
  let state = seed + 1;
  const next = () => {
    state = Math.imul(state, 48_271) % 0x7fffffff;
    return state;
  };
  for (let i = 0; i < 8; i++) next();
  return Float32Array.from({ length: DIMENSIONS }, () => ((next() >> 8) % 2 === 0 ? 1 : -1) / Math.sqrt(DIMENSIONS));
}
const differing = (a: Vector, b: Vector): number =>
  a.reduce((sum, value, i) => sum + (value > 0 === (b[i] ?? 0) > 0 ? 0 : 1), 0);

const query = signs(ROWS * 7);
const opposite = query.map((value) => -value);
const STORES: Readonly<Record<string, (i: number) => Vector>> = {
  "of rows alike": signs,
  "whose sample lies nearer than the rest": (i) => (i % SAMPLE_EVERY === SAMPLE_EVERY - 1 ? query : signs(i)),
  "whose sample lies farther than the rest": (i) => (i % SAMPLE_EVERY === SAMPLE_EVERY - 1 ? opposite : signs(i)),
};

test.each(Object.entries(STORES))(
  "in a store %s, the vector leg holds the nearest codes of all",
  async (_, vectorOf) => {
    const storage = openSqlite({
      folder: null,
      clock: fakeClock(),
      log: silentLogger,
      space: SPACE,
      textOf: searchableText,
      policies: storagePolicies,
      cacheDir: tmpdir(),
    });
    const rows = Array.from({ length: ROWS }, (_, i) => ({ row: aRow(), vector: vectorOf(i) }));
    await storage.memories.insert(aBatch(rows.map(({ row, vector }) => anEntry(row, vector))));
    const [gone, kept] = [rows.slice(0, ROWS / 4), rows.slice(ROWS / 4)];
    await storage.memories.remove({ tenant_id: TENANT, ids: gone.map(({ row }) => row.id) }, ACTOR, ROWS);
    const reply = await storage.memories.hits({
      filter: { tenant_id: TENANT },
      vector: asked(query),
      words: [],
      pool: POOL,
    });
    await storage.close();
    const distances = new Map<StoredMemory["id"], number>(
      kept.map(({ row, vector }) => [row.id, differing(query, vector)]),
    );
    const ascending = (values: Iterable<number | undefined>) => [...values].sort((a, b) => (a ?? -1) - (b ?? -1));
    const found = reply.hits.map(({ memory }) => distances.get(memory.id));
    expect(ascending(found)).toEqual(ascending(distances.values()).slice(0, POOL));
  },
);
