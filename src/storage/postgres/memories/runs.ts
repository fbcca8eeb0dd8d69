import { sql } from "drizzle-orm";
import type { PreviousText, RowVectors } from "../../../core/ports/memory-store.ts";
import { tablesOf } from "../../common/sides.ts";
import type { Recoded, RowToCode } from "../../units/memory-index.ts";
import { intArray, recordsValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
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

/** A row that comes back, and the live rows beside it in its run. */
interface Place {
  readonly seq: number;
  readonly run_id: string;
  readonly audience: number;
  /** The one after it, and what that one follows. */
  readonly next: number | null;
  readonly next_follows: number | null;
  /** The one before it; told of the first of those that have none after them. */
  readonly before: number | null;
}

const OF_RUN = sql.raw(
  "n.tenant_id = m.tenant_id and n.run_id = m.run_id and n.audience = m.audience and n.deleted_at is null",
);

/** Puts rows that are to come back, and are deleted still, into their runs: between the nearest rows after and before them. */
export async function rejoinRuns(work: TenantWork, rows: readonly Pick<MemoryRow, "seq" | "run_id">[]): Promise<void> {
  const back = rows.filter(({ run_id }) => run_id !== null).map(({ seq }) => seq);
  if (back.length === 0) return;
  const links: Neighbour[] = [];
  const places = await placesOf(work, back);
  for (const beside of Map.groupBy(places, ({ run_id, audience, next }) =>
    JSON.stringify([run_id, audience, next]),
  ).values()) {
    const [{ next, next_follows, before } = NO_PLACE] = beside;
    // What the row after them follows is the row before them: to look past all that were deleted would take long.
    let last = next === null ? before : next_follows;
    for (const { seq } of beside) {
      links.push({ seq, previous_seq: last });
      last = seq;
    }
    if (next !== null) links.push({ seq: next, previous_seq: last });
  }
  await follow(work, links);
  const nexts = places.flatMap(({ next }) => next ?? []);
  await invalidate(
    work,
    await work.rows<Follower>(
      sql`select ${FOLLOWER} from memories where tenant_id = ${work.tenant_id} and seq = any(${intArray(nexts)})`,
    ),
  );
}

const NO_PLACE = { next: null, next_follows: null, before: null };

/** Where in their runs rows belong, in order. */
const placesOf = (work: TenantWork, seqs: readonly number[]): Promise<Place[]> =>
  work.rows<Place>(sql`
    with m as (
      select m.tenant_id, m.seq, m.run_id, m.audience, next.seq as next, next.previous_seq as next_follows
      from memories m left join lateral (
        select n.seq, n.previous_seq from memories n where ${OF_RUN} and n.seq > m.seq order by n.seq limit 1
      ) next on true
      where m.tenant_id = ${work.tenant_id} and m.seq = any(${intArray(seqs)})
    ), placed as (select *, min(seq) over (partition by run_id, audience, next) as first from m)
    select m.seq, m.run_id, m.audience, m.next, m.next_follows, case when m.next is null and m.seq = m.first then (
      select n.seq from memories n where ${OF_RUN} and n.seq < m.seq order by n.seq desc limit 1
    ) end as before
    from placed m order by m.seq`);

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
