import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MEMORY_TYPES } from "../../../src/core/schema/memory.ts";
import { eventTime, freshnessOf, recencyOf } from "../../../src/search/freshness.ts";
import { aRow } from "../../support/builders.ts";

const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-03-18T12:00:00Z");
const daysAgo = (days: number): string => new Date(NOW - days * DAY_MS).toISOString();

describe("a row is fresh", () => {
  test("when it is new, and fades at the pace of its type", () => {
    const at = (memory_type: "task" | "preference", days: number) =>
      freshnessOf(aRow({ memory_type, created_at: daysAgo(days) }), NOW);
    expect([at("task", 0), at("task", 15), at("task", 30), at("task", 300)]).toEqual([1, 0.5, 0, 0]);
    expect(at("preference", 30)).toBeGreaterThan(0.9);
  });

  test("counted from when it began to hold, if that is later", () => {
    const created_at = daysAgo(100);
    expect(freshnessOf(aRow({ created_at, ts_valid_start: daysAgo(0) }), NOW)).toBe(1);
    expect(freshnessOf(aRow({ created_at: daysAgo(0), ts_valid_start: daysAgo(100) }), NOW)).toBe(1);
  });

  test("up to its end, and not after", () => {
    expect(freshnessOf(aRow({ created_at: daysAgo(1_000), ts_valid_end: daysAgo(-1) }), NOW)).toBe(1);
    expect(freshnessOf(aRow({ created_at: daysAgo(0), ts_valid_end: daysAgo(1) }), NOW)).toBe(0);
  });

  test("never more than wholly, and never less than not at all", () => {
    const day = fc.option(fc.integer({ min: -1_000, max: 1_000 }).map(daysAgo));
    fc.assert(
      fc.property(
        fc.constantFrom(...MEMORY_TYPES),
        day,
        day,
        fc.integer({ min: -9, max: 900 }),
        (memory_type, ts_valid_start, ts_valid_end, days) => {
          const row = aRow({ memory_type, ts_valid_start, ts_valid_end, created_at: daysAgo(days) });
          expect(freshnessOf(row, NOW)).toBeWithin(0, 1.0001);
        },
      ),
    );
  });
});

describe("a row is recent", () => {
  test("beside the newest, the first days counting most", () => {
    const all = [0, 1, 7, 30, 365, 4_000].map((days) => recencyOf(NOW - days * DAY_MS, NOW));
    expect(all).toEqual(all.toSorted((a, b) => b - a));
    expect([all[0], all[5]]).toEqual([1, 0]);
    expect((all[0] ?? 0) - (all[2] ?? 0)).toBeGreaterThan((all[2] ?? 0) - (all[3] ?? 0));
  });

  test("by when it was so; what is yet to come, by when it was written", () => {
    const created_at = daysAgo(5);
    expect(eventTime(aRow({ created_at, ts_valid_start: daysAgo(90) }), NOW)).toBe(Date.parse(daysAgo(90)));
    expect(eventTime(aRow({ created_at, ts_valid_start: daysAgo(-90) }), NOW)).toBe(Date.parse(created_at));
    expect(eventTime(aRow({ created_at }), NOW)).toBe(Date.parse(created_at));
  });
});
