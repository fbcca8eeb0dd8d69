import { expect, test } from "bun:test";
import type { WeighedWord } from "../../../src/core/ports/hits.ts";
import { askedWords, asWritten } from "../../../src/documents/forms.ts";
import { rankDocuments } from "../../../src/documents/score.ts";
import { CALIBRATION } from "../../support/calibration.ts";

const asked = askedWords("wo sind die Schlüssel");
const [word] = asked.written;
const [form] = asked.forms.keys();
const NOTHING = { names: new Set(word ? [word] : []), calibration: CALIBRATION };

/** The scores of some documents that hold words, as bits, in the order of their ids. */
function scores(words: readonly WeighedWord[], held: readonly number[]): number[] {
  const hits = held.map((own_words, i) => ({
    document: { id: `${i}`, collection: "books", doc_id: `${i}` },
    vec_sim: 0,
    own_words,
  }));
  const absent = words.filter(({ rows }) => rows === 0).length;
  const ranked = rankDocuments(asWritten({ hits, words, absent }, asked), NOTHING);
  return ranked.toSorted((a, b) => (a.hit.document.id < b.hit.document.id ? -1 : 1)).map(({ score }) => score);
}
const counted = (rows: readonly number[], weights: readonly number[]): WeighedWord[] =>
  [...asked.written, ...asked.forms.keys()].map((one, i) => ({
    word: one,
    rows: rows[i] ?? 0,
    weight: weights[i] ?? 0,
  }));

test("a document with a form goes behind one with the word itself, and is worth no more for both", () => {
  expect([asked.written.length, typeof form]).toEqual([1, "string"]);
  const [own = 0, alike = 0, both = 0, none = 0] = scores(counted([1, 2], [5, 6]), [1, 2, 3, 0]);
  expect(own).toBeGreaterThan(alike);
  expect(alike).toBeGreaterThan(none);
  expect(both).toBe(own);
});

test("a word is not absent that stands in many documents in another form", () => {
  const { absent } = asWritten({ hits: [], words: counted([0, 900], [0, 0]), absent: 1 }, asked);
  expect(absent).toBe(0);
});
