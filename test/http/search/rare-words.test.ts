import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rareWords, rowsAround, TEMPLATES } from "../../relevance/rare-words.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

// The models themselves: it is nearness in meaning that a rare word must prevail against.
const app = await startApp({ embedder: "onnx" });
afterAll(() => app.stop());
const api = memoriesApi(app.client);

const HANG_GUARD_MS = 180_000;
const WORDS = rareWords(20);
/** Each question is asked of so many words: all of each would take minutes. */
const EACH = 5;

beforeAll(async () => {
  const rows = rowsAround(WORDS);
  const { created } = await api.bulk(rows.map(({ text }) => ({ content: text, memory_type: "episode" })));
  expect(created).toBe(rows.length);
  await app.settle();
}, HANG_GUARD_MS);

const first = async (query: string): Promise<string> => (await api.search(query, { top_k: 1 })).items[0]?.content ?? "";

test(
  "the row that alone holds a word is first, whatever is asked around it",
  async () => {
    const misses: string[] = [];
    for (const [i, template] of TEMPLATES.entries()) {
      for (let k = 0; k < EACH; k++) {
        const word = WORDS[(i + k * 4) % WORDS.length] ?? "";
        const query = template.replace("X", k % 2 === 0 ? word : word.toLowerCase());
        const found = await first(query);
        if (!found.includes(word)) misses.push(`${query} -> ${found}`);
      }
    }
    // 99 of 100.
    expect(misses.length <= (TEMPLATES.length * EACH) / 100 ? [] : misses).toEqual([]);
  },
  HANG_GUARD_MS,
);

describe("rows that the caller does not see", () => {
  test("with the same word leave it as rare as it is to the caller", async () => {
    const [word = ""] = WORDS;
    const query = `tell me about the ${word} thing`;
    const before = await first(query);
    const hidden = { agent_id: "bob", visibility: "scope_agent" as const };
    const { created } = await api.bulk(
      ["lid", "rim"].map((part) => ({ content: `Bob fixed the ${part} of the ${word}.`, ...hidden })),
      hidden,
    );
    expect(created).toBe(2);
    await app.settle();
    expect(before).toContain(word);
    expect(await first(query)).toBe(before);
  });
});
