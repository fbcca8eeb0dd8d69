import { describe, expect, test } from "bun:test";
import { enrich } from "../../../../src/memories/enrichment/enrich.ts";

/** A Wednesday. */
const reference = Date.parse("2026-03-18T12:00:00Z");
const read = (text: string, memory_type?: "episode" | "fact") => {
  const { ts_valid_start, ts_valid_end } = enrich(text, { reference, memory_type });
  return [ts_valid_start, ts_valid_end];
};
const midnight = (day: string): string => `${day}T00:00:00.000Z`;
const lastMoment = (day: string): string => `${day}T23:59:59.999Z`;

describe("a statement holds from", () => {
  test.each([
    ["The office has been closed since March.", "2026-03-01"],
    ["Anna joined the company in 2019.", "2019-01-01"],
    ["We met two weeks ago in Lyon.", "2026-03-04"],
    ["Launch is next Friday.", "2026-03-27"],
    ["Revenue in Q3 2025 was flat.", "2025-07-01"],
    ["After 5 May 2025 nobody called.", "2025-05-06"],
  ])("its date on, and has no end: %s", (text, start) => {
    expect(read(text)).toEqual([midnight(start), null]);
  });
});

describe("a statement holds until", () => {
  test.each([
    ["Feature freeze lasts until June.", "2026-06-30"],
    ["Send the report by Friday.", "2026-03-20"],
    ["The certificate expires on 5 June 2026.", "2026-06-05"],
    ["We promised Nordbank a fix by the end of June.", "2026-06-30"],
    ["Register before 1 April 2026.", "2026-03-31"],
  ])("the last moment it names: %s", (text, end) => {
    expect(read(text)).toEqual([null, lastMoment(end)]);
  });

  test.each([
    ["Priya will be on leave from August to December.", "2026-08-01", "2026-12-31"],
    ["The lab is closed 3-7 May 2026.", "2026-05-03", "2026-05-07"],
    ["Since 1 May 2026 the gate is open until 1 June 2026.", "2026-05-01", "2026-06-01"],
  ])("and from when, when it names both: %s", (text, start, end) => {
    expect(read(text)).toEqual([midnight(start), lastMoment(end)]);
  });
});

test("an episode never ends", () => {
  expect(read("The lab was closed from 3 to 7 May 2025.", "episode")).toEqual([midnight("2025-05-03"), null]);
  expect(read("The lab was closed from 3 to 7 May 2025.", "fact")).toEqual([
    midnight("2025-05-03"),
    lastMoment("2025-05-07"),
  ]);
});

describe("a statement holds always", () => {
  test.each([
    ["without a date", "The sky over Lyon is grey."],
    ["whose date is asked for", "Did we meet yesterday?"],
    ["that decides now about later", "The board approved the budget for next year."],
    ["of many dates", "We met on 1 May, 2 June, 3 July, 4 August and 5 September 2025."],
    ["whose numbers are no dates", "Version 2.10.3 costs 2024 euros at 10:30."],
  ])("%s", (_what, text) => {
    expect(read(text)).toEqual([null, null]);
  });
});
