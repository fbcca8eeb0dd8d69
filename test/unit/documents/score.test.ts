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

const ranked = (hits: readonly Pick<DocumentRawHit, "document" | "vec_sim">[]): string[] =>
  rankDocuments(
    { hits: hits.map((hit) => ({ ...hit, own_words: 0 })), words: [], absent: 0, forms: new Map() },
    { names: new Set(), calibration: CALIBRATION },
  ).map(({ hit }) => hit.document.id);

const aHit = (id: string, vec_sim: number | null) => ({ document: { id, collection: "notes", doc_id: id }, vec_sim });

test("documents come by how near they are, and one whose vector is pending stands between near and far", () => {
  expect(ranked([aHit("far", 0.1), aHit("pending", null), aHit("near", 0.4)])).toEqual(["near", "pending", "far"]);
});
