import type { DocumentHits } from "../core/ports/document-store.ts";
import type { WeighedWord } from "../core/ports/hits.ts";
import { formsInQuestion, STAND_IN_SHARE } from "../text/languages/forms.ts";
import { significantTerms, TERMS_MAX } from "../text/words/terms.ts";

/** What is looked up for a query: its words, and after them the forms that other languages than English give. */
export interface AskedWords {
  readonly written: readonly string[];
  /** With the word that each stands for. */
  readonly forms: ReadonlyMap<string, string>;
}

/** Reads what a query looks up. */
export function askedWords(query: string): AskedWords {
  const written = significantTerms(query);
  return { written, forms: new Map([...formsInQuestion(query, written)].slice(0, TERMS_MAX - written.length)) };
}

/** What was found, with the forms that count for the words that were written. */
export interface AskedHits extends DocumentHits, Pick<AskedWords, "forms"> {}

/**
 * What was found, with each form counted as the word that it stands for: no rarer, and in no document twice. A word that no
 * document holds weighs what stands for it.
 */
export function asWritten(found: DocumentHits, { written, forms }: AskedWords): AskedHits {
  if (forms.size === 0) return { ...found, forms };
  const ownOf = found.words.map(({ word }) => forms.get(word) ?? word);
  const standing = Map.groupBy(found.words.slice(written.length), ({ word }) => forms.get(word) ?? word);
  const own = new Map(found.words.slice(0, written.length).map((one) => [one.word, one]));
  const weightOf = (weight: number, { weight: most, rows }: WeighedWord): number =>
    STAND_IN_SHARE * (rows > 0 ? Math.min(weight, most) : weight);
  let absent = 0;
  const words = found.words.map((one): WeighedWord => {
    const writtenAs = own.get(forms.get(one.word) ?? "");
    if (writtenAs) return { ...one, weight: weightOf(one.weight, writtenAs) };
    if (one.rows > 0) return one;
    const forOne = standing.get(one.word) ?? [];
    if (!forOne.some(({ rows }) => rows > 0)) absent++;
    return { ...one, weight: Math.max(0, ...forOne.map(({ weight }) => weightOf(weight, one))) };
  });
  const hits = found.hits.map((hit) => ({ ...hit, own_words: onceEach(hit.own_words, ownOf) }));
  return { hits, words, absent, forms };
}

/** The bits of words without those that stand for the same word as one before them. */
function onceEach(bits: number, ownOf: readonly string[]): number {
  const held = new Set<string>();
  return ownOf.reduce((once, own, i) => {
    if ((bits & (1 << i)) === 0 || held.has(own)) return once;
    held.add(own);
    return once | (1 << i);
  }, 0);
}
