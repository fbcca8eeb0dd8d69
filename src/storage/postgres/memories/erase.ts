import { sql } from "drizzle-orm";
import type { ChangedBy } from "../../common/changed-by.ts";
import { removeClaims } from "../../conflicts/claims.ts";
import { REVIEWED } from "../../conflicts/review.ts";
import { removeTexts } from "../../memories/kept-texts.ts";
import { eraseAudit, insertAudit } from "../accounts/audit-rows.ts";
import { eraseReplies } from "../accounts/kept-replies.ts";
import { intArray, textArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { queueAfter } from "../jobs/queue.ts";
import { removeWords } from "../search/keyword-index.ts";
import { within } from "../units/run.ts";
import { removeVectors } from "../vectors/vectors.ts";
import type { Taken } from "./change.ts";
import { removeMemories, takenRows } from "./change.ts";
import type { MemoryRow } from "./rows.ts";
import { unlinkFromRuns } from "./runs.ts";

/** Takes rows away for good, with all that was made of them; live ones are deleted first. Returns how many. */
export async function eraseMemories(work: TenantWork, taken: Taken, by: ChangedBy): Promise<number> {
  const found = await takenRows(work, taken);
  if (found.length === 0) return 0;
  const live = found.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id);
  const living = { tenant_id: work.tenant_id, ids: live };
  if (live.length > 0) await removeMemories(work, { filter: living, limit: live.length, deleted_at: by.now }, by);
  await eraseRows(work, found);
  const ids = found.map(({ id }) => id);
  await eraseReplies(work, ids);
  const event = { at: by.now, action: "memory.erase", before: null, after: null, reason: null };
  await insertAudit(
    work,
    by.actor,
    ids.map((id) => ({ ...event, target_id: id })),
  );
  await queueAfter(work, { kind: "memories_erased", now_ms: by.nowMs });
  return found.length;
}

/** What is asked of a row that is taken away. */
export type ErasedRow = Pick<MemoryRow, "seq" | "id" | "run_id">;

/** Takes rows away with all that was made of them, inside the caller's transaction; live ones are deleted before. */
export async function eraseRows(work: TenantWork, rows: readonly ErasedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { tenant_id } = work;
  const numbers = rows.map(({ seq }) => seq);
  const ids = rows.map(({ id }) => id);
  const seqs = intArray(numbers);
  await removeWords(work, numbers);
  await unlinkFromRuns(work, rows);
  await removeVectors(work, numbers);
  await within(work, (unit) => removeClaims(unit, numbers));
  // What was said of decisions between such a row and older ones stands with those.
  await work.run(sql`update audit_log a set before = null, after = null, reason = null
    from findings f
      join memories newer on newer.tenant_id = f.tenant_id and newer.seq = f.newer_seq
      join memories older on older.tenant_id = f.tenant_id and older.seq = f.older_seq
    where f.tenant_id = ${tenant_id} and f.newer_seq = any(${seqs})
      and a.tenant_id = ${tenant_id} and a.target_id = older.id and a.action = ${REVIEWED}
      and a.after ->> 'newer_id' = newer.id`);
  await work.run(sql`delete from findings
    where tenant_id = ${tenant_id} and (newer_seq = any(${seqs}) or older_seq = any(${seqs}))`);
  await work.run(sql`delete from memory_checks where tenant_id = ${tenant_id} and memory_seq = any(${seqs})`);
  await within(work, (unit) => removeTexts(unit, numbers));
  await eraseAudit(work, ...ids);
  await work.run(sql`update relations set evidence_memory_id = null
    where tenant_id = ${tenant_id} and evidence_memory_id = any(${textArray(ids)})`);
  await work.run(sql`delete from memories where tenant_id = ${tenant_id} and seq = any(${seqs})`);
}
