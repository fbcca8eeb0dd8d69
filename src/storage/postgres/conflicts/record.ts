import { sql } from "drizzle-orm";
import type { Check } from "../../../core/ports/contradiction-store.ts";
import type { NewFinding } from "../../../core/ports/finding.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import { recordsValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { queueAfter } from "../jobs/queue.ts";
import { memoryWhere } from "../memories/filters.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { previousStatuses, recomputeLinks, recomputeStatuses } from "./apply-status.ts";
import { putClaim } from "./claims.ts";
import type { FindingRow } from "./rows.ts";

/** Stores what came of looking at one row, inside one transaction. */
export async function recordCheck(work: TenantWork, check: Check, by: ChangedBy): Promise<void> {
  const rows = await readRows(work, check);
  const row = rows.get(check.memory.id);
  if (!row) return;
  const gotVector = check.memory.embedded_by === null && row.embedded_by !== null;
  const { isSameStatement, withdrawnWhy } = work.policies.conflicts;
  if (!isSameStatement(row, check.memory) || gotVector) {
    await queueAgain(work, row, by);
    return;
  }
  await putClaim(work, row, check.claim);
  await putCheck(work, row, by);
  const named = check.findings.flatMap((found) => pairOf(rows, found) ?? []);
  const asRead = named.filter(
    ({ newer, older, found }) => isSameStatement(newer, found.newer) && isSameStatement(older, found.older),
  );
  if (asRead.length < named.length) await queueAgain(work, row, by);
  const counted = asRead.filter(({ newer }) => withdrawnWhy(newer, by.now) === null);
  await apply(work, row, counted, by);
}

/** Stores one finding, inside one transaction, unless a row is no longer as it was read; `again` where an earlier one was undone. */
export async function putFinding(work: TenantWork, found: NewFinding, by: ChangedBy, again: boolean): Promise<void> {
  const { isSameStatement } = work.policies.conflicts;
  const pair = pairOf(await readRows(work, { memory: found.newer, findings: [found] }), found);
  if (!pair || !isSameStatement(pair.newer, found.newer) || !isSameStatement(pair.older, found.older)) return;
  await apply(work, pair.newer, [pair], by, again);
}

/** A finding with its rows as they are now. */
interface FoundPair {
  readonly newer: MemoryRow;
  readonly older: MemoryRow;
  readonly found: NewFinding;
}

/** The rows a check speaks of, by id; deleted ones need no verdict. */
async function readRows(
  work: TenantWork,
  { memory, findings: found }: Pick<Check, "memory" | "findings">,
): Promise<ReadonlyMap<string, MemoryRow>> {
  const ids = [memory.id, ...found.flatMap(({ newer, older }) => [newer.id, older.id])];
  const rows = await work.rows<MemoryRow>(
    sql`select * from memories where ${memoryWhere({ tenant_id: work.tenant_id, ids })}`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function pairOf(rows: ReadonlyMap<string, MemoryRow>, found: NewFinding): FoundPair | null {
  const [newer, older] = [rows.get(found.newer.id), rows.get(found.older.id)];
  return newer && older ? { newer, older, found } : null;
}

/** Has the row checked once more; it counts as not checked until then. */
async function queueAgain(work: TenantWork, row: MemoryRow, { nowMs }: ChangedBy): Promise<void> {
  await work.run(sql`update memory_checks set content_hash = null
    where tenant_id = ${work.tenant_id} and memory_seq = ${row.seq}`);
  await queueAfter(work, { kind: "memories_stale", rows: [row], now_ms: nowMs });
}

const putCheck = (work: TenantWork, row: MemoryRow, { now }: ChangedBy): Promise<number> =>
  work.run(sql`insert into memory_checks (tenant_id, memory_seq, content_hash, checked_at, embedded)
    values (${work.tenant_id}, ${row.seq}, ${row.content_hash}, ${now}, ${row.embedded_by !== null})
    on conflict (tenant_id, memory_seq) do update set
      content_hash = excluded.content_hash, checked_at = excluded.checked_at, embedded = excluded.embedded`);

/** Stores the findings that are new and may stand, demotes the older rows and links the newer ones. */
async function apply(
  work: TenantWork,
  row: MemoryRow,
  pairs: readonly FoundPair[],
  by: ChangedBy,
  again = false,
): Promise<void> {
  if (pairs.length === 0) return;
  const { mayBeDemoted, demotionReason } = work.policies.conflicts;
  const isDecided = await decidedPairs(work, row, again);
  const previous = await previousStatuses(
    work,
    pairs.map(({ older }) => older.seq),
  );
  const statusOf = ({ seq, status }: MemoryRow) => ({ status, previous_status: previous.get(seq) ?? null });
  const standing = pairs.filter((pair) => !isDecided(pair) && mayBeDemoted(statusOf(pair.older)));
  if (standing.length === 0) return;
  const surest = standing.toSorted((a, b) => b.found.confidence - a.found.confidence);
  await insertFindings(work, surest, by);
  await dropReviews(work, surest);
  for (const { newer } of surest) await queueExpiry(work, newer, by);
  const because = ({ found }: FoundPair) => demotionReason(found);
  const demoted = surest.map((pair) => [pair.older.seq, `${because(pair)}, superseded by ${pair.newer.id}`] as const);
  await recomputeStatuses(work, new Map(demoted.toReversed()), by);
  await recomputeLinks(work, new Map(surest.map((pair) => [pair.newer.seq, because(pair)] as const).toReversed()), by);
}

/** A finding falls away once its newer row has expired. */
export async function queueExpiry(
  work: TenantWork,
  { expires_at }: Pick<MemoryRow, "expires_at">,
  { nowMs }: ChangedBy,
): Promise<void> {
  if (expires_at !== null) await queueAfter(work, { kind: "finding_expires", expires_at, now_ms: nowMs });
}

type KnownPair = Pick<FindingRow, "newer_seq" | "older_seq" | "newer_hash" | "older_hash" | "retracted_at">;

/** Tells pairs of a row whose finding stands already or, unless it is made `again`, was undone by a caller for these very texts. */
async function decidedPairs(
  work: TenantWork,
  { seq }: MemoryRow,
  again: boolean,
): Promise<(pair: FoundPair) => boolean> {
  const isUndone = again ? sql`false` : sql`retracted_why = 'undone'`;
  const known = await work.rows<KnownPair>(sql`
    select newer_seq, older_seq, newer_hash, older_hash, retracted_at from findings
    where tenant_id = ${work.tenant_id} and (newer_seq = ${seq} or older_seq = ${seq})
      and (retracted_at is null or ${isUndone})`);
  return ({ newer, older }) => {
    const isOfPair = (seq: number) => seq === newer.seq || seq === older.seq;
    const same = known.filter(({ newer_seq, older_seq }) => isOfPair(newer_seq) && isOfPair(older_seq));
    return work.policies.conflicts.isDecided(
      { newer_hash: newer.content_hash, older_hash: older.content_hash },
      same.map(({ newer_hash, older_hash, retracted_at }) => ({
        newer_hash,
        older_hash,
        undone: retracted_at !== null,
      })),
    );
  };
}

/** What was decided of pairs before counts no longer where findings about them stand. */
async function dropReviews(work: TenantWork, pairs: readonly FoundPair[]): Promise<void> {
  const ends = pairs.map(({ newer, older }) => ({ one: newer.seq, other: older.seq }));
  await work.run(sql`update findings f set review = null, reviewed_at = null, reviewed_by = null
    from json_to_recordset(${recordsValue(ends)}) as p (one bigint, other bigint)
    where f.tenant_id = ${work.tenant_id} and f.older_seq = any(array[p.one, p.other])
      and f.newer_seq = any(array[p.one, p.other]) and f.review = 'both_stand'`);
}

/** Numbers follow the order of the findings, as the surest of them comes first among equals. */
async function insertFindings(work: TenantWork, pairs: readonly FoundPair[], by: ChangedBy): Promise<void> {
  const rows = pairs.map((pair, place) => ({ ...toRow(pair, by), place }));
  await work.run(sql`
    insert into findings (tenant_id, newer_seq, older_seq, newer_hash, older_hash, status, rule, confidence,
      newer_start, newer_end, older_start, older_end, created_at)
    select ${work.tenant_id}, f.newer_seq, f.older_seq, f.newer_hash, f.older_hash, f.status, f.rule, f.confidence,
      f.newer_start, f.newer_end, f.older_start, f.older_end, f.created_at
    from json_to_recordset(${recordsValue(rows)}) as f (newer_seq bigint, older_seq bigint, newer_hash text,
      older_hash text, status text, rule text, confidence double precision, newer_start integer, newer_end integer,
      older_start integer, older_end integer, created_at text, place integer)
    order by f.place`);
}

const toRow = ({ newer, older, found }: FoundPair, { now }: ChangedBy) => ({
  newer_seq: newer.seq,
  older_seq: older.seq,
  newer_hash: newer.content_hash,
  older_hash: older.content_hash,
  status: found.status,
  rule: found.rule,
  confidence: found.confidence,
  newer_start: found.newer_span.start,
  newer_end: found.newer_span.end,
  older_start: found.older_span.start,
  older_end: found.older_span.end,
  created_at: now,
});
