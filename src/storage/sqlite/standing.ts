import { and, asc, desc, eq, isNull } from "drizzle-orm";
import type { Actor } from "../../ports/memory-store.ts";
import type { MemoryStatus } from "../../schema/memory.ts";
import { insertAudit } from "./audit.ts";
import type { Connections } from "./connection.ts";
import { findings, memoryChecks } from "./detection-tables.ts";
import type { MemoryRow } from "./rows.ts";
import { memories } from "./tables.ts";

/** Who changes something, and when. */
export interface By {
  readonly actor: Actor;
  readonly now: string;
  readonly nowMs: number;
}

/** The status a row had before the detector demoted it; null when its present one is not the detector's. */
export function formerStatus(at: Connections, seq: number): MemoryStatus | null {
  const kept = at.write.select().from(memoryChecks).where(eq(memoryChecks.memory_seq, seq)).get();
  return kept?.former_status ?? null;
}

/** Keeps the status that the detector is about to replace; null says that the present one is not the detector's. */
export function setFormerStatus(at: Connections, seq: number, former_status: MemoryStatus | null): void {
  at.write
    .insert(memoryChecks)
    .values({ memory_seq: seq, content_hash: null, checked_at: null, embedded: false, former_status })
    .onConflictDoUpdate({ target: memoryChecks.memory_seq, set: { former_status } })
    .run();
}

type Demoted = Pick<MemoryRow, "seq" | "id" | "tenant_id" | "status"> & { readonly former: MemoryStatus };

/**
 * Gives a row that the detector demoted the status that the findings about it make of it: what one of them calls outdated is
 * outdated; without any, it has its former status back. True when it does.
 */
export function settleStatus(at: Connections, row: Demoted, reason: string, by: By): boolean {
  const standing = at.write
    .select({ status: findings.status })
    .from(findings)
    .where(and(eq(findings.older_seq, row.seq), isNull(findings.retracted_at)))
    .all();
  const isFree = standing.length === 0;
  if (isFree) setFormerStatus(at, row.seq, null);
  const found = standing.some(({ status }) => status === "outdated") ? "outdated" : "conflicted";
  const status = isFree ? row.former : found;
  if (status === row.status) return isFree;
  at.write.update(memories).set({ status }).where(eq(memories.seq, row.seq)).run();
  audit(at, row, { action: "memory.status", before: { status: row.status }, after: { status }, reason }, by);
  return isFree;
}

/** Has a row point at the older row that it most surely supersedes, unless the one it points at still is one of those. */
export function chooseSuperseded(at: Connections, row: MemoryRow, reason: string, by: By): void {
  const older = at.write
    .select({ id: memories.id })
    .from(findings)
    .innerJoin(memories, eq(memories.seq, findings.older_seq))
    .where(and(eq(findings.newer_seq, row.seq), isNull(findings.retracted_at)))
    .orderBy(desc(findings.confidence), asc(findings.id))
    .all();
  if (older.some(({ id }) => id === row.supersedes_id)) return;
  const supersedes_id = older[0]?.id ?? null;
  if (supersedes_id === row.supersedes_id) return;
  at.write.update(memories).set({ supersedes_id }).where(eq(memories.seq, row.seq)).run();
  const before = { supersedes_id: row.supersedes_id };
  audit(at, row, { action: "memory.supersede", before, after: { supersedes_id }, reason }, by);
}

interface Change {
  readonly action: string;
  readonly before: Readonly<Record<string, string | null>>;
  readonly after: Readonly<Record<string, string | null>>;
  readonly reason: string;
}

const audit = (at: Connections, row: Pick<MemoryRow, "id" | "tenant_id">, change: Change, by: By): void =>
  insertAudit(at, by.actor, [{ ...change, tenant_id: row.tenant_id, at: by.now, target_id: row.id }]);
