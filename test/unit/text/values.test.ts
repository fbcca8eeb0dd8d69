import { describe, expect, test } from "bun:test";
import { readValues } from "../../../src/text/values/read.ts";
import { relate } from "../../../src/text/values/relate.ts";
import type { Value } from "../../../src/text/values/value.ts";

/** A Wednesday. */
const REFERENCE_MS = Date.UTC(2025, 4, 7, 12);

const valuesOf = (text: string): readonly Value[] => readValues(text, REFERENCE_MS).values;
const keysOf = (text: string): string[] => valuesOf(text).map(({ kind, key }) => `${kind} ${key}`);

describe("numbers", () => {
  test.each([
    ["It has 12 nodes.", "number 12 node"],
    ["twelve nodes", "number 12 node"],
    ["a dozen nodes", "number 12 node"],
    ["half a dozen nodes", "number 6 node"],
    ["twenty-five seats", "number 25 seat"],
    ["two hundred and fifty thousand rows", "number 250000 row"],
    ["84k people", "number 84000 peopl"],
    ["84,000 people", "number 84000 peopl"],
    ["1.2M rows", "number 1200000 row"],
    ["1.2 million rows", "number 1200000 row"],
    ["81%", "number 81 %"],
    ["81 per cent", "number 81 %"],
    ["half of the seats", "number 50 %"],
    ["100 requests per minute", "number 100 request/minute"],
    ["20 °C", "number 20 deg"],
    ["68°F", "number 20 deg"],
    ["2 TB", "number 2000000000000 byte"],
    ["5 feet 11 inches", "number 1.8034 m"],
    ["5 km", "number 5000 m"],
    ["the limit is 3", "number 3"],
  ])("'%s' is %s", (text, key) => expect(keysOf(text)).toEqual([key]));

  test.each(["no one came", "one day", "this one", "3D prints", "the one that works"])("'%s' has no number", (text) => {
    expect(keysOf(text)).toEqual([]);
  });
});

describe("money", () => {
  test.each([
    ["$1,150.50", "money 1150.5 usd"],
    ["20k dollars", "money 20000 usd"],
    ["EUR 300", "money 300 eur"],
    ["1,240 euros a month", "money 1240 eur/month"],
    ["€12/month", "money 12 eur/month"],
    ["$3.5m", "money 3500000 usd"],
  ])("'%s' is %s", (text, key) => expect(keysOf(text)).toEqual([key]));
});

describe("durations and frequencies", () => {
  test.each([
    ["90 min", "duration 5400 s"],
    ["90-minute", "duration 5400 s"],
    ["1.5 h", "duration 5400 s"],
    ["an hour and a half", "duration 5400 s"],
    ["1 h 30 min", "duration 5400 s"],
    ["half an hour", "duration 1800 s"],
    ["for six weeks", "duration 3628800 s"],
    ["every two weeks", "frequency every 1209600 s"],
    ["fortnightly", "frequency every 1209600 s"],
    ["every other week", "frequency every 1209600 s"],
    ["twice a week", "frequency every 302400 s"],
    ["every night", "frequency every 86400 s"],
  ])("'%s' is %s", (text, key) => expect(keysOf(text)).toEqual([key]));
});

test("a date whose day nobody can tell from its month is none", () => {
  expect(keysOf("03/04/2025").filter((key) => key.startsWith("date"))).toEqual([]);
  expect(keysOf("04/04/2025")).toEqual(["date 2025-04-04"]);
});

describe("dates and times", () => {
  test.each([
    ["2025-06-03", "date 2025-06-03"],
    ["June 3, 2025", "date 2025-06-03"],
    ["3rd of June 2025", "date 2025-06-03"],
    ["15/06/2025", "date 2025-06-15"],
    ["3.6.2025", "date 2025-06-03"],
    ["in June", "date 2025-06-01 to 2025-06-30"],
    ["on Tuesday", "date 2025-05-06"],
    ["tomorrow", "date 2025-05-08"],
    ["next Friday", "date 2025-05-16"],
    ["last Friday", "date 2025-05-02"],
    ["next month", "date 2025-06-01 to 2025-06-30"],
    ["in two weeks", "date 2025-05-20 to 2025-05-22"],
    ["3 days ago", "date 2025-05-04"],
    ["Q2 2025", "date 2025-04-01 to 2025-06-30"],
    ["in the summer of 2024", "date 2024-06-01 to 2024-08-31"],
    ["at 9:30", "time 09:30"],
    ["3 pm", "time 15:00"],
    ["12 am", "time 00:00"],
    ["noon", "time 12:00"],
    ["opens at 7", "time 07:00"],
  ])("'%s' is %s", (text, key) => expect(keysOf(text)).toEqual([key]));

  test.each(["it may be late", "they march on", "at 7 locations we met"])("'%s' is no date and no time", (text) => {
    expect(valuesOf(text).filter(({ kind }) => kind === "date" || kind === "time")).toEqual([]);
  });
});

describe("versions and names with numbers", () => {
  test.each([
    ["Postgres 14", "version postgr 14"],
    ["v2.4.0", "version 2.4"],
    ["version 3", "version 3"],
    ["platform 4.", "version platform 4"],
    ["Ticket 4711 is open", "version ticket 4711"],
  ])("'%s' is %s", (text, key) => expect(keysOf(text)).toEqual([key]));
});

describe("what two values are to each other", () => {
  test.each([
    ["90 minutes", "1.5 hours", "equal"],
    ["84k rows", "84,000 rows", "equal"],
    ["2 TB", "2048 GB", "compatible"],
    ["5 miles", "8 km", "compatible"],
    ["about 80 m", "81 m", "compatible"],
    ["at least 10 people", "14 people", "compatible"],
    ["at least 10 people", "7 people", "clash"],
    ["80 m", "81 m", "clash"],
    ["12 rooms", "9 cold rooms", "clash"],
    ["12 nodes", "9 seats", "apart"],
    ["24 runs per day", "1 run per hour", "equal"],
    ["100 requests per minute", "250 requests per minute", "clash"],
    ["$20", "20 euros", "apart"],
    ["June 3", "2025-06-03", "equal"],
    ["in June", "June 3", "compatible"],
    ["in Q2", "in June", "compatible"],
    ["on Tuesday", "on Thursday", "clash"],
    ["June 3", "June 4", "clash"],
    ["on Tuesday", "in June", "clash"],
    ["at 3", "15:00", "compatible"],
    ["9:30", "10:00", "clash"],
    ["Postgres 14", "Postgres 14.2", "compatible"],
    ["Postgres 14", "Postgres 16", "clash"],
    ["Postgres 14", "Node 16", "apart"],
    ["daily", "every day", "equal"],
    ["weekly", "every two weeks", "clash"],
  ] as const)("'%s' and '%s': %s", (one, other, relation) => {
    const [a] = valuesOf(one);
    const [b] = valuesOf(other);
    if (a === undefined || b === undefined) throw new Error("A text without a value.");
    expect(relate(a, b)).toBe(relation);
    expect(relate(b, a)).toBe(relation);
  });
});
