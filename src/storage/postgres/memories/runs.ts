import { sql } from "drizzle-orm";
import type { PreviousText, RowVectors } from "../../../core/ports/memory-store.ts";
import { tablesOf } from "../../common/sides.ts";
import { intArray, recordsValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import type { Recoded, RowToCode } from "../vectors/vectors.ts";
import { recode, removeOtherVectors } from "../vectors/vectors.ts";
import type { MemoryRow } from "./rows.ts";

/** The text of the row with this number; null when it is deleted. */
export async function previousText(work: TenantWork, seq: number | null): Promise<PreviousText | null> {
  if (seq === null) return null;
  return work.row<PreviousText>(sql`select content, content_hash from memories
    where tenant_id = ${work.tenant_id} and seq = ${seq} and deleted_at is null`);
}

/** A row in its run, and what an embedder made of its text. */
export interface ReadRow {
  readonly row: Recoded;
  readonly vectors: RowVectors;
}

/**
 * The vectors of rows as they may be stored: without what was read together with a text that the row before no longer has, as
 * it was changed or deleted meanwhile.
 */
export async function trueVectors(work: TenantWork, read: readonly ReadRow[]): Promise<RowToCode[]> {
  const before = read.flatMap(({ row: { previous_seq }, vectors }) =>
    previous_seq === null || vectors.context === null ? [] : [previous_seq],
  );
  const texts =
    before.length === 0
      ? []
      : await work.rows<{ seq: number; content_hash: string }>(sql`select seq, content_hash from memories
          where tenant_id = ${work.tenant_id} and seq = any(${intArray(before)}) and deleted_at is null`);
  const hashes = new Map<number | null, string>(texts.map(({ seq, content_hash }) => [seq, content_hash]));
  return read.map(({ row, vectors: { own, context, secondary } }) => {
    const isTrue = context !== null && hashes.get(row.previous_seq) === context.previous_hash;
    return { row, vectors: { own, context: isTrue ? context.values : null, secondary: secondary ?? null } };
  });
}

/** Takes rows out of their runs: the rows after them follow those before them, and none is read together with them any more. */
export async function unlinkFromRuns(
  work: TenantWork,
  rows: readonly Pick<MemoryRow, "seq" | "run_id">[],
): Promise<void> {
  const gone = rows.filter(({ run_id }) => run_id !== null).map(({ seq }) => seq);
  if (gone.length === 0) return;
  // Asked again: what these follow may have changed since they were read.
  const concerned = await work.rows<Follower>(sql`select ${FOLLOWER} from memories
    where tenant_id = ${work.tenant_id} and (seq = any(${intArray(gone)}) or previous_seq = any(${intArray(gone)}))`);
  const leaving = new Map<number | null, number | null>();
  for (const seq of gone) leaving.set(seq, null);
  for (const { seq, previous_seq } of concerned) if (leaving.has(seq)) leaving.set(seq, previous_seq);
  await invalidate(
    work,
    concerned.filter(({ previous_seq }) => leaving.has(previous_seq)),
  );
  await follow(
    work,
    concerned.map(({ seq, previous_seq }) => {
      // Nor are they still taken for those after them.
      if (leaving.has(seq)) return { seq, previous_seq: null };
      let before = previous_seq;
      while (leaving.has(before)) before = leaving.get(before) ?? null;
      return { seq, previous_seq: before };
    }),
  );
}

/** Puts a row back into its run: between the nearest rows after and before it that are there. */
export async function rejoinRun(work: TenantWork, { run_id, audience, seq }: MemoryRow): Promise<void> {
  if (run_id === null) return;
  const ofRun = sql`tenant_id = ${work.tenant_id} and run_id = ${run_id} and audience = ${audience} and deleted_at is null`;
  const next = await work.row<Neighbour>(
    sql`select seq, previous_seq from memories where ${ofRun} and seq > ${seq} order by seq limit 1`,
  );
  // What the row after it follows is the row before it: to look past all that were deleted would take long.
  const before = next
    ? next.previous_seq
    : ((
        await work.row<Neighbour>(
          sql`select seq, previous_seq from memories where ${ofRun} and seq < ${seq} order by seq desc limit 1`,
        )
      )?.seq ?? null);
  if (!next) return follow(work, [{ seq, previous_seq: before }]);
  await follow(work, [
    { seq, previous_seq: before },
    { seq: next.seq, previous_seq: seq },
  ]);
  await invalidateContextVectors(work, seq);
}

type Neighbour = Pick<MemoryRow, "seq" | "previous_seq">;

async function follow(work: TenantWork, rows: readonly Neighbour[]): Promise<void> {
  await work.run(sql`update memories m set previous_seq = f.previous_seq
    from json_to_recordset(${recordsValue(rows)}) as f (seq bigint, previous_seq bigint)
    where m.tenant_id = ${work.tenant_id} and m.seq = f.seq`);
}

/** A row that may have been read together with another one. */
type Follower = Pick<MemoryRow, "seq" | "previous_seq" | "author" | "audience" | "memory_type" | "deleted_at">;
const FOLLOWER = sql.raw("seq, previous_seq, author, audience, memory_type, deleted_at");

/** Drops the vectors in which the rows after this one were read together with its text: that text is no longer theirs to show. */
export async function invalidateContextVectors(work: TenantWork, seq: number): Promise<void> {
  const after = await work.rows<Follower>(
    sql`select ${FOLLOWER} from memories where tenant_id = ${work.tenant_id} and previous_seq = ${seq}`,
  );
  await invalidate(work, after);
}

/** Drops the vectors in which rows were read together with the ones before them; what is deleted stays out of the indexes. */
async function invalidate(work: TenantWork, followers: readonly Follower[]): Promise<void> {
  if (followers.length === 0) return;
  const seqs = followers.map(({ seq }) => seq);
  await removeOtherVectors(work, work.space, seqs);
  const live = followers.filter(({ deleted_at }) => deleted_at === null);
  const recoded = await recode(
    work,
    work.space,
    live.map((row) => ({ ...row, previous_seq: null })),
  );
  const others = seqs.filter((seq) => !recoded.has(seq));
  if (others.length === 0) return;
  await work.run(sql`update ${sql.raw(tablesOf(work.space).memory_vectors)} set context = null
    where tenant_id = ${work.tenant_id} and seq = any(${intArray(others)})`);
}
