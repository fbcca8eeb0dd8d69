import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { ConflictQuery, ConflictSide, FoundConflict, OpenCount } from "../../core/ports/contradiction-store.ts";
import { CORRECTION } from "../../core/ports/contradiction-store.ts";
import type { MemoryFilter } from "../../core/ports/memory-filter.ts";
import type { Page } from "../../core/ports/page.ts";
import { LIVE_STATUSES } from "../../core/schema/memory.ts";
import { POSSIBLE } from "../../core/schema/observing/possible-change.ts";
import { memoryWhere } from "../memories/filters.ts";
import { sizeOf } from "../units/dialect.ts";
import { pageOf } from "../units/page.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { TenantWork, Work } from "../units/work.ts";

const LIVE = sql.raw(LIVE_STATUSES.map((status) => `'${status}'`).join(", "));
const SIDES = ["newer", "older"] as const;
type Side = (typeof SIDES)[number];
const SIDE = [
  "id",
  "content",
  "status",
  "agent_id",
  "fleet_id",
  "memory_type",
  "created_at",
  "ts_valid_start",
] as const;
type SideColumns = { readonly [K in keyof ConflictSide as `${Side}_${K}`]: ConflictSide[K] };
type SpanColumns = Readonly<Record<`${Side}_${"start" | "end"}`, number>>;

/** A finding `f` with its rows `newer` and `older`, as a statement gives it. */
type RawConflict = SideColumns & SpanColumns & Omit<FoundConflict, Side | `${Side}_span`>;

const sideColumns = SIDES.flatMap((side) => SIDE.map((column) => `${side}.${column} as ${side}_${column}`));
/** What was decided of a finding. */
const STATE = sql.raw("case when f.retracted_at is not null then 'both_stand' else coalesce(f.review, 'open') end");
const COLUMNS = sql`${sql.raw(sideColumns.join(", "))}, coalesce(f.detected_status, f.status) as status, f.rule,
  f.confidence, f.why, f.newer_start, f.newer_end, f.older_start, f.older_end, f.created_at as found_at, ${STATE} as state,
  f.reviewed_at, f.reviewed_by`;

const toConflict = (raw: RawConflict): FoundConflict => ({
  newer: sideIn(raw, "newer"),
  older: sideIn(raw, "older"),
  newer_span: { start: raw.newer_start, end: raw.newer_end },
  older_span: { start: raw.older_start, end: raw.older_end },
  status: raw.status,
  rule: raw.rule,
  confidence: raw.confidence,
  why: raw.why,
  found_at: raw.found_at,
  state: raw.state,
  reviewed_at: raw.reviewed_at,
  reviewed_by: raw.reviewed_by,
});

const sideIn = (raw: RawConflict, side: Side): ConflictSide => ({
  id: raw[`${side}_id`],
  content: raw[`${side}_content`],
  status: raw[`${side}_status`],
  agent_id: raw[`${side}_agent_id`],
  fleet_id: raw[`${side}_fleet_id`],
  memory_type: raw[`${side}_memory_type`],
  created_at: raw[`${side}_created_at`],
  ts_valid_start: raw[`${side}_ts_valid_start`],
});

const withRows = ({ dialect }: Work, tenant_id: string): SQL =>
  sql.join(
    SIDES.map(
      (side) => sql`${dialect.nested} memories ${sql.raw(side)}
        on ${dialect.belongs(side, tenant_id)} and ${sql.raw(`${side}.seq = f.${side}_seq`)}`,
    ),
    sql` `,
  );

/**
 * Findings of the detector, standing or decided, about texts as they are now, whose rows a filter lets through. Of what is merely
 * possible nothing is left to decide where one of the two holds no longer.
 */
function amongReviewable(work: Work, filter: MemoryFilter): SQL {
  const { dialect } = work;
  const within = memoryWhere(dialect, filter);
  const passes = (seq: string) =>
    sql`exists (select 1 from memories where memories.seq = ${sql.raw(seq)} and ${within})`;
  return sql`from findings f ${dialect.indexed("findings_to_review")} ${withRows(work, filter.tenant_id)}
    where f.tenant_id = ${filter.tenant_id} and (f.retracted_at is null or f.review is not null)
      and f.rule <> ${CORRECTION} and newer.content_hash = f.newer_hash and older.content_hash = f.older_hash
      and (f.status <> ${POSSIBLE} or f.retracted_at is not null
        or (newer.status in (${LIVE}) and older.status in (${LIVE})))
      and ${passes("f.newer_seq")} and ${passes("f.older_seq")}`;
}

/** Findings newest first. */
export function listConflicts(work: Work, query: ConflictQuery): Unit<Page<FoundConflict>> {
  const { state, after, filter } = query;
  const inState = state === "all" ? sql`` : sql`and ${STATE} = ${state}`;
  const isAfter =
    after === null
      ? sql``
      : sql`and f.created_at <= ${after.found_at}
          and (f.created_at, newer.id, older.id) < (${after.found_at}, ${after.newer_id}, ${after.older_id})`;
  const found = sql`${amongReviewable(work, filter)} ${inState} ${isAfter}
    order by f.created_at desc, newer.id desc, older.id desc`;
  const size = sql.join(
    SIDES.map((side) => sizeOf(work.dialect, side, ["content"])),
    sql` + `,
  );
  return pageOf(
    query,
    (limit) => rows<{ size: number }>(sql`select ${size} as size ${found} limit ${limit}`),
    function* (limit) {
      return (yield* rows<RawConflict>(sql`select ${COLUMNS} ${found} limit ${limit}`)).map(toConflict);
    },
  );
}

/** How many findings nobody has reviewed, up to a bound. */
export function* countOpen(work: Work, filter: MemoryFilter, max: number): Unit<OpenCount> {
  const counted = yield* row<OpenCount>(sql`select count(*) as open, count(*) filter (where waits) as waiting,
      count(*) filter (where is_possible) as possible from (
    select older.status = 'conflicted' and f.status <> ${POSSIBLE} as waits, f.status = ${POSSIBLE} as is_possible ${amongReviewable(work, filter)}
      and f.retracted_at is null and f.review is null limit ${max}) as unreviewed`);
  return counted ?? { open: 0, waiting: 0, possible: 0 };
}

/** One finding with both of its rows. */
export function* conflictOf(work: TenantWork, id: number): Unit<FoundConflict | null> {
  const { dialect, tenant_id } = work;
  const raw = yield* row<RawConflict>(sql`select ${COLUMNS} from findings f ${withRows(work, tenant_id)}
    where ${dialect.belongs("f", tenant_id)} and f.id = ${id}`);
  return raw && toConflict(raw);
}
