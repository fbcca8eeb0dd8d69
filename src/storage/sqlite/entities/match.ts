import type { SQLQueryBindings } from "bun:sqlite";
import type {
  EntityMatches,
  MatchedEntity,
  Neighbour,
  RelatedEntity,
  RowOwners,
} from "../../../core/ports/entity-store.ts";
import type { ReadScope } from "../../../core/ports/memory-filter.ts";
import { TOGETHER_MIN, TOGETHER_WEIGHT } from "../../common/related-entities.ts";
import { widerThan } from "../accounts/audiences.ts";
import type { Connections } from "../engine/connection.ts";
import { readableTotal } from "../search/readable-rows.ts";
import { isTold } from "./relations.ts";
import type { Reader } from "./seen-by.ts";
import { IS_ENTERED_ALIAS, IS_SEEN, nameAmong, readerOf, seenBy, TYPE_SEEN, typeAmong } from "./seen-by.ts";

/** Entities related to those of one query, by hand and by rows that name both. */
const RELATED_MAX = 100;
/** What more rows name than these stands beside everything, and leads nowhere. */
const BESIDE_ROWS_MAX = 64;

/** Entities under one of the keys, by their own name or by another one that the reader may know. */
const NAMED = `
  select e.seq, e.id, ${TYPE_SEEN} as entity_type, e.name_key as key, json_group_array(named.asked) as asked,
    coalesce((select sum(a.links) from entity_audiences a
      where a.entity_seq = e.seq and a.audience in (select value from json_each(?2))), 0) as rows
  from (
    select own.seq, k.value as asked from json_each(?4) k
      cross join entities own on own.tenant_id = ?3 and own.name_key = k.value
    union
    select a.entity_seq, k.value from json_each(?4) k
      cross join entity_aliases a on a.tenant_id = ?3 and a.alias_key = k.value
      where ${IS_ENTERED_ALIAS} or a.audience in (select value from json_each(?2))
  ) named join entities e on e.seq = named.seq
  where ${IS_SEEN} group by e.seq order by e.name_key limit ?5`;

const RELATED = `
  select o.id, max(r.weight) as weight, e.id as of
  from json_each(?2) m cross join entities e on e.id = m.value
  cross join relations r on ((r.tenant_id = ?1 and r.from_seq = e.seq) or r.to_seq = e.seq)
    and ${isTold("?3")}
  join entities o on o.seq = case when r.from_seq = e.seq then r.to_seq else r.from_seq end
  group by o.seq, e.seq limit ${RELATED_MAX}`;

/** Named together by rows of the reader. */
const BESIDE = `
  select o.id, e.id as of, ${TOGETHER_WEIGHT} as weight
  from json_each(?1) m cross join entities e on e.id = m.value
  cross join memory_entities own on own.entity_seq = e.seq
  cross join memory_entities l on l.memory_seq = own.memory_seq and l.entity_seq <> own.entity_seq
  cross join entities o on o.seq = l.entity_seq
  where own.audience in (select value from json_each(?2))
  group by e.seq, o.seq having count(*) >= ${TOGETHER_MIN} limit ${RELATED_MAX}`;

type NamedRow = Omit<MatchedEntity, "asked"> & { readonly seq: number; readonly asked: string };

/** Entities that one of these keys names, and those they are related to. */
export function matchEntities(
  db: Connections,
  read_scope: ReadScope,
  keys: readonly string[],
  limit: number,
): EntityMatches {
  const total = readableTotal(db, { tenant_id: read_scope.tenant_id, read_scope });
  if (keys.length === 0 || total === 0) return { matched: [], related: [], total };
  const reader = readerOf(db, read_scope);
  const matched = db.readConnection
    .query<NamedRow, SQLQueryBindings[]>(NAMED)
    .all(...seenBy(reader), read_scope.tenant_id, JSON.stringify(keys), limit)
    // Safe: SQLite made the text from an array of keys.
    .map(({ seq: _seq, asked, ...row }): MatchedEntity => ({ ...row, asked: JSON.parse(asked) as string[] }));
  return { matched, related: matched.length === 0 ? [] : relatedTo(db, read_scope.tenant_id, matched, reader), total };
}

/** What is related by hand, and what stands beside in rows that the reader sees. */
function relatedTo(
  db: Connections,
  tenant_id: string,
  matched: readonly MatchedEntity[],
  reader: Reader,
): RelatedEntity[] {
  const idsOf = (entities: readonly MatchedEntity[]) => JSON.stringify(entities.map(({ id }) => id));
  const rare = matched.filter(({ rows }) => rows >= TOGETHER_MIN && rows <= BESIDE_ROWS_MAX);
  const related = (statement: string) => db.readConnection.query<RelatedEntity, SQLQueryBindings[]>(statement);
  return [
    ...related(RELATED).all(tenant_id, idsOf(matched), reader.fleets),
    ...(rare.length === 0 ? [] : related(BESIDE).all(idsOf(rare), reader.audiences)),
  ];
}

/** Known names that begin with the same letters as an unknown one, or that it holds as a whole. */
const NEIGHBOURS_MAX = 6;
const SAME_LETTERS = 4;
const NEAR = `
  select e.name_key as near_key, ${nameAmong("?6")} as near_name, ${typeAmong("?6")} as near_type from entities e
  where e.tenant_id = ?1 and ((e.name_key >= ?2 and e.name_key < ?3) or e.name_key in (select value from json_each(?4)))
    and exists (select 1 from entity_audiences a
      where a.entity_seq = e.seq and a.direct > 0 and a.audience in (select value from json_each(?6)))
  order by abs(length(e.name_key) - ?5), e.name_key limit ${NEIGHBOURS_MAX}`;
const KNOWN = `select 1 from entities e join entity_audiences a on a.entity_seq = e.seq
  where e.tenant_id = ? and e.name_key = ? and a.direct > 0 and a.audience in (select value from json_each(?)) limit 1`;

/** Known names with nearly the letters of unknown ones; none for a name that is known itself. */
export function neighbourNames(
  db: Connections,
  owners: RowOwners,
  names: readonly { readonly key: string; readonly parts: readonly string[] }[],
): Neighbour[] {
  const { tenant_id } = owners;
  const audiences = JSON.stringify(widerThan(db, owners));
  const known = db.readConnection.query<unknown, [string, string, string]>(KNOWN);
  const near = db.readConnection.query<Omit<Neighbour, "key">, SQLQueryBindings[]>(NEAR);
  return names.flatMap(({ key, parts }) => {
    if (key.length < SAME_LETTERS || known.get(tenant_id, key, audiences) !== null) return [];
    const letters = key.slice(0, SAME_LETTERS);
    const found = near.all(tenant_id, letters, `${letters}\u{10FFFF}`, JSON.stringify(parts), key.length, audiences);
    return found.map((one) => ({ key, ...one }));
  });
}
