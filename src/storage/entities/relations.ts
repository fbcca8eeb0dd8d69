import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { StoredRelation } from "../../core/ports/entity-store.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows } from "../units/unit.ts";
import type { Reader } from "./seen-by.ts";
import { isAmong, isOfReader, isSeen, nearest } from "./seen-by.ts";

/** Rows that name both of two entities until they count as related, and how closely they then do. */
export const TOGETHER_MIN = 2;
const TOGETHER_TYPE = "related_to";
export const TOGETHER_WEIGHT = 0.5;

/** The relation of two entities that rows name together. */
export const together = (from_entity_id: string, to_entity_id: string): StoredRelation => ({
  id: null,
  from_entity_id,
  relation_type: TOGETHER_TYPE,
  to_entity_id,
  weight: TOGETHER_WEIGHT,
  evidence_memory_id: null,
});

/** Two entities, whichever comes first. */
export const pairOf = (a: string, b: string): string => [a, b].sort().join();

/** Relations that were entered, then those of pairs that rows name together and nobody entered; so many of them. */
export function withTogether(
  entered: readonly StoredRelation[],
  pairs: readonly { readonly x: string; readonly y: string }[],
  max: number,
): StoredRelation[] {
  const known = new Set(entered.map((one) => pairOf(one.from_entity_id, one.to_entity_id)));
  const inferred = pairs.filter(({ x, y }) => !known.has(pairOf(x, y))).map(({ x, y }) => together(x, y));
  return [...entered, ...inferred].slice(0, max);
}

/** An entity next to another one. */
export interface NextEntity {
  readonly seq: number;
  readonly name_key: string;
  readonly weight: number;
  /** Rows that name both, of those looked through. */
  readonly times: number;
}

/** Each entity once, most closely related first; of equally close ones those that more rows name together. */
export function strongest(next: readonly NextEntity[]): NextEntity[] {
  const bySeq = new Map<number, NextEntity>();
  for (const { seq, name_key, weight, times } of next) {
    const known = bySeq.get(seq);
    bySeq.set(seq, { seq, name_key, weight: Math.max(weight, known?.weight ?? 0), times: times + (known?.times ?? 0) });
  }
  return [...bySeq.values()].sort(
    (a, b) => b.weight - a.weight || b.times - a.times || (a.name_key < b.name_key ? -1 : 1),
  );
}

/** Relations shown of one entity, and of a graph. */
const RELATIONS_MAX = 50;
const EDGES_MAX = 2_000;
/** Newest rows looked through for entities that stand together: of one entity, and of a graph. */
const PAGE_ROWS_MAX = 500;
const GRAPH_ROWS_MAX = 5_000;

/** A relation as its readers see it: the evidence only where they see that memory, too. */
const relation = (reader: Reader): SQL => sql`
  r.id, f.id as from_entity_id, r.relation_type, t.id as to_entity_id, r.weight,
  case when exists (select 1 from memories m where m.tenant_id = r.tenant_id and m.id = r.evidence_memory_id
    and m.deleted_at is null and ${isAmong("m", reader)}) then r.evidence_memory_id end as evidence_memory_id`;

/** Holds for a relation `r` that is the one, of those of its ends and type, that a reader is told. */
export const isTold = (reader: Reader): SQL => sql`r.seq = (
  select h.seq from relations h where h.tenant_id = r.tenant_id and h.from_seq = r.from_seq and h.to_seq = r.to_seq
    and h.relation_type = r.relation_type and ${isOfReader("h", reader)} order by ${nearest("h", reader)} limit 1)`;

/** An entity in the middle of its relations. */
interface Middle {
  readonly tenant_id: string;
  readonly seq: number;
  readonly id: string;
}

/** Relations of one entity to others that the reader sees: those entered, and those of rows that name both. */
export function* relationsOf(reader: Reader, { tenant_id, seq, id }: Middle): Unit<StoredRelation[]> {
  const { dialect } = reader;
  const entered = yield* rows<StoredRelation>(sql`
    select ${relation(reader)} from relations r
    join entities f on f.tenant_id = r.tenant_id and f.seq = r.from_seq
    join entities t on t.tenant_id = r.tenant_id and t.seq = r.to_seq
    join entities e on e.tenant_id = r.tenant_id
      and e.seq = case when r.from_seq = ${seq} then r.to_seq else r.from_seq end
    where ${dialect.belongs("r", tenant_id)} and ((r.tenant_id = ${tenant_id} and r.from_seq = ${seq}) or r.to_seq = ${seq})
      and ${isTold(reader)} and ${isSeen(reader)}
    order by r.weight desc, r.seq limit ${int(RELATIONS_MAX)}`);
  const beside = yield* rows<{ id: string }>(sql`
    with own as materialized (
      select o.memory_seq from memory_entities o
      where ${dialect.tenant("o", tenant_id)} and o.entity_seq = ${seq} and ${isAmong("o", reader)}
      order by o.memory_seq desc limit ${int(PAGE_ROWS_MAX)})
    select e.id from (
      select l.entity_seq, count(*) as times from own
      ${dialect.nested} memory_entities l
        on ${dialect.tenant("l", tenant_id)} and l.memory_seq = own.memory_seq and l.entity_seq <> ${seq}
      group by l.entity_seq having count(*) >= ${int(TOGETHER_MIN)}) near
    ${dialect.nested} entities e on e.tenant_id = ${tenant_id} and e.seq = near.entity_seq
    order by near.times desc, e.name_key limit ${int(RELATIONS_MAX)}`);
  const known = new Set(entered.flatMap((one) => [one.from_entity_id, one.to_entity_id]));
  return [...entered, ...beside.filter((one) => !known.has(one.id)).map((one) => together(id, one.id))];
}

/** Entities of a tenant, of one fleet's rows alone when it is named. */
interface Nodes {
  readonly tenant_id: string;
  readonly ids: readonly string[];
  readonly fleet_id?: string | undefined;
}

/** Relations between entities that were entered, as the reader is told them. */
export const enteredAmong = (reader: Reader, { tenant_id, ids }: Nodes): Unit<StoredRelation[]> =>
  rows<StoredRelation>(sql`
    select ${relation(reader)} from entities f
    ${reader.dialect.nested} relations r on r.tenant_id = f.tenant_id and r.from_seq = f.seq
    ${reader.dialect.nested} entities t on t.tenant_id = r.tenant_id and t.seq = r.to_seq
    where ${reader.dialect.belongs("f", tenant_id)} and ${reader.dialect.isIn(sql`f.id`, ids)} and ${reader.dialect.isIn(sql`t.id`, ids)}
      and ${isTold(reader)}
    order by r.weight desc, r.seq limit ${int(EDGES_MAX)}`);

/** Relations among entities that the reader sees. */
export function* relationsAmong(reader: Reader, nodes: Nodes): Unit<StoredRelation[]> {
  const { tenant_id, ids, fleet_id } = nodes;
  if (ids.length === 0) return [];
  const { dialect } = reader;
  const entered = yield* enteredAmong(reader, nodes);
  const ofFleet =
    fleet_id === undefined
      ? sql``
      : sql`and exists (select 1 from memories m
          where m.tenant_id = ${tenant_id} and m.seq = l.memory_seq and m.fleet_id = ${fleet_id})`;
  const beside = yield* rows<{ x: string; y: string }>(sql`
    with nodes as materialized (
      select e.seq, e.id, e.name_key from entities e where ${dialect.belongs("e", tenant_id)} and ${dialect.isIn(sql`e.id`, ids)}),
    near as materialized (
      select distinct l.memory_seq from nodes
      ${dialect.nested} memory_entities l on ${dialect.tenant("l", tenant_id)} and l.entity_seq = nodes.seq
      where ${isAmong("l", reader)} ${ofFleet}
      order by l.memory_seq desc limit ${int(GRAPH_ROWS_MAX)}),
    pairs as (
      select la.entity_seq as a_seq, lb.entity_seq as b_seq, count(*) as times from near
      ${dialect.nested} memory_entities la on ${dialect.tenant("la", tenant_id)} and la.memory_seq = near.memory_seq
      join nodes a on a.seq = la.entity_seq
      ${dialect.nested} memory_entities lb on ${dialect.tenant("lb", tenant_id)} and lb.memory_seq = near.memory_seq
        and lb.entity_seq > la.entity_seq
      join nodes b on b.seq = lb.entity_seq
      group by la.entity_seq, lb.entity_seq having count(*) >= ${int(TOGETHER_MIN)})
    select a.id as x, b.id as y from pairs join nodes a on a.seq = pairs.a_seq join nodes b on b.seq = pairs.b_seq
    order by pairs.times desc, a.name_key, b.name_key limit ${int(EDGES_MAX)}`);
  return withTogether(entered, beside, EDGES_MAX);
}
