import { sql } from "drizzle-orm";
import type { Hit, HitLeg, HitQuery, HitReply } from "../../ports/memory-store.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Connections } from "./connection.ts";
import { memoryWhere } from "./filters.ts";
import type { Postings } from "./postings.ts";
import { heaviestRows, readPostings } from "./postings.ts";
import type { MemoryRow } from "./rows.ts";
import { toStoredMemory, vectorBlob } from "./rows.ts";
import { memories } from "./tables.ts";
import { nearestRows } from "./vectors.ts";

/** How many times the keyword leg widens its look when filters keep throwing out what it found. */
const WIDENINGS_MAX = 4;

/** Both legs of a search, each bounded, merged by row and loaded with exact cosines. */
export function findHits(at: Connections, space: EmbedderSpace, query: HitQuery): HitReply {
  const startedAt = performance.now();
  const near = query.vector ? nearestRows(at, space, query, query.vector.values) : [];
  const nearAt = performance.now();
  const postings = readPostings(at, query.words);
  const ranked = heaviestRows(postings);
  const wordsAt = performance.now();
  const found = loadBoth(at, query, near, ranked);
  const hits = found.map((row) => toHit(row, postings, near));
  const doneAt = performance.now();
  return {
    hits,
    words: postings.words,
    took_ms: { vector: nearAt - startedAt, keyword: wordsAt - nearAt, load: doneAt - wordsAt },
  };
}

interface LoadedRow {
  readonly row: MemoryRow;
  readonly next_seq: number | null;
  readonly vec_sim: number | null;
  readonly context_sim: number | null;
}

/** Loads what passes the filter: all of the vector leg, and of the keyword leg until the pool is full. */
function loadBoth(at: Connections, query: HitQuery, near: readonly number[], ranked: readonly number[]): LoadedRow[] {
  const loaded = new Map<number, LoadedRow>();
  const load = (seqs: readonly number[]) => {
    const missing = seqs.filter((seq) => !loaded.has(seq));
    const rows = missing.length > 0 ? loadRows(at, query, missing) : [];
    for (const row of rows) loaded.set(row.row.seq, row);
    return seqs.filter((seq) => loaded.has(seq)).length;
  };
  load(near);
  let from = 0;
  let kept = 0;
  for (let width = query.pool, i = 0; i < WIDENINGS_MAX && kept < query.pool && from < ranked.length; i++, width *= 4) {
    kept += load(ranked.slice(from, from + width));
    from += width;
  }
  return [...loaded.values()];
}

function loadRows(at: Connections, query: HitQuery, seqs: readonly number[]): LoadedRow[] {
  const vector = query.vector;
  const blob = vector && vectorBlob(vector.values);
  const embedder = vector?.embedder_id ?? "";
  const own = sql<
    number | null
  >`case when v.embedder_id = ${embedder} then 1 - vec_distance_cosine(v.vector, ${blob}) end`;
  const context = sql<number | null>`case when v.embedder_id = ${embedder} and v.context is not null
    then 1 - vec_distance_cosine(v.context, ${blob}) end`;
  const next = sql<number | null>`(select n.seq from memories n where n.previous_seq = ${memories.seq} limit 1)`;
  return at.read
    .select({ row: memories, next_seq: next, vec_sim: own, context_sim: context })
    .from(memories)
    .leftJoin(sql`memory_vectors v`, sql`v.seq = ${memories.seq}`)
    .where(
      sql`${memories.seq} in (select value from json_each(${JSON.stringify(seqs)})) and ${memoryWhere(query.filter)}`,
    )
    .all();
}

function toHit({ row, next_seq, vec_sim, context_sim }: LoadedRow, postings: Postings, near: readonly number[]): Hit {
  const wordsAt = (seq: number | null): number => (seq === null ? 0 : (postings.wordsOf.get(seq) ?? 0));
  const own_words = wordsAt(row.seq);
  const legs: HitLeg[] = [];
  if (near.includes(row.seq)) legs.push("vector");
  if (own_words !== 0) legs.push("keyword");
  return {
    memory: toStoredMemory(row),
    vec_sim,
    context_sim,
    own_words,
    near_words: wordsAt(row.previous_seq) | wordsAt(next_seq),
    legs,
  };
}
