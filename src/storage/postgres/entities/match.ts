import { sql } from "drizzle-orm";
import type {
  EntityMatches,
  MatchedEntity,
  Neighbour,
  RelatedEntity,
  RowOwners,
} from "../../../core/ports/entity-store.ts";
import type { ReadScope } from "../../../core/ports/memory-filter.ts";
import { isReader } from "../../common/audiences.ts";
import { readFleets } from "../../common/entity-entries.ts";
import { TOGETHER_MIN, TOGETHER_WEIGHT } from "../../common/related-entities.ts";
import { audiencesOf, widerThan } from "../accounts/audiences.ts";
import { intArray, recordsValue, textArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import { isTold } from "./relations.ts";
import type { Reader } from "./seen-by.ts";
import { isAmong, isKnownAlias, isSeen, nameAmong, typeAmong, typeSeen } from "./seen-by.ts";

/** Entities related to those of one query, by hand and by rows that name both. */
const RELATED_MAX = 100;
/** What more rows name than these stands beside everything, and leads nowhere. */
const BESIDE_ROWS_MAX = 64;

type NamedRow = MatchedEntity & { readonly seq: number };

/**
 * Entities that one of these keys names, and those they are related to. Each statement may see its own moment: what a name
 * lost in between is related to nothing any more.
 */
export async function matchEntities(
  work: Work,
  read_scope: ReadScope,
  { keys, limit }: { readonly keys: readonly string[]; readonly limit: number },
): Promise<EntityMatches> {
  const { tenant_id } = read_scope;
  const readable = (await audiencesOf(work, tenant_id)).filter((audience) => isReader(audience, read_scope));
  const total = readable.reduce((sum, { stored }) => sum + stored, 0);
  if (keys.length === 0 || total === 0) return { matched: [], related: [], total };
  const reader: Reader = { audiences: readable.map(({ id }) => id), fleets: readFleets(read_scope, undefined) };
  const named = await namedBy(work, reader, { tenant_id, keys, limit });
  const matched = named.map(({ seq: _seq, ...row }) => row);
  return { matched, related: named.length === 0 ? [] : await relatedTo(work, reader, { tenant_id, named }), total };
}

interface Asked {
  readonly tenant_id: string;
  readonly keys: readonly string[];
  readonly limit: number;
}

/** Entities under one of the keys, by their own name or by another one that the reader may know. */
const namedBy = (work: Work, reader: Reader, { tenant_id, keys, limit }: Asked): Promise<NamedRow[]> =>
  work.rows<NamedRow>(sql`
    select e.seq, e.id, ${typeSeen(reader)} as entity_type, e.name_key as key, found.asked,
      coalesce((select sum(a.links)::bigint from entity_audiences a
        where a.tenant_id = e.tenant_id and a.entity_seq = e.seq and ${isAmong("a", reader.audiences)}), 0) as rows
    from (
      select by.seq, json_agg(by.asked order by by.asked) as asked from (
        select own.seq, own.name_key as asked from entities own
        where own.tenant_id = ${tenant_id} and own.name_key = any(${textArray(keys)})
        union
        select a.entity_seq, a.alias_key from entity_aliases a
        where a.tenant_id = ${tenant_id} and a.alias_key = any(${textArray(keys)}) and ${isKnownAlias(reader)}
      ) by group by by.seq
    ) found join entities e on e.tenant_id = ${tenant_id} and e.seq = found.seq
    where ${isSeen(reader)} order by e.name_key limit ${limit}::bigint`);

interface Named {
  readonly tenant_id: string;
  readonly named: readonly NamedRow[];
}

/** What is related by hand, and what stands beside in rows that the reader sees. */
async function relatedTo(work: Work, reader: Reader, { tenant_id, named }: Named): Promise<RelatedEntity[]> {
  const rare = named.filter(({ rows }) => rows >= TOGETHER_MIN && rows <= BESIDE_ROWS_MAX);
  return [
    ...(await relatedByHand(work, reader, { tenant_id, named })),
    ...(rare.length === 0 ? [] : await namedTogether(work, reader, { tenant_id, named: rare })),
  ];
}

const seqsOf = (named: readonly NamedRow[]) => intArray(named.map(({ seq }) => seq));

const relatedByHand = (work: Work, reader: Reader, { tenant_id, named }: Named): Promise<RelatedEntity[]> =>
  work.rows<RelatedEntity>(sql`
    select o.id, max(r.weight) as weight, e.id as of from entities e
    cross join lateral (
      select h.*, h.to_seq as other from relations h where h.tenant_id = e.tenant_id and h.from_seq = e.seq
      union all
      select h.*, h.from_seq from relations h
      where h.tenant_id = e.tenant_id and h.to_seq = e.seq and h.from_seq <> e.seq) r
    join entities o on o.tenant_id = e.tenant_id and o.seq = r.other
    where e.tenant_id = ${tenant_id} and e.seq = any(${seqsOf(named)}) and ${isTold(reader)}
    group by o.id, e.id order by weight desc, o.id limit ${RELATED_MAX}::int`);

/** Named together by rows of the reader. */
const namedTogether = (work: Work, { audiences }: Reader, { tenant_id, named }: Named): Promise<RelatedEntity[]> =>
  work.rows<RelatedEntity>(sql`
    select o.id, e.id as of, ${TOGETHER_WEIGHT}::double precision as weight from entities e
    join memory_entities own on own.tenant_id = e.tenant_id and own.entity_seq = e.seq
    join memory_entities l on l.tenant_id = own.tenant_id and l.memory_seq = own.memory_seq
      and l.entity_seq <> own.entity_seq
    join entities o on o.tenant_id = l.tenant_id and o.seq = l.entity_seq
    where e.tenant_id = ${tenant_id} and e.seq = any(${seqsOf(named)}) and ${isAmong("own", audiences)}
    group by e.id, o.id having count(*) >= ${TOGETHER_MIN}::int
    order by count(*) desc, o.id limit ${RELATED_MAX}::int`);

/** Known names that begin with the same letters as an unknown one, or that it holds as a whole. */
const NEIGHBOURS_MAX = 6;
const SAME_LETTERS = 4;

/** Known names with nearly the letters of unknown ones; none for a name that is known itself. */
export async function neighbourNames(
  work: Work,
  owners: RowOwners,
  names: readonly { readonly key: string; readonly parts: readonly string[] }[],
): Promise<Neighbour[]> {
  const asked = names
    .filter(({ key }) => key.length >= SAME_LETTERS)
    .map(({ key, parts }, place) => ({ place, key, parts, ...lettersOf(key) }));
  if (asked.length === 0) return [];
  const { tenant_id } = owners;
  const audiences = await widerThan(work, owners);
  const isNamed = sql`exists (select 1 from entity_audiences a
    where a.tenant_id = e.tenant_id and a.entity_seq = e.seq and a.direct > 0 and ${isAmong("a", audiences)})`;
  return work.rows<Neighbour>(sql`
    select n.key, near.near_key, near.near_name, near.near_type from (
      select j.*, array(select json_array_elements_text(j.parts)) as whole
      from json_to_recordset(${recordsValue(asked)})
        as j (place bigint, key text, parts json, letters text, beyond text, length bigint)
      where not exists (
        select 1 from entities e where e.tenant_id = ${tenant_id} and e.name_key = j.key and ${isNamed})) n
    cross join lateral (
      select e.name_key as near_key, ${nameAmong(audiences)} as near_name, ${typeAmong(audiences)} as near_type,
        abs(length(e.name_key) - n.length) as far
      from entities e where e.tenant_id = ${tenant_id}
        and ((e.name_key >= n.letters and e.name_key < n.beyond) or e.name_key = any(n.whole)) and ${isNamed}
      order by far, e.name_key limit ${NEIGHBOURS_MAX}::int) near
    order by n.place, near.far, near.near_key`);
}

/** The first letters of a name, and what comes after all names that begin so. */
function lettersOf(key: string): { readonly letters: string; readonly beyond: string; readonly length: number } {
  const letters = [...key].slice(0, SAME_LETTERS).join("");
  return { letters, beyond: `${letters}\u{10FFFF}`, length: key.length };
}
