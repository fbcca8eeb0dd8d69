import type { QueryVector } from "../../../core/ports/hits.ts";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections } from "../engine/connection.ts";
import type { FilteredRows } from "../vector-index/nearest.ts";
import { cosineTo } from "../vectors/cosine.ts";
import type { HitRow } from "./read-rows.ts";
import { readRows } from "./read-rows.ts";
import type { RowCache } from "./row-cache.ts";
import { memoryWhereText } from "./where.ts";

/** Gives those of some rows that pass the filter of a search, by their numbers; what it gave once is not read again. */
export type RowReader = (seqs: readonly number[]) => HitRow[];

/** Where the reader of a search looks before it reads: null where there is no index in memory. */
export interface ReadRows {
  readonly space: EmbedderSpace;
  readonly indexed: FilteredRows | null;
  readonly cache: RowCache | null;
}

/** The reader of one search. */
export function rowReader(db: Connections, filter: MemoryFilter, { space, indexed, cache }: ReadRows): RowReader {
  const cached = (seqs: readonly number[]): HitRow[] | null => {
    if (!indexed?.isTold) return null;
    return cache?.read(db, seqs.filter(indexed.mayPass))?.filter((row) => passesExactly(row, filter)) ?? null;
  };
  const known = new Map<number, HitRow>();
  return (seqs) => {
    const missing = seqs.filter((seq) => !known.has(seq));
    const read = () => cached(missing) ?? readRows(db, space, missing, memoryWhereText(filter));
    for (const row of missing.length === 0 ? [] : read()) known.set(row.seq, row);
    return seqs.flatMap((seq) => known.get(seq) ?? []);
  };
}

/** What the columns of the index tell by the second or in steps, to the last digit; the rest is told by them. */
const passesExactly = (
  { created_at, expires_at, weight }: HitRow,
  { created_after = "", created_before, unexpired_at = "", weight_min = 0, weight_max = 1 }: MemoryFilter,
): boolean =>
  created_at >= created_after &&
  (created_before === undefined || created_at <= created_before) &&
  (expires_at === null || expires_at > unexpired_at) &&
  weight >= weight_min &&
  weight <= weight_max;

/** How near a row is to the query, by its own text, and by its text read with the one before it. */
export interface Cosines {
  readonly vec_sim: number | null;
  readonly context_sim: number | null;
}

/** Tells the cosines of a query and rows: none where there is no vector of the query's model. */
export function cosinesTo({ values }: QueryVector): (row: HitRow) => Cosines {
  const to = cosineTo(values);
  return ({ vector, context }) => ({ vec_sim: to(vector), context_sim: to(context) });
}
