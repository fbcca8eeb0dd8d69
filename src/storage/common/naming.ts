import type { MemoryNames, NamedThing } from "../../core/ports/entity-store.ts";
import type { StoredLink } from "../../core/ports/stored-memory.ts";

/**
 * The order in which names are settled, whatever the order of the rows: those that others are short for, those that stand
 * for themselves, those that are known under another spelling, those that count only where they are known.
 */
export const PASSES: readonly ((thing: NamedThing, names: MemoryNames) => boolean)[] = [
  (thing, names) => thing.sure && isTelling(thing, names),
  (thing, names) => thing.sure && !isTelling(thing, names) && thing.alike_key === null,
  (thing, names) => thing.sure && !isTelling(thing, names) && thing.alike_key !== null,
  (thing) => !thing.sure,
];

const isTelling = ({ short_key, key }: NamedThing, { same }: MemoryNames): boolean =>
  short_key !== null || same.some((one) => one.key === key);

/** The first name of a full name. */
export const shortName = ({ name }: Pick<NamedThing, "name">): string => name.split(/\s+/)[0] ?? name;

/** An entity that a name in a row was found to mean. */
export interface LinkedName {
  readonly entity_id: string;
  readonly role: string;
}

/** The links of a row: its callers' own, then the inferred ones in the order of the text, each entity once. */
export function linksOf(
  { things }: MemoryNames,
  callers: readonly StoredLink[],
  found: ReadonlyMap<string, LinkedName>,
): StoredLink[] {
  const links = new Map<string, StoredLink>(callers.map((link) => [link.entity_id, link]));
  for (const { key } of things) {
    const linked = found.get(key);
    if (!linked || links.has(linked.entity_id)) continue;
    links.set(linked.entity_id, { ...linked, inferred: true });
  }
  return [...links.values()];
}

/** The links of a row once one entity became part of another, each entity once; what a caller said of either stays said of the survivor. */
export function relinked(links: readonly StoredLink[], from_id: string, into_id: string): StoredLink[] {
  const of = links.filter(({ entity_id }) => entity_id === from_id || entity_id === into_id);
  const said =
    of.find(({ inferred }) => inferred !== true) ?? of.find(({ entity_id }) => entity_id === into_id) ?? of[0];
  return links.flatMap((link): StoredLink[] => {
    if (!of.includes(link)) return [link];
    return link === said ? [{ ...said, entity_id: into_id }] : [];
  });
}
