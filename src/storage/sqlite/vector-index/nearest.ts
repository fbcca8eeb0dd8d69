import type { SQLQueryBindings } from "bun:sqlite";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import { indexCodes } from "../../common/index-codes.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections } from "../engine/connection.ts";
import { memoryWhereText } from "../search/where.ts";
import { asksMore, columnFilter, columnTest } from "./columns.ts";
import { FOUND_MAX } from "./layout.ts";
import { recordsOf } from "./records.ts";
import { openScanner } from "./scan.ts";
import type { SharedIndex } from "./shared-memory.ts";
import { headerOf, isReady, loadsOf } from "./shared-memory.ts";

/** Memories of a shared index, as one thread finds them. */
export interface IndexedRows {
  /** Those that a filter lets through; null while the index is not there, and for what it does not know. */
  within(db: Connections, filter: MemoryFilter): FilteredRows | null;
}

/** Rows that pass a filter, by their numbers. */
export interface FilteredRows {
  /** Whether the columns tell all that the filter asks, but for parts of a second and small steps of a weight. */
  readonly isTold: boolean;
  /** Whether the index still has the rows that it had: false from when it is read anew. */
  isCurrent(): boolean;
  /** The nearest to a question, nearest first, as many as the pool takes. */
  nearest(asked: Float32Array, pool: number): number[];
  /** Whether a row may pass: whether it does, where all is told. */
  mayPass(seq: number): boolean;
  /** The newest ones, newest first, as far as the columns tell; not all of them where tens of thousands pass. */
  newest(): number[];
}

/** How many times the pool is looked at first, where the columns do not tell whether a row passes. */
const WIDENING = 4;

const NO_ROWS: FilteredRows = {
  isTold: true,
  isCurrent: () => true,
  nearest: () => [],
  mayPass: () => false,
  newest: () => [],
};

/** Finds rows in a shared index, scanning in a room of its own. */
export function indexedRows(shared: SharedIndex, space: EmbedderSpace, room: number): IndexedRows {
  const header = headerOf(shared);
  const records = recordsOf(shared);
  const scanner = openScanner(shared, room);
  const { question: toQuestion } = indexCodes(space);
  const slotsOf = (seqs: Iterable<number>): number[] => [...seqs].map(records.slotOf).filter((slot) => slot >= 0);
  return {
    within(db, filter) {
      const loads = loadsOf(header);
      if (!isReady(header) || filter.deleted || filter.include_deleted) return null;
      const columns = columnFilter(db, filter);
      if (!columns) return NO_ROWS;
      // A run and a list of ids name few rows, which are looked up at once.
      const isNamed = filter.run_id !== undefined || filter.ids !== undefined;
      const named = isNamed ? passingOf(db, filter, null) : null;
      const passing = named && slotsOf(named);
      const isTold = named !== null || !asksMore(filter);
      const passesColumns = columnTest(records, columns);
      const near = (asked: Float32Array, pool: number, among: readonly number[] | null) =>
        scanner.nearest({ question: toQuestion(asked), columns, pool, passing: among }).map(records.seqAt);
      return {
        isTold,
        isCurrent: () => isReady(header) && loadsOf(header) === loads,
        mayPass: (seq) => (named ? named.has(seq) : passesColumns(seq)),
        newest: () => scanner.newest({ columns, passing, pool: FOUND_MAX }).map(records.seqAt),
        nearest: (asked, pool) => {
          if (isTold) return near(asked, pool, passing);
          const wide = near(asked, pool * WIDENING, null);
          const among = passingOf(db, filter, wide);
          if (among.size >= pool || wide.length < pool * WIDENING)
            return wide.filter((seq) => among.has(seq)).slice(0, pool);
          return near(asked, pool, slotsOf(passingOf(db, filter, null)));
        },
      };
    },
  };
}

/** The numbers of all rows that pass a filter, or of those among some. */
function passingOf(db: Connections, filter: MemoryFilter, among: readonly number[] | null): Set<number> {
  const where = memoryWhereText(filter);
  const [from, values] = among
    ? ["json_each(?) wanted cross join memories on memories.seq = wanted.value", [JSON.stringify(among)]]
    : ["memories", []];
  const found = db.readConnection.query<unknown, SQLQueryBindings[]>(
    `select memories.seq from ${from} where ${where.sql}`,
  );
  return new Set(found.values(...values, ...where.params).map(([seq]) => Number(seq)));
}
