import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Around, EntityNeighbourhood } from "../../core/ports/entity-store.ts";
import type { ReadScope } from "../../core/ports/memory-filter.ts";
import type { MemoryKey } from "../../core/ports/stored-memory.ts";
import type { Item } from "../units/dialect.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows } from "../units/unit.ts";
import type { Work } from "../units/work.ts";
import { countedEntities, seenEntity } from "./counted.ts";
import type { NextEntity } from "./relations.ts";
import { enteredAmong, isTold, strongest, TOGETHER_MIN, TOGETHER_WEIGHT, withTogether } from "./relations.ts";
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
export function* entitiesAround(
  work: Work,
  key: MemoryKey,
  { read_scope, hops, limit, bytes }: Around & { readonly read_scope: ReadScope },
): Unit<EntityNeighbourhood | null> {
  const { tenant_id } = key;
  const reader = yield* readerOf(work, read_scope);
  const middle = yield* seenEntity(reader, key);
  if (!middle) return null;
  const found = yield* follow(reader, { tenant_id, middle: middle.seq, hops, limit });
  const seqs = [...found.hops.keys()];
  const counted = yield* countedEntities(reader, { tenant_id, seqs, bytes });
  const nodes = seqs.flatMap((seq) => counted.get(seq) ?? []);
  const far = seqs.flatMap((seq): [string, number][] => {
    const node = counted.get(seq);
    return node ? [[node.id, found.hops.get(seq) ?? 0]] : [];
  });
  const entered = yield* enteredAmong(reader, { tenant_id, ids: nodes.map(({ id }) => id) });
  const pairs = yield* namedTogether(work, tenant_id, { seqs, rows: found.rows });
  return { nodes, edges: withTogether(entered, pairs, EDGES_MAX), hops: new Map(far) };
}

/** Which two of some entities rows name together. */
const namedTogether = (
  { dialect }: Work,
  tenant_id: string,
  among: { readonly seqs: readonly number[]; readonly rows: readonly number[] },
): Unit<{ x: string; y: string }[]> =>
  rows<{ x: string; y: string }>(sql`
    with nodes as materialized (
      select seq, id, name_key from entities where ${dialect.belongs("entities", tenant_id)} and ${dialect.isIn(sql`seq`, among.seqs)}),
    named as materialized (
      select l.memory_seq, l.entity_seq
      from ${dialect.records(placed(among.rows), "near", { seq: "int", place: "int" })}
      ${dialect.nested} memory_entities l on ${dialect.tenant("l", tenant_id)} and l.memory_seq = near.seq
      where ${dialect.isIn(sql`l.entity_seq`, among.seqs)} order by near.place limit ${int(MENTIONS_MAX)}),
    pairs as (
      select la.entity_seq as a_seq, lb.entity_seq as b_seq, count(*) as times from named la
      join named lb on lb.memory_seq = la.memory_seq and lb.entity_seq > la.entity_seq
      group by la.entity_seq, lb.entity_seq having count(*) >= ${int(TOGETHER_MIN)})
    select a.id as x, b.id as y from pairs join nodes a on a.seq = pairs.a_seq join nodes b on b.seq = pairs.b_seq
    order by pairs.times desc, a.name_key, b.name_key limit ${int(EDGES_MAX)}`);

const placed = (seqs: readonly number[]) => seqs.map((seq, place) => ({ seq, place }));

interface Walk {
  readonly tenant_id: string;
  readonly middle: number;
  readonly hops: number;
  readonly limit: number;
}

function* follow(reader: Reader, { tenant_id, middle, hops, limit }: Walk): Unit<Found> {
  const shown = new Map([[middle, 0]]);
  const show = (next: readonly NextEntity[], far: number) => {
    for (const { seq } of next.filter((one) => !shown.has(one.seq)).slice(0, limit - shown.size)) shown.set(seq, far);
  };
  const first = yield* nextTo(reader, { tenant_id, seqs: [middle], rows_max: ROWS_OF_MIDDLE });
  const next = strongest(first.next);
  show(next, 1);
  if (hops !== 2 || shown.size >= limit) return { hops: shown, rows: first.rows };
  const followed = next.slice(0, FOLLOWED_MAX);
  const second = yield* nextTo(reader, { tenant_id, seqs: followed.map(({ seq }) => seq), rows_max: ROWS_OF_NEXT });
  // A relation of a relation is as close as both of them are.
  const far = followed.flatMap(({ weight }, by) =>
    strongest(second.next.filter(({ place }) => place === by)).map((one) => ({ ...one, weight: one.weight * weight })),
  );
  show(strongest(far), 2);
  return { hops: shown, rows: newestFirst([...first.rows, ...second.rows]) };
}

const newestFirst = (seqs: readonly number[]): number[] => [...new Set(seqs)].sort((a, b) => b - a);

interface From {
  readonly tenant_id: string;
  readonly seqs: readonly number[];
  /** Newest rows of each that are looked through. */
  readonly rows_max: number;
}

const MIDDLE = { seq: "int" } as const;

/** What is next to each of some entities, by its place among them, and the rows that were looked through for it, newest first. */
function* nextTo(reader: Reader, from: From) {
  const { each } = reader.dialect;
  const middles = from.seqs.map((seq) => ({ seq }));
  const entered = yield* each<NextEntity>(middles, MIDDLE, (mid) => enteredBeside(reader, from, mid));
  const named = yield* each<NextEntity>(middles, MIDDLE, (mid) => namedBeside(reader, from, mid));
  const near = yield* each<{ seq: number }>(
    middles,
    MIDDLE,
    (mid) => sql`select own.memory_seq as seq from ${newestRows(reader, from, mid)}`,
  );
  return { next: [...entered, ...named], rows: newestFirst(near.map(({ seq }) => seq)) };
}

/** Newest rows `own` of an entity. */
const newestRows = (reader: Reader, { tenant_id, rows_max }: From, mid: Item): SQL => sql`(
  select o.memory_seq from memory_entities o
  where ${reader.dialect.tenant("o", tenant_id)} and o.entity_seq = ${mid.of("seq")} and ${isAmong("o", reader)}
  order by o.memory_seq desc limit ${int(rows_max)}) own`;

/** Told relations of an entity to others that the reader sees. */
function enteredBeside(reader: Reader, { tenant_id }: From, mid: Item): SQL {
  const newest = (end: "from_seq" | "to_seq", ofTenant: SQL, where: SQL) => sql`select * from (
    select r.* from relations r where ${ofTenant} and r.${sql.raw(end)} = ${mid.of("seq")} and ${where}
    order by r.seq desc limit ${int(RELATIONS_EACH_WAY)}) ${sql.raw(end)}_relations`;
  return sql`
    select e.seq, e.name_key, max(r.weight) as weight, 0 as times from (
      ${newest("from_seq", sql`r.tenant_id = ${tenant_id}`, sql`true`)}
      union all ${newest("to_seq", reader.dialect.belongs("r", tenant_id), sql`r.from_seq <> ${mid.of("seq")}`)}) r
    ${reader.dialect.nested} entities e on e.tenant_id = ${tenant_id} and e.seq <> ${mid.of("seq")}
      and e.seq = case when r.from_seq = ${mid.of("seq")} then r.to_seq else r.from_seq end
    where ${isTold(reader)} and ${isSeen(reader)} group by e.seq, e.name_key
    order by weight desc, e.name_key limit ${int(BESIDE_MAX)}`;
}

/** What rows name beside an entity. */
function namedBeside(reader: Reader, from: From, mid: Item): SQL {
  const { nested, tenant } = reader.dialect;
  return sql`
    select e.seq, e.name_key, cast(${TOGETHER_WEIGHT} as double precision) as weight, near.times from (
      select l.entity_seq, count(*) as times from (
        select l.entity_seq from ${newestRows(reader, from, mid)}
        ${nested} memory_entities l on ${tenant("l", from.tenant_id)} and l.memory_seq = own.memory_seq
        where l.entity_seq <> ${mid.of("seq")} limit ${int(MENTIONS_MAX)}) l
      group by l.entity_seq having count(*) >= ${int(TOGETHER_MIN)}) near
    ${nested} entities e on e.tenant_id = ${from.tenant_id} and e.seq = near.entity_seq
    order by near.times desc, e.name_key limit ${int(BESIDE_MAX)}`;
}
