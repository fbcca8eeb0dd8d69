import type { SQLQueryBindings } from "bun:sqlite";
import type { StoredRelation } from "../../../core/ports/entity-store.ts";
import { TOGETHER_MIN, together, withTogether } from "../../common/related-entities.ts";
import type { Connections } from "../engine/connection.ts";
import type { Reader } from "./seen-by.ts";
import { IS_SEEN, isOfReader, nearest, seenBy } from "./seen-by.ts";

/** Relations shown of one entity, and of a graph. */
const RELATIONS_MAX = 50;
const EDGES_MAX = 2_000;
/** Newest rows looked through for entities that stand together: of one entity, and of a graph. */
const PAGE_ROWS_MAX = 500;
const GRAPH_ROWS_MAX = 5_000;
/** A relation as its readers see it: the evidence only where they see that memory, too. */
const RELATION = `r.id, f.id as from_entity_id, r.relation_type, t.id as to_entity_id, r.weight,
  case when exists (select 1 from memories m where m.id = r.evidence_memory_id and m.tenant_id = r.tenant_id
    and m.deleted_at is null and m.audience in (select value from json_each(?2))) then r.evidence_memory_id end
  as evidence_memory_id`;
/** Holds for a relation `r` that is the one, of those of its ends and type, that a reader is told. */
export const isTold = (fleets = "?1"): string => `r.seq = (
  select h.seq from relations h where h.tenant_id = r.tenant_id and h.from_seq = r.from_seq and h.to_seq = r.to_seq
    and h.relation_type = r.relation_type and ${isOfReader("h", fleets)} order by ${nearest("h", fleets)} limit 1)`;

/** Relations of one entity to others that the reader sees: those entered, and those of rows that name both. */
export function relationsOf(db: Connections, reader: Reader, entity: { seq: number; id: string }): StoredRelation[] {
  const entered = db.readConnection
    .query<StoredRelation, SQLQueryBindings[]>(
      `select ${RELATION} from relations r
      join entities f on f.seq = r.from_seq join entities t on t.seq = r.to_seq
      join entities e on e.seq = case when r.from_seq = ?3 then r.to_seq else r.from_seq end
      where (r.from_seq = ?3 or r.to_seq = ?3) and ${isTold()} and ${IS_SEEN}
      order by r.weight desc, r.seq limit ${RELATIONS_MAX}`,
    )
    .all(...seenBy(reader), entity.seq);
  const beside = db.readConnection
    .query<{ id: string }, SQLQueryBindings[]>(
      `with own as (
        select memory_seq from memory_entities
        where entity_seq = ?1 and audience in (select value from json_each(?2))
        order by memory_seq desc limit ${PAGE_ROWS_MAX})
      select e.id from own
      cross join memory_entities l on l.memory_seq = own.memory_seq and l.entity_seq <> ?1
      cross join entities e on e.seq = l.entity_seq
      group by l.entity_seq having count(*) >= ${TOGETHER_MIN}
      order by count(*) desc, e.name_key limit ${RELATIONS_MAX}`,
    )
    .all(entity.seq, reader.audiences);
  const known = new Set(entered.flatMap((one) => [one.from_entity_id, one.to_entity_id]));
  return [...entered, ...beside.filter(({ id }) => !known.has(id)).map(({ id }) => together(entity.id, id))];
}

/** Relations between entities that were entered, as the reader is told them. */
export const enteredAmong = (db: Connections, reader: Reader, ids: readonly string[]): StoredRelation[] =>
  db.readConnection
    .query<StoredRelation, SQLQueryBindings[]>(
      `select ${RELATION} from json_each(?3) node
      cross join entities f on f.id = node.value
      cross join relations r on r.tenant_id = f.tenant_id and r.from_seq = f.seq
      cross join entities t on t.seq = r.to_seq
      where t.id in (select value from json_each(?3)) and ${isTold()}
      order by r.weight desc, r.seq limit ${EDGES_MAX}`,
    )
    .all(...seenBy(reader), JSON.stringify(ids));

/** Relations among entities that the reader sees, all of one fleet's rows when it is named. */
export function relationsAmong(
  db: Connections,
  reader: Reader,
  { ids, fleet_id }: { ids: readonly string[]; fleet_id: string | undefined },
): StoredRelation[] {
  const entered = enteredAmong(db, reader, ids);
  const beside = db.readConnection
    .query<{ x: string; y: string }, SQLQueryBindings[]>(
      `with nodes as (select e.seq, e.id, e.name_key from entities e where e.id in (select value from json_each(?1))),
      rows as (
        select distinct l.memory_seq from nodes cross join memory_entities l on l.entity_seq = nodes.seq
        where l.audience in (select value from json_each(?2))
          and (?3 is null or exists (select 1 from memories m where m.seq = l.memory_seq and m.fleet_id = ?3))
        order by l.memory_seq desc limit ${GRAPH_ROWS_MAX})
      select a.id as x, b.id as y from rows
      cross join memory_entities la on la.memory_seq = rows.memory_seq
      join nodes a on a.seq = la.entity_seq
      cross join memory_entities lb on lb.memory_seq = rows.memory_seq and lb.entity_seq > la.entity_seq
      join nodes b on b.seq = lb.entity_seq
      group by a.seq, b.seq having count(*) >= ${TOGETHER_MIN}
      order by count(*) desc, a.name_key, b.name_key limit ${EDGES_MAX}`,
    )
    .all(JSON.stringify(ids), reader.audiences, fleet_id ?? null);
  return withTogether(entered, beside, EDGES_MAX);
}
