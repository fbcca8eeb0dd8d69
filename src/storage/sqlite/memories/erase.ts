import { eq, or } from "drizzle-orm";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import { removeClaims } from "../../conflicts/claims.ts";
import { REVIEWED } from "../../conflicts/review.ts";
import { removeTexts } from "../../memories/kept-texts.ts";
import { eraseAudit, insertAudit } from "../accounts/audit.ts";
import { eraseReplies } from "../accounts/kept-replies.ts";
import { findings, memoryChecks } from "../conflicts/tables.ts";
import type { Engine } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";
import { queueAfter } from "../jobs/queue.ts";
import { removeWords } from "../search/keyword-index.ts";
import { within } from "../units/run.ts";
import { removeVectors } from "../vectors/vectors.ts";
import type { Taken } from "./change.ts";
import { removeMemories, takenRows } from "./change.ts";
import type { MemoryRow } from "./rows.ts";
import { unlinkFromRun } from "./runs.ts";

/** Takes rows away for good, with all that was made of them; live ones are deleted first. Returns how many. */
export function eraseMemories(db: Engine, filter: MemoryFilter, by: ChangedBy, taken: Taken): number {
  const found = takenRows(db, filter, taken);
  const { tenant_id } = filter;
  const live = found.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id);
  if (live.length > 0) removeMemories(db, { tenant_id, ids: live }, by, { limit: live.length });
  for (const row of found) eraseRow(db, row);
  if (found.length === 0) return 0;
  eraseReplies(
    db,
    found.map(({ id }) => id),
  );
  const event = { tenant_id, at: by.now, action: "memory.erase", before: null, after: null, reason: null };
  insertAudit(
    db,
    by.actor,
    found.map(({ id }) => ({ ...event, target_id: id })),
  );
  queueAfter(db, { kind: "memories_erased", now_ms: by.nowMs });
  return found.length;
}

/** Written out, as it is run for each row. */
const FORGET_EVIDENCE = "update relations set evidence_memory_id = null where tenant_id = ? and evidence_memory_id = ?";

/** What was said of decisions between the row and older ones stands with those. */
const FORGET_REVIEWS = `update audit_log set before = null, after = null, reason = null
  where tenant_id = ?1 and action = '${REVIEWED}' and after ->> '$.newer_id' = ?2 and target_id in (
    select older.id from findings f cross join memories older on older.seq = f.older_seq where f.newer_seq = ?3)`;

/** Takes one row away with all that was made of it, inside the caller's transaction; a live one is deleted first. */
export function eraseRow(db: Engine, row: MemoryRow): void {
  const { seq, id, tenant_id } = row;
  removeWords(db, seq);
  removeVectors(db, seq);
  within(db, tenant_id, (work) => removeClaims(work, [seq]));
  unlinkFromRun(db, row);
  db.writeConnection.query(FORGET_REVIEWS).run(tenant_id, id, seq);
  db.drizzleWrite
    .delete(findings)
    .where(or(eq(findings.newer_seq, seq), eq(findings.older_seq, seq)))
    .run();
  db.drizzleWrite.delete(memoryChecks).where(eq(memoryChecks.memory_seq, seq)).run();
  within(db, tenant_id, (work) => removeTexts(work, [seq]));
  eraseAudit(db, tenant_id, id);
  db.writeConnection.query(FORGET_EVIDENCE).run(tenant_id, id);
  db.drizzleWrite.delete(memories).where(eq(memories.seq, seq)).run();
}
