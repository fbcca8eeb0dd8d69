import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import { queryTimes, timeMatch } from "../../../src/search/temporal.ts";
import { aRow } from "../../support/builders.ts";

/** A Wednesday. */
const NOW = Date.parse("2026-03-18T12:00:00Z");

const instant = (day: string): string => new Date(day).toISOString();
/** A row that was so on a day, as its caller says. */
const on = (day: string, content = "The sky was grey."): StoredMemory =>
  aRow({ content, ts_valid_start: instant(day) });
const match = (query: string, row: StoredMemory): number => timeMatch(row, queryTimes(query, NOW));

describe("a row of the time that a query names fits it:", () => {
  test.each([
    ["What happened last week?", "2026-03-11", "2026-02-11"],
    ["What did we do yesterday?", "2026-03-17", "2026-03-10"],
    ["releases in March", "2026-03-02", "2025-11-20"],
    ["the talk between 3 and 7 May", "2025-05-05", "2025-06-20"],
    ["What was decided in Q3?", "2025-08-10", "2025-02-10"],
    ["What did Anna say on Monday?", "2026-03-16", "2026-03-09"],
    ["two days ago", "2026-03-16", "2026-03-06"],
    ["What changed since February?", "2026-02-20", "2025-12-01"],
    ["What did we use before 2024?", "2021-05-05", "2024-06-01"],
    ["after 1 January 2026", "2026-03-01", "2025-11-01"],
    ["until June 2025", "2025-02-03", "2025-09-01"],
    ["in the summer of 2023", "2023-07-20", "2023-11-20"],
    ["What is planned for next month?", "2026-04-20", "2026-02-01"],
    ["What is due on Friday?", "2026-03-20", "2026-03-06"],
  ])("%s", (query, inside, outside) => {
    expect(match(query, on(inside))).toBeGreaterThan(0.2);
    expect(match(query, on(inside))).toBeGreaterThan(3 * match(query, on(outside)));
  });
});

describe("the time of a row is", () => {
  test("its validity, whatever day it was written", () => {
    const row = aRow({
      ts_valid_start: instant("2025-05-01"),
      ts_valid_end: instant("2025-05-31"),
      created_at: instant("2026-03-17"),
    });
    expect(match("in mid May 2025", row)).toBeGreaterThan(0.5);
    expect(match("yesterday", row)).toBeLessThan(0.01);
  });

  test("or what its text says of the day on which it was said", () => {
    expect(match("on 7 May 2023", on("2023-05-08", "Anna: I went to the fair yesterday."))).toBe(1);
    expect(match("on 8 May 2023", on("2023-05-08", "Anna: I went to the fair yesterday."))).toBe(1);
    expect(match("in June 2023", on("2023-05-08", "Anna: We leave next month."))).toBeGreaterThan(0.4);
  });

  test("or the day on which it was written", () => {
    const row = aRow({ content: "The sky was grey.", created_at: instant("2026-03-17") });
    expect(match("yesterday", row)).toBe(1);
  });
});

test("a day tells more than a week, a week more than a month, a month more than a year", () => {
  const row = on("2026-03-10");
  const queries = ["on 10 March 2026", "last week", "in March 2026", "this year"];
  const matches = queries.map((query) => match(query, row));
  expect(matches).toEqual(matches.toSorted((a, b) => b - a));
  expect(new Set(matches).size).toBe(4);
});

test("a date without a year means every year, the one of the sentence's tense most", () => {
  const [last, before] = [match("in May", on("2025-05-10")), match("in May", on("2023-05-10"))];
  expect(last).toBeGreaterThan(before);
  expect(before).toBeGreaterThan(0.4);
  expect(match("in May 2025", on("2023-05-10"))).toBeLessThan(0.01);
});

test("a query without a time fits nothing", () => {
  expect(queryTimes("Which version may we use, 2.0.3 or the second?", NOW)).toEqual([]);
  expect(match("Which version may we use?", on("2026-03-17"))).toBe(0);
});

test("a fit lies between 0 and 1, and is the better the nearer the row lies to the window", () => {
  const day = fc.integer({ min: 0, max: 20_000 }).map((days) => new Date(days * 86_400_000).toISOString());
  const query = fc.constantFrom("last week", "on 3 May 2020", "in March", "since 2015", "before June 2010", "Q3 2001");
  fc.assert(
    fc.property(query, day, fc.nat({ max: 300 }), (text, at, more) => {
      const fit = match(text, on(at));
      expect(fit >= 0 && fit <= 1).toBe(true);
      const [{ window } = { window: { start: 0, end: 0 } }, ...others] = queryTimes(text, NOW);
      const start = Date.parse(at);
      if (others.length > 0 || text === "in March" || start < window.end) return;
      expect(match(text, on(new Date(start + more * 86_400_000).toISOString()))).toBeLessThanOrEqual(fit);
    }),
  );
});
