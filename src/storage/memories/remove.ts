import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { MemoryFilter } from "../../core/ports/memory-filter.ts";
import type { Permit } from "../../core/ports/memory-store.ts";
import { insertAudit } from "../accounts/audit.ts";
import { changeUsage } from "../accounts/usage.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import { statusesToRestore } from "../conflicts/apply-status.ts";
import { removeClaims } from "../conflicts/claims.ts";
import { retractFindings } from "../conflicts/retract.ts";
import { rereadUnnamed, unfileRows } from "../entities/links.ts";
import { queueStatusChanged } from "../skills/reviews.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { ChangeWork, TenantWork } from "../units/work.ts";
import { memoryWhere } from "./filters.ts";
import type { MemoryRow } from "./rows.ts";
import { ROW_COLUMNS, rowsOf, toStoredMemory } from "./rows.ts";
import { unlinkFromRuns } from "./runs.ts";

/** The first rows of a filter, in the order they were written; those whose time is over in the order in which it was. */
export const oldestOf = ({ dialect }: TenantWork, filter: MemoryFilter, limit: number): Unit<MemoryRow[]> =>
  rowsOf(sql`select ${ROW_COLUMNS} from memories where ${memoryWhere(dialect, filter)}
    order by ${orderOf(filter)} limit ${int(limit)}`);

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

/** A deletion, and the moment that names it: now unless it is given. */
export interface Removal extends Taken {
  readonly deleted_at?: string;
}

/** The first rows that it takes. Throws what `permit` throws. */
export function* takenRows(work: TenantWork, { filter, limit, permit }: Taken): Unit<MemoryRow[]> {
  const found = yield* oldestOf(work, filter, limit);
  if (permit) for (const row of found) permit(toStoredMemory(row));
  return found;
}

/** Soft delete: the rows stay, hidden; their words and codes leave the indexes. Returns how many. */
export function* removeMemories(work: ChangeWork, removal: Removal, by: ChangedBy): Unit<number> {
  const found = yield* takenRows(work, removal);
  if (found.length === 0) return 0;
  const { deleted_at = by.now } = removal;
  const seqs = found.map(({ seq }) => seq);
  const former = yield* statusesToRestore(work, seqs);
  yield* hide(work, found, deleted_at);
  yield* leaveFindings(work, seqs, by);
  yield* rereadUnnamed(work, (yield* unfileRows(work, seqs)).unnamed, by.nowMs);
  yield* changeUsage(work, -found.length);
  yield* queueStatusChanged(work, { status: "deleted" }, by.nowMs);
  const events = found.map(({ id, seq, status }) => {
    const former_status = former.get(seq);
    return {
      at: by.now,
      action: "memory.delete",
      target_id: id,
      before: { status, ...(former_status && { former_status }) },
      after: { status: "deleted", deleted_at },
      reason: null,
    };
  });
  yield* insertAudit(work, by.actor, events);
  return found.length;
}

/** Marks rows as deleted, and takes them out of the indexes of search and out of their runs. */
function* hide(work: ChangeWork, found: readonly MemoryRow[], deleted_at: string): Unit<void> {
  const { dialect, index, tenant_id } = work;
  const kept = found.map(({ seq, entity_links }) => ({
    seq,
    entity_links: entity_links.filter(({ inferred }) => inferred !== true),
  }));
  yield* run(sql`update memories as m set deleted_at = ${deleted_at}, status = 'deleted', entity_links = k.entity_links
    from ${dialect.records(kept, "k", { seq: "int", entity_links: "json" })}
    where ${dialect.belongs("m", tenant_id)} and m.seq = k.seq`);
  const seqs = found.map(({ seq }) => seq);
  yield* index.removeWords(seqs);
  yield* unlinkFromRuns(work, found);
  yield* index.removeCodes(seqs);
  yield* index.removeOtherVectors(seqs);
}

/** Takes back what was found about rows, and takes them out of the index of claims. */
function* leaveFindings(work: ChangeWork, seqs: readonly number[], by: ChangedBy): Unit<void> {
  yield* removeClaims(work, seqs);
  const { belongs, isIn } = work.dialect;
  const judged = yield* rows<{ older: number; newer: number }>(sql`
    select older_seq as older, newer_seq as newer from findings
    where ${belongs("findings", work.tenant_id)} and retracted_at is null
      and (${isIn(sql`older_seq`, seqs)} or ${isIn(sql`newer_seq`, seqs)})`);
  const concerned = new Set(judged.flatMap(({ older, newer }) => [older, newer]));
  for (const seq of seqs) if (concerned.has(seq)) yield* retractFindings(work, seq, "deleted", by);
}

/** Counts that rows were found, and when. */
export function* touchRecalls({ dialect, tenant_id }: TenantWork, ids: readonly string[], now: string): Unit<void> {
  yield* run(sql`update memories set recall_count = recall_count + 1, last_recalled_at = ${now}
    where ${memoryWhere(dialect, { tenant_id, ids, include_deleted: true })}`);
}
