import type { SQLQueryBindings } from "bun:sqlite";
import type { EntityMatches, MatchedEntity, Neighbour, RelatedEntity } from "../../ports/entity-store.ts";
import type { Reach } from "../../ports/memory-store.ts";
import type { Connections } from "./connection.ts";
import { IS_SEEN, readerOf, seenBy } from "./entity-reader.ts";

/** Related entities looked at for one query. */
const RELATED_MAX = 100;

const NAMED = `
  select e.id, e.seq, e.name_key as key,
    coalesce((select sum(a.links) from entity_audiences a
      where a.entity_seq = e.seq and a.audience in (select value from json_each(?2))), 0) as rows
  from (
    select seq from json_each(?4) k cross join entities on tenant_id = ?3 and name_key = k.value
    union
    select a.entity_seq from json_each(?4) k
      cross join entity_aliases a on a.tenant_id = ?3 and a.alias_key = k.value
      where a.audience = 0 or a.audience in (select value from json_each(?2))
  ) named join entities e on e.seq = named.seq
  where ${IS_SEEN} limit ?5`;

/** Related by hand, in either direction; `distinct` keeps the closest of several relations. */
const RELATED = `
  select o.id, max(r.weight) as weight, e.id as of
  from json_each(?2) m cross join entities e on e.id = m.value
  cross join relations r on (r.tenant_id = ?1 and r.from_seq = e.seq) or r.to_seq = e.seq
  join entities o on o.seq = case when r.from_seq = e.seq then r.to_seq else r.from_seq end
  group by o.seq, e.seq limit ${RELATED_MAX}`;

/** Entities that one of these keys names, and those they are related to. */
export function matchEntities(at: Connections, reach: Reach, keys: readonly string[], limit: number): EntityMatches {
  const { n: total } = at.reader
    .query<{ n: number }, [string]>(
      "select coalesce(sum(memories_stored), 0) as n from tenant_usage where tenant_id = ?",
    )
    .get(reach.tenant_id) ?? { n: 0 };
  if (keys.length === 0 || total === 0) return { matched: [], related: [], total };
  const matched = at.reader
    .query<MatchedEntity & { seq: number }, SQLQueryBindings[]>(NAMED)
    .all(...seenBy(readerOf(at, reach)), reach.tenant_id, JSON.stringify(keys), limit);
  const related =
    matched.length === 0
      ? []
      : at.reader
          .query<RelatedEntity, [string, string]>(RELATED)
          .all(reach.tenant_id, JSON.stringify(matched.map(({ id }) => id)));
  return { matched: matched.map(({ seq: _seq, ...one }) => one), related, total };
}

/** Known names that begin with the same letters as an unknown one, or that it holds as a whole. */
const NEIGHBOURS_MAX = 6;
const SAME_LETTERS = 4;

export function neighbourNames(
  at: Connections,
  tenant_id: string,
  names: readonly { readonly key: string; readonly parts: readonly string[] }[],
): Neighbour[] {
  const known = at.reader.query<unknown, [string, string]>(
    "select 1 from entities where tenant_id = ? and name_key = ?",
  );
  const near = at.reader.query<Omit<Neighbour, "key">, [string, string, string, string]>(
    `select e.name_key as near_key, e.canonical_name as near_name, e.entity_type as near_type from entities e
    where e.tenant_id = ?1 and ((e.name_key >= ?2 and e.name_key < ?3) or e.name_key in (select value from json_each(?4)))
      and exists (select 1 from entity_audiences a where a.entity_seq = e.seq and a.direct > 0)
    order by abs(length(e.name_key) - length(?2)) limit ${NEIGHBOURS_MAX}`,
  );
  return names.flatMap(({ key, parts }) => {
    if (key.length < SAME_LETTERS || known.get(tenant_id, key) !== null) return [];
    const letters = key.slice(0, SAME_LETTERS);
    const found = near.all(tenant_id, letters, `${letters}\u{10FFFF}`, JSON.stringify(parts));
    return found.map((one) => ({ key, ...one }));
  });
}
