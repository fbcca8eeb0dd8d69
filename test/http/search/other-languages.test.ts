import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { Memory } from "../../../src/core/schema/memory.ts";
import type { Language } from "../../relevance/sets.ts";
import { TOLD } from "../../relevance/sets.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";

// Questions that share no telling word with what answers them: only a model that reads the language finds that.

const ASKED = TOLD.filter(({ paraphrased }) => paraphrased).slice(0, 10);
const STORED = TOLD.filter((told) => !told.paraphrased || ASKED.includes(told));
const SPOKEN = ["en", "de", "ja"] as const satisfies readonly Language[];
/** Of the answers so many are among so many first rows, at least. */
const FOUND_MIN = 8;
const TOP = 8;
/** How far the middle chance that an answer is given in one language may be from that in English. */
const APART_MAX = 0.25;
const HANG_GUARD_MS = 120_000;

const app = await startApp({ embedder: "onnx" });
afterAll(() => app.stop());
const Found = z.object({ items: z.array(z.object({ content: z.string(), score: z.number() })) });
const Documents = z.object({ items: z.array(z.object({ doc_id: z.string() })) });
const search = async (language: Language, query: string) => {
  const body = { tenant_id: TENANT, query, fleet_ids: [language], top_k: TOP };
  return (await app.client.ok(Found, "POST", "/api/v1/search", { body })).items;
};

beforeAll(async () => {
  for (const language of SPOKEN)
    for (const told of STORED) {
      const body = { tenant_id: TENANT, fleet_id: language, agent_id: language, content: told[language].memory };
      await app.client.ok(Memory, "POST", "/api/v1/memories", { body });
    }
  for (const language of SPOKEN)
    for (const [i, told] of STORED.entries()) {
      const document = { collection: language, doc_id: `${i}`, data: { summary: told[language].memory } };
      await app.client.ok(z.looseObject({}), "POST", "/api/v1/documents", { body: { tenant_id: TENANT, ...document } });
    }
  await app.settle();
}, HANG_GUARD_MS);

describe.each(SPOKEN.map((language) => [language] as const))("a question in other words in '%s'", (language) => {
  test("finds its memory", async () => {
    const found = await Promise.all(ASKED.map((told) => search(language, told[language].question)));
    const right = found.filter((items, i) => items.some(({ content }) => content === ASKED[i]?.[language].memory));
    expect(right.length).toBeGreaterThanOrEqual(FOUND_MIN);
  });

  test("finds its document", async () => {
    const found = await Promise.all(
      ASKED.map(async (told) => {
        const body = { tenant_id: TENANT, collection: language, query: told[language].question, top_k: TOP };
        return (await app.client.ok(Documents, "POST", "/api/v1/documents/search", { body })).items;
      }),
    );
    const right = found.filter((items, i) => items.some(({ doc_id }) => STORED[Number(doc_id)] === ASKED[i]));
    expect(right.length).toBeGreaterThanOrEqual(FOUND_MIN);
  });

  test("gives its answer about the chance that it has in English", async () => {
    expect(Math.abs((await chanceIn(language)) - (await chanceIn("en")))).toBeLessThan(APART_MAX);
  });
});

/** The middle score of the best row. */
async function chanceIn(language: Language): Promise<number> {
  const found = await Promise.all(ASKED.map((told) => search(language, told[language].question)));
  const best = found.map(([first]) => first?.score ?? 0).toSorted((a, b) => a - b);
  return best[best.length >> 1] ?? Number.NaN;
}
