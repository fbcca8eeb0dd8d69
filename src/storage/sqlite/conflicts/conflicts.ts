import type { Database, SQLQueryBindings } from "bun:sqlite";
import type { ConflictQuery, ConflictSide, FoundConflict } from "../../../core/ports/contradiction-store.ts";
import { CORRECTION } from "../../../core/ports/contradiction-store.ts";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { Page } from "../../../core/ports/page.ts";
import type { ConflictState } from "../../../core/schema/observing/conflict.ts";
import type { Connections } from "../engine/connection.ts";
import { pageOf, sizeText } from "../engine/page-size.ts";
import { memoryWhereText } from "../memories/filters.ts";

const STATE = "case when f.retracted_at is not null then 'both_stand' else coalesce(f.review, 'open') end";

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
  const sql = `${among.sql} ${query.state === "all" ? "" : `and ${STATE} = ?`} ${after === null ? "" : `and ${isAfter}`}
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
    (limit) => rows<RawConflict>(COLUMNS, limit).map(toConflict),
  );
}

/** How many findings nobody has reviewed, up to a bound. */
export function countOpen(db: Connections, filter: MemoryFilter, max: number): number {
  const among = amongReviewable(filter);
  const counted = db.readConnection.query<{ n: number }, SQLQueryBindings[]>(
    `select count(*) as n from (select 1 ${among.sql} and f.retracted_at is null and f.review is null limit ?)`,
  );
  return counted.get(...among.params, max)?.n ?? 0;
}

/** One finding with both of its rows. */
export function conflictOf(db: Database, id: number): FoundConflict | null {
  const found = db.query<RawConflict, [number]>(`select ${COLUMNS} from findings f
    cross join memories newer on newer.seq = f.newer_seq
    cross join memories older on older.seq = f.older_seq where f.id = ?`);
  const raw = found.get(id);
  return raw ? toConflict(raw) : null;
}

const SIDE = [
  "id",
  "content",
  "status",
  "agent_id",
  "fleet_id",
  "memory_type",
  "created_at",
  "ts_valid_start",
] as const satisfies (keyof ConflictSide)[];
const sideColumns = (side: "newer" | "older"): string =>
  SIDE.map((column) => `${side}.${column} as ${side}_${column}`).join(", ");
const COLUMNS = `${sideColumns("newer")}, ${sideColumns("older")}, coalesce(f.detected_status, f.status) as status, f.rule, f.confidence,
  f.newer_start, f.newer_end, f.older_start, f.older_end, f.created_at as found_at, ${STATE} as state,
  f.reviewed_at, f.reviewed_by`;

type Prefixed<Side extends string> = { readonly [K in keyof ConflictSide as `${Side}_${K}`]: ConflictSide[K] };

interface RawConflict
  extends Prefixed<"newer">,
    Prefixed<"older">,
    Pick<FoundConflict, "status" | "rule" | "confidence" | "found_at" | "reviewed_at" | "reviewed_by"> {
  readonly newer_start: number;
  readonly newer_end: number;
  readonly older_start: number;
  readonly older_end: number;
  readonly state: ConflictState;
}

function toConflict(raw: RawConflict): FoundConflict {
  const { status, rule, confidence, found_at, state, reviewed_at, reviewed_by } = raw;
  return {
    newer: {
      id: raw.newer_id,
      content: raw.newer_content,
      status: raw.newer_status,
      agent_id: raw.newer_agent_id,
      fleet_id: raw.newer_fleet_id,
      memory_type: raw.newer_memory_type,
      created_at: raw.newer_created_at,
      ts_valid_start: raw.newer_ts_valid_start,
    },
    older: {
      id: raw.older_id,
      content: raw.older_content,
      status: raw.older_status,
      agent_id: raw.older_agent_id,
      fleet_id: raw.older_fleet_id,
      memory_type: raw.older_memory_type,
      created_at: raw.older_created_at,
      ts_valid_start: raw.older_ts_valid_start,
    },
    newer_span: { start: raw.newer_start, end: raw.newer_end },
    older_span: { start: raw.older_start, end: raw.older_end },
    status,
    rule,
    confidence,
    found_at,
    state,
    reviewed_at,
    reviewed_by,
  };
}
