import { sql } from "drizzle-orm";
import type { Review } from "../../../core/ports/contradiction-store.ts";
import type { DemotedStatus } from "../../../core/ports/finding.ts";
import type { MemoryStatus } from "../../../core/schema/memory.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import type { AuditEvent } from "../../units/work.ts";
import { insertAudit } from "../accounts/audit-rows.ts";
import { intArray, recordsValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { queueStatusChanged } from "../skills/reviews.ts";

/** What decides a row's status, with the one it had before the detector demoted it: null when its present one is not the detector's. */
interface Standing extends Pick<MemoryRow, "seq" | "id" | "status" | "deleted_at" | "supersedes_id"> {
  readonly previous: MemoryStatus | null;
}

/** Why each row is changed, for the audit. */
type Reasons = ReadonlyMap<number, string>;

/** The status that the detector replaced; null when the present one is not the detector's. */
export async function previousStatus(work: TenantWork, seq: number): Promise<MemoryStatus | null> {
  return (await previousStatuses(work, [seq])).get(seq) ?? null;
}

/** The same of several rows. */
export async function previousStatuses(
  work: TenantWork,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, MemoryStatus>> {
  const rows = await work.rows<{ seq: number; former_status: MemoryStatus }>(sql`
    select memory_seq as seq, former_status from memory_checks
    where tenant_id = ${work.tenant_id} and memory_seq = any(${intArray(seqs)}) and former_status is not null`);
  return new Map(rows.map(({ seq, former_status }) => [seq, former_status]));
}

/** The status of a row before the detector's, of one that is deleted: null, too, where a caller accepted what was found against it. */
export async function statusToRestore(work: TenantWork, seq: number): Promise<MemoryStatus | null> {
  const against = await work.rows<{ review: Review | null }>(sql`select review from findings
    where tenant_id = ${work.tenant_id} and older_seq = ${seq} and retracted_at is null`);
  const { outlastsFinding } = work.policies.conflicts;
  return against.some(({ review }) => outlastsFinding(review, "deleted")) ? null : previousStatus(work, seq);
}

/** A row, and the status that is kept as its previous one. */
export interface FormerStatus {
  readonly seq: number;
  /** Null says that the present one is not the detector's. */
  readonly former_status: MemoryStatus | null;
}

/** Keeps the statuses that the detector is about to replace, or forgets them. */
export async function setPreviousStatuses(work: TenantWork, formers: readonly FormerStatus[]): Promise<void> {
  if (formers.length === 0) return;
  await work.run(sql`insert into memory_checks (tenant_id, memory_seq, embedded, former_status)
    select ${work.tenant_id}, f.seq, false, f.former_status
    from json_to_recordset(${recordsValue(formers)}) as f (seq bigint, former_status text)
    on conflict (tenant_id, memory_seq) do update set former_status = excluded.former_status`);
}

const standings = (work: TenantWork, seqs: readonly number[]): Promise<Standing[]> =>
  work.rows<Standing>(sql`
    select m.seq, m.id, m.status, m.deleted_at, m.supersedes_id, c.former_status as previous
    from memories m left join memory_checks c on c.tenant_id = m.tenant_id and c.memory_seq = m.seq
    where m.tenant_id = ${work.tenant_id} and m.seq = any(${intArray(seqs)}) order by m.seq`);

/**
 * Gives rows the status that the policy makes of the findings against them, with audit and jobs. Returns the rows that were
 * demoted and are free again.
 */
export async function recomputeStatuses(work: TenantWork, reasons: Reasons, by: ChangedBy): Promise<number[]> {
  const seqs = [...reasons.keys()];
  const against = await standingAgainst(work, seqs);
  const formers: FormerStatus[] = [];
  const changes: { seq: number; status: MemoryStatus }[] = [];
  const events: AuditEvent[] = [];
  const freed: number[] = [];
  for (const row of await standings(work, seqs)) {
    const resolved = work.policies.conflicts.resolveStatus({
      status: row.status,
      deleted_at: row.deleted_at,
      previous_status: row.previous,
      against: against.get(row.seq)?.map(({ status }) => status) ?? [],
    });
    const { status, previous_status } = resolved;
    if (previous_status !== row.previous) formers.push({ seq: row.seq, former_status: previous_status });
    if (resolved.is_freed) freed.push(row.seq);
    if (status === row.status) continue;
    changes.push({ seq: row.seq, status });
    const change = { action: "memory.status", before: { status: row.status }, after: { status } };
    events.push(eventOf(row, change, reasons, by));
  }
  await setPreviousStatuses(work, formers);
  await setStatuses(work, changes, by);
  await insertAudit(work, by.actor, events);
  return freed;
}

/** The findings that stand against rows, by the numbers of those. */
async function standingAgainst(work: TenantWork, seqs: readonly number[]) {
  const standing = await work.rows<{ seq: number; status: DemotedStatus }>(sql`
    select older_seq as seq, status from findings
    where tenant_id = ${work.tenant_id} and older_seq = any(${intArray(seqs)}) and retracted_at is null`);
  return Map.groupBy(standing, ({ seq }) => seq);
}

async function setStatuses(
  work: TenantWork,
  changes: readonly { readonly seq: number; readonly status: MemoryStatus }[],
  { nowMs }: ChangedBy,
): Promise<void> {
  if (changes.length === 0) return;
  await work.run(sql`update memories m set status = c.status
    from json_to_recordset(${recordsValue(changes)}) as c (seq bigint, status text)
    where m.tenant_id = ${work.tenant_id} and m.seq = c.seq`);
  // What follows from a status follows once, however many rows have it now.
  for (const status of new Set(changes.map((change) => change.status)))
    await queueStatusChanged(work, { status }, nowMs);
}

/** Has rows point at the older row that the policy chooses of those they supersede, with audit. */
export async function recomputeLinks(work: TenantWork, reasons: Reasons, by: ChangedBy): Promise<void> {
  const seqs = [...reasons.keys()];
  const { tenant_id } = work;
  const links = await work.rows<{ seq: number; id: string }>(sql`
    select f.newer_seq as seq, m.id from findings f
      join memories m on m.tenant_id = f.tenant_id and m.seq = f.older_seq
    where f.tenant_id = ${tenant_id} and f.newer_seq = any(${intArray(seqs)}) and f.retracted_at is null
    order by f.confidence desc, f.id`);
  const older = Map.groupBy(links, ({ seq }) => seq);
  const changes: { seq: number; supersedes_id: string | null }[] = [];
  const events: AuditEvent[] = [];
  for (const row of await standings(work, seqs)) {
    const ids = older.get(row.seq)?.map(({ id }) => id) ?? [];
    const supersedes_id = work.policies.conflicts.chooseSuperseded(row.supersedes_id, ids);
    if (supersedes_id === row.supersedes_id) continue;
    changes.push({ seq: row.seq, supersedes_id });
    const before = { supersedes_id: row.supersedes_id };
    const change = { action: "memory.supersede", before, after: { supersedes_id } };
    events.push(eventOf(row, change, reasons, by));
  }
  if (changes.length === 0) return;
  await work.run(sql`update memories m set supersedes_id = c.supersedes_id
    from json_to_recordset(${recordsValue(changes)}) as c (seq bigint, supersedes_id text)
    where m.tenant_id = ${tenant_id} and m.seq = c.seq`);
  await insertAudit(work, by.actor, events);
}

const eventOf = (
  { seq, id }: Standing,
  change: Pick<AuditEvent, "action" | "before" | "after">,
  reasons: Reasons,
  { now }: ChangedBy,
): AuditEvent => ({ ...change, at: now, target_id: id, reason: reasons.get(seq) ?? null });
