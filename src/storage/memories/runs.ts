import { sql } from "drizzle-orm";
import type { RowVectors } from "../../core/ports/memory-store.ts";
import { tablesOf } from "../common/sides.ts";
import type { Recoded, RowToCode } from "../units/memory-index.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { ChangeWork, TenantWork } from "../units/work.ts";
import type { MemoryRow } from "./rows.ts";

/** A row in its run, and what an embedder made of its text. */
export interface ReadRow {
  readonly row: Recoded;
  readonly vectors: RowVectors;
}

/**
 * The vectors of rows as they may be stored: without what was read together with a text that the row before no longer has, as
 * it was changed or deleted meanwhile.
 */
export function* trueVectors({ dialect, tenant_id }: TenantWork, read: readonly ReadRow[]): Unit<RowToCode[]> {
  const earlier = read.flatMap(({ row: { previous_seq }, vectors }) =>
    previous_seq === null || vectors.context === null ? [] : [previous_seq],
  );
  const texts =
    earlier.length === 0
      ? []
      : yield* rows<{ seq: number; content_hash: string }>(sql`select seq, content_hash from memories
          where ${dialect.belongs("memories", tenant_id)} and ${dialect.isIn(sql`seq`, earlier)} and deleted_at is null`);
  const hashes = new Map<number | null, string>(texts.map(({ seq, content_hash }) => [seq, content_hash]));
  return read.map(({ row, vectors: { own, context } }) => {
    const isTrue = context !== null && hashes.get(row.previous_seq) === context.previous_hash;
    return { row, vectors: { own, context: isTrue ? context.values : null } };
  });
}

/** A row that may have been read together with another one. */
type Follower = Pick<MemoryRow, "seq" | "previous_seq" | "author" | "audience" | "memory_type" | "deleted_at">;
const FOLLOWER = sql.raw("seq, previous_seq, author, audience, memory_type, deleted_at");

/** A row by its place in a run. */
type InRun = Pick<MemoryRow, "seq" | "run_id">;
const numbersOf = (inRuns: readonly InRun[]): number[] =>
  inRuns.filter(({ run_id }) => run_id !== null).map(({ seq }) => seq);

/** Takes rows out of their runs: the rows after them follow those before them, and none is read together with them any more. */
export function* unlinkFromRuns(work: ChangeWork, inRuns: readonly InRun[]): Unit<void> {
  const gone = numbersOf(inRuns);
  if (gone.length === 0) return;
  const { isIn, belongs } = work.dialect;
  // Asked again: what these follow may have changed since they were read.
  const concerned = yield* rows<Follower>(sql`select ${FOLLOWER} from memories
    where ${belongs("memories", work.tenant_id)} and (${isIn(sql`seq`, gone)} or ${isIn(sql`previous_seq`, gone)})`);
  const leaving = new Map<number | null, number | null>();
  for (const seq of gone) leaving.set(seq, null);
  for (const { seq, previous_seq } of concerned) if (leaving.has(seq)) leaving.set(seq, previous_seq);
  yield* invalidate(
    work,
    concerned.filter(({ previous_seq }) => leaving.has(previous_seq)),
  );
  yield* follow(
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

/** Puts rows that are to come back, and are deleted still, into their runs: between the nearest rows after and before them. */
export function* rejoinRuns(work: ChangeWork, inRuns: readonly InRun[]): Unit<void> {
  const back = numbersOf(inRuns);
  if (back.length === 0) return;
  const links: Neighbour[] = [];
  const places = yield* placesOf(work, back);
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
  yield* follow(work, links);
  const nexts = places.flatMap(({ next }) => next ?? []);
  yield* invalidate(
    work,
    yield* rows<Follower>(sql`select ${FOLLOWER} from memories
      where ${work.dialect.belongs("memories", work.tenant_id)} and ${work.dialect.isIn(sql`seq`, nexts)}`),
  );
}

const NO_PLACE = { next: null, next_follows: null, before: null };

/** Where in their runs rows belong, in order. */
function placesOf({ dialect, tenant_id }: TenantWork, seqs: readonly number[]): Unit<Place[]> {
  const ofRun = (of: string) =>
    sql`n.tenant_id = ${tenant_id} and ${sql.raw(`n.run_id = ${of}.run_id
    and n.audience = ${of}.audience`)} and n.deleted_at is null`;
  return rows<Place>(sql`
    with back as (
      select m.seq, m.run_id, m.audience,
        (select n.seq from memories n where ${ofRun("m")} and n.seq > m.seq order by n.seq limit 1) as next
      from memories m where ${dialect.belongs("m", tenant_id)} and ${dialect.isIn(sql`m.seq`, seqs)}
    ), placed as (select back.*, min(seq) over (partition by run_id, audience, next) as earliest from back)
    select p.seq, p.run_id, p.audience, p.next, (
        select n.previous_seq from memories n where ${dialect.belongs("n", tenant_id)} and n.seq = p.next
      ) as next_follows, case when p.next is null and p.seq = p.earliest then (
        select n.seq from memories n where ${ofRun("p")} and n.seq < p.seq order by n.seq desc limit 1
      ) end as before
    from placed p order by p.seq`);
}

type Neighbour = Pick<MemoryRow, "seq" | "previous_seq">;

function* follow({ dialect, tenant_id }: TenantWork, neighbours: readonly Neighbour[]): Unit<void> {
  yield* run(sql`update memories as m set previous_seq = f.previous_seq
    from ${dialect.records(neighbours, "f", { seq: "int", previous_seq: "int" })}
    where ${dialect.belongs("m", tenant_id)} and m.seq = f.seq`);
}

/** Drops the vectors in which the rows after this one were read together with its text: that text is no longer theirs to show. */
export function* invalidateContextVectors(work: ChangeWork, seq: number): Unit<void> {
  yield* invalidate(
    work,
    yield* rows<Follower>(sql`select ${FOLLOWER} from memories
      where ${work.dialect.belongs("memories", work.tenant_id)} and previous_seq = ${seq}`),
  );
}

/** Drops the vectors in which rows were read together with the ones before them; what is deleted stays out of the indexes. */
function* invalidate(work: ChangeWork, followers: readonly Follower[]): Unit<void> {
  if (followers.length === 0) return;
  const { dialect, index, tenant_id } = work;
  const seqs = followers.map(({ seq }) => seq);
  yield* index.removeOtherVectors(seqs);
  const live = followers.filter(({ deleted_at }) => deleted_at === null);
  const recoded = yield* index.recode(live.map((row) => ({ ...row, previous_seq: null })));
  const others = seqs.filter((seq) => !recoded.has(seq));
  if (others.length === 0) return;
  yield* run(sql`update ${sql.raw(tablesOf(work.space).memory_vectors)} as v set context = null
    where ${dialect.tenant("v", tenant_id)} and ${dialect.isIn(sql`v.seq`, others)}`);
}
