import type { SQLQueryBindings } from "bun:sqlite";
import type { HitExtra, HitMemory, HitQuery, QueryVector } from "../../../core/ports/hits.ts";
import type { Connections } from "../engine/connection.ts";
import { memoryWhereText } from "../memories/filters.ts";
import { vectorBlob } from "../memories/rows.ts";

/** A row as SQLite hands it over, with its place in its run. */
export interface HitRow extends Omit<HitMemory, HitExtra> {
  readonly entity_links: string | null;
  readonly system_metadata: string | null;
  readonly seq: number;
  readonly previous_seq: number | null;
  readonly next_seq: number | null;
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
] as const satisfies (keyof HitRow)[];
const EXTRAS = ["entity_links", "system_metadata"] as const satisfies HitExtra[];

/** Gives those of some rows that pass the filter of a search, by their numbers; what it gave once is not read again. */
export type RowReader = (seqs: readonly number[]) => HitRow[];

/** The reader of one search. The cross join finds rows first and filters them after. */
export function rowReader(db: Connections, { filter, extras = [] }: HitQuery): RowReader {
  const where = memoryWhereText(filter);
  const columns = [
    ...COLUMNS.map((name) => `memories.${name}`),
    ...EXTRAS.map((name) => (extras.includes(name) ? `memories.${name}` : `null as ${name}`)),
  ];
  const statement = db.readConnection.query<HitRow, SQLQueryBindings[]>(`
    select ${columns.join(", ")},
      (select n.seq from memories n where n.previous_seq = memories.seq limit 1) as next_seq
    from json_each(?) wanted
    cross join memories on memories.seq = wanted.value
    where ${where.sql}`);
  const known = new Map<number, HitRow>();
  return (seqs) => {
    const missing = seqs.filter((seq) => !known.has(seq));
    const found = missing.length === 0 ? [] : statement.all(JSON.stringify(missing), ...where.params);
    for (const row of found) known.set(row.seq, row);
    return seqs.flatMap((seq) => known.get(seq) ?? []);
  };
}

/** How near a row is to the query, by its own text as each reader has it, and by its text read with the one before it. */
export interface Cosines {
  readonly seq: number;
  readonly vec_sim: number;
  readonly secondary_sim: number | null;
  readonly context_sim: number | null;
}

const COSINES = `
  select v.seq, 1 - vec_distance_cosine(v.vector, asked.vector) as vec_sim,
    case when v.second is not null and asked.second is not null
      then 1 - vec_distance_cosine(v.second, asked.second) end as secondary_sim,
    case when v.context is not null then 1 - vec_distance_cosine(v.context, asked.vector) end as context_sim
  from (select ? as vector, ? as second) asked
  cross join json_each(?) wanted
  cross join memory_vectors v on v.seq = wanted.value
  where v.embedder_id = ?`;

/** The cosines of those rows that have a vector of the query's model. */
export function cosinesOf(db: Connections, vector: QueryVector, rows: readonly HitRow[]): ReadonlyMap<number, Cosines> {
  const seqs = JSON.stringify(rows.map(({ seq }) => seq));
  const found = db.readConnection.query<Cosines, SQLQueryBindings[]>(COSINES);
  const { values, secondary, embedder_id } = vector;
  const cosines = found.all(vectorBlob(values), secondary ? vectorBlob(secondary) : null, seqs, embedder_id);
  return new Map(cosines.map((row) => [row.seq, row]));
}
