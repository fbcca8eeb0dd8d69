import type { DocumentRawHit } from "../core/ports/document-store.ts";
import type { CosineCalibration } from "../core/ports/embedder.ts";
import type { AskedHits } from "./forms.ts";

/**
 * What each signal counts. One unit of evidence is one standard deviation of the model's cosines. Chosen on two hundred
 * made-up documents, with paraphrases, keywords, and questions around one rare name, also with longer texts.
 */
export const DOCUMENT_WEIGHTS = {
  /** Per deviation of the summary's cosine. */
  meaning: 3.25,
  /** Per nat of rarity of a query word in the document that means nothing to the model: a name, a code, another script than Latin. */
  names: 1.6,
  /** A document that holds every word of the query. */
  covered: 16,
} as const;
/** How fast the evidence of coverage falls when words are missing: half of them leave an eighth. */
const COVERAGE_EXPONENT = 3;
/** Rarity of a word that no document holds: the idf of one in a thousand rows. */
const ABSENT_RARITY = 7.6;
/** Logistic map from evidence to a score of 0 to 1, the same as for memories. */
const SCORE_MIDDLE = 8;
const SCORE_SPREAD = 3;
/** Stands in for the deviations of a document whose vector is pending or silent. */
const PENDING_DEVIATIONS = 2;

export interface RankedDocument {
  readonly hit: DocumentRawHit;
  readonly score: number;
}

export interface DocumentRanking {
  /** Words of the query that say nothing to the model. */
  readonly names: ReadonlySet<string>;
  readonly calibration: CosineCalibration;
}

/** Orders documents by the sum of their evidence; pure. */
export function rankDocuments(found: AskedHits, { names, calibration }: DocumentRanking): RankedDocument[] {
  const evidenceOfWords = wordEvidence(found, names);
  return found.hits
    .map((hit) => {
      const meaning = deviations(hit.vec_sim, calibration) ?? PENDING_DEVIATIONS;
      const evidence = DOCUMENT_WEIGHTS.meaning * meaning + evidenceOfWords(hit.own_words);
      return { hit, score: 1 / (1 + Math.exp((SCORE_MIDDLE - evidence) / SCORE_SPREAD)) };
    })
    .sort((a, b) => b.score - a.score || (a.hit.document.id < b.hit.document.id ? 1 : -1));
}

const deviations = (cosine: number | null, { zero, spread }: CosineCalibration): number | null =>
  cosine === null ? null : (cosine - zero) / spread;

/** What a set of words, as bits, is worth. */
function wordEvidence({ words, absent, forms }: AskedHits, names: ReadonlySet<string>): (bits: number) => number {
  const written = words.filter(({ word }) => !forms.has(word));
  const all = written.reduce((sum, { weight }) => sum + weight, absent * ABSENT_RARITY);
  return (bits) => {
    let held = 0;
    let evidence = 0;
    for (const [i, { word, weight }] of words.entries()) {
      if ((bits & (1 << i)) === 0) continue;
      held += weight;
      if (names.has(forms.get(word) ?? word)) evidence += DOCUMENT_WEIGHTS.names * weight;
    }
    return held === 0 ? 0 : evidence + DOCUMENT_WEIGHTS.covered * (held / all) ** COVERAGE_EXPONENT;
  };
}
