import type { SQLQueryBindings } from "bun:sqlite";
import type { JsonObject } from "../../kernel/json.ts";
import type { Hit, HitExtra, HitLeg, HitMemory, HitQuery, HitReply, QueryVector } from "../../ports/hits.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Connections } from "./connection.ts";
import { memoryWhereText } from "./filters.ts";
import { keywordLeg, PASSING_SHARE } from "./keyword-leg.ts";
import type { Postings } from "./postings.ts";
import { parseJson, parseLinks, vectorBlob } from "./rows.ts";
import { storedMemories } from "./usage.ts";
import { nearestCodes, nearestPassing } from "./vectors.ts";

/** Both legs of a search, each bounded, merged by row and loaded with exact cosines. */
export async function findHits(at: Connections, space: EmbedderSpace, query: HitQuery): Promise<HitReply> {
  const startedAt = performance.now();
  const rows = createRows(at, query);
  const postings = keywordLeg(at, {
    table: "memory_words",
    words: query.words,
    pool: query.pool,
    own: () => ({ ...memoryWhereText(query.filter), total: storedMemories(at.reader, query.filter.tenant_id) }),
    keep: (seqs) => rows.read(seqs).length,
  });
  const wordsAt = performance.now();
  const vector = await query.vector;
  const vectorAt = performance.now();
  const near = vector ? nearestCodes(at, space, query, vector.values) : [];
  const nearAt = performance.now();
  const nearest = vector ? readNearest(at, space, query, { near, rows, vector: vector.values }) : new Set<number>();
  const loaded = rows.all();
  const cosines = vector ? cosinesOf(at, vector, loaded) : new Map<number, Cosines>();
  const hits = loaded.map((row) => toHit(row, { postings, nearest, cosines }));
  const doneAt = performance.now();
  return {
    hits,
    words: postings.words,
    took_ms: { vector: nearAt - vectorAt, load: doneAt - nearAt, keyword: wordsAt - startedAt },
  };
}

/** A row as SQLite hands it over, with its place in its run. */
interface LoadedRow extends Omit<HitMemory, HitExtra> {
  readonly entity_links: string | null;
  readonly system_metadata: string | null;
  readonly seq: number;
  readonly previous_seq: number | null;
  readonly next_seq: number | null;
}

/** The rows of one search, each read once. */
interface Rows {
  /** Those of these numbers that pass the filter. */
  read(seqs: readonly number[]): LoadedRow[];
  /** Every one that was read and passed. */
  all(): LoadedRow[];
}

/** The vector leg: of what the codes bring, that which passes the filter; when that is little, the nearest of all that pass. */
function readNearest(
  at: Connections,
  space: EmbedderSpace,
  query: HitQuery,
  { near, rows, vector }: { near: readonly number[]; rows: Rows; vector: Float32Array },
): ReadonlySet<number> {
  const passing = rows.read(near);
  const isStarved = near.length === query.pool && passing.length < query.pool * PASSING_SHARE;
  const nearest = isStarved ? rows.read(nearestPassing(at, space, query, vector)) : passing;
  return new Set(nearest.map(({ seq }) => seq));
}

const COLUMNS = [
  "id",
  "title",
  "content",
  "memory_type",
  "status",
  "run_id",
  "created_at",
  "ts_valid_start",
  "ts_valid_end",
  "seq",
  "previous_seq",
] as const satisfies (keyof LoadedRow)[];
const EXTRAS = ["entity_links", "system_metadata"] as const satisfies HitExtra[];

/** Reads rows by number. The cross join finds them first and filters them after. */
function createRows(at: Connections, { filter, extras = [] }: HitQuery): Rows {
  const where = memoryWhereText(filter);
  const columns = [
    ...COLUMNS.map((name) => `memories.${name}`),
    ...EXTRAS.map((name) => (extras.includes(name) ? `memories.${name}` : `null as ${name}`)),
  ];
  const statement = at.reader.query<LoadedRow, SQLQueryBindings[]>(`
    select ${columns.join(", ")},
      (select n.seq from memories n where n.previous_seq = memories.seq limit 1) as next_seq
    from json_each(?) wanted
    cross join memories on memories.seq = wanted.value
    where ${where.sql}`);
  const loaded = new Map<number, LoadedRow>();
  return {
    read(seqs) {
      const missing = seqs.filter((seq) => !loaded.has(seq));
      const found = missing.length === 0 ? [] : statement.all(JSON.stringify(missing), ...where.params);
      for (const row of found) loaded.set(row.seq, row);
      return seqs.flatMap((seq) => loaded.get(seq) ?? []);
    },
    all: () => [...loaded.values()],
  };
}

/** How near a row is to the query, by its own text and by its text read together with the one before it. */
interface Cosines {
  readonly seq: number;
  readonly vec_sim: number;
  readonly context_sim: number | null;
}

const COSINES = `
  select v.seq, 1 - vec_distance_cosine(v.vector, asked.vector) as vec_sim,
    case when v.context is not null then 1 - vec_distance_cosine(v.context, asked.vector) end as context_sim
  from (select ? as vector) asked
  cross join json_each(?) wanted
  cross join memory_vectors v on v.seq = wanted.value
  where v.embedder_id = ?`;

/** The cosines of those rows that have a vector of the query's model. */
function cosinesOf(at: Connections, vector: QueryVector, rows: readonly LoadedRow[]): ReadonlyMap<number, Cosines> {
  const seqs = JSON.stringify(rows.map(({ seq }) => seq));
  const found = at.reader.query<Cosines, SQLQueryBindings[]>(COSINES);
  return new Map(found.all(vectorBlob(vector.values), seqs, vector.embedder_id).map((row) => [row.seq, row]));
}

/** What is known of the rows beside themselves, by their numbers. */
interface Signals {
  readonly postings: Postings;
  readonly nearest: ReadonlySet<number>;
  readonly cosines: ReadonlyMap<number, Cosines>;
}

function toHit(loaded: LoadedRow, { postings, nearest, cosines }: Signals): Hit {
  const { seq, previous_seq, next_seq } = loaded;
  const { vec_sim = null, context_sim = null } = cosines.get(seq) ?? {};
  const wordsAt = (number: number | null): number => (number === null ? 0 : (postings.wordsOf.get(number) ?? 0));
  const own_words = wordsAt(seq);
  const legs: HitLeg[] = [];
  if (nearest.has(seq)) legs.push("vector");
  if (own_words !== 0) legs.push("keyword");
  const near_words = wordsAt(previous_seq) | wordsAt(next_seq);
  return { memory: toHitMemory(loaded), vec_sim, context_sim, own_words, near_words, legs };
}

/** Named one by one: objects of one shape are fast to make and to read. */
const toHitMemory = (row: LoadedRow): HitMemory => ({
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
