import type { JsonObject } from "../../../core/kernel/json.ts";
import type { Hit, HitLeg, HitMemory, HitQuery, HitReply } from "../../../core/ports/hits.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections } from "../engine/connection.ts";
import { memoryWhereText } from "../memories/filters.ts";
import { parseJson, parseLinks } from "../memories/rows.ts";
import { nearestCodes, nearestPassing } from "../vectors/vectors.ts";
import type { Cosines, HitRow, RowReader } from "./hit-rows.ts";
import { cosinesOf, rowReader } from "./hit-rows.ts";
import { keywordLeg, PASSING_SHARE } from "./keyword-leg.ts";
import type { Postings } from "./postings.ts";
import { readableRows } from "./readable-rows.ts";

/**
 * Both legs of a search, each bounded, merged by row, with exact cosines. The words are looked up while the vector is being
 * made, and again if anything was written meanwhile: what does not pass the filter any more is not found.
 */
export async function findHits(db: Connections, space: EmbedderSpace, query: HitQuery): Promise<HitReply> {
  const startedAt = performance.now();
  const state = stateOf(db);
  const early = findByWords(db, query);
  const earlyAt = performance.now();
  const vector = await query.vector;
  const vectorAt = performance.now();
  const { reader, worded, postings } = stateOf(db) === state ? early : findByWords(db, query);
  const wordsAt = performance.now();
  const near = vector ? nearestCodes(db, space, query, vector) : [];
  const nearAt = performance.now();
  const nearest = new Set(vector ? findNearest(db, space, query, { near, reader, vector: vector.values }) : []);
  const rows = [...nearest.union(worded)];
  const cosines = vector ? cosinesOf(db, vector, rows) : new Map<number, Cosines>();
  const hits = rows.map((row) => toHit(row, { postings, nearest, cosines }));
  const doneAt = performance.now();
  return {
    hits,
    words: postings.words,
    took_ms: {
      keyword: earlyAt - startedAt + (wordsAt - vectorAt),
      vector: nearAt - wordsAt,
      load: doneAt - nearAt,
    },
  };
}

/** Differs once anything was written: by the other connection, or, where one does all, by itself. */
function stateOf({ readConnection }: Connections): string {
  const own = readConnection.query<{ n: number }, []>("select total_changes() as n").get();
  const others = readConnection.query<{ data_version: number }, []>("pragma data_version").get();
  return `${own?.n} ${others?.data_version}`;
}

/** The keyword leg: the rows that it contributes, and a reader that has them already. */
function findByWords(db: Connections, query: HitQuery) {
  const reader = rowReader(db, query);
  const worded = new Set<HitRow>();
  const postings = keywordLeg(db, {
    table: "memory_words",
    words: query.words,
    pool: query.pool,
    readable: readableRows(db, query.filter),
    passing: () => memoryWhereText(query.filter),
    keep: (seqs) => {
      const kept = reader(seqs);
      for (const row of kept) worded.add(row);
      return kept.length;
    },
  });
  return { reader, worded, postings };
}

/** The vector leg: of what the codes bring, that which passes the filter; when that is little, the nearest of all that pass. */
function findNearest(
  db: Connections,
  space: EmbedderSpace,
  query: HitQuery,
  { near, reader, vector }: { near: readonly number[]; reader: RowReader; vector: Float32Array },
): HitRow[] {
  const passing = reader(near);
  const isStarved = near.length === query.pool && passing.length < query.pool * PASSING_SHARE;
  return isStarved ? reader(nearestPassing(db, space, query, vector)) : passing;
}

/** What is known of the rows beside themselves, by their numbers. */
interface Signals {
  readonly postings: Postings;
  readonly nearest: ReadonlySet<HitRow>;
  readonly cosines: ReadonlyMap<number, Cosines>;
}

function toHit(row: HitRow, { postings, nearest, cosines }: Signals): Hit {
  const { seq, previous_seq, next_seq } = row;
  const { vec_sim = null, secondary_sim = null, context_sim = null } = cosines.get(seq) ?? {};
  const wordsAt = (number: number | null): number => (number === null ? 0 : (postings.wordsOf.get(number) ?? 0));
  const own_words = wordsAt(seq);
  const legs: HitLeg[] = [];
  if (nearest.has(row)) legs.push("vector");
  if (own_words !== 0) legs.push("keyword");
  const near_words = wordsAt(previous_seq) | wordsAt(next_seq);
  return { memory: toHitMemory(row), vec_sim, secondary_sim, context_sim, own_words, near_words, legs };
}

/** Named one by one: objects of one shape are fast to make and to read. */
const toHitMemory = (row: HitRow): HitMemory => ({
  id: row.id,
  title: row.title,
  content: row.content,
  memory_type: row.memory_type,
  status: row.status,
  run_id: row.run_id,
  created_at: row.created_at,
  ts_valid_start: row.ts_valid_start,
  ts_valid_end: row.ts_valid_end,
  entity_links: parseLinks(row.entity_links),
  system_metadata: parseJson<JsonObject>(row.system_metadata),
});
