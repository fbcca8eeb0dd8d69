import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { BulkResult, MEMORY_TYPES, RESERVED_TYPES } from "../../src/core/schema/memory.ts";
import { MEMORY_SORTS, MemoryPage } from "../../src/core/schema/memory-query.ts";
import type { FakeClock } from "../support/clock.ts";
import { fakeClock } from "../support/clock.ts";
import type { InProcess } from "../support/in-process.ts";
import { openApp } from "../support/in-process.ts";

const HANG_GUARD_MS = 180_000;
setDefaultTimeout(HANG_GUARD_MS);
const PAGES_MAX = 200;

let opened: InProcess;
let clock: FakeClock;
let walks = 0;

beforeAll(async () => {
  clock = fakeClock();
  opened = await openApp({ clock });
});
afterAll(() => opened.app.stop());

/** What one bulk write stores: its rows share a moment, and the clock may stand still or go back before it. */
const batch = fc.record({
  stepMs: fc.constantFrom(0, 0, 1, 60_000, -1, -3_600_000),
  rows: fc.array(
    fc.record({
      weight: fc.constantFrom(0, 0.5, 1),
      memory_type: fc.constantFrom(...MEMORY_TYPES.filter((type) => !RESERVED_TYPES.includes(type))),
      expires_at: fc.constantFrom(null, "2030-01-01T00:00:00Z", "2031-01-01T00:00:00Z"),
      status: fc.constantFrom("active", "archived"),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  agent_id: fc.constantFrom("ann", "bob"),
});

interface Batch {
  readonly stepMs: number;
  readonly agent_id: string;
  readonly rows: readonly object[];
}

/** Each walk has a fleet of its own, so that one store serves them all. */
async function write(fleet_id: string, { stepMs, rows, agent_id }: Batch): Promise<string[]> {
  clock.advance(stepMs);
  const items = rows.map((row, i) => ({ ...row, content: `Row ${i} of ${fleet_id} at ${performance.now()}.` }));
  const body = { tenant_id: "default", fleet_id, agent_id, items };
  const { results } = await opened.client.ok(BulkResult, "POST", "/api/v1/memories/bulk", { body });
  return results.map(({ id }) => id ?? "");
}

type Query = Record<string, string | number>;
const page = (query: Query): Promise<MemoryPage> => opened.client.ok(MemoryPage, "GET", "/api/v1/memories", { query });

/** Walks to the end by cursor; `between` runs after each page. */
async function walkByCursor(query: Query, between: () => Promise<void>): Promise<MemoryPage["items"]> {
  const seen: MemoryPage["items"] = [];
  for (let cursor: string | null = "", pages = 0; cursor !== null; pages++) {
    if (pages > PAGES_MAX) throw new Error("The walk does not end.");
    const found: MemoryPage = await page(cursor === "" ? query : { ...query, cursor });
    seen.push(...found.items);
    cursor = found.next_cursor;
    await between();
  }
  return seen;
}

async function walkByOffset(query: Query, limit: number, between: () => Promise<void>): Promise<MemoryPage["items"]> {
  const seen: MemoryPage["items"] = [];
  for (let offset = 0; offset < PAGES_MAX * limit; offset += limit) {
    const { items } = await page({ ...query, limit, offset });
    seen.push(...items);
    if (items.length < limit) return seen;
    await between();
  }
  throw new Error("The walk does not end.");
}

const idsOf = (items: MemoryPage["items"]): string[] => items.map(({ id }) => id);
const batches = fc.array(batch, { minLength: 1, maxLength: 4 });
const limits = fc.integer({ min: 1, max: 9 });

test("a cursor visits what was there exactly once, whatever is written or removed meanwhile", async () => {
  await fc.assert(
    fc.asyncProperty(
      batches,
      fc.array(batch, { maxLength: 3 }),
      limits,
      fc.nat(),
      async (first, later, limit, victim) => {
        const fleet_id = `walk-${++walks}`;
        const there: string[] = [];
        for (const one of first) there.push(...(await write(fleet_id, one)));
        const removed = there[victim % (there.length * 2)];
        const come = [...later];
        const added: string[] = [];
        const seen = idsOf(
          await walkByCursor({ fleet_id, limit }, async () => {
            const next = come.pop();
            if (next) added.push(...(await write(fleet_id, next)));
            if (removed && come.length === 0) await remove(removed);
          }),
        );
        expect(new Set(seen).size).toBe(seen.length);
        const kept = there.filter((id) => id !== removed);
        expect(seen.filter((id) => kept.includes(id)).sort()).toEqual([...kept].sort());
        expect(seen.filter((id) => !there.includes(id) && !added.includes(id))).toEqual([]);
      },
    ),
    { numRuns: 20 },
  );
});

const remove = (id: string) =>
  opened.client.call("DELETE", `/api/v1/memories/${id}`, { query: { tenant_id: "default" } });

test("by default the newest come first, and rows of one moment have a fixed order", async () => {
  await fc.assert(
    fc.asyncProperty(batches, limits, async (all, limit) => {
      const fleet_id = `walk-${++walks}`;
      for (const one of all) await write(fleet_id, one);
      const walked = await walkByCursor({ fleet_id, limit }, async () => {});
      const keys = walked.map(({ created_at, id }) => `${created_at} ${id}`);
      expect(keys).toEqual(keys.toSorted().reverse());
      expect(idsOf((await page({ fleet_id, limit: 500 })).items)).toEqual(idsOf(walked));
    }),
    { numRuns: 20 },
  );
});

test("offsets visit every row exactly once in any order of sorting", async () => {
  const sorting = fc.record({ sort: fc.constantFrom(...MEMORY_SORTS), order: fc.constantFrom("asc", "desc") });
  await fc.assert(
    fc.asyncProperty(batches, sorting, limits, async (all, query, limit) => {
      const fleet_id = `walk-${++walks}`;
      const there: string[] = [];
      for (const one of all) there.push(...(await write(fleet_id, one)));
      const walked = await walkByOffset({ ...query, fleet_id }, limit, async () => {});
      expect(idsOf(walked).sort()).toEqual([...there].sort());
    }),
    { numRuns: 20 },
  );
});

test("offsets from the oldest on visit every row once while newer ones come", async () => {
  await fc.assert(
    fc.asyncProperty(batches, fc.array(batch, { maxLength: 3 }), limits, async (first, later, limit) => {
      const fleet_id = `walk-${++walks}`;
      const forward = (one: Batch) => ({ ...one, stepMs: Math.max(1, one.stepMs) });
      const there: string[] = [];
      for (const one of first) there.push(...(await write(fleet_id, forward(one))));
      const come = [...later];
      const seen = idsOf(
        await walkByOffset({ fleet_id, sort: "created_at", order: "asc" }, limit, async () => {
          const next = come.pop();
          if (next) await write(fleet_id, forward(next));
        }),
      );
      expect(new Set(seen).size).toBe(seen.length);
      expect(there.filter((id) => !seen.includes(id))).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

test("a cursor that is not ours, or meets another sort, is refused", async () => {
  await write("cursor", { stepMs: 1, agent_id: "ann", rows: [{}, {}] });
  const { next_cursor } = await page({ fleet_id: "cursor", limit: 1 });
  expect(next_cursor).not.toBeNull();
  const ours = next_cursor ?? "";
  const others = fc.oneof(
    fc.string({ maxLength: 80 }),
    fc.string({ maxLength: 80 }).map((text) => btoa(encodeURIComponent(text))),
    // Up to the last group of four: its padding may be left out.
    fc.nat({ max: ours.length - 5 }).map((index) => ours.slice(0, index)),
  );
  await fc.assert(
    fc.asyncProperty(others, async (cursor) => {
      const { status } = await opened.client.call("GET", "/api/v1/memories", { query: { cursor } });
      expect(status).toBe(400);
    }),
    { numRuns: 100 },
  );
  for (const query of [{ sort: "weight" }, { order: "asc" }]) {
    const { status } = await opened.client.call("GET", "/api/v1/memories", { query: { ...query, cursor: ours } });
    expect(status).toBe(400);
  }
});
