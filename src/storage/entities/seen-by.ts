import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { ReadScope } from "../../core/ports/memory-filter.ts";
import { readableAudiences } from "../accounts/audiences.ts";
import type { SqlDialect } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import type { Work } from "../units/work.ts";
import type { ReadFleets } from "./entries.ts";
import { readFleets } from "./entries.ts";

/** Sets of readers, as statements know them. */
export interface Readers {
  readonly dialect: SqlDialect;
  /** The audiences whose rows they read. */
  readonly audiences: readonly number[];
}

/** A reader as statements know it. */
export interface Reader extends Readers {
  readonly fleets: ReadFleets;
}

/** Who reads, for a fleet in particular where one is named that it may read. */
export function* readerOf(work: Work, read_scope: ReadScope, named?: string): Unit<Reader> {
  const readable = yield* readableAudiences(work, read_scope);
  const audiences = readable.map(({ id }) => id);
  return { dialect: work.dialect, audiences, fleets: readFleets(read_scope, named) };
}

/** The tenant of an entity `e`, and that of another name `a`. */
export const OF_ENTITY = sql.raw("e.tenant_id");
const OF_ALIAS = sql.raw("a.tenant_id");

/** Holds for rows `table` of some sets of readers. */
export const isAmong = (table: string, { dialect, audiences }: Readers): SQL =>
  dialect.isIn(sql.raw(`${table}.audience`), audiences);

/** Holds for rows `table` of what was entered for a fleet of the reader, or for all. */
export function isOfReader(table: string, { dialect, fleets }: Reader): SQL {
  if (fleets.all) return sql`true`;
  const fleet_id = sql.raw(`${table}.fleet_id`);
  return sql`(${fleet_id} is null or ${dialect.isIn(fleet_id, fleets.own)})`;
}

/** The order in which a reader is told one of several: its own fleet's, that of all, the first of the others. */
export function nearest(table: string, { dialect, fleets }: Reader): SQL {
  const fleet_id = sql.raw(`${table}.fleet_id`);
  return sql`${dialect.placeIn(fleet_id, fleets.own)} nulls last, ${fleet_id} is not null, ${sql.raw(table)}.seq`;
}

/** Entries `h` of an entity `e` that a reader is told of. */
const entries = (reader: Reader): SQL => sql`from entity_entries h
  where ${reader.dialect.tenant("h", OF_ENTITY)} and h.entity_seq = e.seq and ${isOfReader("h", reader)}`;

/** Holds for an entity `e` that was entered by hand for a fleet of the reader, or for all: what was entered is shown. */
export const isEntered = (reader: Reader): SQL => sql`exists (select 1 ${entries(reader)})`;

/** What the entry says of an entity `e` that its reader is told; null without one. */
export const entered = (column: "seq" | "canonical_name" | "entity_type", reader: Reader): SQL => sql`(
  select h.${sql.raw(column)} ${entries(reader)} order by ${nearest("h", reader)} limit 1)`;

/** Holds for another name `a` that was entered by hand and that the reader may know. */
export const isEnteredAlias = (reader: Reader): SQL => sql`exists (select 1 from entity_entries h
  where ${reader.dialect.tenant("h", OF_ALIAS)} and h.seq = -a.memory_seq and ${isOfReader("h", reader)})`;

/** Holds for another name `a` that the reader may know. */
export const isKnownAlias = (reader: Reader): SQL => sql`(${isAmong("a", reader)} or ${isEnteredAlias(reader)})`;

/** What the first row of some readers says of an entity `e`, of those that write its own name. */
const firstSaid = (column: "name" | "entity_type", readers: Readers, where: string): SQL => sql`(
  select l.${sql.raw(column)} from memory_entities l
  where ${readers.dialect.tenant("l", OF_ENTITY)} and l.entity_seq = e.seq and l.${sql.raw(where)} and ${isAmong("l", readers)}
  order by l.memory_seq limit 1)`;

/** How rows of some readers spell an entity `e`; null where none of them writes its name. */
export const nameSaid = (readers: Readers): SQL => firstSaid("name", readers, "name is not null");

/** The same, by its id where a caller alone linked their rows to it: how others spell it is not theirs to know. */
export const nameAmong = (readers: Readers): SQL => sql`coalesce(${nameSaid(readers)}, e.id)`;

/** What kind of thing they take it for. */
export const typeAmong = (readers: Readers): SQL =>
  sql`coalesce(${firstSaid("entity_type", readers, "entity_type <> 'unknown'")}, 'unknown')`;

/** The name that a reader is told: as it was entered for it, or as its own rows have it. */
export const nameSeen = (reader: Reader): SQL =>
  sql`coalesce(${entered("canonical_name", reader)}, ${nameAmong(reader)})`;

/** The type that a reader is told, alike. */
export const typeSeen = (reader: Reader): SQL => sql`coalesce(${entered("entity_type", reader)}, ${typeAmong(reader)})`;

/** Holds for an entity `e` that a row of some readers names, with its own name where that is asked for. */
export const isNamedBy = (readers: Readers, which: "by any name" | "by its own" = "by any name"): SQL => sql`exists (
  select 1 from entity_audiences n where ${readers.dialect.tenant("n", OF_ENTITY)} and n.entity_seq = e.seq
    and ${which === "by its own" ? sql`n.direct > 0 and ` : sql``}${isAmong("n", readers)})`;

/** Holds for an entity `e` whose own name the reader knows: as it was entered for it, or as a row that it reads spells it. */
export const isNameKnown = (reader: Reader): SQL => sql`(${isEntered(reader)} or exists (
  select 1 from memory_entities l where ${reader.dialect.tenant("l", OF_ENTITY)} and l.entity_seq = e.seq
    and l.name is not null and ${isAmong("l", reader)}))`;

/** Holds for an entity `e` that the reader sees: entered by hand for its fleets, or named by a row that it reads. */
export const isSeen = (reader: Reader): SQL => sql`(${isEntered(reader)} or ${isNamedBy(reader)})`;
