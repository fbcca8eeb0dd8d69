import { sql } from "drizzle-orm";
import type { Review } from "../../core/ports/contradiction-store.ts";
import type { DemotedStatus } from "../../core/ports/finding.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import type { MemoryStatus } from "../../core/schema/memory.ts";
import { POSSIBLE } from "../../core/schema/observing/possible-change.ts";
import { insertAudit } from "../accounts/audit.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import { queueStatusChanged } from "../skills/reviews.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { AuditEvent, ChangeWork, TenantWork } from "../units/work.ts";

/** What decides a row's status, with the one it had before the detector demoted it: null when its present one is not the detector's. */
interface Standing extends Pick<StoredMemory, "id" | "status" | "deleted_at" | "supersedes_id"> {
  readonly seq: number;
  readonly previous: MemoryStatus | null;
}

/** Why each row is changed, for the audit. */
type Reasons = ReadonlyMap<number, string>;

/** The statuses that the detector replaced, by the numbers of those rows whose present one is the detector's. */
export function* previousStatuses(
  { dialect, tenant_id }: TenantWork,
  seqs: readonly number[],
): Unit<ReadonlyMap<number, MemoryStatus>> {
  const found = yield* rows<{ seq: number; former_status: MemoryStatus }>(sql`
    select memory_seq as seq, former_status from memory_checks
    where ${dialect.tenant("memory_checks", tenant_id)} and ${dialect.isIn(sql`memory_seq`, seqs)}
      and former_status is not null`);
  return new Map(found.map(({ seq, former_status }) => [seq, former_status]));
}

/** The same of rows that are deleted: without those of which a caller accepted what was found against them. */
export function* statusesToRestore(work: ChangeWork, seqs: readonly number[]): Unit<ReadonlyMap<number, MemoryStatus>> {
  const previous = yield* previousStatuses(work, seqs);
  if (previous.size === 0) return previous;
  const against = yield* standingAgainst(work, [...previous.keys()]);
  const { outlastsFinding } = work.policies.conflicts;
  const isAccepted = (seq: number) => against.get(seq)?.some(({ review }) => outlastsFinding(review, "deleted"));
  return new Map([...previous].filter(([seq]) => !isAccepted(seq)));
}

/** A row, and the status that is kept as its previous one. */
export interface FormerStatus {
  readonly seq: number;
  /** Null says that the present one is not the detector's. */
  readonly former_status: MemoryStatus | null;
}

/** Keeps the statuses that the detector is about to replace, or forgets them. */
export function* setPreviousStatuses({ dialect, tenant_id }: TenantWork, formers: readonly FormerStatus[]): Unit<void> {
  if (formers.length === 0) return;
  yield* run(sql`insert into memory_checks (${dialect.tenantColumn}memory_seq, embedded, former_status)
    select ${dialect.tenantValue(tenant_id)}f.seq, false, f.former_status
    from ${dialect.records(formers, "f", { seq: "int", former_status: "text" })} where true
    on conflict ${dialect.key("memory_seq")} do update set former_status = excluded.former_status`);
}

const standings = ({ dialect, tenant_id }: TenantWork, seqs: readonly number[]): Unit<Standing[]> =>
  rows<Standing>(sql`
    select m.seq, m.id, m.status, m.deleted_at, m.supersedes_id, c.former_status as previous
    from memories m left join memory_checks c on ${dialect.tenant("c", tenant_id)} and c.memory_seq = m.seq
    where ${dialect.belongs("m", tenant_id)} and ${dialect.isIn(sql`m.seq`, seqs)} order by m.seq`);

/**
 * Gives rows the status that the policy makes of the findings against them, with audit and jobs. Returns the rows that were
 * demoted and are free again.
 */
export function* recomputeStatuses(work: ChangeWork, reasons: Reasons, by: ChangedBy): Unit<number[]> {
  const seqs = [...reasons.keys()];
  const against = yield* standingAgainst(work, seqs);
  const formers: FormerStatus[] = [];
  const changes: { seq: number; status: MemoryStatus }[] = [];
  const events: AuditEvent[] = [];
  const freed: number[] = [];
  for (const row of yield* standings(work, seqs)) {
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
  yield* setPreviousStatuses(work, formers);
  yield* setStatuses(work, changes, by);
  yield* insertAudit(work, by.actor, events);
  return freed;
}

interface Against {
  readonly seq: number;
  readonly status: DemotedStatus;
  readonly review: Review | null;
}

/** The findings by which rows hold no longer, by the numbers of those. */
function* standingAgainst({ dialect, tenant_id }: TenantWork, seqs: readonly number[]) {
  const standing = yield* rows<Against>(sql`select older_seq as seq, status, review from findings
    where ${dialect.belongs("findings", tenant_id)} and ${dialect.isIn(sql`older_seq`, seqs)} and retracted_at is null
      and status <> ${POSSIBLE}`);
  return Map.groupBy(standing, ({ seq }) => seq);
}

function* setStatuses(
  work: ChangeWork,
  changes: readonly { readonly seq: number; readonly status: MemoryStatus }[],
  { nowMs }: ChangedBy,
): Unit<void> {
  if (changes.length === 0) return;
  const { dialect, tenant_id } = work;
  yield* run(sql`update memories as m set status = c.status
    from ${dialect.records(changes, "c", { seq: "int", status: "text" })}
    where ${dialect.belongs("m", tenant_id)} and m.seq = c.seq`);
  // What follows from a status follows once, however many rows have it now.
  for (const status of new Set(changes.map((change) => change.status)))
    yield* queueStatusChanged(work, { status }, nowMs);
}

/** Has rows point at the older row that the policy chooses of those they supersede, with audit. */
export function* recomputeLinks(work: ChangeWork, reasons: Reasons, by: ChangedBy): Unit<void> {
  const { dialect, tenant_id } = work;
  const seqs = [...reasons.keys()];
  const links = yield* rows<{ seq: number; id: string }>(sql`
    select f.newer_seq as seq, m.id from findings f
      ${dialect.nested} memories m on ${dialect.belongs("m", tenant_id)} and m.seq = f.older_seq
    where ${dialect.belongs("f", tenant_id)} and ${dialect.isIn(sql`f.newer_seq`, seqs)} and f.retracted_at is null
      and f.status <> ${POSSIBLE}
    order by f.confidence desc, f.id`);
  const older = Map.groupBy(links, ({ seq }) => seq);
  const changes: { seq: number; supersedes_id: string | null }[] = [];
  const events: AuditEvent[] = [];
  for (const row of yield* standings(work, seqs)) {
    const ids = older.get(row.seq)?.map(({ id }) => id) ?? [];
    const supersedes_id = work.policies.conflicts.chooseSuperseded(row.supersedes_id, ids);
    if (supersedes_id === row.supersedes_id) continue;
    changes.push({ seq: row.seq, supersedes_id });
    const before = { supersedes_id: row.supersedes_id };
    const change = { action: "memory.supersede", before, after: { supersedes_id } };
    events.push(eventOf(row, change, reasons, by));
  }
  if (changes.length === 0) return;
  yield* run(sql`update memories as m set supersedes_id = c.supersedes_id
    from ${dialect.records(changes, "c", { seq: "int", supersedes_id: "text" })}
    where ${dialect.belongs("m", tenant_id)} and m.seq = c.seq`);
  yield* insertAudit(work, by.actor, events);
}

const eventOf = (
  { seq, id }: Standing,
  change: Pick<AuditEvent, "action" | "before" | "after">,
  reasons: Reasons,
  { now }: ChangedBy,
): AuditEvent => ({ ...change, at: now, target_id: id, reason: reasons.get(seq) ?? null });
