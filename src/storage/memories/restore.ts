import { sql } from "drizzle-orm";
import type { RestoreBatch, RestoreOutcome, RestoreStep } from "../../core/ports/memory-store.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import { MemoryStatus } from "../../core/schema/memory.ts";
import { insertAudit } from "../accounts/audit.ts";
import { changeUsage } from "../accounts/usage.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import { forgetChecks } from "../conflicts/retract.ts";
import { fileStoredLinks } from "../entities/links.ts";
import { insertJobs } from "../jobs/queue.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { ChangeWork, TenantWork } from "../units/work.ts";
import { isLive, liveTwins, toldText } from "./duplicates.ts";
import { memoryWhere } from "./filters.ts";
import { roomLeft } from "./insert.ts";
import type { MemoryRow } from "./rows.ts";
import { ROW_COLUMNS, rowsOf, toStoredMemory } from "./rows.ts";
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
export function* restoreMemories(work: ChangeWork, batch: RestoreBatch, by: ChangedBy): Unit<RestoreStep> {
  const { filter, limit, after } = batch;
  const edge = after === null ? sql`` : sql`and memories.seq < ${after}`;
  const found = yield* rowsOf(sql`select ${ROW_COLUMNS} from memories where ${memoryWhere(work.dialect, filter)} ${edge}
    order by memories.seq desc limit ${int(limit)}`);
  const decided = yield* decide(work, found, yield* roomLeft(work, batch), by.now);
  const back = decided.flatMap((one) => ("row" in one ? [one] : []));
  const restored = yield* restoreAll(work, back, by);
  yield* insertJobs(work, batch.jobsFor([...restored.values()]), by.nowMs);
  const outcomes = decided.flatMap((one): RestoreOutcome[] => {
    if (!("row" in one)) return [one];
    const memory = restored.get(one.row.seq);
    return memory ? [{ outcome: "restored", memory }] : [];
  });
  return { outcomes, next: found.length < limit ? null : (found.at(-1)?.seq ?? null) };
}

/** What becomes of each row: those that come back are twins of the ones after them. */
function* decide(work: ChangeWork, found: readonly MemoryRow[], room: number, now: string): Unit<Decision[]> {
  const told = yield* deletionsOf(work, found);
  const twins = new Map<string, string | undefined>();
  for (const [text, [id]] of yield* liveTwins(work, found, now)) twins.set(text, id);
  let left = room;
  return found.map((row): Decision => {
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
function* restoreAll(work: ChangeWork, back: readonly Back[], by: ChangedBy): Unit<ReadonlyMap<number, StoredMemory>> {
  if (back.length === 0) return new Map();
  const { dialect, index, tenant_id } = work;
  const deleted = back.map(({ row }) => row);
  const seqs = deleted.map(({ seq }) => seq);
  yield* index.removeOtherVectors(seqs);
  const recoded = yield* index.recode(deleted.map((row) => ({ ...row, previous_seq: null })));
  yield* rejoinRuns(work, deleted);
  const live = back.map(({ row, status }) => {
    const embedded_by = recoded.has(row.seq) ? work.space.id : null;
    return { ...row, deleted_at: null, status, embedded_by };
  });
  const changes = live.map(({ seq, status, embedded_by }) => ({ seq, status, embedded_by }));
  yield* run(sql`update memories as m set deleted_at = null, status = b.status, embedded_by = b.embedded_by
    from ${dialect.records(changes, "b", { seq: "int", status: "text", embedded_by: "text" })}
    where ${dialect.belongs("m", tenant_id)} and m.seq = b.seq`);
  yield* index.putWords(live);
  yield* fileStoredLinks(
    work,
    live.map((row) => ({ row, links: row.entity_links })),
  );
  yield* forgetChecks(work, seqs);
  yield* changeUsage(work, back.length);
  yield* insertAudit(
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
function* deletionsOf(
  { dialect, tenant_id }: TenantWork,
  found: readonly MemoryRow[],
): Unit<ReadonlyMap<string, Told>> {
  const ids = found.map(({ id }) => id);
  // With a sign, no index of the numbers is walked through for their order.
  const noted = yield* rows<Told & { id: string }>(sql`
    select target_id as id, before ->> 'status' as status, before ->> 'former_status' as former_status from audit_log
    where tenant_id = ${tenant_id} and ${dialect.isIn(sql`target_id`, ids)} and action = 'memory.delete'
    order by +number`);
  return new Map(noted.map((one) => [one.id, one]));
}

/** What a row was before it was deleted; the detector's doings are apart, for those are found again. */
const statusesOf = (told: Told | undefined) => ({
  status: statusOf(told?.status),
  previous_status: statusOf(told?.former_status),
});

const statusOf = (told: string | null | undefined): MemoryStatus | undefined =>
  MemoryStatus.exclude(["deleted"]).safeParse(told).data;
