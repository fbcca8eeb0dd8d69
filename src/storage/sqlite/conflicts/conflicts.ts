import type { Database, SQLQueryBindings } from "bun:sqlite";
import type { ConflictQuery, FoundConflict, OpenCount } from "../../../core/ports/contradiction-store.ts";
import { CORRECTION } from "../../../core/ports/contradiction-store.ts";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { Page } from "../../../core/ports/page.ts";
import type { RawConflict } from "../../common/found-conflicts.ts";
import { CONFLICT_COLUMNS, CONFLICT_STATE, toConflict } from "../../common/found-conflicts.ts";
import type { Connections } from "../engine/connection.ts";
import { pageOf, sizeText } from "../engine/page-size.ts";
import { memoryWhereText } from "../memories/filters.ts";

/** Findings of the detector, standing or decided, about texts as they are now, whose rows `newer` and `older` a filter lets through. */
interface Among {
  readonly sql: string;
  readonly params: readonly SQLQueryBindings[];
}

function amongReviewable(filter: MemoryFilter): Among {
  const within = memoryWhereText(filter);
  const passes = (seq: string) => `exists (select 1 from memories where memories.seq = ${seq} and ${within.sql})`;
  return {
    sql: `from findings f indexed by findings_to_review
      cross join memories newer on newer.seq = f.newer_seq
      cross join memories older on older.seq = f.older_seq
      where f.tenant_id = ? and (f.retracted_at is null or f.review is not null) and f.rule <> '${CORRECTION}'
        and newer.content_hash = f.newer_hash and older.content_hash = f.older_hash
        and ${passes("f.newer_seq")} and ${passes("f.older_seq")}`,
    params: [filter.tenant_id, ...within.params, ...within.params],
  };
}

/** Findings newest first. */
export function listConflicts(db: Connections, query: ConflictQuery): Page<FoundConflict> {
  const among = amongReviewable(query.filter);
  const { after } = query;
  const isAfter = "f.created_at <= ? and (f.created_at, newer.id, older.id) < (?, ?, ?)";
  const sql = `${among.sql} ${query.state === "all" ? "" : `and ${CONFLICT_STATE} = ?`} ${after === null ? "" : `and ${isAfter}`}
    order by f.created_at desc, newer.id desc, older.id desc limit ?`;
  const bound = [
    ...among.params,
    ...(query.state === "all" ? [] : [query.state]),
    ...(after === null ? [] : [after.found_at, after.found_at, after.newer_id, after.older_id]),
  ];
  const size = `${sizeText("newer", ["content"])} + ${sizeText("older", ["content"])}`;
  const rows = <T>(columns: string, limit: number): T[] =>
    db.readConnection.query<T, SQLQueryBindings[]>(`select ${columns} ${sql}`).all(...bound, limit);
  return pageOf(
    query,
    (limit) => rows<{ size: number }>(`${size} as size`, limit).map((row) => row.size),
    (limit) => rows<RawConflict>(CONFLICT_COLUMNS, limit).map(toConflict),
  );
}

/** How many findings nobody has reviewed, up to a bound. */
export function countOpen(db: Connections, filter: MemoryFilter, max: number): OpenCount {
  const among = amongReviewable(filter);
  const counted = db.readConnection.query<OpenCount, SQLQueryBindings[]>(
    `select count(*) as open, coalesce(sum(waits), 0) as waiting from (
      select older.status = 'conflicted' as waits ${among.sql} and f.retracted_at is null and f.review is null limit ?)`,
  );
  return counted.get(...among.params, max) ?? { open: 0, waiting: 0 };
}

/** One finding with both of its rows. */
export function conflictOf(db: Database, id: number): FoundConflict | null {
  const found = db.query<RawConflict, [number]>(`select ${CONFLICT_COLUMNS} from findings f
    cross join memories newer on newer.seq = f.newer_seq
    cross join memories older on older.seq = f.older_seq where f.id = ?`);
  const raw = found.get(id);
  return raw ? toConflict(raw) : null;
}
