import { afterAll, beforeAll, expect, test } from "bun:test";
import { docIdsOf, documentsApi } from "../../support/api/documents.ts";
import { startApp } from "../../support/app.ts";
import { DOCUMENTS } from "../fixtures/documents-corpus.ts";
import type { Question } from "../fixtures/documents-questions.ts";
import { KEYWORDS, NAMED, PARAPHRASES, PLAIN } from "../fixtures/documents-questions.ts";

// The models themselves: what only meaning can find. Everything else is tested without it.
const app = await startApp({ embedder: "onnx" });
afterAll(() => app.stop());
const api = documentsApi(app.client);

/** One less than what the embedded model reaches; a change that loses any of it has to say why. */
const FLOORS = {
  meaning: { first: 41, three: 45 },
  plain: { first: 44, three: 54 },
  named: { first: 17 },
} as const;
const HANG_GUARD_MS = 120_000;

beforeAll(async () => {
  for (const { collection, doc_id, summary, notes } of DOCUMENTS)
    await api.put(collection, doc_id, { summary, kind: "fixture", details: { notes: [notes] } });
  await app.settle();
}, HANG_GUARD_MS);

/** The place of each question's document in what is found for it; 0 when it is not among the first ten. */
async function placesOf(questions: readonly Question[]): Promise<number[]> {
  const places: number[] = [];
  for (const [query, doc_id] of questions)
    places.push(docIdsOf((await api.search(query, { top_k: 10 })).results).indexOf(doc_id) + 1);
  return places;
}
const within = (places: readonly number[], last: number): number =>
  places.filter((place) => place >= 1 && place <= last).length;

test(
  "a paraphrase that shares no significant term with its document finds it among two hundred",
  async () => {
    const places = await placesOf(PARAPHRASES);
    expect(within(places, 1)).toBeGreaterThanOrEqual(FLOORS.meaning.first);
    expect(within(places, 3)).toBeGreaterThanOrEqual(FLOORS.meaning.three);
  },
  HANG_GUARD_MS,
);

test(
  "a question in the plain words of a colleague finds its document among two hundred",
  async () => {
    const places = await placesOf(PLAIN);
    expect(within(places, 1)).toBeGreaterThanOrEqual(FLOORS.plain.first);
    expect(within(places, 3)).toBeGreaterThanOrEqual(FLOORS.plain.three);
  },
  HANG_GUARD_MS,
);

test(
  "a rare word finds its document first, wherever in its data the word lies",
  async () => {
    const places = await placesOf(KEYWORDS);
    expect(KEYWORDS.filter((_, i) => places[i] !== 1)).toEqual([]);
  },
  HANG_GUARD_MS,
);

test(
  "a question around one rare name finds the document that holds it",
  async () => {
    expect(within(await placesOf(NAMED), 1)).toBeGreaterThanOrEqual(FLOORS.named.first);
  },
  HANG_GUARD_MS,
);

test("a question within a collection is answered by that collection alone", async () => {
  const { results } = await api.search("it broke and nobody could work", { collection: "incidents", top_k: 50 });
  expect(results).toHaveLength(20);
  expect(new Set(results.map(({ collection }) => collection))).toEqual(new Set(["incidents"]));
});
