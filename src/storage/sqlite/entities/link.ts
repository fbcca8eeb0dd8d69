import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { MemoryNames, NamedThing } from "../../../core/ports/entity-store.ts";
import type { StoredLink } from "../../../core/ports/stored-memory.ts";
import type { LinkedName } from "../../common/naming.ts";
import { linksOf, PASSES, shortName } from "../../common/naming.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import type { LinkedRow } from "./links.ts";
import { fileLinks, fileStoredLinks, knownLinks, queueRereads, rereadUnnamed, unfileLinks } from "./links.ts";
import type { Resolver } from "./resolve.ts";
import { createResolver } from "./resolve.ts";

/** A row in hand, with what its text names. */
interface NamedRow {
  readonly row: LinkedRow;
  readonly names: MemoryNames;
  readonly callers: readonly StoredLink[];
  readonly before: string;
}

/**
 * Links rows to what they name, inside one transaction. First all of them leave the index, so that none is taken for what
 * another says. What callers linked is filed by what was known before that, and by what the rows name.
 */
export function linkMemories(db: Engine, clock: Clock, tenant_id: string, rows: readonly MemoryNames[]): void {
  const readings = rows.flatMap((names) => readRow(db, tenant_id, names) ?? []);
  const known = readings.map(({ row, callers }) => knownLinks(db, row, callers));
  const unfiled = readings.map(({ row }) => unfileLinks(db, row.seq));
  for (const [i, { row }] of readings.entries()) fileLinks(db, row, known[i] ?? []);
  const now = toTimestamp(clock.now());
  const resolver = createResolver(db, { tenant_id, now, taught: unfiled.flatMap(({ aliases }) => aliases) });
  const found = readings.map(() => new Map<string, LinkedName>());
  for (const isOfPass of PASSES) {
    for (const [i, reading] of readings.entries()) {
      for (const [key, linked] of settle(db, resolver, reading, isOfPass)) found[i]?.set(key, linked);
    }
  }
  for (const { row, callers } of readings) fileStoredLinks(db, row, callers);
  for (const [i, reading] of readings.entries()) store(db, reading, found[i] ?? new Map());
  const unnamed = unfiled.flatMap((one) => one.unnamed);
  rereadUnnamed(db, tenant_id, unnamed, clock.now());
  queueRereads(
    db,
    tenant_id,
    resolver.renamed().map((entity_seq) => ({ entity_seq, direct: true })),
    clock.now(),
  );
}

function readRow(db: Connections, tenant_id: string, names: MemoryNames): NamedRow | null {
  const row = db.writeConnection
    .query<LinkedRow & { entity_links: string }, [string, string, string]>(
      `select seq, tenant_id, audience, created_at, entity_links from memories
      where id = ? and tenant_id = ? and content_hash = ? and deleted_at is null`,
    )
    .get(names.id, tenant_id, names.content_hash);
  if (!row) return null;
  const { entity_links: before, ...linked } = row;
  // Safe: the column holds what was written from links.
  const links = JSON.parse(before) as StoredLink[];
  return { row: linked, names, before, callers: links.filter(({ inferred }) => inferred !== true) };
}

/** Resolves some of a row's names and files the row under them. */
function settle(
  db: Connections,
  resolver: Resolver,
  { row, names }: NamedRow,
  isChosen: (thing: NamedThing, names: MemoryNames) => boolean,
): Map<string, LinkedName> {
  const found = new Map<string, LinkedName>();
  for (const thing of names.things.filter((one) => isChosen(one, names))) {
    const resolved = resolver.resolve(thing, row);
    if (!resolved) continue;
    const { entity, direct, teaches } = resolved;
    fileLinks(db, row, [{ entity_seq: entity.seq, role: thing.role, direct, named: direct ? thing : null }]);
    if (!found.has(thing.key)) found.set(thing.key, { entity_id: entity.id, role: thing.role });
    if (thing.short_key !== null && teaches)
      resolver.teach(entity, row, { key: thing.short_key, name: shortName(thing) });
    for (const { alias, alias_key, key } of names.same) {
      if (key === thing.key) resolver.teach(entity, row, { key: alias_key, name: alias });
    }
  }
  return found;
}

/** Writes the links into the row. */
function store(
  db: Connections,
  { row, names, callers, before }: NamedRow,
  found: ReadonlyMap<string, LinkedName>,
): void {
  const after = JSON.stringify(linksOf(names, callers, found));
  if (after !== before)
    db.writeConnection.query("update memories set entity_links = ? where seq = ?").run(after, row.seq);
}
