import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type {
  CountedEntity,
  DescribedEntity,
  EntityGraph,
  EntityListing,
  EntityPage,
} from "../../core/ports/entity-store.ts";
import type { ReadScope } from "../../core/ports/memory-filter.ts";
import type { Page } from "../../core/ports/page.ts";
import type { MemoryKey } from "../../core/ports/stored-memory.ts";
import { nameKey } from "../../text/names/name-key.ts";
import { int, jsonIn } from "../units/dialect.ts";
import { fitting } from "../units/page.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { Work } from "../units/work.ts";
import type { CountedRow, SizedRow } from "./counted.ts";
import { attributesIn, counts, entry, entrySize, named, thatFit, toCounted } from "./counted.ts";
import { relationsAmong, relationsOf } from "./relations.ts";
import type { Reader } from "./seen-by.ts";
import {
  isAmong,
  isKnownAlias,
  isNameKnown,
  isOfReader,
  isSeen,
  nameSeen,
  OF_ENTITY,
  readerOf,
  typeSeen,
} from "./seen-by.ts";

/** Newest memories that an entity's page names, and other names of it. */
const PAGE_MEMORIES_MAX = 20;
const PAGE_ALIASES_MAX = 50;

/** Those named most often first. What was never entered by hand is shown only as far as the reader's own rows tell of it. */
export function* listEntities(work: Work, filter: EntityListing): Unit<Page<CountedEntity>> {
  const reader = yield* readerOf(work, filter.read_scope, filter.fleet_id);
  const found = yield* sizedEntities(reader, filter);
  const count = fitting(
    found.map(({ size }) => size),
    filter,
  );
  const shown = found.slice(0, count);
  const known = yield* attributesIn(work.dialect, filter.read_scope.tenant_id, shown);
  return {
    items: shown.map(({ entry_seq, size: _size, ...one }) => toCounted({ ...one, attributes: known(entry_seq) })),
    more: count < found.length,
  };
}

/** One more than may be on a page. */
function sizedEntities(reader: Reader, filter: EntityListing): Unit<SizedRow[]> {
  const { read_scope, fleet_id, entity_type, limit, offset } = filter;
  const { dialect } = reader;
  const ofFleet = fleet_id === undefined ? sql`` : sql`and h.fleet_id = ${fleet_id}`;
  const ofType = entity_type === undefined ? sql`` : sql`and ${typeSeen(reader)} = ${entity_type}`;
  return rows<SizedRow>(sql`
    select ${named(reader)}, t.seq as entry_seq, ${entrySize(dialect)} as size, e.memory_count, e.since from (
      select e.*, coalesce(c.n, 0) as memory_count, c.since
      from entities e left join (${countsOfAll(filter, reader)}) c on c.entity_seq = e.seq
      where e.tenant_id = ${read_scope.tenant_id}
        and (c.n is not null or exists (select 1 from entity_entries h
          where ${dialect.tenant("h", OF_ENTITY)} and h.entity_seq = e.seq ${ofFleet} and ${isOfReader("h", reader)}))
        ${ofType} ${isCalled(filter, reader)}
      order by memory_count desc, e.name_key limit cast(${limit + 1} as bigint) offset cast(${offset} as bigint)) e
    ${entry(reader)}
    order by e.memory_count desc, e.name_key`);
}

/** How often each entity of the tenant is named by rows of the reader, of one fleet where one is named, and since when. */
function countsOfAll({ read_scope: { tenant_id }, fleet_id }: EntityListing, reader: Reader): SQL {
  const { dialect } = reader;
  if (fleet_id !== undefined)
    return sql`select l.entity_seq, count(*) as n, min(m.created_at) as since
      from memories m join memory_entities l on ${dialect.tenant("l", tenant_id)} and l.memory_seq = m.seq
      where m.tenant_id = ${tenant_id} and m.fleet_id = ${fleet_id} and ${isAmong("l", reader)} group by l.entity_seq`;
  const ofTenant = dialect.tellsTenants
    ? sql`entity_audiences a where ${dialect.tenant("a", tenant_id)}`
    : sql`entities own ${dialect.nested} entity_audiences a on a.entity_seq = own.seq where own.tenant_id = ${tenant_id}`;
  return sql`select a.entity_seq, cast(sum(a.links) as bigint) as n, min(a.since) as since
    from ${ofTenant} and ${isAmong("a", reader)} group by a.entity_seq`;
}

/** Holds for an entity `e` that one of its names tells to be looked for. */
function isCalled({ search }: EntityListing, reader: Reader): SQL {
  if (search === undefined) return sql``;
  const { dialect } = reader;
  return sql`and ((${dialect.contains(sql`e.name_key`, search)} and ${isNameKnown(reader)}) or exists (select 1 from entity_aliases a
    where ${dialect.belongs("a", OF_ENTITY)} and a.entity_seq = e.seq and ${dialect.contains(sql`a.alias_key`, search)}
      and ${isKnownAlias(reader)}))`;
}

/** The entities of a list, and how they are related to each other. */
export function* entityGraph(work: Work, filter: EntityListing): Unit<EntityGraph> {
  const { read_scope, fleet_id } = filter;
  const { items: nodes, more } = yield* listEntities(work, filter);
  const reader = yield* readerOf(work, read_scope, fleet_id);
  const ids = nodes.map(({ id }) => id);
  const edges = yield* relationsAmong(reader, { tenant_id: read_scope.tenant_id, ids, fleet_id });
  return { nodes, more, edges };
}

/** The entity with all that its page shows; null when the reader does not see it. */
export function* getEntity(work: Work, key: MemoryKey, read_scope: ReadScope): Unit<EntityPage | null> {
  const { tenant_id } = key;
  const { dialect } = work;
  const reader = yield* readerOf(work, read_scope);
  const found = yield* row<CountedRow>(sql`
    select ${named(reader)}, t.attributes, ${counts(reader)} from entities e ${entry(reader)}
    where e.tenant_id = ${tenant_id} and e.id = ${key.id} and ${isSeen(reader)}`);
  if (!found) return null;
  const aliases = yield* rows<{ name: string; alias_key: string }>(sql`
    select min(a.name) as name, a.alias_key from entity_aliases a
    where ${dialect.belongs("a", tenant_id)} and a.entity_seq = ${found.seq} and ${isKnownAlias(reader)}
    group by a.alias_key order by count(*) desc, name limit ${int(PAGE_ALIASES_MAX)}`);
  const newest = yield* rows<{ id: string }>(sql`
    select m.id from memory_entities l ${dialect.nested} memories m on m.tenant_id = ${tenant_id} and m.seq = l.memory_seq
    where ${dialect.tenant("l", tenant_id)} and l.entity_seq = ${found.seq} and ${isAmong("l", reader)}
    order by l.memory_seq desc limit ${int(PAGE_MEMORIES_MAX)}`);
  const called = nameKey(found.canonical_name);
  return {
    ...toCounted({ ...found, attributes: jsonIn(found.attributes) }),
    aliases: aliases.filter(({ alias_key }) => alias_key !== called).map(({ name }) => name),
    relations: yield* relationsOf(reader, found),
    memory_ids: newest.map(({ id }) => id),
  };
}

interface DescribedRow extends Omit<DescribedEntity, "attributes"> {
  readonly entry_seq: number | null;
  /** Bytes of the attributes, as often as they are asked for. */
  readonly size: number;
}

/** Entities by id, as the reader knows them; attributes that would go beyond so many bytes are left out unread. */
export function* describeEntities(
  work: Work,
  read_scope: ReadScope,
  { ids, bytes }: { readonly ids: readonly string[]; readonly bytes: number },
): Unit<DescribedEntity[]> {
  if (ids.length === 0) return [];
  const { dialect } = work;
  const { tenant_id } = read_scope;
  const reader = yield* readerOf(work, read_scope);
  const wanted = [...Map.groupBy(ids, (id) => id)].map(([id, { length: times }], place) => ({ id, place, times }));
  const found = yield* rows<DescribedRow>(sql`
    select e.id, ${typeSeen(reader)} as entity_type, ${nameSeen(reader)} as canonical_name, t.seq as entry_seq,
      wanted.times * coalesce(${dialect.bytesOf(sql`t.attributes`)}, 0) as size
    from ${dialect.records(wanted, "wanted", { id: "text", place: "int", times: "int" })}
    ${dialect.nested} entities e on e.tenant_id = ${tenant_id} and e.id = wanted.id ${entry(reader)}
    where ${isSeen(reader)} order by wanted.place`);
  const fits = thatFit(found, bytes);
  const known = yield* attributesIn(dialect, tenant_id, [...fits]);
  return found.map((one) => {
    const { entry_seq, size: _size, ...described } = one;
    return { ...described, attributes: fits.has(one) ? (known(entry_seq) ?? {}) : null };
  });
}
