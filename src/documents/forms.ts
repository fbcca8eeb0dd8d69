import type { DocumentHits } from "../core/ports/document-store.ts";
import { formsInQuestion } from "../text/languages/forms.ts";
import { significantTerms, TERMS_MAX } from "../text/words/terms.ts";

/** What a form of a word is worth of the word itself. */
const FORM_SHARE = 0.9;

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

/** What was found, as if each document that holds a form of a word held the word. */
export function asWritten(found: DocumentHits, { written, forms }: AskedWords): DocumentHits {
  if (forms.size === 0) return found;
  const bitOf = found.words.map(({ word }) => 1 << written.indexOf(forms.get(word) ?? word));
  const words = found.words.slice(0, written.length).map((own, place) => {
    if (own.rows > 0) return own;
    const weight = found.words.reduce(
      (most, one, i) => (bitOf[i] === 1 << place ? Math.max(most, FORM_SHARE * one.weight) : most),
      0,
    );
    return { ...own, weight };
  });
  const hits = found.hits.map((hit) => ({
    ...hit,
    own_words: bitOf.reduce((bits, bit, i) => ((hit.own_words & (1 << i)) === 0 ? bits : bits | bit), 0),
  }));
  return { hits, words, absent: words.filter(({ rows, weight }) => rows === 0 && weight === 0).length };
}
