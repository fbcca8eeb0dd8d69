import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { contentsOf, idsOf, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

const app = await startApp();
afterAll(() => app.stop());
const api = memoriesApi(app.client);

/** A Wednesday. */
const NOW = { valid_at: "2026-03-18T12:00:00Z" };

/** Lunches that differ in their day and in one letter, so that nothing else tells them apart. */
const LUNCHES: readonly (readonly [place: string, day: string])[] = [
  ["a", "2026-03-17"],
  ["b", "2026-03-11"],
  ["c", "2026-02-20"],
  ["d", "2025-09-09"],
  ["e", "2025-05-05"],
  ["f", "2024-03-12"],
];
const lunchAt = (place: string): string => `The team lunch was held in room ${place}.`;

beforeAll(async () => {
  for (const [place, day] of LUNCHES) {
    await api.write({ content: lunchAt(place), memory_type: "fact", ts_valid_start: day });
  }
});

const search = (query: string, fields = {}) => api.search(query, { top_k: 20, diagnostic: true, ...NOW, ...fields });

describe("a row of the time that a question names comes first:", () => {
  test.each([
    ["Where was the team lunch yesterday?", "a"],
    ["Where was the team lunch last week?", "b"],
    ["Where was the team lunch on Wednesday last week?", "b"],
    ["Where was the team lunch last month?", "c"],
    ["Where was the team lunch in Q3?", "d"],
    ["Where was the team lunch between 3 and 7 May?", "e"],
    ["Where was the team lunch before 2025?", "f"],
    ["Where was the team lunch in March 2024?", "f"],
    ["Where was the team lunch on 2025-09-09?", "d"],
    ["Where was the team lunch six months ago?", "d"],
  ])("%s", async (query, place) => {
    const { items, diagnostic } = await search(query);
    expect(items[0]?.content).toBe(lunchAt(place));
    expect(items[0]?.score_parts?.temporal_boost).toBeGreaterThan(0);
    expect(diagnostic).toMatchObject({ retrieval_strategy: "temporal" });
    expect(diagnostic?.search_params.time_windows).not.toEqual([]);
  });
});

test("a time in the question throws no row out", async () => {
  const all = idsOf(await search("Where was the team lunch?")).sort();
  expect(all).toHaveLength(LUNCHES.length);
  for (const when of ["last week", "in 1999", "since yesterday", "before 1990", "on 3 May 2050", "recently"]) {
    expect(idsOf(await search(`Where was the team lunch ${when}?`)).sort()).toEqual(all);
  }
});

test("a question for what is new is led by what was so last", async () => {
  const { items, diagnostic } = await search("Where was the latest team lunch?");
  expect(contentsOf({ items })).toEqual(LUNCHES.map(([place]) => lunchAt(place)));
  expect(diagnostic).toMatchObject({ retrieval_strategy: "recent_context", search_params: { time_windows: [] } });
});

test("a question without a time is led by neither", async () => {
  const { items, diagnostic } = await search("Where was the team lunch?");
  expect(diagnostic).toMatchObject({ retrieval_strategy: "hybrid" });
  for (const { score_parts } of items) expect(score_parts?.temporal_boost).toBe(0);
});

test("what a question means by last month follows valid_at, and rows that were not yet so stay out", async () => {
  const { items } = await search("Where was the team lunch last month?", { valid_at: "2025-10-15T00:00:00Z" });
  expect(contentsOf({ items })).toEqual(expect.arrayContaining([lunchAt("d"), lunchAt("e"), lunchAt("f")]));
  expect(items[0]?.content).toBe(lunchAt("d"));
  expect(items).toHaveLength(3);
});

test("a date that the text itself tells counts, without any field set", async () => {
  const contents = [
    "The ferry to Tallinn broke down on 3 May 2024.",
    "Fog held up the ferry to Tallinn on 9 August 2024.",
  ];
  for (const content of contents) await api.write({ content });
  await app.settle();
  const [may, august] = contents;
  expect((await api.search("What happened to the ferry to Tallinn in August 2024?")).items[0]?.content).toBe(
    august ?? "",
  );
  expect((await api.search("What happened to the ferry to Tallinn in May 2024?")).items[0]?.content).toBe(may ?? "");
});

test("a row past its end is no longer fresh, one with its end to come is", async () => {
  const common = "The bridge toll is four euros";
  await api.write({ content: `${common} at the old gate.`, ts_valid_end: "2020-01-01" });
  await api.write({ content: `${common} at the new gate.`, ts_valid_end: "2090-01-01" });
  const { items } = await api.search("bridge toll in euros", { top_k: 2 });
  expect(items.map(({ score_parts }) => score_parts?.freshness)).toEqual([1, 0]);
  expect(items[0]?.content).toContain("new gate");
});

test.each([
  ["Wo war das Mittagessen letzte Woche?", "2026-03-09"],
  ["Où était le déjeuner hier ?", "2026-03-17"],
  ["¿Dónde fue el almuerzo en marzo de 2024?", "2024-03-01"],
  ["昨天的午餐在哪里？", "2026-03-17"],
])("a question in another language names its time: %s", async (query, from) => {
  const { diagnostic } = await search(query);
  expect(diagnostic).toMatchObject({ retrieval_strategy: "temporal" });
  expect(JSON.stringify(diagnostic?.search_params.time_windows)).toContain(from);
});

test("what is written in another language holds from and until when it says", async () => {
  const reference_datetime = NOW.valid_at;
  const german = await api.write({
    content: "Der Vertrag gilt bis 31. Dezember 2026 und nicht länger.",
    reference_datetime,
  });
  expect(german.ts_valid_end).toStartWith("2026-12-31");
  const chinese = await api.write({ content: "我们2024年3月搬到新办公室了。", reference_datetime });
  expect(chinese.ts_valid_start).toStartWith("2024-03-01");
});
