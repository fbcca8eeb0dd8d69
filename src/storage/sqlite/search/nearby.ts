import { dot } from "../../../core/kernel/vectors.ts";
import type { ContradictionStore } from "../../../core/ports/contradiction-store.ts";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import { inverseDocumentFrequency } from "../../../text/words/inverse-document-frequency.ts";
import { significantTerms } from "../../../text/words/terms.ts";
import { closenessTo } from "../../common/closeness.ts";
import { tablesOf } from "../../common/sides.ts";
import type { Nearby, SharedWords } from "../../conflicts/candidates.ts";
import { findCandidates, WORD_ROWS_MAX } from "../../conflicts/candidates.ts";
import type { EmbedderSpace } from "../../options.ts";
import { vectorIn } from "../../units/vectors.ts";
import type { Connections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { atOnce } from "../units/memory-index.ts";
import { looking } from "../units/run.ts";
import { nearestCodes } from "../vectors/vectors.ts";
import type { HitIndex } from "./hits.ts";
import { readableRows } from "./readable-rows.ts";
import { wordLookup } from "./word-rows.ts";

/** Rows that a row may contradict, as they are found here. */
export const sqliteCandidates =
  (db: Connections, index: HitIndex): ContradictionStore["candidates"] =>
  (query) =>
    guarded(() => looking(db, (work) => findCandidates(work, nearbyIn(db, index), query)));

function nearbyIn(db: Connections, index: HitIndex): Nearby {
  const { space, rows } = index;
  return {
    meaning: (filter, seq, embedder_id) =>
      atOnce(() => {
        const own = embedder_id === space.id ? ownVectors(db, space, [seq]).get(seq) : undefined;
        if (!own) return null;
        return {
          nearest: (pool) =>
            atOnce(
              () => rows?.within(db, filter)?.nearest(own, pool) ?? nearestCodes(db, space, { filter, pool }, own),
            ),
          closeness: (seqs) => atOnce(() => closenessOf(db, space, own, seqs)),
        };
      }),
    words: (filter, text) => atOnce(() => sharedWords(db, index, filter, text)),
  };
}

/**
 * The vectors that this embedder made of some rows by themselves, without the row before; rows without, and silent
 * ones, are left out.
 */
export function ownVectors(db: Connections, space: EmbedderSpace, seqs: readonly number[]): Map<number, Float32Array> {
  const { memory_vectors: vectors } = tablesOf(space);
  const found = db.readConnection
    .query<{ seq: number; vector: Uint8Array }, [string, string]>(
      `select seq, vector from json_each(?) wanted
      cross join ${vectors} on ${vectors}.seq = wanted.value and embedder_id = ?`,
    )
    .all(JSON.stringify(seqs), space.id);
  const own = new Map<number, Float32Array>();
  for (const { seq, vector } of found) {
    const values = vectorIn(vector);
    if (values) own.set(seq, values);
  }
  return own;
}

/** How near rows are to one; those without a vector of this embedder are left out. */
function closenessOf(db: Connections, space: EmbedderSpace, own: Float32Array, seqs: readonly number[]) {
  const closeness = closenessTo(space, own);
  const compared = [...ownVectors(db, space, seqs)].map(
    ([seq, vector]) => [seq, closeness({ own: dot(own, vector), center: dot(space.center, vector) })] as const,
  );
  return new Map(compared);
}

/** Looks up the words of a text among the rows that a filter lets its reader see. */
function sharedWords(db: Connections, index: HitIndex, filter: MemoryFilter, text: string): SharedWords {
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
    shares: (seqs) =>
      atOnce(() => new Map(seqs.map((seq) => [seq, whole === 0 ? 0 : (weights.get(seq) ?? 0) / whole]))),
    most: (count) =>
      atOnce(() =>
        [...weights]
          .filter(([seq]) => mayPass(seq))
          .sort(([a, weightA], [b, weightB]) => weightB - weightA || b - a)
          .slice(0, count)
          .map(([seq]) => seq),
      ),
  };
}
