import { and, asc, eq, sql } from "drizzle-orm";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { NewVector, PendingMemory } from "../../../core/ports/memory-store.ts";
import type { EmbedderSpace } from "../../options.ts";
import { insertAudit } from "../accounts/audit.ts";
import { changeUsage } from "../accounts/usage.ts";
import { removeClaims } from "../conflicts/claims.ts";
import type { By } from "../conflicts/resolve-status.ts";
import { previousStatus } from "../conflicts/resolve-status.ts";
import { lookAgainWithVectors, retractFindings } from "../conflicts/retract.ts";
import type { Connections } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";
import { rereadUnnamed, unfileLinks } from "../entities/links.ts";
import { removeWords } from "../search/keyword-index.ts";
import type { CodedRow } from "../search/vectors.ts";
import { putVectors, removeCode } from "../search/vectors.ts";
import { queueSkillReview } from "../skills/reviews.ts";
import { memoryWhere } from "./filters.ts";
import type { MemoryRow } from "./rows.ts";
import { toStoredMemory } from "./rows.ts";
import { previousText, trueVectors, unlinkFromRun } from "./runs.ts";

/** The first rows of a filter, in the order they were written. */
export const oldestOf = (at: Connections, filter: MemoryFilter, limit: number): MemoryRow[] =>
  at.drizzleWrite.select().from(memories).where(memoryWhere(filter)).orderBy(asc(memories.seq)).limit(limit).all();

/** Soft delete: the rows stay, hidden; their words and codes leave the indexes. */
export function removeMemories(
  at: Connections,
  filter: MemoryFilter,
  by: By,
  limit: number,
  deleted_at = by.now,
): number {
  const found = oldestOf(at, filter, limit);
  const former = found.map(({ seq }) => previousStatus(at, seq));
  for (const row of found) {
    const entity_links = row.entity_links.filter(({ inferred }) => inferred !== true);
    const deleted = { deleted_at, status: "deleted", entity_links } as const;
    at.drizzleWrite.update(memories).set(deleted).where(eq(memories.seq, row.seq)).run();
    removeWords(at, row.seq);
    removeCode(at, row.seq);
    unlinkFromRun(at, row);
    removeClaims(at, row.seq);
    retractFindings(at, row.seq, "deleted", by);
  }
  const unnamed = found.flatMap(({ seq }) => unfileLinks(at, seq).unnamed);
  rereadUnnamed(at, filter.tenant_id, unnamed, by.nowMs);
  if (found.length > 0) changeUsage(at, filter.tenant_id, -found.length);
  if (found.length > 0) queueSkillReview(at, { tenant_id: filter.tenant_id, status: "deleted" }, by.nowMs);
  const events = found.map(({ id, status }, i) => ({
    tenant_id: filter.tenant_id,
    at: by.now,
    action: "memory.delete",
    target_id: id,
    before: { status, ...(former[i] == null ? {} : { former_status: former[i] }) },
    after: { status: "deleted", deleted_at },
    reason: null,
  }));
  insertAudit(at, by.actor, events);
  return found.length;
}

const unembedded = (tenant_id: string, ids: readonly string[], embedder_id: string) =>
  and(memoryWhere({ tenant_id, ids }), sql`${memories.embedded_by} is not ${embedder_id}`);

export function pendingMemories(
  at: Connections,
  tenant_id: string,
  ids: readonly string[],
  embedder_id: string,
): PendingMemory[] {
  const rows = at.drizzleWrite
    .select()
    .from(memories)
    .where(unembedded(tenant_id, ids, embedder_id))
    .all();
  return rows.map((row) => ({ memory: toStoredMemory(row), previous: previousText(at, row.previous_seq) }));
}

export const pendingIds = (at: Connections, tenant_id: string, ids: readonly string[], embedder_id: string): string[] =>
  at.drizzleRead
    .select({ id: memories.id })
    .from(memories)
    .where(unembedded(tenant_id, ids, embedder_id))
    .all()
    .map(({ id }) => id);

export function fillVectors(
  at: Connections,
  space: EmbedderSpace,
  tenant_id: string,
  vectors: readonly NewVector[],
  nowMs: number,
): void {
  const filledSeqs: number[] = [];
  const fill = at.writeConnection.query<FilledRow, string[]>(FILL);
  for (const filled of vectors) {
    const row = fill.get(space.id, filled.id, tenant_id, filled.content_hash);
    if (!row) continue;
    putVectors(at, space, row, trueVectors(at, row, filled.vectors));
    filledSeqs.push(row.seq);
  }
  lookAgainWithVectors(at, filledSeqs, nowMs);
}

type FilledRow = CodedRow & Pick<MemoryRow, "previous_seq">;
/** Written out, as it is run for each row: to build it takes longer than to run it. */
const FILL = `update memories set embedded_by = ?
  where id = ? and +tenant_id = ? and content_hash = ? and deleted_at is null
  returning seq, tenant_id, author, audience, memory_type, previous_seq`;

export function touchRecalls(at: Connections, tenant_id: string, ids: readonly string[], now: string): void {
  at.drizzleWrite
    .update(memories)
    .set({ recall_count: sql`${memories.recall_count} + 1`, last_recalled_at: now })
    .where(memoryWhere({ tenant_id, ids, include_deleted: true }))
    .run();
}
