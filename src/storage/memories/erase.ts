import { sql } from "drizzle-orm";
import { eraseAudit, insertAudit } from "../accounts/audit.ts";
import { eraseReplies } from "../accounts/kept-replies.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import { removeClaims } from "../conflicts/claims.ts";
import { REVIEWED } from "../conflicts/review.ts";
import { queueAfter } from "../jobs/queue.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { ChangeWork } from "../units/work.ts";
import { removeTexts } from "./kept-texts.ts";
import type { Taken } from "./remove.ts";
import { removeMemories, takenRows } from "./remove.ts";
import type { MemoryRow } from "./rows.ts";
import { unlinkFromRuns } from "./runs.ts";
import { removeTellings } from "./tellings.ts";

/** Takes rows away for good, with all that was made of them; live ones are deleted first. Returns how many. */
export function* eraseMemories(work: ChangeWork, taken: Taken, by: ChangedBy): Unit<number> {
  const found = yield* takenRows(work, taken);
  if (found.length === 0) return 0;
  const live = found.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id);
  const living = { tenant_id: work.tenant_id, ids: live };
  if (live.length > 0) yield* removeMemories(work, { filter: living, limit: live.length }, by);
  yield* eraseRows(work, found);
  const ids = found.map(({ id }) => id);
  yield* eraseReplies(work, ids);
  const event = { at: by.now, action: "memory.erase", before: null, after: null, reason: null };
  yield* insertAudit(
    work,
    by.actor,
    ids.map((id) => ({ ...event, target_id: id })),
  );
  yield* queueAfter(work, { kind: "memories_erased", now_ms: by.nowMs });
  return found.length;
}

/** What is asked of a row that is taken away. */
export type ErasedRow = Pick<MemoryRow, "seq" | "id" | "run_id">;

/** Takes rows away with all that was made of them, inside the caller's transaction; live ones are deleted before. */
export function* eraseRows(work: ChangeWork, erased: readonly ErasedRow[]): Unit<void> {
  if (erased.length === 0) return;
  const { dialect, index, tenant_id } = work;
  const seqs = erased.map(({ seq }) => seq);
  const ids = erased.map(({ id }) => id);
  yield* index.removeWords(seqs);
  yield* unlinkFromRuns(work, erased);
  yield* index.removeVectors(seqs);
  yield* removeClaims(work, seqs);
  yield* forgetReviews(work, seqs, ids);
  yield* run(sql`delete from findings where ${dialect.belongs("findings", tenant_id)}
    and (${dialect.isIn(sql`newer_seq`, seqs)} or ${dialect.isIn(sql`older_seq`, seqs)})`);
  yield* run(sql`delete from memory_checks
    where ${dialect.tenant("memory_checks", tenant_id)} and ${dialect.isIn(sql`memory_seq`, seqs)}`);
  yield* removeTexts(work, seqs);
  yield* removeTellings(work, seqs);
  yield* eraseAudit(work, ids);
  yield* run(sql`update relations set evidence_memory_id = null
    where ${dialect.belongs("relations", tenant_id)} and ${dialect.isIn(sql`evidence_memory_id`, ids)}`);
  yield* run(sql`delete from memories
    where ${dialect.belongs("memories", tenant_id)} and ${dialect.isIn(sql`seq`, seqs)}`);
}

/** What was said of decisions between such a row and older ones stands with those. */
function* forgetReviews({ dialect, tenant_id }: ChangeWork, seqs: readonly number[], ids: readonly string[]) {
  const older = yield* rows<{ id: string }>(sql`select distinct older.id from findings f
    ${dialect.nested} memories older on ${dialect.belongs("older", tenant_id)} and older.seq = f.older_seq
    where ${dialect.belongs("f", tenant_id)} and ${dialect.isIn(sql`f.newer_seq`, seqs)}`);
  if (older.length === 0) return;
  const olderIds = older.map(({ id }) => id);
  yield* run(sql`update audit_log set before = null, after = null, reason = null
    where tenant_id = ${tenant_id} and action = ${REVIEWED} and ${dialect.isIn(sql`target_id`, olderIds)}
      and ${dialect.isIn(sql`(after ->> 'newer_id')`, ids)}`);
}
