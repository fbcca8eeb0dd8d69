import { and, desc, eq, lt } from "drizzle-orm";
import type { RestoreBatch, RestoreOutcome, RestoreStep } from "../../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import { MemoryStatus } from "../../../core/schema/memory.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import { forgetChecks } from "../../conflicts/retract.ts";
import { fileStoredLinks } from "../../entities/links.ts";
import type { EmbedderSpace } from "../../options.ts";
import { insertAudit } from "../accounts/audit.ts";
import { changeUsage, storedMemories } from "../accounts/usage.ts";
import type { Engine } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";
import { insertJobs } from "../jobs/queue.ts";
import { putWords } from "../search/keyword-index.ts";
import { within } from "../units/run.ts";
import { recode, removeOtherVectors } from "../vectors/vectors.ts";
import { liveDuplicates } from "./duplicates.ts";
import { memoryWhere } from "./filters.ts";
import type { MemoryRow } from "./rows.ts";
import { toStoredMemory } from "./rows.ts";
import { rejoinRun } from "./runs.ts";

/**
 * Brings deleted rows back as they were, newest first, as what is newest holds; one that a live twin took the place of, or that
 * has no room, stays deleted.
 */
export function restoreMemories(db: Engine, space: EmbedderSpace, batch: RestoreBatch, by: ChangedBy): RestoreStep {
  const { filter, limit, after } = batch;
  const rows = db.drizzleWrite
    .select()
    .from(memories)
    .where(and(memoryWhere(filter), after === null ? undefined : lt(memories.seq, after)))
    .orderBy(desc(memories.seq))
    .limit(limit)
    .all();
  const room = Math.max(0, batch.memories_limit - storedMemories(db.writeConnection, filter.tenant_id));
  const restored: StoredMemory[] = [];
  const outcomes = rows.map((row): RestoreOutcome => {
    const was = beforeDeletion(db, row);
    const [existing_id] = was.was_live && !hasExpired(row, by.now) ? liveDuplicates(db, row, by.now) : [];
    if (existing_id !== undefined) return { outcome: "duplicate_content", existing_id };
    if (restored.length >= room) return { outcome: "over_limit" };
    const memory = restoreOne(db, space, row, was.status, by);
    restored.push(memory);
    return { outcome: "restored", memory };
  });
  if (restored.length > 0) changeUsage(db, filter.tenant_id, restored.length);
  insertJobs(db, batch.jobsFor(restored), by.nowMs);
  return { outcomes, next: rows.length < limit ? null : (rows.at(-1)?.seq ?? null) };
}

const hasExpired = ({ expires_at }: MemoryRow, now: string): boolean => expires_at !== null && expires_at <= now;

function restoreOne(
  db: Engine,
  space: EmbedderSpace,
  row: MemoryRow,
  status: MemoryStatus,
  by: ChangedBy,
): StoredMemory {
  const back = { ...row, deleted_at: null, status };
  removeOtherVectors(db, space, row.seq);
  const embedded_by = recode(db, space, { ...back, previous_seq: null }) ? space.id : null;
  db.drizzleWrite
    .update(memories)
    .set({ deleted_at: null, status, embedded_by })
    .where(eq(memories.seq, row.seq))
    .run();
  putWords(db, row);
  rejoinRun(db, row);
  within(db, row.tenant_id, (work) => fileStoredLinks(work, [{ row, links: row.entity_links }]));
  within(db, row.tenant_id, (work) => forgetChecks(work, [row.seq]));
  const { tenant_id, id, deleted_at } = row;
  const event = { tenant_id, at: by.now, action: "memory.restore", target_id: id, reason: null };
  insertAudit(db, by.actor, [{ ...event, before: { status: "deleted", deleted_at }, after: { status } }]);
  return toStoredMemory({ ...back, embedded_by });
}

const DELETED_FROM = `select before ->> '$.status' as status, before ->> '$.former_status' as former_status from audit_log
  where tenant_id = ? and target_id = ? and action = 'memory.delete' order by id desc limit 1`;
type Told = Readonly<Record<"status" | "former_status", string | null>>;

/**
 * What a row was before it was deleted: its status, the detector's doings apart, for those are found again; and whether it was
 * live with them. One that was not has stood beside live twins.
 */
function beforeDeletion(db: Engine, { tenant_id, id }: MemoryRow) {
  const told = db.writeConnection.query<Told, [string, string]>(DELETED_FROM).get(tenant_id, id);
  const [status, previous_status] = [statusOf(told?.status), statusOf(told?.former_status)];
  return db.policies.conflicts.statusBeforeDeletion({ status, previous_status });
}

const statusOf = (told: string | null | undefined): MemoryStatus | undefined =>
  MemoryStatus.exclude(["deleted"]).safeParse(told).data;
