import { describe, expect, test } from "bun:test";
import { enrich } from "../../../src/memories/enrichment/enrich.ts";

const midnight = (day: string): string => `${day}T00:00:00.000Z`;
const startOf = (text: string, reference: string): string | null =>
  enrich(text, { reference: Date.parse(reference) }).ts_valid_start;

/** A Sunday in late autumn: most months are over, and come again next year. */
const WRITTEN = "2026-11-29T12:00:00Z";

describe("words of a plan put a date ahead", () => {
  test.each([
    ["The Redis migration is planned for January.", "2027-01-01"],
    ["Redis migration planned for january", "2027-01-01"],
    ["The planned migration in January needs Anna.", "2027-01-01"],
    ["The audit is due in March.", "2027-03-01"],
    ["The report is due to be published in March.", "2027-03-01"],
    ["We will move the servers to Helsinki in spring.", "2027-03-01"],
    ["Anna is moving to Lisbon in spring.", "2027-03-01"],
    ["The next release of the parser comes in February.", "2027-02-01"],
    ["The launch was moved to September.", "2027-09-01"],
    ["The launch was postponed to 3 February.", "2027-02-03"],
    ["The launch slipped and is now planned for January.", "2027-01-01"],
    ["Bob said that Anna will leave in June.", "2027-06-01"],
    ["Roadmap: version 3 in March", "2027-03-01"],
    ["Plans for September: rewrite the importer in Rust.", "2027-09-01"],
  ])("%s", (text, day) => {
    const { ts_valid_start, ts_valid_end } = enrich(text, { reference: Date.parse(WRITTEN) });
    expect([ts_valid_start ?? ts_valid_end?.slice(0, 7)]).toContain(ts_valid_start ? midnight(day) : day.slice(0, 7));
  });
});

describe("the past tense puts a date behind", () => {
  test.each([
    ["Anna moved to Lisbon in spring.", "2026-03-01"],
    ["Anna moved to Lisbon this spring.", "2026-03-01"],
    ["Anna moved to Lisbon in spring and will visit us.", "2026-03-01"],
    ["In spring, Anna moved to Lisbon.", "2026-03-01"],
    ["The office was closed in December due to flooding.", "2025-12-01"],
    ["We shifted the whole team to Postgres in June.", "2026-06-01"],
    ["Our planning meeting was in May.", "2026-05-01"],
    ["The cluster has been moved to Helsinki in October.", "2026-10-01"],
    ["We met Priya on 30 November.", "2025-11-30"],
    ["Bob brought the old printer to Lyon in January.", "2026-01-01"],
  ])("%s", (text, day) => {
    expect(startOf(text, WRITTEN)).toBe(midnight(day));
  });
});

describe("no date is better than a wrong one, where nothing tells which year is meant", () => {
  test.each([
    "Offsite in Porto in October.",
    "Launch party on 5 December.",
    "The office is closed in January.",
    "The launch was planned for January.",
    "The report was due on 3 April.",
    "We planned the trip in May.",
    "We decided to launch in January.",
    "Delays in March due to rain.",
    "The shared budget covers travel in June.",
    "We shipped version 2, version 3 follows in January.",
  ])("%s", (text) => {
    const { ts_valid_start, ts_valid_end } = enrich(text, { reference: Date.parse(WRITTEN) });
    expect([ts_valid_start, ts_valid_end]).toEqual([null, null]);
  });
});

test("a year that is named is read whatever the tense", () => {
  expect(startOf("Offsite in Porto in October 2025.", WRITTEN)).toBe(midnight("2025-10-01"));
  expect(startOf("Last spring Anna moved to Lisbon.", WRITTEN)).toBe(midnight("2026-03-01"));
});
