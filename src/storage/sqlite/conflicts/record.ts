import { and, eq, inArray, isNull, or } from "drizzle-orm";
import type { Check } from "../../../core/ports/contradiction-store.ts";
import type { NewFinding } from "../../../core/ports/finding.ts";
import type { Engine } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";
import { queueAfter } from "../jobs/queue.ts";
import { memoryWhere } from "../memories/filters.ts";
import type { MemoryRow } from "../memories/rows.ts";
import type { ChangedBy } from "./apply-status.ts";
import { previousStatus, recomputeLinks, recomputeStatuses } from "./apply-status.ts";
import { putClaim } from "./claims.ts";
import { findings, memoryChecks } from "./tables.ts";

/** Stores what came of looking at one row, inside one transaction. */
export function recordCheck(db: Engine, check: Check, by: ChangedBy): void {
  const rows = readRows(db, check);
  const row = rows.get(check.memory.id);
  if (!row) return;
  const gotVector = check.memory.embedded_by === null && row.embedded_by !== null;
  const { isSameStatement, withdrawnWhy } = db.policies.conflicts;
  if (!isSameStatement(row, check.memory) || gotVector) {
    queueAgain(db, row, by);
    return;
  }
  putClaim(db, row, check.claim);
  putCheck(db, row, by);
  const named = check.findings.flatMap((found) => pairOf(rows, found) ?? []);
  const asRead = named.filter(
    ({ newer, older, found }) => isSameStatement(newer, found.newer) && isSameStatement(older, found.older),
  );
  if (asRead.length < named.length) queueAgain(db, row, by);
  const counted = asRead.filter(({ newer }) => withdrawnWhy(newer, by.now) === null);
  apply(db, row, counted, by);
}

/** Stores one finding, inside one transaction, unless a row is no longer as it was read; `again` where an earlier one was undone. */
export function putFinding(db: Engine, found: NewFinding, by: ChangedBy, again: boolean): void {
  const { isSameStatement } = db.policies.conflicts;
  const pair = pairOf(readRows(db, { memory: found.newer, findings: [found] }), found);
  if (!pair || !isSameStatement(pair.newer, found.newer) || !isSameStatement(pair.older, found.older)) return;
  apply(db, pair.newer, [pair], by, again);
}

/** A finding with its rows as they are now. */
interface FoundPair {
  readonly newer: MemoryRow;
  readonly older: MemoryRow;
  readonly found: NewFinding;
}

/** The rows a check speaks of, by id; deleted ones need no verdict. */
function readRows(
  db: Engine,
  { memory, findings: found }: Pick<Check, "memory" | "findings">,
): ReadonlyMap<string, MemoryRow> {
  const ids = [memory.id, ...found.flatMap(({ newer, older }) => [newer.id, older.id])];
  const rows = db.drizzleWrite
    .select()
    .from(memories)
    .where(memoryWhere({ tenant_id: memory.tenant_id, ids }))
    .all();
  return new Map(rows.map((row) => [row.id, row]));
}

function pairOf(rows: ReadonlyMap<string, MemoryRow>, found: NewFinding): FoundPair | null {
  const [newer, older] = [rows.get(found.newer.id), rows.get(found.older.id)];
  return newer && older ? { newer, older, found } : null;
}

/** Has the row checked once more; it counts as not checked until then. */
function queueAgain(db: Engine, row: MemoryRow, { nowMs }: ChangedBy): void {
  db.drizzleWrite.update(memoryChecks).set({ content_hash: null }).where(eq(memoryChecks.memory_seq, row.seq)).run();
  queueAfter(db, { kind: "memories_stale", rows: [row], now_ms: nowMs });
}

function putCheck(db: Engine, row: MemoryRow, { now }: ChangedBy): void {
  db.writeConnection.query(PUT_CHECK).run(row.seq, row.content_hash, now, row.embedded_by === null ? 0 : 1);
}
const PUT_CHECK = `insert into memory_checks (memory_seq, content_hash, checked_at, embedded) values (?, ?, ?, ?)
  on conflict (memory_seq) do update set
    content_hash = excluded.content_hash, checked_at = excluded.checked_at, embedded = excluded.embedded`;

/** Stores the findings that are new and may stand, demotes the older rows and links the newer ones. */
function apply(db: Engine, row: MemoryRow, pairs: readonly FoundPair[], by: ChangedBy, again = false): void {
  if (pairs.length === 0) return;
  const { mayBeDemoted, demotionReason } = db.policies.conflicts;
  const isDecided = decidedPairs(db, row, again);
  const standing = pairs.filter((pair) => !isDecided(pair) && mayBeDemoted(statusOf(db, pair.older)));
  if (standing.length === 0) return;
  const surest = standing.toSorted((a, b) => b.found.confidence - a.found.confidence);
  db.drizzleWrite
    .insert(findings)
    .values(surest.map((pair) => toRow(pair, by)))
    .run();
  for (const pair of surest) dropReviews(db, pair);
  for (const { newer } of surest) queueExpiry(db, newer, by);
  const because = ({ found }: FoundPair) => demotionReason(found);
  const demoted = surest.map((pair) => [pair.older.seq, `${because(pair)}, superseded by ${pair.newer.id}`] as const);
  recomputeStatuses(db, new Map(demoted.toReversed()), by);
  recomputeLinks(db, new Map(surest.map((pair) => [pair.newer.seq, because(pair)] as const).toReversed()), by);
}

/** A finding falls away once its newer row has expired. */
export function queueExpiry(db: Engine, { expires_at }: Pick<MemoryRow, "expires_at">, { nowMs }: ChangedBy): void {
  if (expires_at !== null) queueAfter(db, { kind: "finding_expires", expires_at, now_ms: nowMs });
}

const statusOf = (db: Engine, { seq, status }: MemoryRow) => ({ status, previous_status: previousStatus(db, seq) });

/** Tells pairs of a row whose finding stands already or, unless it is made `again`, was undone by a caller for these very texts. */
function decidedPairs(db: Engine, { seq }: MemoryRow, again: boolean): (pair: FoundPair) => boolean {
  const isUndone = again ? undefined : eq(findings.retracted_why, "undone");
  const known = db.drizzleWrite
    .select()
    .from(findings)
    .where(
      and(or(eq(findings.newer_seq, seq), eq(findings.older_seq, seq)), or(isNull(findings.retracted_at), isUndone)),
    )
    .all();
  return ({ newer, older }) => {
    const isOfPair = (seq: number) => seq === newer.seq || seq === older.seq;
    const same = known.filter(({ newer_seq, older_seq }) => isOfPair(newer_seq) && isOfPair(older_seq));
    return db.policies.conflicts.isDecided(
      { newer_hash: newer.content_hash, older_hash: older.content_hash },
      same.map(({ newer_hash, older_hash, retracted_at }) => ({
        newer_hash,
        older_hash,
        undone: retracted_at !== null,
      })),
    );
  };
}

/** What was decided of a pair before counts no longer where a finding about it stands. */
function dropReviews(db: Engine, { newer, older }: FoundPair): void {
  const ends = [newer.seq, older.seq];
  db.drizzleWrite
    .update(findings)
    .set(UNREVIEWED)
    .where(and(inArray(findings.older_seq, ends), inArray(findings.newer_seq, ends), eq(findings.review, "both_stand")))
    .run();
}
const UNREVIEWED = { review: null, reviewed_at: null, reviewed_by: null } as const;

const toRow = ({ newer, older, found }: FoundPair, { now }: ChangedBy): typeof findings.$inferInsert => ({
  tenant_id: newer.tenant_id,
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
