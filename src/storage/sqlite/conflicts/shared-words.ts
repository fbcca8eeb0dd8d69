import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import { inverseDocumentFrequency } from "../../../text/words/inverse-document-frequency.ts";
import { significantTerms } from "../../../text/words/terms.ts";
import type { Connections } from "../engine/connection.ts";
import type { HitIndex } from "../search/hits.ts";
import { readableRows } from "../search/readable-rows.ts";
import { wordLookup } from "../search/word-rows.ts";

/** A word in more rows than this tells too little of what a row is about: its rows are not looked through. */
const WORD_ROWS_MAX = 512;

/** Which rows share words with a text, and how much of it: the weight of the words shared, in that of all. */
export interface SharedWords {
  /** 0 to 1: rare words weigh most, those in too many rows nothing. */
  shareOf(seq: number): number;
  /** The rows that share most, most first; newer ones first among equals. */
  most(count: number): number[];
}

/** Looks up the words of a text among the rows that a filter lets its reader see. */
export function sharedWords(db: Connections, index: HitIndex, filter: MemoryFilter, text: string): SharedWords {
  const readable = readableRows(db, filter);
  const mayPass = index.rows?.within(db, filter)?.mayPass ?? (() => true);
  const lookup = index.words?.lookup(db, readable) ?? wordLookup(db, "memory_words", readable);
  const weights = new Map<number, number>();
  let whole = 0;
  for (const word of significantTerms(text)) {
    const { rows } = lookup(word, WORD_ROWS_MAX + 1);
    if (rows.length > WORD_ROWS_MAX) continue;
    const weight = inverseDocumentFrequency(rows.length, readable.total);
    whole += weight;
    for (const seq of rows) weights.set(seq, (weights.get(seq) ?? 0) + weight);
  }
  return {
    shareOf: (seq) => (whole === 0 ? 0 : (weights.get(seq) ?? 0) / whole),
    most: (count) =>
      [...weights]
        .filter(([seq]) => mayPass(seq))
        .sort(([a, weightA], [b, weightB]) => weightB - weightA || b - a)
        .slice(0, count)
        .map(([seq]) => seq),
  };
}
