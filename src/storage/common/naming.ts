import type { StoredLink } from "../../core/ports/stored-memory.ts";

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
