import type { DocumentHits, DocumentRawHit } from "../ports/document-store.ts";
import type { CosineCalibration } from "../ports/embedder.ts";

/** Per deviation of the summary's cosine, and per nat of rarity of a query word in the document. */
export const DOCUMENT_WEIGHTS = { meaning: 1.75, words: 0.22 } as const;
/** Logistic map from evidence to a score of 0 to 1, the same as for memories. */
const SCORE_MIDDLE = 8;
const SCORE_SPREAD = 3;
/** Stands in for the deviations of a document whose vector is pending. */
const PENDING_DEVIATIONS = 2;

export interface RankedDocument {
  readonly hit: DocumentRawHit;
  readonly score: number;
}

/** Orders documents by the sum of their evidence; pure. */
export function rankDocuments({ hits, words }: DocumentHits, { zero, spread }: CosineCalibration): RankedDocument[] {
  return hits
    .map((hit) => {
      const meaning = hit.vec_sim === null ? PENDING_DEVIATIONS : (hit.vec_sim - zero) / spread;
      const rarity = words.reduce((sum, { weight }, i) => (hit.own_words & (1 << i) ? sum + weight : sum), 0);
      const evidence = DOCUMENT_WEIGHTS.meaning * meaning + DOCUMENT_WEIGHTS.words * rarity;
      return { hit, score: 1 / (1 + Math.exp((SCORE_MIDDLE - evidence) / SCORE_SPREAD)) };
    })
    .sort((a, b) => b.score - a.score || (a.hit.document.id < b.hit.document.id ? 1 : -1));
}
