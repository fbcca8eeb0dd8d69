import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import { RECALL_MIN_SCORE, RecallReplies } from "../../../src/core/schema/retrieval.ts";
import { idsOf, memoriesApi, RECALL } from "../../support/api/memories.ts";
import { TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { openApp } from "../../support/in-process.ts";

/** To this model, nothing that the tests write is alike: whatever it finds is noise. */
const unlike = hashEmbedder();
const indifferent = { ...unlike, calibration: { ...unlike.calibration, zero: 2, context_zero: 2, spread: 0.05 } };

const CONTENTS = ["The otters live by the harbour wall.", "The canteen closes at two.", "Anna paints the boat shed."];
const QUESTION = "Where do the otters live?";
/** Shares no word with the contents. */
const ELSEWHERE = "zebra umbrella";

const clock = fakeClock();
const plain = await openApp({ clock });
const strange = await openApp({ clock, embedder: indifferent });
const bare = await openApp();
const apps = [plain, strange, bare];
afterAll(() => Promise.all(apps.map(({ app }) => app.stop())));
const api = memoriesApi(plain.client);
const noise = memoriesApi(strange.client);

beforeAll(async () => {
  for (const content of CONTENTS) for (const one of [api, noise]) await one.write({ content });
});

describe("min_score of a search", () => {
  test("keeps out the rows that score less, and keeps one at its very score", async () => {
    const all = (await api.search(QUESTION)).items;
    expect(all).toHaveLength(CONTENTS.length);
    for (const [i, { score }] of all.entries()) {
      const { items } = await api.search(QUESTION, { min_score: score });
      expect(items.length).toBeGreaterThan(i);
      expect(idsOf({ items })).toEqual(idsOf({ items: all.filter((one) => Number(one.score) >= Number(score)) }));
    }
  });

  test("spares no row that holds a word of the query", async () => {
    expect((await api.search("otters harbour wall", { min_similarity: 1 })).items).toHaveLength(1);
    const { items, warnings } = await api.search("otters harbour wall", { min_score: 1 });
    expect(items).toEqual([]);
    expect(warnings).toBeNull();
  });

  test.each([undefined, null, 0])("%p is no floor", async (min_score) => {
    const { items, diagnostic } = await noise.search(ELSEWHERE, { min_score, diagnostic: true });
    expect(items).toHaveLength(CONTENTS.length);
    for (const { score } of items) expect(score).toBeLessThan(RECALL_MIN_SCORE);
    expect(diagnostic).toMatchObject({ min_score_applied: 0, excluded_below_min_score: 0 });
  });

  test("is told apart from min_similarity in the diagnostic", async () => {
    const both = { diagnostic: true, min_similarity: 1, min_score: 1 };
    const { diagnostic } = await api.search("otters", both);
    expect(diagnostic).toMatchObject({
      min_similarity_applied: 1,
      min_score_applied: 1,
      candidates_considered: 3,
      returned: 0,
      excluded_below_min_similarity: 2,
      excluded_below_min_score: 1,
      excluded_by_top_k_trim: 0,
    });
    const named = diagnostic?.all_candidates.map(({ fts_match, excluded }) => [fts_match, excluded]);
    expect(named).toContainEqual([true, "below_min_score"]);
    expect(named?.filter(([, excluded]) => excluded === "below_min_similarity")).toHaveLength(2);
  });
});

describe("a recall of nothing that answers", () => {
  const NOTHING = { summary: "No relevant context found.", memory_count: 0, memories: [], items: [] };

  test("says so and cites nothing; a warning counts the rows and says how to have them", async () => {
    const reply = await noise.recall(ELSEWHERE);
    expect(reply).toMatchObject({ ...NOTHING, recall_provider: "local" });
    const details = { below_min_score: 3, best_score: expect.any(Number), min_score: RECALL_MIN_SCORE };
    expect(reply.warnings).toMatchObject([{ code: "below_min_score", details }]);
    expect(reply.warnings?.[0]?.message).toContain("min_score 0");
  });

  test("is explained by its diagnostic", async () => {
    const { diagnostic } = await noise.recall(ELSEWHERE, { diagnostic: true });
    expect(diagnostic).toMatchObject({ min_score_applied: RECALL_MIN_SCORE, excluded_below_min_score: 3 });
    expect(diagnostic?.all_candidates.map(({ excluded }) => excluded)).toEqual(Array(3).fill("below_min_score"));
  });

  test("counts as a recall of no memory", async () => {
    await noise.recall(ELSEWHERE, { caller_agent_id: "ada" });
    await strange.settle();
    const { items } = await noise.list();
    expect(items.map(({ recall_count }) => recall_count)).toEqual([0, 0, 0]);
  });

  test("has its usage where fields are chosen", async () => {
    const body = { tenant_id: TENANT, query: ELSEWHERE, view: "compact" };
    const reply = await strange.client.ok(RecallReplies, "POST", RECALL, { body });
    expect(reply).toMatchObject({ summary: NOTHING.summary, memories: [], usage: { memories_stored: 3 } });
  });

  test("brings all that was found with min_score 0", async () => {
    const reply = await noise.recall(ELSEWHERE, { min_score: 0 });
    expect(reply).toMatchObject({ memory_count: 3, warnings: null });
    expect(reply.summary).not.toBe(NOTHING.summary);
  });

  test("needs no warning where the caller chose the floor", async () => {
    expect(await noise.recall(ELSEWHERE, { min_score: 0.5 })).toMatchObject({ ...NOTHING, warnings: null });
  });

  test("needs none where there is nothing to find", async () => {
    expect(await memoriesApi(bare.client).recall(QUESTION)).toMatchObject({ ...NOTHING, warnings: null });
  });
});

test("a recall leaves out what scores too little beside what answers", async () => {
  const [best, second] = (await api.search(QUESTION)).items;
  expect(best?.score).toBeGreaterThan(second?.score ?? 1);
  const { memories, summary, warnings } = await api.recall(QUESTION, { min_score: best?.score });
  expect(idsOf({ items: memories })).toEqual([best?.id ?? ""]);
  expect(summary).toContain(CONTENTS[0] ?? "");
  expect(summary).not.toContain(second?.id ?? "");
  expect(warnings).toBeNull();
});
