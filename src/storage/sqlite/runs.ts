import { eq, inArray } from "drizzle-orm";
import type { Connections } from "./connection.ts";
import type { MemoryRow } from "./rows.ts";
import { memories, memoryVectors } from "./tables.ts";

/** Takes a row out of its run: the rows after it follow the one before it, and none is read together with it any more. */
export function leaveRun(at: Connections, { seq, previous_seq }: Pick<MemoryRow, "seq" | "previous_seq">): void {
  forgetInFollowers(at, seq);
  at.write.update(memories).set({ previous_seq }).where(eq(memories.previous_seq, seq)).run();
}

/** Drops the vectors in which the rows after this one were read together with its text: that text is no longer theirs to show. */
export function forgetInFollowers(at: Connections, seq: number): void {
  const followers = at.write.select({ seq: memories.seq }).from(memories).where(eq(memories.previous_seq, seq));
  at.write.update(memoryVectors).set({ context: null }).where(inArray(memoryVectors.seq, followers)).run();
}
