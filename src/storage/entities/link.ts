import { sql } from "drizzle-orm";
import { toTimestamp } from "../../core/kernel/clock.ts";
import type { MemoryNames, NamedThing } from "../../core/ports/entity-store.ts";
import type { StoredLink } from "../../core/ports/stored-memory.ts";
import type { EntityRow } from "../common/entity-rows.ts";
import type { LinkedName } from "../common/naming.ts";
import { linksOf, PASSES, shortName } from "../common/naming.ts";
import { jsonIn } from "../work/dialect.ts";
import type { Unit } from "../work/unit.ts";
import { rows, run } from "../work/unit.ts";
import type { ChangeWork, TenantWork } from "../work/work.ts";
import type { Known } from "./known.ts";
import { knownOf } from "./known.ts";
import type { FiledLink, LinkedRow } from "./links.ts";
import { fileLinks, fileStoredLinks, knownLinks, queueRereads, rereadUnnamed, unfileRows } from "./links.ts";
import { rewriteLinks } from "./merge-links.ts";
import type { Resolver, TaughtAlias } from "./resolve.ts";
import { createResolver } from "./resolve.ts";

/** A row in hand, with what its text names. */
interface NamedRow {
  readonly row: LinkedRow;
  readonly names: MemoryNames;
  readonly before: readonly StoredLink[];
  /** What its callers linked it to. */
  readonly links: readonly StoredLink[];
}

/**
 * Links rows to what they name, inside one transaction. First all of them leave the index, so that none is taken for what
 * another says. What callers linked is filed by what was known before that, and by what the rows name.
 */
export function* linkMemories(work: ChangeWork, given: readonly MemoryNames[], nowMs: number): Unit<void> {
  const readings = yield* readRows(work, given);
  if (readings.length === 0) return;
  const linked = yield* knownLinks(work, readings);
  const unfiled = yield* unfileRows(
    work,
    readings.map(({ row }) => row.seq),
  );
  yield* fileLinks(work, linked);
  const named = readings.map(({ names }) => names);
  const known = yield* knownOf(
    work,
    keysOf(named),
    readings.map(({ row }) => row),
  );
  const resolver = createResolver(known, {
    tenant_id: work.tenant_id,
    now: toTimestamp(nowMs),
    before: unfiled.aliases,
    numbers: yield* newNumbers(work, unknownNames(known, named)),
  });
  const found = readings.map(() => new Map<string, LinkedName>());
  const filed: FiledLink[] = [];
  for (const isOfPass of PASSES) {
    for (const [i, { row, names }] of readings.entries()) {
      const things = names.things.filter((thing) => isOfPass(thing, names));
      const settled = settle(resolver, known, { row, names, things });
      filed.push(...settled.links);
      for (const [key, linked] of settled.found) found[i]?.set(key, linked);
    }
  }
  yield* insertEntities(work, resolver.created());
  yield* fileLinks(work, filed);
  yield* fileStoredLinks(work, readings);
  yield* insertAliases(work, resolver.taught());
  yield* store(
    work,
    readings.map((reading, i) => ({ ...reading, found: found[i] ?? new Map() })),
  );
  yield* rereadUnnamed(work, unfiled.unnamed, nowMs);
  yield* queueRereads(
    work,
    resolver.renamed().map((entity_seq) => ({ entity_seq, direct: true })),
    nowMs,
  );
}

/** Keys of all that rows name, by whatever name. */
function keysOf(rows: readonly MemoryNames[]): string[] {
  const keys = rows.flatMap(({ things, same }) => [
    ...things.flatMap(({ key, short_key, alike_key }) => [key, short_key, alike_key].filter((one) => one !== null)),
    ...same.map(({ alias_key }) => alias_key),
  ]);
  return [...new Set(keys)];
}

/** How many names may be those of new entities. */
function unknownNames(known: Known, rows: readonly MemoryNames[]): number {
  const sure = rows.flatMap(({ things }) => things.filter((thing) => thing.sure).map(({ key }) => key));
  return [...new Set(sure)].filter((key) => known.byKey(key) === null).length;
}

function* newNumbers({ dialect }: TenantWork, count: number): Unit<number[]> {
  return count === 0 ? [] : yield* dialect.newNumbers("entities", count);
}

/** The rows that are there with the content that their names were read of. */
function* readRows({ dialect, tenant_id }: TenantWork, given: readonly MemoryNames[]): Unit<NamedRow[]> {
  const ids = given.map(({ id }) => id);
  const stored = yield* rows<LinkedRow & { id: string; content_hash: string; entity_links: unknown }>(sql`
    select id, content_hash, seq, audience, created_at, entity_links from memories
    where ${dialect.belongs("memories", tenant_id)} and ${dialect.isIn(sql`id`, ids)} and deleted_at is null`);
  const byId = new Map(stored.map((one) => [one.id, one]));
  return given.flatMap((names): NamedRow[] => {
    const found = byId.get(names.id);
    if (!found || found.content_hash !== names.content_hash) return [];
    const { id: _id, content_hash: _hash, entity_links, ...row } = found;
    const before = jsonIn<StoredLink[]>(entity_links);
    return [{ row, names, before, links: before.filter(({ inferred }) => inferred !== true) }];
  });
}

interface Settling {
  readonly row: LinkedRow;
  readonly names: MemoryNames;
  readonly things: readonly NamedThing[];
}

/** Resolves some of a row's names, under which it is to be filed. */
function settle(resolver: Resolver, known: Known, { row, names, things }: Settling) {
  const found = new Map<string, LinkedName>();
  const links: FiledLink[] = [];
  for (const thing of things) {
    const resolved = resolver.resolve(thing, row);
    if (!resolved) continue;
    const { entity, direct, teaches } = resolved;
    const { role } = thing;
    links.push({ row, entity_seq: entity.seq, role, direct, named: direct ? thing : null });
    known.addLink(entity, row, direct);
    if (!found.has(thing.key)) found.set(thing.key, { entity_id: entity.id, role });
    if (thing.short_key !== null && teaches)
      resolver.teach(entity, row, { key: thing.short_key, name: shortName(thing) });
    for (const { alias, alias_key, key } of names.same) {
      if (key === thing.key) resolver.teach(entity, row, { key: alias_key, name: alias });
    }
  }
  return { found, links };
}

function* insertEntities({ dialect, tenant_id }: TenantWork, entities: readonly EntityRow[]): Unit<void> {
  if (entities.length === 0) return;
  const texts = {
    id: "text",
    entity_type: "text",
    canonical_name: "text",
    name_key: "text",
    created_at: "text",
  } as const;
  yield* run(sql`
    insert into entities (tenant_id, seq, id, entity_type, canonical_name, name_key, created_at)
    select cast(${tenant_id} as text), e.seq, e.id, e.entity_type, e.canonical_name, e.name_key, e.created_at
    from ${dialect.records(entities, "e", { seq: "int", ...texts })}`);
}

function* insertAliases({ dialect, tenant_id }: TenantWork, aliases: readonly TaughtAlias[]): Unit<void> {
  if (aliases.length === 0) return;
  const numbers = { entity_seq: "int", memory_seq: "int", audience: "int" } as const;
  yield* run(sql`
    insert into entity_aliases (tenant_id, alias_key, entity_seq, memory_seq, audience, name)
    select cast(${tenant_id} as text), a.alias_key, a.entity_seq, a.memory_seq, a.audience, a.name
    from ${dialect.records(aliases, "a", { alias_key: "text", ...numbers, name: "text" })} where true
    on conflict do nothing`);
}

/** Writes into rows what they are linked to, where that is new. */
function* store(
  work: TenantWork,
  readings: readonly (NamedRow & { readonly found: ReadonlyMap<string, LinkedName> })[],
): Unit<void> {
  const changed = readings.flatMap(({ row, names, before, links: callers, found }) => {
    const links = linksOf(names, callers, found);
    return JSON.stringify(links) === JSON.stringify(before) ? [] : [{ seq: row.seq, links }];
  });
  // Of a row that was given twice, what was read of it last.
  const last = new Map(changed.map((one) => [one.seq, one]));
  if (last.size > 0) yield* rewriteLinks(work, [...last.values()]);
}
