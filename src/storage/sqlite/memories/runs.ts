import { eq } from "drizzle-orm";
import type { PreviousText, RowVectors } from "../../../core/ports/memory-store.ts";
import type { StoredVectors } from "../../common/index-codes.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { memories } from "../engine/tables.ts";
import { memoryVectorsOf } from "../vectors/tables.ts";
import { recode, removeOtherVectors } from "../vectors/vectors.ts";
import type { MemoryRow } from "./rows.ts";

/** The text of the row with this number; null when it is deleted. */
export function previousText(db: Connections, seq: number | null): PreviousText | null {
  if (seq === null) return null;
  return db.writeConnection.query<PreviousText, [number]>(TEXT).get(seq);
}

const TEXT = "select content, content_hash from memories where seq = ? and deleted_at is null";

/** Leaves out what was read together with a text that the row before no longer has: it was changed or deleted meanwhile. */
export function trueVectors(
  db: Connections,
  { previous_seq }: Pick<MemoryRow, "previous_seq">,
  { own, context, secondary }: RowVectors,
): StoredVectors {
  const isTrue = context !== null && previousText(db, previous_seq)?.content_hash === context.previous_hash;
  return { own, context: isTrue ? context.values : null, secondary: secondary ?? null };
}

/** Takes a row out of its run: the rows after it follow the one before it, and none is read together with it any more. */
export function unlinkFromRun(db: Engine, { seq }: Pick<MemoryRow, "seq">): void {
  invalidateContextVectors(db, seq);
  db.writeConnection.query(FOLLOW_THE_ONE_BEFORE).run(seq, seq);
  // Nor is it still taken for the one after it.
  db.writeConnection.query<unknown, [number | null, number]>(FOLLOW).run(null, seq);
}

// Asked again: a row that left in the same breath may have changed what this one follows.
const FOLLOW_THE_ONE_BEFORE = `update memories
  set previous_seq = (select gone.previous_seq from memories gone where gone.seq = ?) where previous_seq = ?`;

/** Puts a row back into its run: between the nearest rows after and before it that are there. */
export function rejoinRun(db: Engine, row: MemoryRow): void {
  if (row.run_id === null) return;
  const { tenant_id, run_id, audience, seq } = row;
  const run: OfRun = [tenant_id, run_id, audience, seq];
  const next = db.writeConnection.query<Neighbour, OfRun>(NEXT_OF_RUN).get(...run);
  // What the row after it follows is the row before it: to look past all that were deleted would take long.
  const before = next ? next.previous_seq : db.writeConnection.query<Neighbour, OfRun>(LAST_BEFORE).get(...run)?.seq;
  const follow = db.writeConnection.query<unknown, [number | null, number]>(FOLLOW);
  follow.run(before ?? null, seq);
  if (!next) return;
  follow.run(seq, next.seq);
  invalidateContextVectors(db, seq);
}

type OfRun = [tenant_id: string, run_id: string, audience: number, seq: number];
type Neighbour = Pick<MemoryRow, "seq" | "previous_seq">;
const OF_RUN = "tenant_id = ? and run_id = ? and audience = ? and deleted_at is null";
const NEXT_OF_RUN = `select seq, previous_seq from memories where ${OF_RUN} and seq > ? order by seq limit 1`;
const LAST_BEFORE = `select seq, previous_seq from memories where ${OF_RUN} and seq < ? order by seq desc limit 1`;
const FOLLOW = "update memories set previous_seq = ? where seq = ?";

/** Drops the vectors in which the rows after this one were read together with its text: that text is no longer theirs to show. */
export function invalidateContextVectors(db: Engine, seq: number): void {
  const vectors = memoryVectorsOf(db.space);
  for (const row of db.drizzleWrite.select().from(memories).where(eq(memories.previous_seq, seq)).all()) {
    removeOtherVectors(db, db.space, row.seq);
    if (recode(db, db.space, { ...row, previous_seq: null })) continue;
    db.drizzleWrite.update(vectors).set({ context: null }).where(eq(vectors.seq, row.seq)).run();
  }
}
