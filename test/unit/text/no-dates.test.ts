import { describe, expect, test } from "bun:test";
import { enrich } from "../../../src/memories/enrichment/enrich.ts";
import { queryTimes, timeMatch } from "../../../src/search/temporal.ts";
import { readDates } from "../../../src/text/dates/read-dates.ts";
import { readValues } from "../../../src/text/values/read.ts";

const NOW = Date.parse("2026-03-18T12:00:00Z");

/** Days that no calendar has. */
const NONE = [
  "29 February 2023",
  "29th of February 2023",
  "the 29th of February, 2023",
  "February 29, 2023",
  "Feb 29th 2023",
  "2023-02-29",
  "2023/02/29",
  "29.02.2023",
  "29/02/2023",
  "02/29/2023",
  "30 February 2024",
  "31 April",
  "31 April 2026",
  "April 31st",
  "31.4.2026",
  "31 June 2025",
  "30 February",
  "28 to 31 April 2026",
];

describe.each(NONE)("%s", (words) => {
  const text = `The review of the plan was on ${words} in Bremen.`;

  test("is no date of what is written", () => {
    expect(readDates(text, { reference: NOW })).toEqual([]);
    expect(enrich(text, { reference: NOW })).toMatchObject({ ts_valid_start: null, ts_valid_end: null });
  });

  test("is no date of what is asked", () => {
    expect(queryTimes(`What was on ${words}?`, NOW)).toEqual([]);
  });

  test("is no date that a statement claims", () => {
    const values = readValues(text, NOW).values;
    expect(values.filter(({ window }) => window !== undefined)).toEqual([]);
  });
});

test("days that a calendar has are dates as before", () => {
  for (const words of [
    "29 February 2024",
    "February 29, 2024",
    "2024-02-29",
    "29.2.2024",
    "29/02/2024",
    "30 April 2026",
  ]) {
    const text = `The review of the plan was on ${words} in Bremen.`;
    expect(readDates(text, { reference: NOW })).toHaveLength(1);
    expect(readValues(text, NOW).values.filter(({ window }) => window !== undefined)).toHaveLength(1);
  }
});

test("29 February is never 1 March, in the years around that have none", () => {
  expect(readDates("The review was on 29 February.", { reference: NOW })).toEqual([]);
  const asked = queryTimes("What was on 29 February 2024?", NOW).map((one) => ({ ...one, yearly: true }));
  const row = (day: string) => ({
    id: "a",
    title: null,
    content: "A review.",
    memory_type: "fact" as const,
    status: "active" as const,
    run_id: null,
    created_at: `${day}T12:00:00.000Z`,
    ts_valid_start: `${day}T00:00:00.000Z`,
    ts_valid_end: `${day}T23:59:59.999Z`,
    entity_links: [],
    system_metadata: null,
  });
  expect(timeMatch(row("2024-02-29"), asked)).toBe(1);
  expect(timeMatch(row("2023-03-01"), asked)).toBeLessThan(0.01);
});
