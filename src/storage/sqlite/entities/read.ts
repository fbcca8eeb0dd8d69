import type { SQLQueryBindings } from "bun:sqlite";
import type {
  CountedEntity,
  DescribedEntity,
  EntityGraph,
  EntityListing,
  EntityPage,
} from "../../../core/ports/entity-store.ts";
import type { ReadScope } from "../../../core/ports/memory-filter.ts";
import type { Page } from "../../../core/ports/page.ts";
import type { MemoryKey } from "../../../core/ports/stored-memory.ts";
import { nameKey } from "../../../text/names/name-key.ts";
import type { Connections } from "../engine/connection.ts";
import { pageOf, sizeText } from "../engine/page-size.ts";
import type { CountedRow, SizedRow } from "./counted.ts";
import { attributesIn, countsOf, ENTRY, FLEET_COUNTS, NAMED, TOLD, toCounted } from "./counted.ts";
import { attributesOf } from "./entries.ts";
import { relationsAmong, relationsOf } from "./relations.ts";
import { IS_ENTERED_ALIAS, IS_SEEN, isOfReader, NAME_SEEN, readerOf, seenBy, TYPE_SEEN } from "./seen-by.ts";

/** Newest memories that an entity's page names, and other names of it. */
const PAGE_MEMORIES_MAX = 20;
const PAGE_ALIASES_MAX = 50;

/** Those named most often first. What was never entered by hand is shown only as far as the reader's own rows tell of it. */
export function listEntities(db: Connections, filter: EntityListing): Page<CountedEntity> {
  const found = sizedEntities(db, { ...filter, limit: filter.limit + 1 });
  return pageOf(
    filter,
    () => found.map(({ size }) => size),
    (count) => withAttributes(db, found.slice(0, count)),
  );
}

function sizedEntities(db: Connections, filter: EntityListing): SizedRow[] {
  const { read_scope, fleet_id, entity_type, search, limit, offset } = filter;
  const counts = fleet_id === undefined ? countsOf("true") : FLEET_COUNTS;
  return db.readConnection
    .query<SizedRow, SQLQueryBindings[]>(
      `select ${NAMED}, t.seq as entry_seq, ${sizeText("t", ["attributes"])} as size, e.memory_count, e.since from (
        select e.*, coalesce(c.n, 0) as memory_count, c.since
        from entities e left join (${counts}) c on c.entity_seq = e.seq
        where e.tenant_id = ?3
          and (c.n is not null or exists (
            select 1 from entity_entries h where h.entity_seq = e.seq and (?4 is null or h.fleet_id = ?4) and ${isOfReader("h")}))
          and (?5 is null or ${TYPE_SEEN} = ?5)
          and (?6 is null or instr(e.name_key, ?6) > 0 or exists (
            select 1 from entity_aliases a where a.entity_seq = e.seq and instr(a.alias_key, ?6) > 0
              and (${IS_ENTERED_ALIAS} or a.audience in (select value from json_each(?2)))))
        order by memory_count desc, e.name_key limit ?7 offset ?8) e ${ENTRY}
      order by e.memory_count desc, e.name_key`,
    )
    .all(
      ...seenBy(readerOf(db, read_scope, fleet_id)),
      read_scope.tenant_id,
      fleet_id ?? null,
      entity_type ?? null,
      search ?? null,
      limit,
      offset,
    );
}

function withAttributes(db: Connections, rows: readonly SizedRow[]): CountedEntity[] {
  const known = attributesIn(db, rows);
  return rows.map(({ entry_seq, size: _size, ...row }) => toCounted({ ...row, attributes: known(entry_seq) }));
}

/** The entities of a list, and how they are related to each other. */
export function entityGraph(db: Connections, filter: EntityListing): EntityGraph {
  const { items: nodes, more } = listEntities(db, filter);
  const ids = nodes.map(({ id }) => id);
  return {
    nodes,
    more,
    edges: relationsAmong(db, readerOf(db, filter.read_scope, filter.fleet_id), { ids, fleet_id: filter.fleet_id }),
  };
}

/** The entity with all that its page shows; null when the reader does not see it. */
export function getEntity(db: Connections, key: MemoryKey, read_scope: ReadScope): EntityPage | null {
  const reader = readerOf(db, read_scope);
  const row = db.readConnection
    .query<CountedRow, SQLQueryBindings[]>(
      `select ${TOLD}, coalesce(c.n, 0) as memory_count, c.since
      from entities e left join (${countsOf("own.id = ?4")}) c on c.entity_seq = e.seq ${ENTRY}
      where e.tenant_id = ?3 and e.id = ?4 and ${IS_SEEN}`,
    )
    .get(...seenBy(reader), key.tenant_id, key.id);
  if (!row) return null;
  const aliases = db.readConnection
    .query<{ name: string; alias_key: string }, SQLQueryBindings[]>(
      `select name, alias_key from entity_aliases a
      where a.entity_seq = ?3 and (${IS_ENTERED_ALIAS} or a.audience in (select value from json_each(?2)))
      group by alias_key order by count(*) desc, name limit ${PAGE_ALIASES_MAX}`,
    )
    .all(...seenBy(reader), row.seq);
  const newest = db.readConnection
    .query<{ id: string }, SQLQueryBindings[]>(
      `select m.id from memory_entities l join memories m on m.seq = l.memory_seq
      where l.entity_seq = ? and l.audience in (select value from json_each(?))
      order by l.memory_seq desc limit ${PAGE_MEMORIES_MAX}`,
    )
    .all(row.seq, reader.audiences);
  const called = nameKey(row.canonical_name);
  return {
    ...toCounted(row),
    aliases: aliases.filter(({ alias_key }) => alias_key !== called).map(({ name }) => name),
    relations: relationsOf(db, reader, row),
    memory_ids: newest.map(({ id }) => id),
  };
}

interface DescribedRow extends Omit<DescribedEntity, "attributes"> {
  readonly entry_seq: number | null;
  /** Bytes of the attributes, as often as they are asked for. */
  readonly size: number;
}

/** Entities by id, as the reader knows them; attributes that would go beyond so many bytes are left out unread. */
export function describeEntities(
  db: Connections,
  read_scope: ReadScope,
  { ids, bytes }: { readonly ids: readonly string[]; readonly bytes: number },
): DescribedEntity[] {
  if (ids.length === 0) return [];
  const rows = db.readConnection
    .query<DescribedRow, SQLQueryBindings[]>(
      `select e.id, ${TYPE_SEEN} as entity_type, ${NAME_SEEN} as canonical_name, t.seq as entry_seq,
        wanted.times * coalesce(octet_length(t.attributes), 0) as size
      from (select value as id, min(key) as place, count(*) as times from json_each(?4) group by value) wanted
      cross join entities e on e.id = wanted.id ${ENTRY}
      where e.tenant_id = ?3 and ${IS_SEEN} order by wanted.place`,
    )
    .all(...seenBy(readerOf(db, read_scope)), read_scope.tenant_id, JSON.stringify(ids));
  let room = bytes;
  const fits = rows.map(({ size }) => {
    if (size > room) return false;
    room -= size;
    return true;
  });
  const known = attributesIn(
    db,
    rows.filter((_row, i) => fits[i]),
  );
  return rows.map(({ entry_seq, size: _size, ...row }, i) => ({
    ...row,
    attributes: fits[i] ? (attributesOf({ attributes: known(entry_seq) }) ?? {}) : null,
  }));
}
