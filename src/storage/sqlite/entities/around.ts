import type { SQLQueryBindings } from "bun:sqlite";
import type { Around, EntityNeighbourhood } from "../../../core/ports/entity-store.ts";
import type { ReadScope } from "../../../core/ports/memory-filter.ts";
import type { MemoryKey } from "../../../core/ports/stored-memory.ts";
import type { NextEntity } from "../../common/related-entities.ts";
import { strongest, TOGETHER_MIN, TOGETHER_WEIGHT, withTogether } from "../../common/related-entities.ts";
import type { Connections } from "../engine/connection.ts";
import { countedEntities, seenEntity } from "./counted.ts";
import { enteredAmong, isTold } from "./relations.ts";
import type { Reader } from "./seen-by.ts";
import { IS_SEEN, readerOf, seenBy } from "./seen-by.ts";

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

/** Told relations of one entity to others that the reader sees. */
const ENTERED = `
  select e.seq, e.name_key, max(r.weight) as weight, 0 as times from (
    select * from (select seq from relations where tenant_id = ?3 and from_seq = ?4
      order by seq desc limit ${RELATIONS_EACH_WAY})
    union select * from (select seq from relations where to_seq = ?4 order by seq desc limit ${RELATIONS_EACH_WAY})
  ) near cross join relations r on r.seq = near.seq
  cross join entities e on e.seq = case when r.from_seq = ?4 then r.to_seq else r.from_seq end and e.seq <> ?4
  where ${isTold()} and ${IS_SEEN} group by e.seq order by weight desc, e.name_key limit ${BESIDE_MAX}`;

const NEWEST_ROWS = `select memory_seq as seq from memory_entities
  where entity_seq = ? and audience in (select value from json_each(?)) order by memory_seq desc limit ?`;

/** What rows name beside one entity. */
const BESIDE = `
  select e.seq, e.name_key, ${TOGETHER_WEIGHT} as weight, count(*) as times from (
    select l.entity_seq from json_each(?1) row cross join memory_entities l on l.memory_seq = row.value
    where l.entity_seq <> ?2 limit ${MENTIONS_MAX}) l
  cross join entities e on e.seq = l.entity_seq
  group by e.seq having count(*) >= ${TOGETHER_MIN} order by times desc, e.name_key limit ${BESIDE_MAX}`;

/** Which two of some entities rows name together. */
const PAIRS = `
  with nodes as materialized (select seq, id, name_key from entities where seq in (select value from json_each(?1))),
  named as materialized (
    select l.memory_seq, l.entity_seq from json_each(?2) row
    cross join memory_entities l on l.memory_seq = row.value
    where l.entity_seq in (select seq from nodes) limit ${MENTIONS_MAX})
  select a.id as x, b.id as y from named la
  join named lb on lb.memory_seq = la.memory_seq and lb.entity_seq > la.entity_seq
  join nodes a on a.seq = la.entity_seq join nodes b on b.seq = lb.entity_seq
  group by a.seq, b.seq having count(*) >= ${TOGETHER_MIN}
  order by count(*) desc, a.name_key, b.name_key limit ${EDGES_MAX}`;

/** Entities by number in the order in which they are shown, and the rows that were looked through for them. */
interface Found {
  readonly hops: ReadonlyMap<number, number>;
  readonly rows: readonly number[];
}

/**
 * An entity with what it is related to, as entered and by rows that name both; null when the reader does not see it. What is
 * looked through does not grow with the rows that name it.
 */
export function entitiesAround(
  db: Connections,
  key: MemoryKey,
  { read_scope, hops, limit, bytes }: Around & { readonly read_scope: ReadScope },
): EntityNeighbourhood | null {
  const reader = readerOf(db, read_scope);
  const middle = seenEntity(db.readConnection, reader, key);
  if (!middle) return null;
  const found = follow(db, { reader, tenant_id: key.tenant_id, middle: middle.seq, hops, limit });
  const seqs = [...found.hops.keys()];
  const counted = countedEntities(db, reader, seqs, bytes);
  const nodes = seqs.flatMap((seq) => counted.get(seq) ?? []);
  const far = seqs.flatMap((seq): [string, number][] => {
    const node = counted.get(seq);
    return node ? [[node.id, found.hops.get(seq) ?? 0]] : [];
  });
  const entered = enteredAmong(
    db,
    reader,
    nodes.map(({ id }) => id),
  );
  const pairs = db.readConnection
    .query<{ x: string; y: string }, SQLQueryBindings[]>(PAIRS)
    .all(JSON.stringify(seqs), JSON.stringify(found.rows));
  return { nodes, edges: withTogether(entered, pairs, EDGES_MAX), hops: new Map(far) };
}

interface Walk {
  readonly reader: Reader;
  readonly tenant_id: string;
  readonly middle: number;
  readonly hops: number;
  readonly limit: number;
}

function follow(db: Connections, { reader, tenant_id, middle, hops, limit }: Walk): Found {
  const shown = new Map([[middle, 0]]);
  const rows = new Set<number>();
  const nextTo = (seq: number, rows_max: number): NextEntity[] => {
    const named = db.readConnection
      .query<{ seq: number }, SQLQueryBindings[]>(NEWEST_ROWS)
      .all(seq, reader.audiences, rows_max)
      .map((row) => row.seq);
    for (const row of named) rows.add(row);
    const next = (sql: string, ...bound: SQLQueryBindings[]) =>
      db.readConnection.query<NextEntity, SQLQueryBindings[]>(sql).all(...bound);
    return strongest([
      ...next(ENTERED, ...seenBy(reader), tenant_id, seq),
      ...next(BESIDE, JSON.stringify(named), seq),
    ]);
  };
  const show = (next: readonly NextEntity[], far: number) => {
    for (const { seq } of next.filter((one) => !shown.has(one.seq)).slice(0, limit - shown.size)) shown.set(seq, far);
  };
  const first = nextTo(middle, ROWS_OF_MIDDLE);
  show(first, 1);
  if (hops === 2 && shown.size < limit) {
    const second = first.slice(0, FOLLOWED_MAX).flatMap((by) =>
      // A relation of a relation is as close as both of them are.
      nextTo(by.seq, ROWS_OF_NEXT).map((one) => ({ ...one, weight: one.weight * by.weight })),
    );
    show(strongest(second), 2);
  }
  return { hops: shown, rows: [...rows].sort((a, b) => b - a) };
}
