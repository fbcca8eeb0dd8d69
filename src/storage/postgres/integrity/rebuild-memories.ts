import { sql } from "drizzle-orm";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import { recomputeLinks, recomputeStatuses } from "../../conflicts/apply-status.ts";
import { intArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { otherSpace } from "../generations/rows.ts";
import { queueAfter } from "../jobs/queue.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { putWords, removeWords } from "../search/keyword-index.ts";
import { within } from "../units/run.ts";
import { removeCodes, removeOtherVectors } from "../vectors/vectors.ts";
import { refileRows } from "./entities.ts";
import { refileVectors } from "./filed.ts";
import type { RebuildBy, Rebuilt } from "./rebuilt.ts";
import { REBUILD } from "./rebuilt.ts";

/** Rebuilds what is derived from some memories of a tenant, inside the caller's transaction. */
export async function rebuildMemories(
  work: TenantWork,
  seqs: readonly number[],
  { nowMs }: RebuildBy,
): Promise<Rebuilt> {
  const rows = await work.rows<MemoryRow>(sql`select * from memories
    where tenant_id = ${work.tenant_id} and seq = any(${intArray(seqs)}) order by seq`);
  const kept = rows.filter(({ deleted_at }) => deleted_at === null);
  const gone = rows.filter(({ deleted_at }) => deleted_at !== null).map(({ seq }) => seq);
  await removeWords(work, gone);
  await removeCodes(work, work.space, gone);
  await removeOtherVectors(work, work.space, gone);
  await putWords(work, kept);
  await refileRows(work, kept);
  await recodeOther(work, kept);
  const lost = await recodeOwn(work, kept);
  await queueAfter(work, { kind: "memories_unembedded", rows: lost, now_ms: nowMs });
  await readAgain(work, kept, nowMs);
  return { rows: rows.length, embeddings_queued: lost.length };
}

/** Of the model beside the one that answers, entries are made of vectors that are there, and those of none go. */
async function recodeOther(work: TenantWork, rows: readonly MemoryRow[]): Promise<void> {
  const other = await otherSpace(work);
  const filed = other
    ? await refileVectors(work, other, rows, (row, vectors) =>
        row.previous_seq === null ? { ...vectors, context: null } : vectors,
      )
    : new Set<number>();
  const without = rows.filter(({ seq }) => !filed.has(seq)).map(({ seq }) => seq);
  await removeOtherVectors(work, work.space, without);
}

/** Returns the rows that have lost their vectors and must be embedded again. */
async function recodeOwn(work: TenantWork, rows: readonly MemoryRow[]): Promise<MemoryRow[]> {
  const { space, tenant_id } = work;
  // A row that counts as not embedded may have the vector of an earlier text.
  const filed = await refileVectors(work, space, rows, (row, vectors) =>
    row.embedded_by === space.id ? vectors : null,
  );
  const lost = rows.filter(({ seq }) => !filed.has(seq));
  const seqs = lost.map(({ seq }) => seq);
  if (seqs.length === 0) return lost;
  await removeCodes(work, space, seqs);
  await work.run(sql`update memories set embedded_by = null
    where tenant_id = ${tenant_id} and seq = any(${intArray(seqs)}) and embedded_by is not null`);
  return lost;
}

/** Brings status and link of rows in line with what was found of them, and has them read for what they claim once more. */
async function readAgain(work: TenantWork, rows: readonly MemoryRow[], nowMs: number): Promise<void> {
  const seqs = rows.map(({ seq }) => seq);
  const by = { actor: REBUILD, now: toTimestamp(nowMs), nowMs };
  const reasons = new Map(seqs.map((seq) => [seq, "as the findings have it"]));
  await within(work, function* (unit) {
    yield* recomputeStatuses(unit, reasons, by);
    yield* recomputeLinks(unit, reasons, by);
  });
  await work.run(sql`update memory_checks set content_hash = null
    where tenant_id = ${work.tenant_id} and memory_seq = any(${intArray(seqs)})`);
  await queueAfter(work, { kind: "memories_stale", rows, now_ms: nowMs });
}
