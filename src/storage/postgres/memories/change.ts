import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { Permit } from "../../../core/ports/memory-store.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import { statusesToRestore } from "../../conflicts/apply-status.ts";
import { removeClaims } from "../../conflicts/claims.ts";
import { retractFindings } from "../../conflicts/retract.ts";
import { rereadUnnamed, unfileRows } from "../../entities/links.ts";
import { queueStatusChanged } from "../../skills/reviews.ts";
import { insertAudit } from "../accounts/audit-rows.ts";
import { changeUsage } from "../accounts/usage.ts";
import { intArray, recordsValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { removeWords } from "../search/keyword-index.ts";
import { within } from "../units/run.ts";
import { removeCodes, removeOtherVectors } from "../vectors/vectors.ts";
import { memoryWhere } from "./filters.ts";
import type { MemoryRow } from "./rows.ts";
import { toStoredMemory } from "./rows.ts";
import { unlinkFromRuns } from "./runs.ts";

/** The first rows of a filter, in the order they were written; those whose time is over in the order in which it was. */
export const oldestOf = (work: TenantWork, filter: MemoryFilter, limit: number): Promise<MemoryRow[]> =>
  work.rows<MemoryRow>(
    sql`select * from memories where ${memoryWhere(filter)} order by ${orderOf(filter)} limit ${limit}`,
  );

/** By the index that finds them, of which a few rows can be read without all. */
function orderOf({ deleted, expired_by }: MemoryFilter): SQL {
  if (deleted) return sql`memories.deleted_at, memories.seq`;
  return expired_by === undefined ? sql`memories.seq` : sql`memories.expires_at, memories.seq`;
}

/** What a deletion takes away, and who may keep it from that. */
export interface Taken {
  readonly filter: MemoryFilter;
  readonly limit: number;
  readonly permit?: Permit | undefined;
}

/** A deletion, and the moment that names it. */
export interface Removal extends Taken {
  readonly deleted_at: string;
}

/** The first rows that it takes. Throws what `permit` throws. */
export async function takenRows(work: TenantWork, { filter, limit, permit }: Taken): Promise<MemoryRow[]> {
  const found = await oldestOf(work, filter, limit);
  if (permit) for (const row of found) permit(toStoredMemory(row));
  return found;
}

/** Soft delete: the rows stay, hidden; their words and codes leave the indexes. Returns how many. */
export async function removeMemories(
  work: TenantWork,
  { deleted_at, ...taken }: Removal,
  by: ChangedBy,
): Promise<number> {
  const found = await takenRows(work, taken);
  if (found.length === 0) return 0;
  const former = await within(work, (unit) => statusesToRestore(unit, numbersOf(found)));
  await hide(work, found, deleted_at);
  await leaveFindings(work, found, by);
  await within(work, function* (unit) {
    yield* rereadUnnamed(unit, (yield* unfileRows(unit, numbersOf(found))).unnamed, by.nowMs);
  });
  await changeUsage(work, -found.length);
  await within(work, (unit) => queueStatusChanged(unit, { status: "deleted" }, by.nowMs));
  const events = found.map(({ id, seq, status }) => ({
    at: by.now,
    action: "memory.delete",
    target_id: id,
    before: { status, ...(former.has(seq) ? { former_status: former.get(seq) ?? null } : {}) },
    after: { status: "deleted", deleted_at },
    reason: null,
  }));
  await insertAudit(work, by.actor, events);
  return found.length;
}

const numbersOf = (rows: readonly MemoryRow[]): number[] => rows.map(({ seq }) => seq);

/** Marks rows as deleted, and takes them out of the indexes of search and out of their runs. */
async function hide(work: TenantWork, rows: readonly MemoryRow[], deleted_at: string): Promise<void> {
  const kept = rows.map(({ seq, entity_links }) => ({
    seq,
    entity_links: entity_links.filter(({ inferred }) => inferred !== true),
  }));
  await work.run(sql`update memories m set deleted_at = ${deleted_at}, status = 'deleted', entity_links = k.entity_links
    from json_to_recordset(${recordsValue(kept)}) as k (seq bigint, entity_links json)
    where m.tenant_id = ${work.tenant_id} and m.seq = k.seq`);
  const seqs = numbersOf(rows);
  await removeWords(work, seqs);
  await unlinkFromRuns(work, rows);
  await removeCodes(work, work.space, seqs);
  await removeOtherVectors(work, work.space, seqs);
}

/** Takes back what was found about rows, and takes them out of the index of claims. */
async function leaveFindings(work: TenantWork, rows: readonly MemoryRow[], by: ChangedBy): Promise<void> {
  await within(work, (unit) => removeClaims(unit, numbersOf(rows)));
  const seqs = intArray(numbersOf(rows));
  const judged = await work.rows<{ older: number; newer: number }>(sql`
    select older_seq as older, newer_seq as newer from findings
    where tenant_id = ${work.tenant_id} and retracted_at is null
      and (older_seq = any(${seqs}) or newer_seq = any(${seqs}))`);
  const concerned = new Set(judged.flatMap(({ older, newer }) => [older, newer]));
  for (const { seq } of rows)
    if (concerned.has(seq)) await within(work, (unit) => retractFindings(unit, seq, "deleted", by));
}

/** Counts that rows were found, and when. */
export const touchRecalls = (work: TenantWork, ids: readonly string[], now: string): Promise<number> =>
  work.run(sql`update memories set recall_count = recall_count + 1, last_recalled_at = ${now}
    where ${memoryWhere({ tenant_id: work.tenant_id, ids, include_deleted: true })}`);
