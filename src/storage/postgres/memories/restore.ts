import { sql } from "drizzle-orm";
import type { RestoreBatch, RestoreOutcome, RestoreStep } from "../../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import { MemoryStatus } from "../../../core/schema/memory.ts";
import { insertAudit } from "../accounts/audit-rows.ts";
import { changeUsage } from "../accounts/usage.ts";
import { forgetCheck } from "../conflicts/retract.ts";
import type { ChangedBy } from "../engine/changed-by.ts";
import { textArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { fileAllCallerLinks } from "../entities/links.ts";
import { insertJobs } from "../jobs/queue.ts";
import { putWords } from "../search/keyword-index.ts";
import { recode, removeOtherVectors } from "../vectors/vectors.ts";
import { liveDuplicates } from "./duplicates.ts";
import { memoryWhere } from "./filters.ts";
import { roomLeft } from "./insert.ts";
import type { MemoryRow } from "./rows.ts";
import { toStoredMemory } from "./rows.ts";
import { rejoinRun } from "./runs.ts";

/** A deleted row, and what it becomes. */
interface Back {
  readonly row: MemoryRow;
  readonly memory: MemoryRow;
}

/**
 * Brings deleted rows back as they were, newest first, as what is newest holds; one that a live twin took the place of, or that
 * has no room, stays deleted.
 */
export async function restoreMemories(work: TenantWork, batch: RestoreBatch, by: ChangedBy): Promise<RestoreStep> {
  const { filter, limit, after } = batch;
  const edge = after === null ? sql`` : sql`and memories.seq < ${after}`;
  const rows = await work.rows<MemoryRow>(sql`select * from memories where ${memoryWhere(filter)} ${edge}
    order by memories.seq desc limit ${limit}`);
  const room = await roomLeft(work, batch);
  const told = await deletionsOf(work, rows);
  const back: Back[] = [];
  const outcomes: RestoreOutcome[] = [];
  for (const row of rows) {
    const was = work.policies.conflicts.statusBeforeDeletion(statusesOf(told.get(row.id)));
    const [existing_id] = was.was_live && !hasExpired(row, by.now) ? await liveDuplicates(work, row, by.now) : [];
    if (existing_id !== undefined) outcomes.push({ outcome: "duplicate_content", existing_id });
    else if (back.length >= room) outcomes.push({ outcome: "over_limit" });
    else {
      const memory = await restoreOne(work, row, was.status);
      back.push({ row, memory });
      outcomes.push({ outcome: "restored", memory: toStoredMemory(memory) });
    }
  }
  await indexAgain(work, back, by);
  const restored = outcomes.flatMap((one) => (one.outcome === "restored" ? [one.memory] : []));
  await insertJobs(work, batch.jobsFor(restored), by.nowMs);
  return { outcomes, next: rows.length < limit ? null : (rows.at(-1)?.seq ?? null) };
}

const hasExpired = ({ expires_at }: MemoryRow, now: string): boolean => expires_at !== null && expires_at <= now;

/** Puts a row back where the next ones see it, as they may be its twins or neighbours. Returns the row as it is now. */
async function restoreOne(work: TenantWork, row: MemoryRow, status: StoredMemory["status"]): Promise<MemoryRow> {
  const { space, tenant_id } = work;
  await removeOtherVectors(work, space, [row.seq]);
  const recoded = await recode(work, space, [{ ...row, previous_seq: null }]);
  const embedded_by = recoded.has(row.seq) ? space.id : null;
  await work.run(sql`update memories set deleted_at = null, status = ${status}, embedded_by = ${embedded_by}::text
    where tenant_id = ${tenant_id} and seq = ${row.seq}`);
  await rejoinRun(work, row);
  await forgetCheck(work, row.seq);
  return { ...row, deleted_at: null, status, embedded_by };
}

/** Has words, links, usage and audit follow rows that are back. */
async function indexAgain(work: TenantWork, back: readonly Back[], by: ChangedBy): Promise<void> {
  if (back.length === 0) return;
  const rows = back.map(({ memory }) => memory);
  await putWords(work, rows);
  await fileAllCallerLinks(
    work,
    rows.map((row) => ({ row, links: row.entity_links })),
  );
  await changeUsage(work, rows.length);
  const events = back.map(({ row, memory }) => ({
    at: by.now,
    action: "memory.restore",
    target_id: row.id,
    before: { status: "deleted", deleted_at: row.deleted_at },
    after: { status: memory.status },
    reason: null,
  }));
  await insertAudit(work, by.actor, events);
}

type Told = Readonly<Record<"status" | "former_status", string | null>>;

/** What the last deletion of each row noted about it, by the rows' ids. */
async function deletionsOf(work: TenantWork, rows: readonly MemoryRow[]): Promise<ReadonlyMap<string, Told>> {
  const noted = await work.rows<Told & { id: string }>(sql`
    select distinct on (target_id) target_id as id, before ->> 'status' as status,
      before ->> 'former_status' as former_status
    from audit_log
    where tenant_id = ${work.tenant_id} and target_id = any(${textArray(rows.map(({ id }) => id))})
      and action = 'memory.delete'
    order by target_id, number desc`);
  return new Map(noted.map((one) => [one.id, one]));
}

/** What a row was before it was deleted; the detector's doings are apart, for those are found again. */
const statusesOf = (told: Told | undefined) => ({
  status: statusOf(told?.status),
  previous_status: statusOf(told?.former_status),
});

const statusOf = (told: string | null | undefined): MemoryStatus | undefined =>
  MemoryStatus.exclude(["deleted"]).safeParse(told).data;
