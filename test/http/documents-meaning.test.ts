import { afterAll, beforeAll, expect, test } from "bun:test";
import { startApp } from "../support/app.ts";
import { docIdsOf, documentsApi } from "../support/documents-api.ts";
import { DOCUMENTS } from "./fixtures/documents-corpus.ts";
import type { Question } from "./fixtures/documents-questions.ts";
import { KEYWORDS, PARAPHRASES } from "./fixtures/documents-questions.ts";

// The model itself: what only meaning can find. Everything else is tested without it.
const app = await startApp({ embedder: "onnx" });
afterAll(() => app.stop());
const api = documentsApi(app.client);

/** Of the paraphrases, at least this share must find its document first. */
const FIRST_SHARE_MIN = 0.9;
const HANG_GUARD_MS = 120_000;

beforeAll(async () => {
  for (const { collection, doc_id, summary, notes } of DOCUMENTS)
    await api.put(collection, doc_id, { summary, kind: "fixture", details: { notes: [notes] } });
  await app.settle();
}, HANG_GUARD_MS);

/** The questions whose document does not come first, with what came before it. */
async function missesOf(questions: readonly Question[]): Promise<string[]> {
  const misses: string[] = [];
  for (const [query, doc_id] of questions) {
    const found = docIdsOf((await api.search(query, { top_k: 10 })).results);
    if (found[0] !== doc_id) misses.push(`${query}: ${doc_id} at ${found.indexOf(doc_id) + 1}, first ${found[0]}`);
  }
  return misses;
}

test(
  "nine of ten paraphrases find their document first among two hundred",
  async () => {
    const misses = await missesOf(PARAPHRASES);
    const allowed = Math.floor(PARAPHRASES.length * (1 - FIRST_SHARE_MIN) + 1e-9);
    // Named only when there are too many, so that a failure says which.
    expect(misses.length > allowed ? misses : []).toEqual([]);
  },
  HANG_GUARD_MS,
);

test(
  "every rare word of a document finds it first, wherever in its data the word lies",
  async () => {
    expect(await missesOf(KEYWORDS)).toEqual([]);
  },
  HANG_GUARD_MS,
);

test("a question within a collection is answered by that collection alone", async () => {
  const { results } = await api.search("it broke and nobody could work", { collection: "incidents", top_k: 50 });
  expect(results).toHaveLength(20);
  expect(new Set(results.map(({ collection }) => collection))).toEqual(new Set(["incidents"]));
});
