import { sql } from "drizzle-orm";
import type { Check } from "../../core/ports/contradiction-store.ts";
import type { FoundStatus, NewFinding } from "../../core/ports/finding.ts";
import type { StatementFacts } from "../../core/ports/storage-policies.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import { POSSIBLE } from "../../core/schema/observing/possible-change.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import { queueAfter } from "../jobs/queue.ts";
import { isReadAnew } from "../jobs/reembed.ts";
import { jsonIn } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { ChangeWork, TenantWork } from "../units/work.ts";
import { previousStatuses, recomputeLinks, recomputeStatuses } from "./apply-status.ts";
import { putClaim } from "./claims.ts";
import { retractJudged } from "./retract.ts";

type Own = "id" | "tenant_id" | "fleet_id" | "status" | "expires_at" | "embedded_by";
/** What a check asks of a row as it is now. */
interface CheckedRow extends StatementFacts, Pick<StoredMemory, Own> {
  readonly seq: number;
}

/** Stores what came of looking at one row, inside one transaction. */
export function* recordCheck(work: ChangeWork, check: Check, by: ChangedBy): Unit<void> {
  const stored = yield* readRows(work, check);
  const row = stored.get(check.memory.id);
  if (!row) return;
  const { id } = work.space;
  const gotVector = check.memory.embedded_by !== id && row.embedded_by === id;
  const { isSameStatement, withdrawnWhy } = work.policies.conflicts;
  if (!isSameStatement(row, check.memory) || gotVector || (check.is_partial && (yield* isOvertaken(work)))) {
    yield* queueAgain(work, row, by);
    return;
  }
  yield* putClaim(work, row, check.claim);
  yield* putCheck(work, row, by);
  const named = check.findings.flatMap((found) => pairOf(stored, found) ?? []);
  const asRead = named.filter(
    ({ newer, older, found }) => isSameStatement(newer, found.newer) && isSameStatement(older, found.older),
  );
  if (asRead.length < named.length) yield* queueAgain(work, row, by);
  const counted = asRead.filter(({ newer }) => withdrawnWhy(newer, by.now) === null);
  yield* apply(work, row, counted, by);
}

/** Whether the rows of the tenant are all read anew: what was compared until then may have been gone through already. */
function* isOvertaken({ dialect, tenant_id }: TenantWork): Unit<boolean> {
  return (yield* rows(sql`select 1 as one where not ${isReadAnew(dialect, tenant_id)}`)).length > 0;
}

/** Stores one finding, inside one transaction, unless a row is no longer as it was read; `again` where an earlier one was undone. */
export function* putFinding(work: ChangeWork, found: NewFinding, by: ChangedBy, again: boolean): Unit<void> {
  const { isSameStatement } = work.policies.conflicts;
  const pair = pairOf(yield* readRows(work, { memory: found.newer, findings: [found] }), found);
  if (!pair || !isSameStatement(pair.newer, found.newer) || !isSameStatement(pair.older, found.older)) return;
  yield* apply(work, pair.newer, [pair], by, again);
}

/** A finding with its rows as they are now. */
interface FoundPair {
  readonly newer: CheckedRow;
  readonly older: CheckedRow;
  readonly found: NewFinding;
}

/** The rows a check speaks of, by id; deleted ones need no verdict. */
function* readRows(
  { dialect, tenant_id }: TenantWork,
  { memory, findings }: Pick<Check, "memory" | "findings">,
): Unit<ReadonlyMap<string, CheckedRow>> {
  const ids = [memory.id, ...findings.flatMap(({ newer, older }) => [newer.id, older.id])];
  const stored = yield* rows<CheckedRow>(sql`
    select seq, id, tenant_id, fleet_id, status, expires_at, embedded_by, content_hash, visibility, memory_type,
      ts_valid_start, ts_valid_end, subject_entity_id, predicate, object_value, system_metadata from memories
    where ${dialect.belongs("memories", tenant_id)} and ${dialect.isIn(sql`id`, ids)} and deleted_at is null`);
  return new Map(stored.map((row) => [row.id, { ...row, system_metadata: jsonIn(row.system_metadata) }]));
}

function pairOf(stored: ReadonlyMap<string, CheckedRow>, found: NewFinding): FoundPair | null {
  const [newer, older] = [stored.get(found.newer.id), stored.get(found.older.id)];
  return newer && older ? { newer, older, found } : null;
}

/** Has the row checked once more; it counts as not checked until then. */
function* queueAgain(work: ChangeWork, row: CheckedRow, { nowMs }: ChangedBy): Unit<void> {
  yield* run(sql`update memory_checks set content_hash = null
    where ${work.dialect.tenant("memory_checks", work.tenant_id)} and memory_seq = ${row.seq}`);
  yield* queueAfter(work, { kind: "memories_stale", rows: [row], now_ms: nowMs });
}

function* putCheck({ dialect, tenant_id, space }: ChangeWork, row: CheckedRow, { now }: ChangedBy): Unit<void> {
  yield* run(sql`
    insert into memory_checks (${dialect.tenantColumn}memory_seq, content_hash, checked_at, embedded)
    values (${dialect.tenantValue(tenant_id)}${row.seq}, ${row.content_hash}, ${now},
      ${dialect.truth(row.embedded_by === space.id)})
    on conflict ${dialect.key("memory_seq")} do update set
      content_hash = excluded.content_hash, checked_at = excluded.checked_at, embedded = excluded.embedded`);
}

/** Stores the findings that are new and may stand, demotes the older rows and links the newer ones. */
function* apply(
  work: ChangeWork,
  row: CheckedRow,
  pairs: readonly FoundPair[],
  by: ChangedBy,
  again = false,
): Unit<void> {
  if (pairs.length === 0) return;
  const { mayBeDemoted, demotionReason } = work.policies.conflicts;
  const isDecided = yield* decidedPairs(work, row, again);
  const previous = yield* previousStatuses(
    work,
    pairs.map(({ older }) => older.seq),
  );
  const statusOf = ({ seq, status }: CheckedRow) => ({ status, previous_status: previous.get(seq) ?? null });
  const standing = pairs.filter((pair) => !isDecided(pair) && mayBeDemoted(statusOf(pair.older)));
  if (standing.length === 0) return;
  yield* retractPossible(work, standing, by);
  const surest = standing.toSorted((a, b) => b.found.confidence - a.found.confidence);
  yield* insertFindings(work, surest, by);
  yield* dropReviews(work, surest);
  for (const { newer } of surest) yield* queueExpiry(work, newer, by);
  const because = ({ found }: FoundPair) => demotionReason(found);
  const demoted = surest.map((pair) => [pair.older.seq, `${because(pair)}, superseded by ${pair.newer.id}`] as const);
  yield* recomputeStatuses(work, new Map(demoted.toReversed()), by);
  const linked = surest.map((pair) => [pair.newer.seq, because(pair)] as const);
  yield* recomputeLinks(work, new Map(linked.toReversed()), by);
}

/** What was merely possible of pairs gives way to what is sure. */
function* retractPossible(work: ChangeWork, pairs: readonly FoundPair[], by: ChangedBy): Unit<void> {
  const { dialect, tenant_id } = work;
  const ends = pairs.map(({ newer, older }) => ({ newer: newer.seq, older: older.seq }));
  const found = yield* rows<{ id: number }>(sql`select f.id from
      ${dialect.records(ends, "p", { newer: "int", older: "int" })}
      ${dialect.nested} findings f on ${dialect.belongs("f", tenant_id)} and f.older_seq in (p.older, p.newer)
        and f.newer_seq in (p.older, p.newer) and f.retracted_at is null and f.status = ${POSSIBLE}`);
  yield* retractJudged(
    work,
    found.map(({ id }) => id),
    by,
  );
}

/** A finding falls away once its newer row has expired. */
export function* queueExpiry(
  work: ChangeWork,
  { expires_at }: Pick<StoredMemory, "expires_at">,
  { nowMs }: ChangedBy,
): Unit<void> {
  if (expires_at !== null) yield* queueAfter(work, { kind: "finding_expires", expires_at, now_ms: nowMs });
}

interface KnownPair {
  readonly newer_seq: number;
  readonly older_seq: number;
  readonly newer_hash: string;
  readonly older_hash: string;
  readonly status: FoundStatus;
  readonly retracted_at: string | null;
}

/** Tells pairs of a row whose finding stands already or, unless it is made `again`, was undone by a caller for these very texts. */
function* decidedPairs(
  { dialect, tenant_id, policies }: ChangeWork,
  { seq }: CheckedRow,
  again: boolean,
): Unit<(pair: FoundPair) => boolean> {
  const known = yield* rows<KnownPair>(sql`
    select newer_seq, older_seq, newer_hash, older_hash, status, retracted_at from findings
    where ${dialect.belongs("findings", tenant_id)} and (newer_seq = ${seq} or older_seq = ${seq})
      and (retracted_at is null ${again ? sql`` : sql`or retracted_why = 'undone'`})`);
  return ({ newer, older, found: { status } }) => {
    const isOfPair = (seq: number) => seq === newer.seq || seq === older.seq;
    const same = known.filter(({ newer_seq, older_seq }) => isOfPair(newer_seq) && isOfPair(older_seq));
    return policies.conflicts.isDecided(
      { newer_hash: newer.content_hash, older_hash: older.content_hash, status },
      same.map(({ retracted_at, ...one }) => ({ ...one, undone: retracted_at !== null })),
    );
  };
}

/** What was decided of pairs before counts no longer where findings about them stand. */
function* dropReviews({ dialect, tenant_id }: TenantWork, pairs: readonly FoundPair[]): Unit<void> {
  const ends = pairs.map(({ newer, older }) => ({ one: newer.seq, other: older.seq }));
  yield* run(sql`update findings as f set review = null, reviewed_at = null, reviewed_by = null
    from ${dialect.records(ends, "p", { one: "int", other: "int" })}
    where ${dialect.belongs("f", tenant_id)} and f.older_seq in (p.one, p.other)
      and f.newer_seq in (p.one, p.other) and f.review = 'both_stand'`);
}

const FINDING = {
  tenant_id: "text",
  newer_seq: "int",
  older_seq: "int",
  newer_hash: "text",
  older_hash: "text",
  status: "text",
  rule: "text",
  confidence: "real",
  why: "text",
  newer_start: "int",
  newer_end: "int",
  older_start: "int",
  older_end: "int",
  created_at: "text",
} as const;
/** Numbers follow the order of the findings, as the surest of them comes first among equals. */
const insertFindings = ({ dialect }: TenantWork, pairs: readonly FoundPair[], by: ChangedBy): Unit<void> =>
  dialect.insert(
    "findings",
    pairs.map((pair) => toRow(pair, by)),
    FINDING,
  );

const toRow = ({ newer, older, found }: FoundPair, { now }: ChangedBy): Record<keyof typeof FINDING, unknown> => ({
  tenant_id: newer.tenant_id,
  newer_seq: newer.seq,
  older_seq: older.seq,
  newer_hash: newer.content_hash,
  older_hash: older.content_hash,
  status: found.status,
  rule: found.rule,
  confidence: found.confidence,
  why: found.why,
  newer_start: found.newer_span.start,
  newer_end: found.newer_span.end,
  older_start: found.older_span.start,
  older_end: found.older_span.end,
  created_at: now,
});
