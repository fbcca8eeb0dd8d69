import type { SQLQueryBindings } from "bun:sqlite";
import type { JsonObject } from "../../kernel/json.ts";
import type { Hit, HitExtra, HitLeg, HitMemory, HitQuery, HitReply } from "../../ports/hits.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Connections } from "./connection.ts";
import { memoryWhereText } from "./filters.ts";
import { keywordLeg, PASSING_SHARE } from "./keyword-leg.ts";
import type { Postings } from "./postings.ts";
import { parseJson, parseLinks, vectorBlob } from "./rows.ts";
import { storedMemories } from "./usage.ts";
import { nearestCodes, nearestPassing } from "./vectors.ts";

/** Both legs of a search, each bounded, merged by row and loaded with exact cosines. */
export function findHits(at: Connections, space: EmbedderSpace, query: HitQuery): HitReply {
  const startedAt = performance.now();
  const near = query.vector ? nearestCodes(at, space, query, query.vector.values) : [];
  const nearAt = performance.now();
  const read = rowReader(at, query);
  const nearest = readNearest(at, space, query, { near, read });
  const loadedAt = performance.now();
  const loaded = new Map(nearest);
  const postings = keywordLeg(at, {
    table: "memory_words",
    words: query.words,
    pool: query.pool,
    own: () => ({ ...memoryWhereText(query.filter), total: storedMemories(at.reader, query.filter.tenant_id) }),
    keep: (seqs) => {
      for (const row of read(seqs.filter((seq) => !loaded.has(seq)))) loaded.set(row.seq, row);
      return seqs.filter((seq) => loaded.has(seq)).length;
    },
  });
  const hits = Array.from(loaded.values(), (row) => toHit(row, postings, nearest));
  const doneAt = performance.now();
  return {
    hits,
    words: postings.words,
    took_ms: { vector: nearAt - startedAt, load: loadedAt - nearAt, keyword: doneAt - loadedAt },
  };
}

/** A row with its signals, as SQLite hands it over. */
interface LoadedRow extends Omit<HitMemory, HitExtra> {
  readonly entity_links: string | null;
  readonly system_metadata: string | null;
  readonly seq: number;
  readonly previous_seq: number | null;
  readonly next_seq: number | null;
  readonly vec_sim: number | null;
  readonly context_sim: number | null;
}

type RowReader = (seqs: readonly number[]) => LoadedRow[];
type LoadedRows = ReadonlyMap<number, LoadedRow>;

const bySeq = (rows: readonly LoadedRow[]): LoadedRows => new Map(rows.map((row) => [row.seq, row]));

/** The vector leg: of what the codes bring, that which passes the filter; when that is little, the nearest of all that pass. */
function readNearest(
  at: Connections,
  space: EmbedderSpace,
  query: HitQuery,
  { near, read }: { near: readonly number[]; read: RowReader },
): LoadedRows {
  const rows = read(near);
  const isStarved = near.length === query.pool && rows.length < query.pool * PASSING_SHARE;
  if (!isStarved || !query.vector) return bySeq(rows);
  return bySeq(read(nearestPassing(at, space, query, query.vector.values)));
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

/** Reads rows by number, with exact cosines. The cross join finds them first and filters them after. */
function rowReader(at: Connections, { filter, vector, extras = [] }: HitQuery): RowReader {
  const where = memoryWhereText(filter);
  const columns = [
    ...COLUMNS.map((name) => `memories.${name}`),
    ...EXTRAS.map((name) => (extras.includes(name) ? `memories.${name}` : `null as ${name}`)),
  ];
  const statement = at.reader.query<LoadedRow, SQLQueryBindings[]>(`
    select ${columns.join(", ")},
      (select n.seq from memories n where n.previous_seq = memories.seq limit 1) as next_seq,
      case when v.embedder_id = asked.embedder_id
        then 1 - vec_distance_cosine(v.vector, asked.vector) end as vec_sim,
      case when v.embedder_id = asked.embedder_id and v.context is not null
        then 1 - vec_distance_cosine(v.context, asked.vector) end as context_sim
    from (select ? as embedder_id, ? as vector) asked
    cross join json_each(?) wanted
    cross join memories on memories.seq = wanted.value
    left join memory_vectors v on v.seq = memories.seq
    where ${where.sql}`);
  const asked = [vector?.embedder_id ?? null, vector && vectorBlob(vector.values)];
  return (seqs) => (seqs.length === 0 ? [] : statement.all(...asked, JSON.stringify(seqs), ...where.params));
}

function toHit(loaded: LoadedRow, postings: Postings, nearest: LoadedRows): Hit {
  const { seq, previous_seq, next_seq, vec_sim, context_sim } = loaded;
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
