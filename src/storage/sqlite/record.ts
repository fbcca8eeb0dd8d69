import { and, eq, isNull, or } from "drizzle-orm";
import type { Check, NewFinding } from "../../ports/contradiction-store.ts";
import type { StoredMemory } from "../../ports/memory-store.ts";
import { LIVE_STATUSES } from "../../schema/memory.ts";
import { putClaims } from "./claims.ts";
import type { Connections } from "./connection.ts";
import { findings, memoryChecks } from "./detection-tables.ts";
import { insertJobs } from "./jobs.ts";
import type { MemoryRow } from "./rows.ts";
import type { By } from "./standing.ts";
import { chooseSuperseded, formerStatus, setFormerStatus, settleStatus } from "./standing.ts";
import { memories } from "./tables.ts";

/** Stores what came of looking at one row, inside one transaction. */
export function recordCheck(at: Connections, check: Check, by: By): void {
  const row = readRow(at, check.memory);
  if (!row) return;
  if (!isAsRead(row, check.memory)) {
    queueAgain(at, row, by);
    return;
  }
  putClaims(at, row, check.claims);
  putCheck(at, row, by);
  const surest = check.findings.toSorted((a, b) => b.confidence - a.confidence);
  const wereRead = surest.map((finding) => applyFinding(at, finding, by));
  if (wereRead.includes(false)) queueAgain(at, row, by);
}

function readRow(at: Connections, { tenant_id, id }: StoredMemory): MemoryRow | undefined {
  const known = and(eq(memories.id, id), eq(memories.tenant_id, tenant_id), isNull(memories.deleted_at));
  return at.write.select().from(memories).where(known).get();
}

/** Whether all that a finding rests on is still as it was read. */
const isAsRead = (row: MemoryRow, read: StoredMemory): boolean =>
  row.content_hash === read.content_hash &&
  row.visibility === read.visibility &&
  row.ts_valid_start === read.ts_valid_start &&
  row.ts_valid_end === read.ts_valid_end;

/** Has the row looked at once more; it counts as not looked at until then. */
function queueAgain(at: Connections, row: MemoryRow, { nowMs }: By): void {
  at.write.update(memoryChecks).set({ content_hash: null }).where(eq(memoryChecks.memory_seq, row.seq)).run();
  const payload = { tenant_id: row.tenant_id, memory_ids: [row.id] };
  insertJobs(at, [{ kind: "understand_memories", payload }], nowMs);
}

function putCheck(at: Connections, row: MemoryRow, { now }: By): void {
  const seen = { content_hash: row.content_hash, checked_at: now, embedded: row.embedded_by !== null };
  at.write
    .insert(memoryChecks)
    .values({ memory_seq: row.seq, former_status: null, ...seen })
    .onConflictDoUpdate({ target: memoryChecks.memory_seq, set: seen })
    .run();
}

/** Demotes the older row and links the newer one. False when one of them is no longer as it was read. */
function applyFinding(at: Connections, finding: NewFinding, by: By): boolean {
  const [newer, older] = [readRow(at, finding.newer), readRow(at, finding.older)];
  // A deleted row needs no verdict.
  if (!newer || !older) return true;
  if (!isAsRead(newer, finding.newer) || !isAsRead(older, finding.older)) return false;
  if (isSettled(at, newer, older)) return true;
  const former = formerStatus(at, older.seq);
  if (former === null && !LIVE_STATUSES.includes(older.status)) return true;
  at.write
    .insert(findings)
    .values(toRow(finding, newer, older, by))
    .run();
  if (former === null) setFormerStatus(at, older.seq, older.status);
  const reason = `${finding.rule} (${finding.confidence.toFixed(2)}), newer: ${newer.id}`;
  settleStatus(at, { ...older, former: former ?? older.status }, reason, by);
  chooseSuperseded(at, newer, `${finding.rule} (${finding.confidence.toFixed(2)})`, by);
  return true;
}

/** The pair's finding stands already, or a caller undid it for these very texts. */
function isSettled(at: Connections, newer: MemoryRow, older: MemoryRow): boolean {
  const pair = or(
    and(eq(findings.newer_seq, newer.seq), eq(findings.older_seq, older.seq)),
    and(eq(findings.newer_seq, older.seq), eq(findings.older_seq, newer.seq)),
  );
  const hashes = new Set([newer.content_hash, older.content_hash]);
  return at.write
    .select()
    .from(findings)
    .where(pair)
    .all()
    .some(
      ({ retracted_why, newer_hash, older_hash }) =>
        retracted_why === null || (retracted_why === "undone" && hashes.has(newer_hash) && hashes.has(older_hash)),
    );
}

const toRow = (finding: NewFinding, newer: MemoryRow, older: MemoryRow, { now }: By): typeof findings.$inferInsert => ({
  newer_seq: newer.seq,
  older_seq: older.seq,
  newer_hash: newer.content_hash,
  older_hash: older.content_hash,
  status: finding.status,
  rule: finding.rule,
  confidence: finding.confidence,
  newer_start: finding.newer_span.start,
  newer_end: finding.newer_span.end,
  older_start: finding.older_span.start,
  older_end: finding.older_span.end,
  created_at: now,
});
