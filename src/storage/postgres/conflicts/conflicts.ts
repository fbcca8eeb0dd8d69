import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { ConflictQuery, FoundConflict, OpenCount } from "../../../core/ports/contradiction-store.ts";
import { CORRECTION } from "../../../core/ports/contradiction-store.ts";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { Page } from "../../../core/ports/page.ts";
import type { RawConflict } from "../../common/found-conflicts.ts";
import { CONFLICT_COLUMNS, CONFLICT_STATE, toConflict } from "../../common/found-conflicts.ts";
import { pageOf, sizeText } from "../engine/page-size.ts";
import type { TenantWork, Work } from "../engine/work.ts";
import { memoryWhere } from "../memories/filters.ts";

const STATE = sql.raw(CONFLICT_STATE);
const COLUMNS = sql.raw(CONFLICT_COLUMNS);

const WITH_ROWS = sql.raw(`from findings f
  join memories newer on newer.tenant_id = f.tenant_id and newer.seq = f.newer_seq
  join memories older on older.tenant_id = f.tenant_id and older.seq = f.older_seq`);

/** Findings of the detector, standing or decided, about texts as they are now, whose rows `newer` and `older` a filter lets through. */
function amongReviewable(filter: MemoryFilter): SQL {
  const within = memoryWhere(filter);
  const passes = (seq: string) =>
    sql`exists (select 1 from memories where memories.seq = ${sql.raw(seq)} and ${within})`;
  return sql`${WITH_ROWS}
    where f.tenant_id = ${filter.tenant_id} and (f.retracted_at is null or f.review is not null)
      and f.rule <> ${CORRECTION} and newer.content_hash = f.newer_hash and older.content_hash = f.older_hash
      and ${passes("f.newer_seq")} and ${passes("f.older_seq")}`;
}

/** Findings newest first. */
export function listConflicts(work: Work, query: ConflictQuery): Promise<Page<FoundConflict>> {
  const { state, after } = query;
  const inState = state === "all" ? sql`` : sql`and ${STATE} = ${state}`;
  const isAfter =
    after === null
      ? sql``
      : sql`and f.created_at <= ${after.found_at}
          and (f.created_at, newer.id, older.id) < (${after.found_at}, ${after.newer_id}, ${after.older_id})`;
  const found = sql`${amongReviewable(query.filter)} ${inState} ${isAfter}
    order by f.created_at desc, newer.id desc, older.id desc`;
  const rows = <T extends object>(columns: SQL, limit: number): Promise<T[]> =>
    work.rows<T>(sql`select ${columns} ${found} limit ${limit}`);
  return pageOf(
    query,
    async (limit) => (await rows<{ size: number }>(SIZE, limit)).map(({ size }) => size),
    async (limit) => (await rows<RawConflict>(COLUMNS, limit)).map(toConflict),
  );
}

const SIZE = sql`${sizeText("newer", ["content"])} + ${sizeText("older", ["content"])} as size`;

/** How many findings nobody has reviewed, up to a bound. */
export async function countOpen(work: Work, filter: MemoryFilter, max: number): Promise<OpenCount> {
  const counted = await work.row<OpenCount>(sql`select count(*) as open, count(*) filter (where waits) as waiting from (
    select older.status = 'conflicted' as waits ${amongReviewable(filter)}
      and f.retracted_at is null and f.review is null limit ${max}) as unreviewed`);
  return counted ?? { open: 0, waiting: 0 };
}

/** One finding with both of its rows. */
export async function conflictOf(work: TenantWork, id: number): Promise<FoundConflict | null> {
  const raw = await work.row<RawConflict>(
    sql`select ${COLUMNS} ${WITH_ROWS} where f.tenant_id = ${work.tenant_id} and f.id = ${id}`,
  );
  return raw && toConflict(raw);
}
