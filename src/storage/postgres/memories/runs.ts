import { sql } from "drizzle-orm";
import type { PreviousText, RowVectors } from "../../../core/ports/memory-store.ts";
import { tablesOf } from "../../common/sides.ts";
import type { TenantWork } from "../engine/work.ts";
import type { StoredVectors } from "../vectors/vectors.ts";
import { recode, removeOtherVectors } from "../vectors/vectors.ts";
import type { MemoryRow } from "./rows.ts";

/** The text of the row with this number; null when it is deleted. */
export async function previousText(work: TenantWork, seq: number | null): Promise<PreviousText | null> {
  if (seq === null) return null;
  return work.row<PreviousText>(sql`select content, content_hash from memories
    where tenant_id = ${work.tenant_id} and seq = ${seq} and deleted_at is null`);
}

/** Leaves out what was read together with a text that the row before no longer has: it was changed or deleted meanwhile. */
export async function trueVectors(
  work: TenantWork,
  { previous_seq }: Pick<MemoryRow, "previous_seq">,
  { own, context, secondary }: RowVectors,
): Promise<StoredVectors> {
  const before = context === null ? null : await previousText(work, previous_seq);
  const isTrue = context !== null && before?.content_hash === context.previous_hash;
  return { own, context: isTrue ? context.values : null, secondary: secondary ?? null };
}

/** Takes a row out of its run: the rows after it follow the one before it, and none is read together with it any more. */
export async function unlinkFromRun(work: TenantWork, { seq }: Pick<MemoryRow, "seq">): Promise<void> {
  const { tenant_id } = work;
  await invalidateContextVectors(work, seq);
  // Asked again: a row that left in the same breath may have changed what this one follows.
  await work.run(sql`update memories set previous_seq =
      (select gone.previous_seq from memories gone where gone.tenant_id = ${tenant_id} and gone.seq = ${seq})
    where tenant_id = ${tenant_id} and previous_seq = ${seq}`);
  // Nor is it still taken for the one after it.
  await follow(work, seq, null);
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
  await follow(work, seq, before);
  if (!next) return;
  await follow(work, next.seq, seq);
  await invalidateContextVectors(work, seq);
}

type Neighbour = Pick<MemoryRow, "seq" | "previous_seq">;

const follow = (work: TenantWork, seq: number, previous_seq: number | null) =>
  work.run(
    sql`update memories set previous_seq = ${previous_seq}::bigint where tenant_id = ${work.tenant_id} and seq = ${seq}`,
  );

/** Drops the vectors in which the rows after this one were read together with its text: that text is no longer theirs to show. */
export async function invalidateContextVectors(work: TenantWork, seq: number): Promise<void> {
  const after = await work.rows<MemoryRow>(
    sql`select * from memories where tenant_id = ${work.tenant_id} and previous_seq = ${seq}`,
  );
  for (const row of after) {
    await removeOtherVectors(work, work.space, [row.seq]);
    if (await recode(work, work.space, { ...row, previous_seq: null })) continue;
    await work.run(sql`update ${sql.raw(tablesOf(work.space).memory_vectors)} set context = null
      where tenant_id = ${work.tenant_id} and seq = ${row.seq}`);
  }
}
