import { and, eq, isNull, or } from "drizzle-orm";
import type { Check, NewFinding } from "../../../core/ports/contradiction-store.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import { LIVE_STATUSES } from "../../../core/schema/memory.ts";
import type { Connections } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";
import { hasten, insertJobs } from "../jobs/jobs.ts";
import { memoryWhere } from "../memories/filters.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { putClaims } from "./claims.ts";
import type { By } from "./resolve-status.ts";
import { previousStatus, recomputeLinks, recomputeStatuses } from "./resolve-status.ts";
import { fellBy } from "./retract.ts";
import { findings, memoryChecks } from "./tables.ts";

/** Stores what came of looking at one row, inside one transaction. */
export function recordCheck(db: Connections, check: Check, by: By): void {
  const rows = readRows(db, check);
  const row = rows.get(check.memory.id);
  if (!row) return;
  const gotVector = check.memory.embedded_by === null && row.embedded_by !== null;
  if (!isAsRead(row, check.memory) || gotVector) {
    queueAgain(db, row, by);
    return;
  }
  putClaims(db, row, check.claims);
  putCheck(db, row, by);
  const named = check.findings.flatMap((found) => pairOf(rows, found) ?? []);
  const asRead = named.filter(
    (pair) => isAsRead(pair.newer, pair.found.newer) && isAsRead(pair.older, pair.found.older),
  );
  if (asRead.length < named.length) queueAgain(db, row, by);
  const counted = asRead.filter(({ newer }) => fellBy(newer, by.now) === null);
  apply(db, row, counted, by);
}

/** Stores one finding that nobody but its caller vouches for, inside one transaction, unless a row is no longer as it was read. */
export function putFinding(db: Connections, found: NewFinding, by: By): void {
  const pair = pairOf(readRows(db, { memory: found.newer, findings: [found] }), found);
  if (!pair || !isAsRead(pair.newer, found.newer) || !isAsRead(pair.older, found.older)) return;
  apply(db, pair.newer, [pair], by);
}

/** A finding with its rows as they are now. */
interface FoundPair {
  readonly newer: MemoryRow;
  readonly older: MemoryRow;
  readonly found: NewFinding;
}

/** The rows a check speaks of, by id; deleted ones need no verdict. */
function readRows(
  db: Connections,
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

/** Whether all that a finding rests on is still as it was read. */
const isAsRead = (row: MemoryRow, read: StoredMemory): boolean =>
  row.content_hash === read.content_hash &&
  row.visibility === read.visibility &&
  row.ts_valid_start === read.ts_valid_start &&
  row.ts_valid_end === read.ts_valid_end;

/** Has the row looked at once more; it counts as not looked at until then. */
function queueAgain(db: Connections, row: MemoryRow, { nowMs }: By): void {
  db.drizzleWrite.update(memoryChecks).set({ content_hash: null }).where(eq(memoryChecks.memory_seq, row.seq)).run();
  const payload = { tenant_id: row.tenant_id, memory_ids: [row.id] };
  insertJobs(db, [{ kind: "understand_memories", payload }], nowMs);
}

function putCheck(db: Connections, row: MemoryRow, { now }: By): void {
  db.writeConnection.query(PUT_CHECK).run(row.seq, row.content_hash, now, row.embedded_by === null ? 0 : 1);
}
const PUT_CHECK = `insert into memory_checks (memory_seq, content_hash, checked_at, embedded) values (?, ?, ?, ?)
  on conflict (memory_seq) do update set
    content_hash = excluded.content_hash, checked_at = excluded.checked_at, embedded = excluded.embedded`;

/** Stores the findings that are new and may stand, demotes the older rows and links the newer ones. */
function apply(db: Connections, row: MemoryRow, pairs: readonly FoundPair[], by: By): void {
  if (pairs.length === 0) return;
  const isSettled = settledPairs(db, row);
  const standing = pairs.filter((pair) => !isSettled(pair) && isOpenTo(db, pair.older));
  if (standing.length === 0) return;
  const surest = standing.toSorted((a, b) => b.found.confidence - a.found.confidence);
  db.drizzleWrite
    .insert(findings)
    .values(surest.map((pair) => toRow(pair, by)))
    .run();
  for (const { newer } of surest) {
    if (newer.expires_at !== null) hasten(db, "memories_schedule", Date.parse(newer.expires_at));
  }
  const because = ({ found: { rule, confidence } }: FoundPair) => `${rule} (${confidence.toFixed(2)})`;
  const demoted = surest.map((pair) => [pair.older.seq, `${because(pair)}, superseded by ${pair.newer.id}`] as const);
  recomputeStatuses(db, new Map(demoted.toReversed()), by);
  recomputeLinks(db, new Map(surest.map((pair) => [pair.newer.seq, because(pair)])), by);
}

/** Only what is live, or what the detector itself demoted, may be demoted. */
const isOpenTo = (db: Connections, { seq, status }: MemoryRow): boolean =>
  LIVE_STATUSES.includes(status) || previousStatus(db, seq) !== null;

/** Tells pairs of a row whose finding stands already, or was undone by a caller for these very texts. */
function settledPairs(db: Connections, { seq }: MemoryRow): (pair: FoundPair) => boolean {
  const known = db.drizzleWrite
    .select()
    .from(findings)
    .where(
      and(
        or(eq(findings.newer_seq, seq), eq(findings.older_seq, seq)),
        or(isNull(findings.retracted_at), eq(findings.retracted_why, "undone")),
      ),
    )
    .all();
  return ({ newer, older }) => {
    const hashes = [newer.content_hash, older.content_hash];
    return known.some(
      ({ newer_seq, older_seq, newer_hash, older_hash, retracted_at }) =>
        [newer_seq, older_seq].every((one) => one === newer.seq || one === older.seq) &&
        (retracted_at === null || (hashes.includes(newer_hash) && hashes.includes(older_hash))),
    );
  };
}

const toRow = ({ newer, older, found }: FoundPair, { now }: By): typeof findings.$inferInsert => ({
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
