import type { FiledLink, NamedRow, SettledNames, Settling } from "../../core/ports/entities/naming.ts";
import type { MemoryNames, NamedThing } from "../../core/ports/entity-store.ts";
import type { StoredLink } from "../../core/ports/stored-memory.ts";
import type { Resolver } from "./resolve.ts";
import { createResolver } from "./resolve.ts";

/**
 * The order in which names are settled, whatever the order of the rows: those that others are short for, those that stand
 * for themselves, those that are known under another spelling, those that count only where they are known.
 */
const PASSES: readonly ((thing: NamedThing, names: MemoryNames) => boolean)[] = [
  (thing, names) => thing.sure && isTelling(thing, names),
  (thing, names) => thing.sure && !isTelling(thing, names) && thing.alike_key === null,
  (thing, names) => thing.sure && !isTelling(thing, names) && thing.alike_key !== null,
  (thing) => !thing.sure,
];

const isTelling = ({ short_key, key }: NamedThing, { same }: MemoryNames): boolean =>
  short_key !== null || same.some((one) => one.key === key);

/** The first name of a full name. */
const shortName = ({ name }: Pick<NamedThing, "name">): string => name.split(/\s+/)[0] ?? name;

/** An entity that a name in a row was found to mean. */
interface LinkedName {
  readonly entity_id: string;
  readonly role: string;
}

/** The links of a row: its callers' own, all of them, then the entities read in its text that no caller linked, each once. */
function linksOf(
  { things }: MemoryNames,
  callers: readonly StoredLink[],
  found: ReadonlyMap<string, LinkedName>,
): StoredLink[] {
  const linkedIds = new Set(callers.map(({ entity_id }) => entity_id));
  const inferred: StoredLink[] = [];
  for (const { key } of things) {
    const linked = found.get(key);
    if (!linked || linkedIds.has(linked.entity_id)) continue;
    linkedIds.add(linked.entity_id);
    inferred.push({ ...linked, inferred: true });
  }
  return [...callers, ...inferred];
}

/** Finds whom the names of some rows mean, all rows together: what one of them says of a name helps to understand another. */
export function settleNames(rows: readonly NamedRow[], settling: Settling): SettledNames {
  const resolver = createResolver(settling);
  const found = rows.map(() => new Map<string, LinkedName>());
  const filed: FiledLink[] = [];
  for (const isOfPass of PASSES) {
    for (const [i, { row, names }] of rows.entries()) {
      const things = names.things.filter((thing) => isOfPass(thing, names));
      const settled = settle(resolver, settling, { row, names, things });
      filed.push(...settled.links);
      for (const [key, linked] of settled.found) found[i]?.set(key, linked);
    }
  }
  const links = rows.map(({ names, links: callers }, i) => linksOf(names, callers, found[i] ?? new Map()));
  return { filed, taught: resolver.taught(), renamed: resolver.renamed(), links };
}

interface Reading extends Pick<NamedRow, "row" | "names"> {
  readonly things: readonly NamedThing[];
}

/** Resolves some of a row's names, under which it is to be filed. */
function settle(resolver: Resolver, { known }: Settling, { row, names, things }: Reading) {
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
