import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { contentsOf, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

const app = await startApp();
afterAll(() => app.stop());
const api = memoriesApi(app.client);

/** What happened in March 2026, by each of the ways in which a row can say so, and what did not. */
const ROWS = {
  told: { content: "The harbour crane was inspected.", ts_valid_start: "2026-03-10T09:00:00Z" },
  named: { content: "On 12 March 2026 the harbour crane was painted." },
  reported: { content: "The harbour crane is out of order.", reference_datetime: "2026-03-20T10:00:00Z" },
  late: { content: "The harbour crane was oiled.", ts_valid_start: "2026-03-31T22:30:00Z" },
  early: { content: "The harbour crane was delivered.", ts_valid_start: "2026-02-28T23:30:00Z" },
  now: { content: "The harbour crane works again." },
} as const;
type Name = keyof typeof ROWS;
const names = (contents: readonly string[]): string[] =>
  // Safe: the keys of the table are its names.
  (Object.keys(ROWS) as Name[]).filter((name) => contents.includes(ROWS[name].content));

/** What held for two days and a bit. */
const BERTH = {
  content: "The harbour crane stands at berth 4.",
  ts_valid_start: "2020-05-03T08:00:00Z",
  ts_valid_end: "2020-05-05T16:00:00Z",
};

beforeAll(async () => {
  await api.write({ memory_type: "fact", ...BERTH });
  for (const row of Object.values(ROWS)) await api.write({ memory_type: "episode", ...row });
});

const MARCH = { happened_from: "2026-03-01", happened_to: "2026-03-31" };

describe.each([
  ["list", async (window: object) => contentsOf(await api.list({ ...window, limit: 500 }))],
  ["search", async (window: object) => contentsOf(await api.search("harbour crane", { ...window, top_k: 20 }))],
  [
    "recall",
    async (window: object) =>
      contentsOf({ items: (await api.recall("harbour crane", { ...window, top_k: 20 })).memories }),
  ],
] as const)("%s", (_name, read) => {
  test("within a window has what happened then: by its start, else when it was told, else when it was written", async () => {
    expect(names(await read(MARCH))).toEqual(["told", "named", "reported", "late"]);
    expect(names(await read({ happened_to: "2026-02-28" }))).toEqual(["early"]);
    expect(names(await read({ happened_from: "2026-04-01" }))).toEqual(["now"]);
    expect(names(await read({ happened_from: "2026-03-10T09:00:00Z", happened_to: "2026-03-10T09:00:00Z" }))).toEqual([
      "told",
    ]);
    expect(names(await read({}))).toEqual(Object.keys(ROWS));
    expect(await read({ happened_to: "2020-05-02" })).toEqual([]);
  });

  test("takes a date for the whole day by the caller's clock", async () => {
    const ahead = { ...MARCH, utc_offset_minutes: 120 };
    expect(names(await read(ahead))).toEqual(["told", "named", "reported", "early"]);
    expect(names(await read({ happened_from: "2026-03-10", happened_to: "2026-03-10" }))).toEqual(["told"]);
  });

  test("as of a day has what began or ended in the course of it", async () => {
    const held = async (valid_at: string, utc_offset_minutes = 0) =>
      (await read({ valid_at, utc_offset_minutes })).includes(BERTH.content);
    expect(await held("2020-05-03")).toBe(true);
    expect(await held("2020-05-05")).toBe(true);
    expect(await held("2020-05-02")).toBe(false);
    expect(await held("2020-05-06")).toBe(false);
    // By a clock 10 hours behind, 8:00 UTC is still the day before.
    expect(await held("2020-05-02", -600)).toBe(true);
    expect(await held("2020-05-05T17:00:00Z")).toBe(false);
  });

  test("refuses a day that no calendar has, and says how one is written", async () => {
    for (const name of ["happened_from", "happened_to", "valid_at"]) {
      const fault = await read({ [name]: "2026-02-30" }).catch(String);
      expect(fault).toContain("no calendar has 2026-02-30");
      expect(fault).toContain("2026-03-01T09:00:00Z");
    }
  });
});

test("what was written before or after a day, that day included, is by the caller's clock", async () => {
  const [row] = (await api.list({ limit: 1 })).items;
  const written = new Date(row?.created_at ?? "");
  const day = (days: number) => new Date(written.getTime() + days * 86_400_000).toISOString().slice(0, 10);
  expect((await api.list({ created_before: day(0) })).items.length).toBeGreaterThan(0);
  expect((await api.list({ created_before: day(-1) })).items).toEqual([]);
  expect((await api.list({ created_after: day(1) })).items).toEqual([]);
  // A clock 14 hours ahead shows tomorrow already, or one 14 hours behind still yesterday.
  const ahead = written.getUTCHours() >= 10;
  const other = ahead
    ? { created_after: day(1), utc_offset_minutes: 840 }
    : { created_before: day(-1), utc_offset_minutes: -840 };
  expect((await api.list(other)).items.length).toBeGreaterThan(0);
});
