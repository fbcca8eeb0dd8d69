import { and, eq, gt, inArray, isNull } from "drizzle-orm";
import type { PreviousText, RowVectors } from "../../ports/memory-store.ts";
import type { Connections } from "./connection.ts";
import type { MemoryRow } from "./rows.ts";
import { memories, memoryVectors } from "./tables.ts";
import type { StoredVectors } from "./vectors.ts";

/** The text of the row with this number; null when it is deleted. */
export function previousText(at: Connections, seq: number | null): PreviousText | null {
  if (seq === null) return null;
  return at.writer.query<PreviousText, [number]>(TEXT).get(seq);
}

const TEXT = "select content, content_hash from memories where seq = ? and deleted_at is null";

/** Leaves out what was read together with a text that the row before no longer has: it was changed or deleted meanwhile. */
export function trueVectors(
  at: Connections,
  { previous_seq }: Pick<MemoryRow, "previous_seq">,
  { own, context }: RowVectors,
): StoredVectors {
  const isTrue = context !== null && previousText(at, previous_seq)?.content_hash === context.previous_hash;
  return { own, context: isTrue ? context.values : null };
}

/** Takes a row out of its run: the rows after it follow the one before it, and none is read together with it any more. */
export function leaveRun(at: Connections, { seq, previous_seq }: Pick<MemoryRow, "seq" | "previous_seq">): void {
  forgetInFollowers(at, seq);
  at.write.update(memories).set({ previous_seq }).where(eq(memories.previous_seq, seq)).run();
}

/** Puts a row back into its run: the rows after it, which had followed the one before it, follow this one again. */
export function rejoinRun(at: Connections, row: MemoryRow): void {
  if (row.run_id === null) return;
  const { tenant_id, run_id, audience, seq, previous_seq } = row;
  const followers = and(
    eq(memories.tenant_id, tenant_id),
    eq(memories.run_id, run_id),
    eq(memories.audience, audience),
    gt(memories.seq, seq),
    previous_seq === null ? isNull(memories.previous_seq) : eq(memories.previous_seq, previous_seq),
  );
  at.write.update(memories).set({ previous_seq: seq }).where(followers).run();
  forgetInFollowers(at, seq);
}

/** Drops the vectors in which the rows after this one were read together with its text: that text is no longer theirs to show. */
export function forgetInFollowers(at: Connections, seq: number): void {
  const followers = at.write.select({ seq: memories.seq }).from(memories).where(eq(memories.previous_seq, seq));
  at.write.update(memoryVectors).set({ context: null }).where(inArray(memoryVectors.seq, followers)).run();
}
