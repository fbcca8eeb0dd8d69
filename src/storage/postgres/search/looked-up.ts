import type { WeighedWord } from "../../../core/ports/hits.ts";
import { indexTerm } from "../../../text/words/index-terms.ts";
import { asRead, commonRows, weighWords } from "../../common/word-weights.ts";
import type { Asked } from "../../search/readings.ts";
import { readingsOf } from "../../search/readings.ts";
import type { Work } from "../engine/work.ts";
import { drive } from "../units/drive.ts";
import { wordsAmong } from "./readings.ts";
import type { ReadableRows } from "./word-counts.ts";
import { rowsOf, tokensOfTerm } from "./word-counts.ts";

/** A word of a question with what it weighs, and how the index has it under each of the readers. */
export interface LookedUp extends WeighedWord {
  readonly tokens: readonly string[];
}

/** Counts and weighs words among the rows that a reader may see; of a common word no more rows are counted than tell so. */
export async function lookUp(work: Work, query: Asked, readable: ReadableRows): Promise<LookedUp[]> {
  const { words } = query;
  const asked = await rowsOf(work, words.map(indexTerm), readable);
  const readings = await drive(
    work,
    readingsOf(query, (word) => asked.has(indexTerm(word)), wordsAmong(work, readable)),
  );
  const terms = words.map((word) => indexTerm(readings.get(word) ?? word));
  const stored = readings.size === 0 ? asked : await rowsOf(work, terms, readable);
  const most = commonRows(readable.total) + 1;
  const counted = words.map((word, i) => ({ word, rows: Math.min(most, stored.get(terms[i] ?? "") ?? 0) }));
  return asRead(weighWords(counted, readable.total), readings).map((weighed, i) => ({
    ...weighed,
    tokens: tokensOfTerm(terms[i] ?? "", readable),
  }));
}
