import { sql } from "drizzle-orm";
import type { StoredLink } from "../../../core/ports/stored-memory.ts";
import type { EntityType } from "../../../core/schema/entity.ts";
import { intArray, recordsValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";
import { queueAfter } from "../jobs/queue.ts";

/** What the index must know of a row. */
export interface LinkedRow {
  readonly seq: number;
  readonly audience: number;
  readonly created_at: string;
}

/** A link on its way into the index. */
export interface FiledLink {
  readonly row: LinkedRow;
  readonly entity_seq: number;
  readonly role: string;
  /** The row writes the entity's own name; without, it is another name for it. */
  readonly direct: boolean;
  /** How the row's text spells the entity, and what kind it takes it for; null where its own name stands nowhere in it. */
  readonly named: { readonly name: string; readonly entity_type: EntityType } | null;
}

/** An entity whose own name no row of these readers writes. */
export interface Unnamed {
  readonly entity_seq: number;
  readonly audience: number;
}

/** What the leaving of rows took away. */
export interface Unfiled {
  readonly unnamed: readonly Unnamed[];
  /** Other names that the rows had taught, as `aliasMark` marks them. */
  readonly aliases: readonly string[];
}

/** One other name of one entity, as a text. */
export const aliasMark = (alias_key: string, entity_seq: number): string => `${entity_seq} ${alias_key}`;

/**
 * Files rows under entities, inside the caller's transaction; what is filed already stays as it is, but that a text may name
 * as well what a caller linked.
 */
export async function fileLinks(work: TenantWork, links: readonly FiledLink[]): Promise<void> {
  if (links.length === 0) return;
  const { tenant_id } = work;
  await work.run(sql`
    with given as (
      select * from json_to_recordset(${recordsValue(filings(links))}) as g (entity_seq bigint, memory_seq bigint,
        audience bigint, created_at text, role text, direct boolean, name text, entity_type text)),
    filed as (
      insert into memory_entities (tenant_id, entity_seq, memory_seq, audience, role, direct, name, entity_type)
      select ${tenant_id}, entity_seq, memory_seq, audience, role, direct, name, entity_type from given
      on conflict do nothing returning entity_seq, memory_seq, audience, direct),
    counted as (
      insert into entity_audiences (tenant_id, entity_seq, audience, links, direct, since)
      select ${tenant_id}, f.entity_seq, f.audience, count(*), count(*) filter (where f.direct),
        min(g.created_at collate "C")
      from filed f join given g on g.entity_seq = f.entity_seq and g.memory_seq = f.memory_seq
      group by f.entity_seq, f.audience
      on conflict (tenant_id, entity_seq, audience) do update set links = entity_audiences.links + excluded.links,
        direct = entity_audiences.direct + excluded.direct, since = least(entity_audiences.since, excluded.since))
    update memory_entities l set name = g.name, entity_type = g.entity_type from given g
    where l.tenant_id = ${tenant_id} and l.entity_seq = g.entity_seq and l.memory_seq = g.memory_seq
      and l.name is null and g.name is not null`);
}

/** Each row once under each entity: as it was first filed there, spelled as the first that spells it. */
function filings(links: readonly FiledLink[]): object[] {
  const once = new Map<string, FiledLink>();
  for (const link of links) {
    const key = `${link.entity_seq} ${link.row.seq}`;
    const first = once.get(key) ?? link;
    once.set(key, { ...first, named: first.named ?? link.named });
  }
  return [...once.values()].map(({ row, entity_seq, role, direct, named }) => {
    const { seq: memory_seq, audience, created_at } = row;
    const spelt = { name: named?.name ?? null, entity_type: named?.entity_type ?? null };
    return { entity_seq, memory_seq, audience, created_at, role, direct, ...spelt };
  });
}

/** Takes a row out of the index, with the other names it taught. */
export const unfileLinks = (work: TenantWork, memory_seq: number): Promise<Unfiled> => unfileRows(work, [memory_seq]);

/** Takes rows out of the index, with the other names they taught. */
export async function unfileRows(work: TenantWork, memory_seqs: readonly number[]): Promise<Unfiled> {
  if (memory_seqs.length === 0) return { unnamed: [], aliases: [] };
  const { tenant_id } = work;
  const left = await work.rows<Unnamed & { links: number; direct: number; named: number }>(sql`
    with gone as (
      delete from memory_entities where tenant_id = ${tenant_id} and memory_seq = any(${intArray(memory_seqs)})
      returning entity_seq, audience, direct),
    fewer as (
      select entity_seq, audience, count(*) as links, count(*) filter (where direct) as direct
      from gone group by entity_seq, audience)
    update entity_audiences a set links = a.links - f.links, direct = a.direct - f.direct from fewer f
    where a.tenant_id = ${tenant_id} and a.entity_seq = f.entity_seq and a.audience = f.audience
    returning a.entity_seq, a.audience, a.links, a.direct, f.direct as named`);
  if (left.some(({ links }) => links === 0)) {
    const seqs = left.map(({ entity_seq }) => entity_seq);
    await work.run(sql`delete from entity_audiences
      where tenant_id = ${tenant_id} and entity_seq = any(${intArray(seqs)}) and links = 0`);
  }
  const taught = await work.rows<{ alias_key: string; entity_seq: number }>(sql`delete from entity_aliases
    where tenant_id = ${tenant_id} and memory_seq = any(${intArray(memory_seqs)}) returning alias_key, entity_seq`);
  return {
    unnamed: left
      .filter(({ direct, named }) => named > 0 && direct === 0)
      .map(({ entity_seq, audience }) => ({ entity_seq, audience })),
    aliases: taught.map((alias) => aliasMark(alias.alias_key, alias.entity_seq)),
  };
}

/** A row, and the links that are stored in it. */
export interface StoredLinks {
  readonly row: LinkedRow;
  readonly links: readonly StoredLink[];
}

/** Files rows under the entities that their stored links name, as far as all their readers may know them. */
export const fileStoredLinks = async (work: TenantWork, rows: readonly StoredLinks[]): Promise<void> =>
  fileLinks(work, await knownLinks(work, rows));

/**
 * Links of rows to entities of their tenant that everyone who reads the row may know. What was read in a text is always
 * among them; of a caller's word, nobody learns that a name stands in rows that are not his to read.
 */
export async function knownLinks(work: TenantWork, rows: readonly StoredLinks[]): Promise<FiledLink[]> {
  const given = rows.flatMap(({ row, links }) => links.map((link) => ({ row, link })));
  if (given.length === 0) return [];
  const { tenant_id } = work;
  const wanted = given.map(({ row: { audience }, link: { entity_id, inferred } }) => ({
    audience,
    entity_id,
    is_read: inferred === true,
  }));
  const found = await work.rows<{ place: number; entity_seq: number }>(sql`
    select g.place, e.seq as entity_seq from json_to_recordset(${recordsValue(placed(wanted))})
      as g (place bigint, audience bigint, entity_id text, is_read boolean)
    join entities e on e.tenant_id = ${tenant_id} and e.id = g.entity_id
    where g.is_read
      or exists (select 1 from entity_entries h where h.tenant_id = ${tenant_id} and h.entity_seq = e.seq
        and (h.fleet_id is null or h.fleet_id = (select a.owner from audiences a
          where a.tenant_id = ${tenant_id} and a.id = g.audience and a.kind = 'scope_team' and a.owner <> '')))
      or exists (select 1 from entity_audiences n join audiences a on a.tenant_id = n.tenant_id and a.id = n.audience
        where n.tenant_id = ${tenant_id} and n.entity_seq = e.seq and n.direct > 0 and (n.audience = g.audience
          or a.kind = 'scope_org' or (a.kind = 'scope_team' and a.owner = '')))
    order by g.place`);
  return found.flatMap(({ place, entity_seq }): FiledLink[] => {
    const { row, link } = given[place] ?? {};
    return row && link ? [{ row, entity_seq, role: link.role, direct: true, named: null }] : [];
  });
}

/** Rows read again because of one name, newest first. */
const REREADS_MAX = 100;
/** Names that one change may have rows read again for. */
const REREAD_NAMES_MAX = 20;

/** Queues the rows that know an entity by another name only, where its own name is gone for good. */
export async function rereadUnnamed(work: TenantWork, unnamed: readonly Unnamed[], nowMs: number): Promise<void> {
  if (unnamed.length === 0) return;
  const gone = await work.rows<{ entity_seq: number }>(sql`
    select u.entity_seq from json_to_recordset(${recordsValue(placed(unnamed))})
      as u (place bigint, entity_seq bigint, audience bigint)
    where not exists (select 1 from entity_audiences a where a.tenant_id = ${work.tenant_id}
      and a.entity_seq = u.entity_seq and a.audience = u.audience and a.direct > 0)
    order by u.place`);
  const rereads = [...new Set(gone.map(({ entity_seq }) => entity_seq))].map((entity_seq) => ({
    entity_seq,
    direct: false,
  }));
  await queueRereads(work, rereads, nowMs);
}

/** Rows that a name's coming or going concerns: those with the entity's own name, or those with another name for it. */
export interface Reread {
  readonly entity_seq: number;
  readonly direct: boolean;
}

/** Queues rows to be read again, since a name that decided whom they mean came or went. */
export async function queueRereads(work: TenantWork, rereads: readonly Reread[], nowMs: number): Promise<void> {
  if (rereads.length === 0) return;
  const { tenant_id } = work;
  const found = await work.rows<{ id: string }>(sql`
    select named.id from json_to_recordset(${recordsValue(placed(rereads.slice(0, REREAD_NAMES_MAX)))})
      as r (place bigint, entity_seq bigint, direct boolean)
    cross join lateral (
      select m.id, l.memory_seq from memory_entities l
      join memories m on m.tenant_id = l.tenant_id and m.seq = l.memory_seq
      where l.tenant_id = ${tenant_id} and l.entity_seq = r.entity_seq and l.direct = r.direct
      order by l.memory_seq desc limit ${REREADS_MAX}::int) named
    order by r.place, named.memory_seq desc`);
  const ids = new Set(found.map(({ id }) => id));
  const rows = [...ids].slice(0, REREADS_MAX).map((id) => ({ tenant_id, id }));
  await queueAfter(work, { kind: "memories_stale", rows, now_ms: nowMs });
}

/** Records with their places: rows of a statement have no order of their own. */
const placed = <T extends object>(records: readonly T[]): (T & { readonly place: number })[] =>
  records.map((record, place) => ({ ...record, place }));
