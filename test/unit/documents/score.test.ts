import { expect, test } from "bun:test";
import type { DocumentRawHit } from "../../../src/core/ports/document-store.ts";
import type { CosineCalibration } from "../../../src/core/ports/embedder.ts";
import { rankDocuments } from "../../../src/documents/score.ts";

const CALIBRATION: CosineCalibration = {
  unrelated_mean: 0,
  unrelated_deviation: 0.1,
  related_mean: 0.5,
  related_deviation: 0.1,
  row_unrelated_mean: 0,
  row_unrelated_deviation: 1,
  zero: 0,
  context_zero: 0,
  spread: 0.1,
};

const aHit = (id: string, vec_sim: number | null, secondary_sim: number | null = null): DocumentRawHit => ({
  document: { id, collection: "notes", doc_id: id },
  vec_sim,
  secondary_sim,
  own_words: 0,
});

const ranked = (hits: readonly DocumentRawHit[], secondary_vectors: CosineCalibration | null = CALIBRATION): string[] =>
  rankDocuments(
    { hits, words: [], absent: 0, forms: new Map() },
    { names: new Set(), calibration: CALIBRATION, secondary_vectors },
  ).map(({ hit }) => hit.document.id);

test("what both readers find near comes before what only one of them does", () => {
  expect(ranked([aHit("first", 0.4, 0), aHit("second", 0, 0.4), aHit("both", 0.3, 0.3)])[0]).toBe("both");
});

test("without a secondary embedder its cosines count for nothing", () => {
  expect(ranked([aHit("far", 0.1, 0.9), aHit("near", 0.2, 0)], null)).toEqual(["near", "far"]);
});

test("a document that the secondary embedder has yet to read is neither preferred nor passed over for it", () => {
  expect(ranked([aHit("poor", 0.3, -0.1), aHit("unread", 0.3), aHit("good", 0.3, 0.4)])).toEqual([
    "good",
    "unread",
    "poor",
  ]);
});
