import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
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
import { fitting } from "../../common/page-size.ts";
import { textArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import type { CountedRow, SizedRow } from "./counted.ts";
import { attributesIn, counts, ENTRY_SIZE, entry, named, toCounted } from "./counted.ts";
import { relationsAmong, relationsOf } from "./relations.ts";
import type { Reader } from "./seen-by.ts";
import { isAmong, isKnownAlias, isOfReader, isSeen, nameSeen, readerOf, typeSeen } from "./seen-by.ts";

/** Newest memories that an entity's page names, and other names of it. */
const PAGE_MEMORIES_MAX = 20;
const PAGE_ALIASES_MAX = 50;

/** Those named most often first. What was never entered by hand is shown only as far as the reader's own rows tell of it. */
export async function listEntities(work: Work, filter: EntityListing): Promise<Page<CountedEntity>> {
  const found = await sizedEntities(work, filter);
  const count = fitting(
    found.map(({ size }) => size),
    filter,
  );
  const rows = found.slice(0, count);
  const known = await attributesIn(work, filter.read_scope.tenant_id, rows);
  return {
    items: rows.map(({ entry_seq, size: _size, ...row }) => toCounted({ ...row, attributes: known(entry_seq) })),
    more: count < found.length,
  };
}

/** One more than may be on a page. */
async function sizedEntities(work: Work, filter: EntityListing): Promise<SizedRow[]> {
  const { read_scope, fleet_id, entity_type, limit, offset } = filter;
  const reader = await readerOf(work, read_scope, fleet_id);
  const ofFleet = fleet_id === undefined ? sql`` : sql`and h.fleet_id = ${fleet_id}`;
  const ofType = entity_type === undefined ? sql`` : sql`and ${typeSeen(reader)} = ${entity_type}`;
  return work.rows<SizedRow>(sql`
    select ${named(reader)}, t.seq as entry_seq, ${ENTRY_SIZE} as size, e.memory_count, e.since from (
      select e.*, coalesce(c.n, 0) as memory_count, c.since
      from entities e left join (${countsOfAll(filter, reader)}) c on c.entity_seq = e.seq
      where e.tenant_id = ${read_scope.tenant_id}
        and (c.n is not null or exists (select 1 from entity_entries h
          where h.tenant_id = e.tenant_id and h.entity_seq = e.seq ${ofFleet} and ${isOfReader("h", reader)}))
        ${ofType} ${isCalled(filter, reader)}
      order by memory_count desc, e.name_key limit ${limit + 1}::bigint offset ${offset}::bigint) e
    ${entry(reader)}
    order by e.memory_count desc, e.name_key`);
}

/** How often each entity of the tenant is named by rows of the reader, of one fleet where one is named, and since when. */
function countsOfAll({ read_scope: { tenant_id }, fleet_id }: EntityListing, { audiences }: Reader): SQL {
  if (fleet_id === undefined)
    return sql`select a.entity_seq, sum(a.links)::bigint as n, min(a.since) as since from entity_audiences a
      where a.tenant_id = ${tenant_id} and ${isAmong("a", audiences)} group by a.entity_seq`;
  return sql`select l.entity_seq, count(*) as n, min(m.created_at) as since
    from memories m join memory_entities l on l.tenant_id = m.tenant_id and l.memory_seq = m.seq
    where m.tenant_id = ${tenant_id} and m.fleet_id = ${fleet_id} and ${isAmong("l", audiences)} group by l.entity_seq`;
}

/** Holds for an entity `e` that one of its names tells to be looked for. */
function isCalled({ search }: EntityListing, reader: Reader): SQL {
  if (search === undefined) return sql``;
  return sql`and (strpos(e.name_key, ${search}) > 0 or exists (select 1 from entity_aliases a
    where a.tenant_id = e.tenant_id and a.entity_seq = e.seq and strpos(a.alias_key, ${search}) > 0
      and ${isKnownAlias(reader)}))`;
}

/** The entities of a list, and how they are related to each other. */
export async function entityGraph(work: Work, filter: EntityListing): Promise<EntityGraph> {
  const { read_scope, fleet_id } = filter;
  const { items: nodes, more } = await listEntities(work, filter);
  const reader = await readerOf(work, read_scope, fleet_id);
  const ids = nodes.map(({ id }) => id);
  return { nodes, more, edges: await relationsAmong(work, reader, { tenant_id: read_scope.tenant_id, ids, fleet_id }) };
}

/** The entity with all that its page shows; null when the reader does not see it. */
export async function getEntity(work: Work, key: MemoryKey, read_scope: ReadScope): Promise<EntityPage | null> {
  const { tenant_id } = key;
  const reader = await readerOf(work, read_scope);
  const row = await work.row<CountedRow>(sql`
    select ${named(reader)}, t.attributes, c.n as memory_count, c.since
    from entities e ${counts(reader)} ${entry(reader)}
    where e.tenant_id = ${tenant_id} and e.id = ${key.id} and ${isSeen(reader)}`);
  if (!row) return null;
  const aliases = await work.rows<{ name: string; alias_key: string }>(sql`
    select min(a.name) as name, a.alias_key from entity_aliases a
    where a.tenant_id = ${tenant_id} and a.entity_seq = ${row.seq} and ${isKnownAlias(reader)}
    group by a.alias_key order by count(*) desc, name limit ${PAGE_ALIASES_MAX}::int`);
  const newest = await work.rows<{ id: string }>(sql`
    select m.id from memory_entities l join memories m on m.tenant_id = l.tenant_id and m.seq = l.memory_seq
    where l.tenant_id = ${tenant_id} and l.entity_seq = ${row.seq} and ${isAmong("l", reader.audiences)}
    order by l.memory_seq desc limit ${PAGE_MEMORIES_MAX}::int`);
  const called = nameKey(row.canonical_name);
  return {
    ...toCounted(row),
    aliases: aliases.filter(({ alias_key }) => alias_key !== called).map(({ name }) => name),
    relations: await relationsOf(work, reader, row),
    memory_ids: newest.map(({ id }) => id),
  };
}

interface DescribedRow extends Omit<DescribedEntity, "attributes"> {
  readonly entry_seq: number | null;
  /** Bytes of the attributes, as often as they are asked for. */
  readonly size: number;
}

/** Entities by id, as the reader knows them; attributes that would go beyond so many bytes are left out unread. */
export async function describeEntities(
  work: Work,
  read_scope: ReadScope,
  { ids, bytes }: { readonly ids: readonly string[]; readonly bytes: number },
): Promise<DescribedEntity[]> {
  if (ids.length === 0) return [];
  const { tenant_id } = read_scope;
  const reader = await readerOf(work, read_scope);
  const rows = await work.rows<DescribedRow>(sql`
    select e.id, ${typeSeen(reader)} as entity_type, ${nameSeen(reader)} as canonical_name, t.seq as entry_seq,
      wanted.times * coalesce(octet_length(t.attributes::text), 0) as size
    from (select n.id, min(n.place) as place, count(*) as times
      from unnest(${textArray(ids)}) with ordinality as n (id, place) group by n.id) wanted
    join entities e on e.tenant_id = ${tenant_id} and e.id = wanted.id ${entry(reader)}
    where ${isSeen(reader)} order by wanted.place`);
  let room = bytes;
  const fits = rows.map(({ size }) => {
    if (size > room) return false;
    room -= size;
    return true;
  });
  const known = await attributesIn(
    work,
    tenant_id,
    rows.filter((_row, i) => fits[i]),
  );
  return rows.map(({ entry_seq, size: _size, ...row }, i) => ({
    ...row,
    attributes: fits[i] ? (known(entry_seq) ?? {}) : null,
  }));
}
