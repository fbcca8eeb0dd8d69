import { sql } from "drizzle-orm";
import type {
  EntityMatches,
  MatchedEntity,
  Neighbour,
  RelatedEntity,
  RowOwners,
} from "../../core/ports/entity-store.ts";
import type { ReadScope } from "../../core/ports/memory-filter.ts";
import { readableAudiences, widerThan } from "../accounts/audiences.ts";
import { int, jsonIn } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows } from "../units/unit.ts";
import type { Work } from "../units/work.ts";
import { readFleets } from "./entries.ts";
import { isTold, TOGETHER_MIN, TOGETHER_WEIGHT } from "./relations.ts";
import type { Reader } from "./seen-by.ts";
import {
  isAmong,
  isKnownAlias,
  isNamedBy,
  isNameKnown,
  isSeen,
  nameAmong,
  OF_ENTITY,
  typeAmong,
  typeSeen,
} from "./seen-by.ts";

/** Entities related to those of one query, by hand and by rows that name both. */
const RELATED_MAX = 100;
/** What more rows name than these stands beside everything, and leads nowhere. */
const BESIDE_ROWS_MAX = 64;

type NamedRow = MatchedEntity & { readonly seq: number };

/**
 * Entities that one of these keys names, and those they are related to. Each statement may see its own moment: what a name
 * lost in between is related to nothing any more.
 */
export function* matchEntities(
  work: Work,
  read_scope: ReadScope,
  { keys, limit }: { readonly keys: readonly string[]; readonly limit: number },
): Unit<EntityMatches> {
  const { tenant_id } = read_scope;
  const readable = yield* readableAudiences(work, read_scope);
  const total = readable.reduce((sum, { stored }) => sum + stored, 0);
  if (keys.length === 0 || total === 0) return { matched: [], related: [], total };
  const audiences = readable.map(({ id }) => id);
  const reader: Reader = { dialect: work.dialect, audiences, fleets: readFleets(read_scope, undefined) };
  const named = yield* namedBy(reader, { tenant_id, keys, limit });
  const matched = named.map(({ seq: _seq, asked, ...one }) => ({ ...one, asked: jsonIn<string[]>(asked) }));
  return { matched, related: named.length === 0 ? [] : yield* relatedTo(reader, { tenant_id, named }), total };
}

interface Asked {
  readonly tenant_id: string;
  readonly keys: readonly string[];
  readonly limit: number;
}

/** Entities under one of the keys, by their own name or by another one that the reader may know. */
function namedBy(reader: Reader, { tenant_id, keys, limit }: Asked): Unit<NamedRow[]> {
  const { dialect } = reader;
  return rows<NamedRow>(sql`
    select e.seq, e.id, ${typeSeen(reader)} as entity_type, e.name_key as key, found.asked,
      coalesce((select cast(sum(a.links) as bigint) from entity_audiences a
        where ${dialect.tenant("a", OF_ENTITY)} and a.entity_seq = e.seq and ${isAmong("a", reader)}), 0) as rows
    from (
      select known.seq, ${dialect.listOf(sql`known.asked`)} as asked from (
        select e.seq, e.name_key as asked from entities e
        where e.tenant_id = ${tenant_id} and ${dialect.isIn(sql`e.name_key`, keys)} and ${isNameKnown(reader)}
        union
        select a.entity_seq, a.alias_key from entity_aliases a
        where a.tenant_id = ${tenant_id} and ${dialect.isIn(sql`a.alias_key`, keys)} and ${isKnownAlias(reader)}
      ) known group by known.seq
    ) found ${dialect.nested} entities e on e.tenant_id = ${tenant_id} and e.seq = found.seq
    where ${isSeen(reader)} order by e.name_key limit cast(${limit} as bigint)`);
}

interface Named {
  readonly tenant_id: string;
  readonly named: readonly NamedRow[];
}

/** What is related by hand, and what stands beside in rows that the reader sees. */
function* relatedTo(reader: Reader, { tenant_id, named }: Named): Unit<RelatedEntity[]> {
  const rare = named.filter(({ rows }) => rows >= TOGETHER_MIN && rows <= BESIDE_ROWS_MAX);
  const byHand = yield* relatedByHand(reader, { tenant_id, named });
  return rare.length === 0 ? byHand : [...byHand, ...(yield* namedTogether(reader, { tenant_id, named: rare }))];
}

/** Holds for an entity `e` that is one of some. */
const isOneOf = ({ dialect }: Reader, { tenant_id, named }: Named) =>
  sql`${dialect.belongs("e", tenant_id)} and ${dialect.isIn(
    sql`e.seq`,
    named.map(({ seq }) => seq),
  )}`;

function relatedByHand(reader: Reader, among: Named): Unit<RelatedEntity[]> {
  const { nested } = reader.dialect;
  return rows<RelatedEntity>(sql`
    select o.id, max(r.weight) as weight, r.of from (
      select h.*, h.to_seq as other, e.id as of from entities e
      ${nested} relations h on h.tenant_id = e.tenant_id and h.from_seq = e.seq where ${isOneOf(reader, among)}
      union all
      select h.*, h.from_seq, e.id from entities e
      ${nested} relations h on ${reader.dialect.belongs("h", OF_ENTITY)} and h.to_seq = e.seq and h.from_seq <> e.seq
      where ${isOneOf(reader, among)}) r
    ${nested} entities o on o.tenant_id = ${among.tenant_id} and o.seq = r.other
    where ${isTold(reader)} group by o.id, r.of order by weight desc, o.id, r.of limit ${int(RELATED_MAX)}`);
}

/** Named together by rows of the reader. */
function namedTogether(reader: Reader, among: Named): Unit<RelatedEntity[]> {
  const { nested, tenant } = reader.dialect;
  return rows<RelatedEntity>(sql`
    select o.id, near.of, cast(${TOGETHER_WEIGHT} as double precision) as weight from (
      select e.id as of, l.entity_seq, count(*) as times from entities e
      ${nested} memory_entities own on ${tenant("own", OF_ENTITY)} and own.entity_seq = e.seq
      ${nested} memory_entities l on ${tenant("l", OF_ENTITY)} and l.memory_seq = own.memory_seq
        and l.entity_seq <> own.entity_seq
      where ${isOneOf(reader, among)} and ${isAmong("own", reader)}
      group by e.id, l.entity_seq having count(*) >= ${int(TOGETHER_MIN)}) near
    ${nested} entities o on o.tenant_id = ${among.tenant_id} and o.seq = near.entity_seq
    order by near.times desc, o.id, near.of limit ${int(RELATED_MAX)}`);
}

/** Known names that begin with the same letters as an unknown one, or that it holds as a whole. */
const NEIGHBOURS_MAX = 6;
const SAME_LETTERS = 4;

/** Known names with nearly the letters of unknown ones; none for a name that is known itself. */
export function* neighbourNames(
  work: Work,
  owners: RowOwners,
  names: readonly { readonly key: string; readonly parts: readonly string[] }[],
): Unit<Neighbour[]> {
  const asked = names
    .filter(({ key }) => key.length >= SAME_LETTERS)
    .map(({ key, parts }) => ({ key, parts, length: key.length, ...lettersOf(key) }));
  if (asked.length === 0) return [];
  const { tenant_id } = owners;
  const readers = { dialect: work.dialect, audiences: yield* widerThan(work, owners) };
  const isNamed = isNamedBy(readers, "by its own");
  const known = yield* rows<{ name_key: string }>(sql`select e.name_key from entities e
    where e.tenant_id = ${tenant_id} and ${readers.dialect.isIn(
      sql`e.name_key`,
      asked.map(({ key }) => key),
    )} and ${isNamed}`);
  const isKnown = new Set(known.map(({ name_key }) => name_key));
  const unknown = asked.filter(({ key }) => !isKnown.has(key));
  const found = yield* work.dialect.each<Omit<Neighbour, "key">>(
    unknown,
    { key: "text", parts: "texts", length: "int", letters: "text", beyond: "text" },
    (name) => sql`
      select e.name_key as near_key, ${nameAmong(readers)} as near_name, ${typeAmong(readers)} as near_type
      from entities e where ((e.tenant_id = ${tenant_id}
          and e.name_key >= ${name.of("letters")} and e.name_key < ${name.of("beyond")})
        or (e.tenant_id = ${tenant_id} and ${name.isAmong(sql`e.name_key`, "parts")})) and ${isNamed}
      order by abs(length(e.name_key) - ${name.of("length")}), e.name_key limit ${int(NEIGHBOURS_MAX)}`,
  );
  return found.flatMap(({ place, near_key, near_name, near_type }) => {
    const key = unknown[place]?.key;
    return key === undefined ? [] : [{ key, near_key, near_name, near_type }];
  });
}

/** The first letters of a name, and what comes after all names that begin so. */
function lettersOf(key: string): { readonly letters: string; readonly beyond: string } {
  const letters = [...key].slice(0, SAME_LETTERS).join("");
  return { letters, beyond: `${letters}\u{10FFFF}` };
}
