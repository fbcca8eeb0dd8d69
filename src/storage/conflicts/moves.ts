import { sql } from "drizzle-orm";
import type { NewFinding } from "../../core/ports/finding.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { ROW_COLUMNS, rowsOf, toStoredMemory } from "../memories/rows.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { ChangeWork, TenantWork } from "../units/work.ts";
import { recomputeLinks, recomputeStatuses } from "./apply-status.ts";
import { removeClaims } from "./claims.ts";
import { queueExpiry } from "./record.ts";
import { forgetChecks, retractParted } from "./retract.ts";

/** A row before and after it was moved. */
interface Moved {
  readonly seq: number;
  readonly before: StoredMemory;
  readonly after: StoredMemory;
}

interface Finding extends Pick<NewFinding, "rule" | "confidence"> {
  readonly id: number;
  readonly newer_seq: number;
  readonly older_seq: number;
  readonly newer_hash: string;
  readonly older_hash: string;
  readonly retracted_at: string | null;
}

/** A finding with its rows as they are now. */
interface Pair {
  readonly found: Finding;
  readonly newer: MemoryRow;
  readonly older: MemoryRow;
}

/**
 * Keeps findings true to rows that were just moved, inside the same transaction: those between rows that belong to the same no
 * more are taken back, and stand again where both were moved to one place. The rows themselves count as not checked.
 */
export function* followMoves(work: ChangeWork, moved: readonly Moved[], by: ChangedBy): Unit<void> {
  if (moved.length === 0) return;
  const seqs = moved.map(({ seq }) => seq);
  yield* removeClaims(work, seqs);
  yield* forgetChecks(work, seqs);
  yield* followHashes(work, moved);
  const { mayStandAgain } = work.policies.conflicts;
  const pairs = (yield* pairsOf(work, seqs)).map((pair) => ({
    ...pair,
    may: mayStandAgain(toStoredMemory(pair.newer), toStoredMemory(pair.older), by.now),
  }));
  const standing = pairs.filter(({ found }) => found.retracted_at === null);
  const parted = standing.filter(({ may }) => !may).map(({ found }) => found.id);
  yield* retractParted(work, parted, by);
  const decided = new Set(standing.filter(({ may }) => may).map(keyOf));
  // The last that was found of two rows is the one that counts.
  const together = new Map(
    pairs
      .filter((pair) => pair.may && pair.found.retracted_at !== null && isAsFound(pair))
      .map((pair) => [keyOf(pair), pair]),
  );
  yield* reinstate(
    work,
    [...together].flatMap(([key, pair]) => (decided.has(key) ? [] : [pair])),
    by,
  );
}

const keyOf = ({ found: { newer_seq, older_seq } }: Pair): string =>
  `${Math.min(newer_seq, older_seq)} ${Math.max(newer_seq, older_seq)}`;

const isAsFound = ({ found, newer, older }: Pair): boolean =>
  found.newer_hash === newer.content_hash && found.older_hash === older.content_hash;

/** The same text has another hash in another fleet: what was found and decided of it is still of that text. */
function* followHashes({ dialect, tenant_id }: TenantWork, moved: readonly Moved[]): Unit<void> {
  const hashes = moved.map(({ seq, before, after }) => ({ seq, old: before.content_hash, now: after.content_hash }));
  for (const side of ["newer", "older"]) {
    const [hash, seq] = [sql.raw(`${side}_hash`), sql.raw(`f.${side}_seq`)];
    yield* run(sql`update findings as f set ${hash} = h.now
      from ${dialect.records(hashes, "h", { seq: "int", old: "text", now: "text" })}
      where ${dialect.belongs("f", tenant_id)} and ${seq} = h.seq and f.${hash} = h.old and h.old <> h.now`);
  }
}

/** The findings about rows that stand or were taken back by a move, in the order in which they were made. */
function* pairsOf({ dialect, tenant_id }: TenantWork, seqs: readonly number[]): Unit<Pair[]> {
  const { belongs, isIn } = dialect;
  const found = yield* rows<Finding>(sql`
    select id, newer_seq, older_seq, newer_hash, older_hash, rule, confidence, retracted_at from findings
    where ${belongs("findings", tenant_id)} and (${isIn(sql`newer_seq`, seqs)} or ${isIn(sql`older_seq`, seqs)})
      and (retracted_at is null or retracted_why = 'moved') order by id`);
  const ends = [...new Set(found.flatMap(({ newer_seq, older_seq }) => [newer_seq, older_seq]))];
  if (ends.length === 0) return [];
  const stored = yield* rowsOf(sql`select ${ROW_COLUMNS} from memories
    where ${belongs("memories", tenant_id)} and ${isIn(sql`memories.seq`, ends)} and memories.deleted_at is null`);
  const bySeq = new Map(stored.map((row) => [row.seq, row]));
  return found.flatMap((one) => {
    const [newer, older] = [bySeq.get(one.newer_seq), bySeq.get(one.older_seq)];
    return newer && older ? [{ found: one, newer, older }] : [];
  });
}

/** Has findings stand again, with what they did to both rows. */
function* reinstate(work: ChangeWork, pairs: readonly Pair[], by: ChangedBy): Unit<void> {
  if (pairs.length === 0) return;
  const { dialect, tenant_id, policies } = work;
  const ids = pairs.map(({ found }) => found.id);
  yield* run(sql`update findings set retracted_at = null, retracted_why = null
    where ${dialect.belongs("findings", tenant_id)} and ${dialect.isIn(sql`id`, ids)}`);
  for (const { newer } of pairs) yield* queueExpiry(work, newer, by);
  const because = ({ found }: Pair) => policies.conflicts.demotionReason(found);
  const demoted = pairs.map((pair) => [pair.older.seq, `${because(pair)}, superseded by ${pair.newer.id}`] as const);
  yield* recomputeStatuses(work, new Map(demoted), by);
  yield* recomputeLinks(work, new Map(pairs.map((pair) => [pair.newer.seq, because(pair)])), by);
}
