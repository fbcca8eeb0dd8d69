import { sql } from "drizzle-orm";
import { toTimestamp } from "../../core/kernel/clock.ts";
import type {
  EntityRow,
  KnownNames,
  LinkedRow,
  NamedRow,
  Settling,
  TaughtAlias,
} from "../../core/ports/entities/naming.ts";
import type { MemoryNames } from "../../core/ports/entity-store.ts";
import type { StoredLink } from "../../core/ports/stored-memory.ts";
import { jsonIn } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { ChangeWork, TenantWork } from "../units/work.ts";
import { knownOf } from "./known.ts";
import { aliasMark, fileLinks, fileStoredLinks, knownLinks, queueRereads, rereadUnnamed, unfileRows } from "./links.ts";
import { rewriteLinks } from "./merge-links.ts";
import { entityId } from "./rows.ts";

/** A row in hand, with the links that it has. */
interface LinkedBefore extends NamedRow {
  readonly before: readonly StoredLink[];
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
  const marks = new Set(unfiled.aliases);
  const created = creating(work, toTimestamp(nowMs), yield* newNumbers(work, unknownNames(known, named)));
  const { filed, taught, renamed, links } = work.policies.settleNames(readings, {
    known,
    wasTaught: (alias_key, entity_seq) => marks.has(aliasMark(alias_key, entity_seq)),
    create: created.create,
  });
  yield* insertEntities(work, created.entities);
  yield* fileLinks(work, filed);
  yield* fileStoredLinks(work, readings);
  yield* insertAliases(work, taught);
  yield* store(
    work,
    readings.map(({ row, before }, i) => ({ seq: row.seq, before, links: links[i] ?? [] })),
  );
  yield* rereadUnnamed(work, unfiled.unnamed, nowMs);
  yield* queueRereads(
    work,
    renamed.map((entity_seq) => ({ entity_seq, direct: true })),
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
function unknownNames(known: KnownNames, rows: readonly MemoryNames[]): number {
  const sure = rows.flatMap(({ things }) => things.filter((thing) => thing.sure).map(({ key }) => key));
  return [...new Set(sure)].filter((key) => known.byKey(key) === null).length;
}

/** New entities of names, with numbers that were taken for them; they are yet to be stored. */
function creating({ tenant_id }: TenantWork, created_at: string, numbers: readonly number[]) {
  const entities: EntityRow[] = [];
  const create: Settling["create"] = ({ entity_type, name: canonical_name, key: name_key }) => {
    const seq = numbers[entities.length];
    if (seq === undefined) throw new Error("There are too few numbers for new entities.");
    const id = entityId({ tenant_id, name_key });
    const entity = { seq, id, tenant_id, entity_type, canonical_name, name_key, created_at };
    entities.push(entity);
    return entity;
  };
  return { entities, create };
}

function* newNumbers({ dialect }: TenantWork, count: number): Unit<number[]> {
  return count === 0 ? [] : yield* dialect.newNumbers("entities", count);
}

/** The rows that are there with the content that their names were read of. */
function* readRows({ dialect, tenant_id }: TenantWork, given: readonly MemoryNames[]): Unit<LinkedBefore[]> {
  const ids = given.map(({ id }) => id);
  const stored = yield* rows<LinkedRow & { id: string; content_hash: string; entity_links: unknown }>(sql`
    select id, content_hash, seq, audience, created_at, entity_links from memories
    where ${dialect.belongs("memories", tenant_id)} and ${dialect.isIn(sql`id`, ids)} and deleted_at is null`);
  const byId = new Map(stored.map((one) => [one.id, one]));
  return given.flatMap((names): LinkedBefore[] => {
    const found = byId.get(names.id);
    if (!found || found.content_hash !== names.content_hash) return [];
    const { id: _id, content_hash: _hash, entity_links, ...row } = found;
    const before = jsonIn<StoredLink[]>(entity_links);
    return [{ row, names, before, links: before.filter(({ inferred }) => inferred !== true) }];
  });
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

interface Relinked {
  readonly seq: number;
  readonly before: readonly StoredLink[];
  readonly links: readonly StoredLink[];
}

/** Writes into rows what they are linked to, where that is new. */
function* store(work: TenantWork, readings: readonly Relinked[]): Unit<void> {
  const changed = readings.filter(({ before, links }) => JSON.stringify(links) !== JSON.stringify(before));
  // Of a row that was given twice, what was read of it last.
  const last = new Map(changed.map(({ seq, links }) => [seq, { seq, links }]));
  if (last.size > 0) yield* rewriteLinks(work, [...last.values()]);
}
