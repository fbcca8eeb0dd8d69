import type { Hit, HitExtra, HitQuery, HitReply } from "../../../core/ports/hits.ts";
import type { MemoryStore } from "../../../core/ports/memory-store.ts";
import type { Postings } from "../../common/postings.ts";
import { asRead } from "../../common/word-weights.ts";
import { countPending } from "../../memories/pending.ts";
import type { EmbedderSpace } from "../../options.ts";
import { toHit } from "../../search/hit.ts";
import type { Connections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { looking } from "../units/run.ts";
import type { FilteredRows, IndexedRows } from "../vector-index/nearest.ts";
import { nearestCodes } from "../vectors/vectors.ts";
import type { Cosines } from "./hit-rows.ts";
import { cosinesTo, rowReader } from "./hit-rows.ts";
import { keywordLeg } from "./keyword-leg.ts";
import type { HitRow } from "./read-rows.ts";
import { readableRows } from "./readable-rows.ts";
import { lookupAsRead, readingsIn } from "./readings.ts";
import type { RowCache } from "./row-cache.ts";
import { memoryWhereText } from "./where.ts";
import type { WordCache } from "./word-cache.ts";
import type { WordLookup } from "./word-rows.ts";
import { rowsOf, wordLookup } from "./word-rows.ts";

/** What finds rows without reading them; null where there is no index in memory. */
export interface HitIndex {
  readonly space: EmbedderSpace;
  readonly rows: IndexedRows | null;
  readonly words: WordCache | null;
  readonly cache: RowCache | null;
}

/** What is asked, with the parts of rows to read. */
interface KnownQuery extends HitQuery {
  readonly extras: readonly HitExtra[];
}

/** Searches once what the query waits for is known. */
export const hitsOf =
  (db: Connections, index: HitIndex): MemoryStore["hits"] =>
  async ({ extras, ...query }) => {
    const known = await extras;
    return guarded(() => findHits(db, index, { ...query, extras: known ?? [] }));
  };

/** Both legs of a search, each bounded, merged by row, with exact cosines. */
export function findHits(db: Connections, index: HitIndex, query: KnownQuery): HitReply {
  const { filter, pending_most = 0 } = query;
  const pending = pending_most === 0 ? 0 : looking(db, (work) => countPending(work, index.space, filter, pending_most));
  const indexed = index.rows?.within(db, filter) ?? null;
  const found = findWith(db, index, indexed, query);
  // The index began to be read anew meanwhile: it had rows no longer.
  return { ...(indexed?.isCurrent() === false ? findWith(db, index, null, query) : found), pending };
}

function findWith(
  db: Connections,
  index: HitIndex,
  indexed: FilteredRows | null,
  query: KnownQuery,
): Omit<HitReply, "pending"> {
  const { vector, pool, extras } = query;
  const startedAt = performance.now();
  const { reader, worded, postings, readings } = findByWords(db, { ...index, indexed }, query);
  const wordsAt = performance.now();
  // By the table of codes where the index in memory is not there yet.
  const near = vector && (indexed?.nearest(vector.values, pool) ?? nearestCodes(db, index.space, query, vector.values));
  const nearAt = performance.now();
  const nearest = new Set(reader(near ?? []));
  const rows = [...nearest.union(worded)];
  const cosinesOf = vector?.embedder_id === index.space.id ? cosinesTo(vector) : () => NO_COSINES;
  const hits = rows.map((row) => hitOf(row, { postings, nearest, cosinesOf, extras }));
  const doneAt = performance.now();
  return {
    hits,
    words: asRead(postings.words, readings),
    took_ms: { keyword: wordsAt - startedAt, vector: nearAt - wordsAt, load: doneAt - nearAt },
  };
}

/** The keyword leg: the rows that it contributes, and a reader that has them already. */
function findByWords(
  db: Connections,
  { indexed, space, words: wordCache, cache }: HitIndex & { readonly indexed: FilteredRows | null },
  query: HitQuery,
) {
  const { filter, words, pool } = query;
  const reader = rowReader(db, filter, { space, indexed, cache });
  const worded = new Set<HitRow>();
  const readable = readableRows(db, filter);
  const written = wordCache?.lookup(db, readable) ?? wordLookup(db, "memory_words", readable);
  const readings = readingsIn(db, query, { lookup: written, total: readable.total });
  const lookup = lookupAsRead(written, readings);
  const postings = keywordLeg({
    words,
    pool,
    lookup,
    total: readable.total,
    mayPass: indexed?.mayPass ?? (() => true),
    passing: () =>
      indexed?.isTold
        ? among(lookup, indexed.newest())
        : lookupAsRead(wordLookup(db, "memory_words", { ...readable, where: memoryWhereText(filter) }), readings),
    keep: (seqs) => {
      const kept = reader(seqs);
      for (const row of kept) worded.add(row);
      return kept.length;
    },
  });
  return { reader, worded, postings, readings };
}

/** More than there can be: rows have numbers of four bytes. */
const ALL_ROWS = 2 ** 32;

/** Looks words up among some rows. */
const among =
  (lookup: WordLookup, rows: readonly number[]): WordLookup =>
  (word, limit) => {
    const { has } = lookup(word, ALL_ROWS);
    return rowsOf(Uint32Array.from(rows.filter(has).slice(0, limit)));
  };

/** What is known of the rows beside themselves, by their numbers. */
interface Signals {
  readonly postings: Postings;
  readonly nearest: ReadonlySet<HitRow>;
  readonly cosinesOf: (row: HitRow) => Cosines;
  readonly extras: readonly HitExtra[];
}

const NO_COSINES: Cosines = { vec_sim: null, context_sim: null };

function hitOf(row: HitRow, { postings, nearest, cosinesOf, extras }: Signals): Hit {
  const wordsAt = (number: number | null): number => (number === null ? 0 : postings.wordsAt(number));
  const [own_words, near_words] = [wordsAt(row.seq), wordsAt(row.previous_seq) | wordsAt(row.next_seq)];
  return toHit(row, { ...cosinesOf(row), own_words, near_words, isNear: nearest.has(row) }, extras);
}
