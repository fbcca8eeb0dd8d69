import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Actor, MemoryKey, NewVector, PendingMemory, Reach } from "../../ports/memory-store.ts";
import type { EmbedderSpace } from "../options.ts";
import { insertAudit } from "./audit.ts";
import type { Connections } from "./connection.ts";
import { findRow } from "./memories-read.ts";
import type { MemoryRow } from "./rows.ts";
import { toStoredMemory } from "./rows.ts";
import { memories } from "./tables.ts";
import { changeUsage } from "./usage.ts";
import { putVectors, removeCode } from "./vectors.ts";
import { removeWords } from "./words.ts";

/** Soft delete: the row stays, hidden; its words and code leave the indexes. */
export function removeMemory(at: Connections, key: MemoryKey, reach: Reach, actor: Actor, now: string): boolean {
  const row = findRow(at.write, key, reach);
  if (!row) return false;
  at.write.update(memories).set({ deleted_at: now, status: "deleted" }).where(eq(memories.seq, row.seq)).run();
  removeWords(at, row.seq);
  removeCode(at, row.seq);
  changeUsage(at, key.tenant_id, -1);
  insertAudit(at, actor, [
    {
      tenant_id: key.tenant_id,
      at: now,
      action: "memory.delete",
      target_id: row.id,
      before: { status: row.status },
      after: { status: "deleted" },
      reason: null,
    },
  ]);
  return true;
}

const unembedded = (tenant_id: string, ids: readonly string[], embedder_id: string) =>
  and(
    eq(memories.tenant_id, tenant_id),
    inArray(memories.id, [...ids]),
    isNull(memories.deleted_at),
    sql`${memories.embedded_by} is not ${embedder_id}`,
  );

export function pendingMemories(
  at: Connections,
  tenant_id: string,
  ids: readonly string[],
  embedder_id: string,
): PendingMemory[] {
  const rows = at.write
    .select()
    .from(memories)
    .where(unembedded(tenant_id, ids, embedder_id))
    .all();
  return rows.map((row) => ({ memory: toStoredMemory(row), previous: previousText(at, row) }));
}

function previousText(at: Connections, { previous_seq }: MemoryRow): string | null {
  if (previous_seq === null) return null;
  const found = at.write
    .select({ content: memories.content })
    .from(memories)
    .where(and(eq(memories.seq, previous_seq), isNull(memories.deleted_at)));
  return found.get()?.content ?? null;
}

export function fillVectors(
  at: Connections,
  space: EmbedderSpace,
  tenant_id: string,
  vectors: readonly NewVector[],
): void {
  for (const filled of vectors) {
    const row = at.write
      .update(memories)
      .set({ embedded_by: space.id })
      .where(
        and(
          eq(memories.tenant_id, tenant_id),
          eq(memories.id, filled.id),
          eq(memories.content_hash, filled.content_hash),
          isNull(memories.deleted_at),
        ),
      )
      .returning()
      .get();
    if (row) putVectors(at, space, row, filled.vectors);
  }
}

export function touchRecalls(at: Connections, tenant_id: string, ids: readonly string[], now: string): void {
  at.write
    .update(memories)
    .set({ recall_count: sql`${memories.recall_count} + 1`, last_recalled_at: now })
    .where(and(eq(memories.tenant_id, tenant_id), inArray(memories.id, [...ids])))
    .run();
}
