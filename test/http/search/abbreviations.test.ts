import { afterAll, beforeAll, expect, test } from "bun:test";
import { ABBREVIATED } from "../../relevance/abbreviations.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

const [app, models] = await Promise.all([startApp(), startApp({ embedder: "onnx" })]);
afterAll(() => Promise.all([app.stop(), models.stop()]));
const api = memoriesApi(app.client);
const office = memoriesApi(models.client);

const HANG_GUARD_MS = 180_000;
const SHORTENED =
  /\b(?:db|ui|env|repo|prod|auth|config|k8s|docs|app|dev|infra|perf|admin|dir|lib|pkg|msg|param|pwd)\b/i;
const [SHORT, FULL, OTHER] = ["The db sleeps at noon.", "The database sleeps at noon.", "The gate is shut at noon."];

beforeAll(async () => {
  for (const content of [OTHER, FULL, SHORT, "The repository has a hook."]) await api.write({ content });
});

/** What a question finds by its words, with the share of them that each row holds. */
async function held(query: string): Promise<Record<string, number>> {
  const { items } = await api.search(query);
  return Object.fromEntries(items.map(({ content, score_parts }) => [content, score_parts?.fts_score ?? 0]));
}

test.each([
  ["db", SHORT, FULL],
  ["database", FULL, SHORT],
  ["dbs", SHORT, FULL],
])("%p finds what has it first, then what has the word that it is also written as", async (query, exact, equal) => {
  const found = await held(query);
  expect(Object.keys(found).filter((content) => found[content])).toEqual([exact, equal]);
  expect(found[exact]).toBe(1);
  expect(found[equal]).toBeGreaterThan(0.8);
  expect(found[equal]).toBeLessThan(1);
  expect(found[OTHER] ?? 0).toBe(0);
});

test("a word that is only written otherwise is all of the question", async () => {
  expect((await held("repo"))["The repository has a hook."]).toBe(1);
});

test(
  "questions that write a word short or in full find the row that writes it the other way",
  async () => {
    // Who writes a word in full, and who writes it short: beside rows with the very word of a question, those would be first.
    const writer = (note: string) => (SHORTENED.test(note) ? "short" : "full");
    for (const [agent_id, rows] of Map.groupBy(ABBREVIATED, ({ note }) => writer(note))) {
      await office.bulk(
        rows.map(({ note }) => ({ content: note, memory_type: "episode" })),
        { agent_id },
      );
    }
    await models.settle();
    const misses: string[] = [];
    for (const { note, question } of ABBREVIATED) {
      const { items } = await office.search(question, { top_k: 1, filter_agent_id: writer(note) });
      if (items[0]?.content !== note) misses.push(`${question} -> ${items[0]?.content}`);
    }
    expect(misses).toEqual([]);
  },
  HANG_GUARD_MS,
);
