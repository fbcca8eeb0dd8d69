import { sql } from "drizzle-orm";
import type { Around, EntityNeighbourhood } from "../../../core/ports/entity-store.ts";
import type { ReadScope } from "../../../core/ports/memory-filter.ts";
import type { MemoryKey } from "../../../core/ports/stored-memory.ts";
import type { NextEntity } from "../../common/related-entities.ts";
import { strongest, TOGETHER_MIN, TOGETHER_WEIGHT, withTogether } from "../../common/related-entities.ts";
import { intArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import { countedEntities, seenEntity } from "./counted.ts";
import { enteredAmong, isTold } from "./relations.ts";
import type { Reader } from "./seen-by.ts";
import { isAmong, isSeen, readerOf } from "./seen-by.ts";

/** Newest rows looked through for what stands beside the entity in the middle, and beside each one next to it. */
const ROWS_OF_MIDDLE = 500;
const ROWS_OF_NEXT = 200;
/** Of those next to the middle, the most closely related are followed further. */
const FOLLOWED_MAX = 25;
/** Mentions in those rows that are counted, and newest relations looked through each way. */
const MENTIONS_MAX = 20_000;
const RELATIONS_EACH_WAY = 1_000;
/** Entities that one is followed to. */
const BESIDE_MAX = 200;
/** Relations shown. */
const EDGES_MAX = 2_000;

/** Entities by number in the order in which they are shown, and the rows that were looked through for them. */
interface Found {
  readonly hops: ReadonlyMap<number, number>;
  readonly rows: readonly number[];
}

/**
 * An entity with what it is related to, as entered and by rows that name both; null when the reader does not see it. What is
 * looked through does not grow with the rows that name it.
 */
export async function entitiesAround(
  work: Work,
  key: MemoryKey,
  { read_scope, hops, limit, bytes }: Around & { readonly read_scope: ReadScope },
): Promise<EntityNeighbourhood | null> {
  const { tenant_id } = key;
  const reader = await readerOf(work, read_scope);
  const middle = await seenEntity(work, reader, key);
  if (!middle) return null;
  const found = await follow(work, { reader, tenant_id, middle: middle.seq, hops, limit });
  const seqs = [...found.hops.keys()];
  const counted = await countedEntities(work, reader, { tenant_id, seqs, bytes });
  const nodes = seqs.flatMap((seq) => counted.get(seq) ?? []);
  const far = seqs.flatMap((seq): [string, number][] => {
    const node = counted.get(seq);
    return node ? [[node.id, found.hops.get(seq) ?? 0]] : [];
  });
  const entered = await enteredAmong(work, reader, { tenant_id, ids: nodes.map(({ id }) => id) });
  const pairs = await namedTogether(work, tenant_id, { seqs, rows: found.rows });
  return { nodes, edges: withTogether(entered, pairs, EDGES_MAX), hops: new Map(far) };
}

/** Which two of some entities rows name together. */
const namedTogether = (work: Work, tenant_id: string, within: { seqs: readonly number[]; rows: readonly number[] }) =>
  work.rows<{ x: string; y: string }>(sql`
    with nodes as materialized (
      select seq, id, name_key from entities where tenant_id = ${tenant_id} and seq = any(${intArray(within.seqs)})),
    named as materialized (
      select l.memory_seq, l.entity_seq from unnest(${intArray(within.rows)}) with ordinality as near (seq, place)
      join memory_entities l on l.tenant_id = ${tenant_id} and l.memory_seq = near.seq
      where l.entity_seq = any(${intArray(within.seqs)}) order by near.place limit ${MENTIONS_MAX}::int)
    select a.id as x, b.id as y from named la
    join named lb on lb.memory_seq = la.memory_seq and lb.entity_seq > la.entity_seq
    join nodes a on a.seq = la.entity_seq join nodes b on b.seq = lb.entity_seq
    group by a.id, a.name_key, b.id, b.name_key having count(*) >= ${TOGETHER_MIN}::int
    order by count(*) desc, a.name_key, b.name_key limit ${EDGES_MAX}::int`);

interface Walk {
  readonly reader: Reader;
  readonly tenant_id: string;
  readonly middle: number;
  readonly hops: number;
  readonly limit: number;
}

async function follow(work: Work, { reader, tenant_id, middle, hops, limit }: Walk): Promise<Found> {
  const shown = new Map([[middle, 0]]);
  const show = (next: readonly NextEntity[], far: number) => {
    for (const { seq } of next.filter((one) => !shown.has(one.seq)).slice(0, limit - shown.size)) shown.set(seq, far);
  };
  const first = await nextTo(work, reader, { tenant_id, seqs: [middle], rows_max: ROWS_OF_MIDDLE });
  const next = strongest(first.next);
  show(next, 1);
  if (hops !== 2 || shown.size >= limit) return { hops: shown, rows: first.rows };
  const followed = next.slice(0, FOLLOWED_MAX);
  const seqs = followed.map(({ seq }) => seq);
  const weightOf = new Map(followed.map(({ seq, weight }) => [seq, weight]));
  const second = await nextTo(work, reader, { tenant_id, seqs, rows_max: ROWS_OF_NEXT });
  // A relation of a relation is as close as both of them are.
  const far = seqs.flatMap((by) =>
    strongest(second.next.filter(({ of }) => of === by)).map((one) => ({
      ...one,
      weight: one.weight * (weightOf.get(by) ?? 0),
    })),
  );
  show(strongest(far), 2);
  const rows = new Set([...first.rows, ...second.rows]);
  return { hops: shown, rows: [...rows].sort((a, b) => b - a) };
}

interface From {
  readonly tenant_id: string;
  readonly seqs: readonly number[];
  /** Newest rows of each that are looked through. */
  readonly rows_max: number;
}

/** What is next to each of some entities, and the rows that were looked through for it, newest first. */
async function nextTo(work: Work, reader: Reader, from: From) {
  const entered = await enteredBeside(work, reader, from);
  const named = await namedBeside(work, reader, from);
  const rows = await work.rows<{ seq: number }>(sql`
    select distinct own.memory_seq as seq from unnest(${intArray(from.seqs)}) as mid (seq)
    cross join lateral ${newestRows(reader, from)} order by seq desc`);
  return { next: [...entered, ...named], rows: rows.map(({ seq }) => seq) };
}

/** What is next to one of several entities. */
interface NextOf extends NextEntity {
  readonly of: number;
}

/** Newest rows `own` of an entity `mid`. */
const newestRows = ({ audiences }: Reader, { tenant_id, rows_max }: From) => sql`(
  select o.memory_seq from memory_entities o
  where o.tenant_id = ${tenant_id} and o.entity_seq = mid.seq and ${isAmong("o", audiences)}
  order by o.memory_seq desc limit ${rows_max}::int) own`;

/** Told relations of each entity to others that the reader sees. */
const enteredBeside = (work: Work, reader: Reader, { tenant_id, seqs }: From): Promise<NextOf[]> =>
  work.rows<NextOf>(sql`
    select mid.seq as of, beside.* from unnest(${intArray(seqs)}) as mid (seq)
    cross join lateral (
      select e.seq, e.name_key, max(r.weight) as weight, 0 as times from (
        (select r.* from relations r where r.tenant_id = ${tenant_id} and r.from_seq = mid.seq
          order by r.seq desc limit ${RELATIONS_EACH_WAY}::int)
        union all
        (select r.* from relations r where r.tenant_id = ${tenant_id} and r.to_seq = mid.seq
          and r.from_seq <> mid.seq order by r.seq desc limit ${RELATIONS_EACH_WAY}::int)
      ) r join entities e on e.tenant_id = r.tenant_id and e.seq <> mid.seq
        and e.seq = case when r.from_seq = mid.seq then r.to_seq else r.from_seq end
      where ${isTold(reader)} and ${isSeen(reader)} group by e.seq, e.name_key
      order by weight desc, e.name_key limit ${BESIDE_MAX}::int) beside`);

/** What rows name beside each entity. */
const namedBeside = (work: Work, reader: Reader, from: From): Promise<NextOf[]> =>
  work.rows<NextOf>(sql`
    select mid.seq as of, beside.* from unnest(${intArray(from.seqs)}) as mid (seq)
    cross join lateral (
      select e.seq, e.name_key, ${TOGETHER_WEIGHT}::double precision as weight, count(*) as times from (
        select l.entity_seq from ${newestRows(reader, from)}
        join memory_entities l on l.tenant_id = ${from.tenant_id} and l.memory_seq = own.memory_seq
        where l.entity_seq <> mid.seq limit ${MENTIONS_MAX}::int) l
      join entities e on e.tenant_id = ${from.tenant_id} and e.seq = l.entity_seq
      group by e.seq, e.name_key having count(*) >= ${TOGETHER_MIN}::int
      order by times desc, e.name_key limit ${BESIDE_MAX}::int) beside`);
