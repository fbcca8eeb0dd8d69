import { sql } from "drizzle-orm";
import type { RestoreBatch, RestoreOutcome, RestoreStep } from "../../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import { MemoryStatus } from "../../../core/schema/memory.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import { forgetChecks } from "../../conflicts/retract.ts";
import { fileStoredLinks } from "../../entities/links.ts";
import { insertAudit } from "../accounts/audit-rows.ts";
import { changeUsage } from "../accounts/usage.ts";
import { recordsValue, textArray } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { insertJobs } from "../jobs/queue.ts";
import { putWords } from "../search/keyword-index.ts";
import { within } from "../units/run.ts";
import { recode, removeOtherVectors } from "../vectors/vectors.ts";
import { isLive, liveTwins, toldText } from "./duplicates.ts";
import { memoryWhere } from "./filters.ts";
import { roomLeft } from "./insert.ts";
import type { MemoryRow } from "./rows.ts";
import { toStoredMemory } from "./rows.ts";
import { rejoinRuns } from "./runs.ts";

/** A deleted row, and the status that it comes back with. */
interface Back {
  readonly row: MemoryRow;
  readonly status: StoredMemory["status"];
}

type Decision = Exclude<RestoreOutcome, { readonly outcome: "restored" }> | Back;

/**
 * Brings deleted rows back as they were, newest first, as what is newest holds; one that a live twin took the place of, or that
 * has no room, stays deleted.
 */
export async function restoreMemories(work: TenantWork, batch: RestoreBatch, by: ChangedBy): Promise<RestoreStep> {
  const { filter, limit, after } = batch;
  const edge = after === null ? sql`` : sql`and memories.seq < ${after}`;
  const rows = await work.rows<MemoryRow>(sql`select * from memories where ${memoryWhere(filter)} ${edge}
    order by memories.seq desc limit ${limit}`);
  const decided = await decide(work, rows, await roomLeft(work, batch), by.now);
  const back = decided.flatMap((one) => ("row" in one ? [one] : []));
  const restored = await restoreAll(work, back, by);
  await insertJobs(work, batch.jobsFor([...restored.values()]), by.nowMs);
  const outcomes = decided.flatMap((one): RestoreOutcome[] => {
    if (!("row" in one)) return [one];
    const memory = restored.get(one.row.seq);
    return memory ? [{ outcome: "restored", memory }] : [];
  });
  return { outcomes, next: rows.length < limit ? null : (rows.at(-1)?.seq ?? null) };
}

/** What becomes of each row: those that come back are twins of the ones after them. */
async function decide(work: TenantWork, rows: readonly MemoryRow[], room: number, now: string): Promise<Decision[]> {
  const told = await deletionsOf(work, rows);
  const twins = new Map<string, string | undefined>();
  for (const [text, [id]] of await liveTwins(work, rows, now)) twins.set(text, id);
  let left = room;
  return rows.map((row): Decision => {
    const { status, was_live } = work.policies.conflicts.statusBeforeDeletion(statusesOf(told.get(row.id)));
    const text = toldText(row);
    const existing_id = was_live && !hasExpired(row, now) ? twins.get(text) : undefined;
    if (existing_id !== undefined) return { outcome: "duplicate_content", existing_id };
    if (left === 0) return { outcome: "over_limit" };
    left--;
    if (isLive({ ...row, status }, now)) twins.set(text, row.id);
    return { row, status };
  });
}

const hasExpired = ({ expires_at }: MemoryRow, now: string): boolean => expires_at !== null && expires_at <= now;

/** Puts rows back with all that follows from them. Returns them as they are now, by their numbers. */
async function restoreAll(
  work: TenantWork,
  back: readonly Back[],
  by: ChangedBy,
): Promise<ReadonlyMap<number, StoredMemory>> {
  if (back.length === 0) return new Map();
  const rows = back.map(({ row }) => row);
  const seqs = rows.map(({ seq }) => seq);
  await removeOtherVectors(work, work.space, seqs);
  const recoded = await recode(
    work,
    work.space,
    rows.map((row) => ({ ...row, previous_seq: null })),
  );
  await rejoinRuns(work, rows);
  const live = back.map(({ row, status }) => {
    const embedded_by = recoded.has(row.seq) ? work.space.id : null;
    return { ...row, deleted_at: null, status, embedded_by };
  });
  const changes = live.map(({ seq, status, embedded_by }) => ({ seq, status, embedded_by }));
  await work.run(sql`update memories m set deleted_at = null, status = b.status, embedded_by = b.embedded_by
    from json_to_recordset(${recordsValue(changes)}) as b (seq bigint, status text, embedded_by text)
    where m.tenant_id = ${work.tenant_id} and m.seq = b.seq`);
  await putWords(work, live);
  const links = live.map((row) => ({ row, links: row.entity_links }));
  await within(work, (unit) => fileStoredLinks(unit, links));
  await within(work, (unit) => forgetChecks(unit, seqs));
  await changeUsage(work, back.length);
  await insertAudit(
    work,
    by.actor,
    back.map((one) => restoredEvent(one, by.now)),
  );
  return new Map(live.map((row) => [row.seq, toStoredMemory(row)]));
}

const restoredEvent = ({ row, status }: Back, at: string) => ({
  at,
  action: "memory.restore",
  target_id: row.id,
  before: { status: "deleted", deleted_at: row.deleted_at },
  after: { status },
  reason: null,
});

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
