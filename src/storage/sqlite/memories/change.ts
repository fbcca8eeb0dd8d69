import { and, asc, eq, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { NewVector, PendingMemory, Permit } from "../../../core/ports/memory-store.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import { statusesToRestore } from "../../conflicts/apply-status.ts";
import { removeClaims } from "../../conflicts/claims.ts";
import { recheckWithVectors, retractFindings } from "../../conflicts/retract.ts";
import { rereadUnnamed, unfileRows } from "../../entities/links.ts";
import type { EmbedderSpace } from "../../options.ts";
import { queueStatusChanged } from "../../skills/reviews.ts";
import { insertAudit } from "../accounts/audit.ts";
import { changeUsage } from "../accounts/usage.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";
import { removeWords } from "../search/keyword-index.ts";
import { changing } from "../units/run.ts";
import type { TenantCodedRow } from "../vectors/vectors.ts";
import { putVectors, removeCode, removeOtherVectors } from "../vectors/vectors.ts";
import { memoryWhere } from "./filters.ts";
import type { MemoryRow } from "./rows.ts";
import { toStoredMemory } from "./rows.ts";
import { previousText, trueVectors, unlinkFromRun } from "./runs.ts";

/** The first rows of a filter, in the order they were written; those whose time is over in the order in which it was. */
export const oldestOf = (db: Engine, filter: MemoryFilter, limit: number): MemoryRow[] =>
  db.drizzleWrite
    .select()
    .from(memories)
    .where(memoryWhere(filter))
    .orderBy(asc(orderOf(filter)))
    .limit(limit)
    .all();

/** By the index that finds them, of which a few rows can be read without all. */
function orderOf({ deleted, expired_by }: MemoryFilter): SQLiteColumn {
  if (deleted) return memories.deleted_at;
  return expired_by === undefined ? memories.seq : memories.expires_at;
}

/** Which of the rows that match a deletion takes, and who may keep it from them. */
export interface Taken {
  readonly limit: number;
  readonly permit?: Permit | undefined;
}

/** The first rows that a deletion takes. Throws what `permit` throws. */
export function takenRows(db: Engine, filter: MemoryFilter, { limit, permit }: Taken): MemoryRow[] {
  const found = oldestOf(db, filter, limit);
  if (permit) for (const row of found) permit(toStoredMemory(row));
  return found;
}

/** Soft delete: the rows stay, hidden; their words and codes leave the indexes. */
export function removeMemories(
  db: Engine,
  filter: MemoryFilter,
  by: ChangedBy,
  { deleted_at = by.now, ...taken }: Taken & { readonly deleted_at?: string },
): number {
  const found = takenRows(db, filter, taken);
  const { tenant_id } = filter;
  const seqs = found.map(({ seq }) => seq);
  const former = changing(db, tenant_id, (work) => statusesToRestore(work, seqs));
  for (const row of found) {
    const entity_links = row.entity_links.filter(({ inferred }) => inferred !== true);
    const deleted = { deleted_at, status: "deleted", entity_links } as const;
    db.drizzleWrite.update(memories).set(deleted).where(eq(memories.seq, row.seq)).run();
    removeWords(db, row.seq);
    removeCode(db, db.space, row.seq);
    removeOtherVectors(db, db.space, row.seq);
    unlinkFromRun(db, row);
    changing(db, tenant_id, function* (work) {
      yield* removeClaims(work, [row.seq]);
      yield* retractFindings(work, row.seq, "deleted", by);
    });
  }
  changing(db, tenant_id, function* (work) {
    yield* rereadUnnamed(work, (yield* unfileRows(work, seqs)).unnamed, by.nowMs);
  });
  if (found.length > 0) changeUsage(db, filter.tenant_id, -found.length);
  if (found.length > 0) changing(db, tenant_id, (work) => queueStatusChanged(work, { status: "deleted" }, by.nowMs));
  const events = found.map(({ id, seq, status }) => ({
    tenant_id,
    at: by.now,
    action: "memory.delete",
    target_id: id,
    before: { status, ...(former.has(seq) ? { former_status: former.get(seq) ?? null } : {}) },
    after: { status: "deleted", deleted_at },
    reason: null,
  }));
  insertAudit(db, by.actor, events);
  return found.length;
}

const unembedded = (tenant_id: string, ids: readonly string[], embedder_id: string) =>
  and(memoryWhere({ tenant_id, ids }), sql`${memories.embedded_by} is not ${embedder_id}`);

/** Rows among these ids that have no vector of this embedder, each with the text of the row before it in its run. */
export function pendingMemories(
  db: Connections,
  tenant_id: string,
  ids: readonly string[],
  embedder_id: string,
): PendingMemory[] {
  const rows = db.drizzleWrite
    .select()
    .from(memories)
    .where(unembedded(tenant_id, ids, embedder_id))
    .orderBy(memories.seq)
    .all();
  return rows.map((row) => ({ memory: toStoredMemory(row), previous: previousText(db, row.previous_seq) }));
}

/** Ids among these of rows that have no vector of this embedder. */
export const pendingIds = (db: Connections, tenant_id: string, ids: readonly string[], embedder_id: string): string[] =>
  db.drizzleRead
    .select({ id: memories.id })
    .from(memories)
    .where(unembedded(tenant_id, ids, embedder_id))
    .orderBy(memories.seq)
    .all()
    .map(({ id }) => id);

/** Stores vectors of rows whose text is still the one that was embedded; the others are passed over. */
export function fillVectors(
  db: Engine,
  space: EmbedderSpace,
  tenant_id: string,
  vectors: readonly NewVector[],
  nowMs: number,
): void {
  const filledSeqs: number[] = [];
  const fill = db.writeConnection.query<FilledRow, string[]>(FILL);
  for (const filled of vectors) {
    const row = fill.get(space.id, filled.id, tenant_id, filled.content_hash);
    if (!row) continue;
    putVectors(db, space, row, trueVectors(db, row, filled.vectors));
    filledSeqs.push(row.seq);
  }
  changing(db, tenant_id, (work) => recheckWithVectors(work, filledSeqs, nowMs));
}

type FilledRow = TenantCodedRow & Pick<MemoryRow, "previous_seq">;
/** Written out, as it is run for each row: to build it takes longer than to run it. */
const FILL = `update memories set embedded_by = ?
  where id = ? and +tenant_id = ? and content_hash = ? and deleted_at is null
  returning seq, tenant_id, author, audience, memory_type, previous_seq`;

/** Counts that rows were found, and when. */
export function touchRecalls(db: Connections, tenant_id: string, ids: readonly string[], now: string): void {
  db.drizzleWrite
    .update(memories)
    .set({ recall_count: sql`${memories.recall_count} + 1`, last_recalled_at: now })
    .where(memoryWhere({ tenant_id, ids, include_deleted: true }))
    .run();
}
