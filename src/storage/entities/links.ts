import { sql } from "drizzle-orm";
import type { FiledLink, LinkedRow } from "../../core/ports/entities/naming.ts";
import type { StoredLink } from "../../core/ports/stored-memory.ts";
import type { EntityType } from "../../core/schema/entity.ts";
import { queueAfter } from "../jobs/queue.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { ChangeWork, TenantWork } from "../units/work.ts";

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

/** A row under an entity, as the index has it. */
interface Filing {
  readonly entity_seq: number;
  readonly memory_seq: number;
  readonly audience: number;
  readonly created_at: string;
  readonly role: string;
  readonly direct: boolean;
  readonly name: string | null;
  readonly entity_type: EntityType | null;
}

const placeOf = ({ entity_seq, memory_seq }: Pick<Filing, "entity_seq" | "memory_seq">): string =>
  `${entity_seq} ${memory_seq}`;

/**
 * Files rows under entities, inside the caller's transaction; what is filed already stays as it is, but that a text may name
 * as well what a caller linked.
 */
export function* fileLinks(work: TenantWork, links: readonly FiledLink[]): Unit<void> {
  if (links.length === 0) return;
  const { tenant_id, dialect } = work;
  const given = filings(links);
  const columns = { entity_seq: "int", memory_seq: "int", name: "text", entity_type: "text" } as const;
  const filed = yield* rows<Filing>(sql`
    insert into memory_entities (${dialect.tenantColumn}entity_seq, memory_seq, audience, role, direct, name, entity_type)
    select ${dialect.tenantValue(tenant_id)}g.entity_seq, g.memory_seq, g.audience, g.role, g.direct, g.name, g.entity_type
    from ${dialect.records(given, "g", { ...columns, audience: "int", role: "text", direct: "boolean" })} where true
    on conflict do nothing returning entity_seq, memory_seq`);
  const isNew = new Set(filed.map(placeOf));
  yield* countUp(
    work,
    given.filter((one) => isNew.has(placeOf(one))),
  );
  const spelt = given.filter((one) => one.name !== null && !isNew.has(placeOf(one)));
  if (spelt.length === 0) return;
  yield* run(sql`
    update memory_entities as l set name = g.name, entity_type = g.entity_type from ${dialect.records(spelt, "g", columns)}
    where ${dialect.tenant("l", tenant_id)} and l.entity_seq = g.entity_seq and l.memory_seq = g.memory_seq
      and l.name is null`);
}

/** Each row once under each entity: as it was first filed there, spelled as the first that spells it. */
function filings(links: readonly FiledLink[]): Filing[] {
  const once = new Map<string, FiledLink>();
  for (const link of links) {
    const key = placeOf({ entity_seq: link.entity_seq, memory_seq: link.row.seq });
    const first = once.get(key) ?? link;
    once.set(key, { ...first, named: first.named ?? link.named });
  }
  return [...once.values()].map(({ row, entity_seq, role, direct, named }) => {
    const { seq: memory_seq, audience, created_at } = row;
    const spelt = { name: named?.name ?? null, entity_type: named?.entity_type ?? null };
    return { entity_seq, memory_seq, audience, created_at, role, direct, ...spelt };
  });
}

/** Counts rows that came under entities, by the sets of their readers. */
function* countUp({ tenant_id, dialect }: TenantWork, filed: readonly Filing[]): Unit<void> {
  if (filed.length === 0) return;
  const counted = [...Map.groupBy(filed, (one) => `${one.entity_seq} ${one.audience}`).values()].map((group) => ({
    entity_seq: group[0]?.entity_seq,
    audience: group[0]?.audience,
    links: group.length,
    direct: group.filter(({ direct }) => direct).length,
    since: group.map(({ created_at }) => created_at).sort()[0],
  }));
  const columns = { entity_seq: "int", audience: "int", links: "int", direct: "int", since: "text" } as const;
  yield* run(sql`
    insert into entity_audiences (${dialect.tenantColumn}entity_seq, audience, links, direct, since)
    select ${dialect.tenantValue(tenant_id)}g.entity_seq, g.audience, g.links, g.direct, g.since
    from ${dialect.records(counted, "g", columns)} where true
    on conflict ${dialect.key("entity_seq", "audience")} do update set links = entity_audiences.links + excluded.links,
      direct = entity_audiences.direct + excluded.direct,
      since = case when excluded.since < entity_audiences.since then excluded.since else entity_audiences.since end`);
}

/** Takes rows out of the index, with the other names they taught. */
export function* unfileRows(work: TenantWork, memory_seqs: readonly number[]): Unit<Unfiled> {
  if (memory_seqs.length === 0) return { unnamed: [], aliases: [] };
  const { tenant_id, dialect } = work;
  const gone = yield* rows<Unnamed & { readonly direct: boolean | number }>(sql`delete from memory_entities as l
    where ${dialect.tenant("l", tenant_id)} and ${dialect.isIn(sql`l.memory_seq`, memory_seqs)}
    returning entity_seq, audience, direct`);
  const unnamed = yield* countDown(work, gone);
  const taught = yield* rows<{ alias_key: string; entity_seq: number }>(sql`delete from entity_aliases as a
    where ${dialect.belongs("a", tenant_id)} and ${dialect.isIn(sql`a.memory_seq`, memory_seqs)} returning alias_key, entity_seq`);
  return { unnamed, aliases: taught.map((alias) => aliasMark(alias.alias_key, alias.entity_seq)) };
}

/** Counts rows that left entities; returns those whose own name no row of these readers writes any more. */
function* countDown(
  { tenant_id, dialect }: TenantWork,
  gone: readonly (Unnamed & { readonly direct: boolean | number })[],
): Unit<Unnamed[]> {
  if (gone.length === 0) return [];
  // Names of their own: what is returned must be told apart from the table's columns.
  const fewer = [...Map.groupBy(gone, (one) => `${one.entity_seq} ${one.audience}`).values()].map((group) => ({
    of_entity: group[0]?.entity_seq,
    of_readers: group[0]?.audience,
    gone: group.length,
    gone_direct: group.filter(({ direct }) => Boolean(direct)).length,
  }));
  const columns = { of_entity: "int", of_readers: "int", gone: "int", gone_direct: "int" } as const;
  const left = yield* rows<Unnamed & { links: number; direct: number }>(sql`
    update entity_audiences as a set links = a.links - f.gone, direct = a.direct - f.gone_direct
    from ${dialect.records(fewer, "f", columns)}
    where ${dialect.tenant("a", tenant_id)} and a.entity_seq = f.of_entity and a.audience = f.of_readers
    returning entity_seq, audience, links, direct`);
  const empty = left.filter(({ links }) => links === 0).map(({ entity_seq }) => entity_seq);
  if (empty.length > 0)
    yield* run(sql`delete from entity_audiences as a
      where ${dialect.tenant("a", tenant_id)} and ${dialect.isIn(sql`a.entity_seq`, empty)} and a.links = 0`);
  const wereNamed = new Set(
    gone.filter(({ direct }) => Boolean(direct)).map((one) => `${one.entity_seq} ${one.audience}`),
  );
  return left
    .filter(({ entity_seq, audience, direct }) => direct === 0 && wereNamed.has(`${entity_seq} ${audience}`))
    .map(({ entity_seq, audience }) => ({ entity_seq, audience }));
}

/** A row, and the links that are stored in it. */
export interface StoredLinks {
  readonly row: LinkedRow;
  readonly links: readonly StoredLink[];
}

/** Files rows under the entities that their stored links name, as far as all their readers may know them. */
export function* fileStoredLinks(work: TenantWork, stored: readonly StoredLinks[]): Unit<void> {
  yield* fileLinks(work, yield* knownLinks(work, stored));
}

/**
 * Links of rows to entities of their tenant that everyone who reads the row may know. What was read in a text is always
 * among them; of a caller's word, nobody learns that a name stands in rows that are not his to read.
 */
export function* knownLinks({ tenant_id, dialect }: TenantWork, stored: readonly StoredLinks[]): Unit<FiledLink[]> {
  const given = stored.flatMap(({ row, links }) => links.map((link) => ({ row, link })));
  if (given.length === 0) return [];
  const wanted = given.map(({ row: { audience }, link: { entity_id, inferred } }, place) => ({
    place,
    audience,
    entity_id,
    is_read: inferred === true,
  }));
  const columns = { place: "int", audience: "int", entity_id: "text", is_read: "boolean" } as const;
  const found = yield* rows<{ place: number; entity_seq: number }>(sql`
    select g.place, e.seq as entity_seq from ${dialect.records(wanted, "g", columns)}
    ${dialect.nested} entities e on e.tenant_id = ${tenant_id} and e.id = g.entity_id
    where g.is_read
      or exists (select 1 from entity_entries h where ${dialect.tenant("h", tenant_id)} and h.entity_seq = e.seq
        and (h.fleet_id is null or h.fleet_id = (select a.owner from audiences a
          where a.tenant_id = ${tenant_id} and a.id = g.audience and a.kind = 'scope_team' and a.owner <> '')))
      or exists (select 1 from entity_audiences n ${dialect.nested} audiences a
          on a.tenant_id = ${tenant_id} and a.id = n.audience
        where ${dialect.tenant("n", tenant_id)} and n.entity_seq = e.seq and n.direct > 0 and (n.audience = g.audience
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
export function* rereadUnnamed(work: ChangeWork, unnamed: readonly Unnamed[], nowMs: number): Unit<void> {
  if (unnamed.length === 0) return;
  const { tenant_id, dialect } = work;
  const placed = unnamed.map((one, place) => ({ ...one, place }));
  const gone = yield* rows<{ entity_seq: number }>(sql`
    select u.entity_seq from ${dialect.records(placed, "u", { place: "int", entity_seq: "int", audience: "int" })}
    where not exists (select 1 from entity_audiences a where ${dialect.tenant("a", tenant_id)}
      and a.entity_seq = u.entity_seq and a.audience = u.audience and a.direct > 0)
    order by u.place`);
  const seqs = [...new Set(gone.map(({ entity_seq }) => entity_seq))];
  yield* queueRereads(
    work,
    seqs.map((entity_seq) => ({ entity_seq, direct: false })),
    nowMs,
  );
}

/** Rows that a name's coming or going concerns: those with the entity's own name, or those with another name for it. */
export interface Reread {
  readonly entity_seq: number;
  readonly direct: boolean;
}

/** Queues rows to be read again, since a name that decided whom they mean came or went. */
export function* queueRereads(work: ChangeWork, rereads: readonly Reread[], nowMs: number): Unit<void> {
  if (rereads.length === 0) return;
  const { tenant_id, dialect } = work;
  const found = yield* dialect.each<{ id: string }>(
    rereads.slice(0, REREAD_NAMES_MAX),
    { entity_seq: "int", direct: "boolean" },
    (reread) => sql`
      select m.id from memory_entities l ${dialect.nested} memories m on m.tenant_id = ${tenant_id} and m.seq = l.memory_seq
      where ${dialect.tenant("l", tenant_id)} and l.entity_seq = ${reread.of("entity_seq")} and l.direct = ${reread.of("direct")}
      order by l.memory_seq desc limit ${int(REREADS_MAX)}`,
  );
  const ids = [...new Set(found.map(({ id }) => id))].slice(0, REREADS_MAX);
  yield* queueAfter(work, { kind: "memories_stale", rows: ids.map((id) => ({ tenant_id, id })), now_ms: nowMs });
}
