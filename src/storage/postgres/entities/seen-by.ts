import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { ReadScope } from "../../../core/ports/memory-filter.ts";
import type { ReadFleets } from "../../common/entity-entries.ts";
import { readFleets } from "../../common/entity-entries.ts";
import { readableAudiences } from "../accounts/audiences.ts";
import { intArray, textArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";

/** A reader as statements know it. */
export interface Reader {
  /** The audiences whose rows it reads. */
  readonly audiences: readonly number[];
  readonly fleets: ReadFleets;
}

/** Who reads, for a fleet in particular where one is named that it may read. */
export const readerOf = async (work: Work, read_scope: ReadScope, named?: string): Promise<Reader> => ({
  audiences: await readableAudiences(work, read_scope),
  fleets: readFleets(read_scope, named),
});

/** Holds for rows `table` of these audiences. */
export const isAmong = (table: string, audiences: readonly number[]): SQL =>
  sql`${sql.raw(table)}.audience = any(${intArray(audiences)})`;

/** Holds for rows `table` of what was entered for a fleet of the reader, or for all. */
export function isOfReader(table: string, { fleets }: Reader): SQL {
  if (fleets.all) return sql`true`;
  const fleet_id = sql.raw(`${table}.fleet_id`);
  return sql`(${fleet_id} is null or ${fleet_id} = any(${textArray(fleets.own)}))`;
}

/** The order in which a reader is told one of several: its own fleet's, that of all, the first of the others. */
export function nearest(table: string, { fleets }: Reader): SQL {
  const fleet_id = sql.raw(`${table}.fleet_id`);
  return sql`array_position(${textArray(fleets.own)}, ${fleet_id}) nulls last, ${fleet_id} is not null,
    ${sql.raw(table)}.seq`;
}

/** Entries `h` of an entity `e` that a reader is told of. */
const entries = (reader: Reader): SQL =>
  sql`from entity_entries h where h.tenant_id = e.tenant_id and h.entity_seq = e.seq and ${isOfReader("h", reader)}`;

/** Holds for an entity `e` that was entered by hand for a fleet of the reader, or for all: what was entered is shown. */
export const isEntered = (reader: Reader): SQL => sql`exists (select 1 ${entries(reader)})`;

/** What the entry says of an entity `e` that its reader is told; null without one. */
export const entered = (column: "seq" | "canonical_name" | "entity_type", reader: Reader): SQL => sql`(
  select h.${sql.raw(column)} ${entries(reader)} order by ${nearest("h", reader)} limit 1)`;

/** Holds for another name `a` that was entered by hand and that the reader may know. */
export const isEnteredAlias = (reader: Reader): SQL => sql`exists (
  select 1 from entity_entries h where h.tenant_id = a.tenant_id and h.seq = -a.memory_seq
    and ${isOfReader("h", reader)})`;

/** Holds for another name `a` that the reader may know. */
export const isKnownAlias = (reader: Reader): SQL =>
  sql`(${isAmong("a", reader.audiences)} or ${isEnteredAlias(reader)})`;

/** What the first row of some readers says of an entity `e`, of those that write its own name. */
const firstSaid = (column: "name" | "entity_type", audiences: readonly number[], where: string): SQL => sql`(
  select l.${sql.raw(column)} from memory_entities l
  where l.tenant_id = e.tenant_id and l.entity_seq = e.seq and l.${sql.raw(where)} and ${isAmong("l", audiences)}
  order by l.memory_seq limit 1)`;

/** How rows of some readers spell an entity `e`; null where none of them writes its name. */
export const nameSaid = (audiences: readonly number[]): SQL => firstSaid("name", audiences, "name is not null");

/** The same, by its id where a caller alone linked their rows to it: how others spell it is not theirs to know. */
export const nameAmong = (audiences: readonly number[]): SQL => sql`coalesce(${nameSaid(audiences)}, e.id)`;

/** What kind of thing they take it for. */
export const typeAmong = (audiences: readonly number[]): SQL => sql`coalesce(
  ${firstSaid("entity_type", audiences, "entity_type <> 'unknown'")}, 'unknown')`;

/** The name that a reader is told: as it was entered for it, or as its own rows have it. */
export const nameSeen = (reader: Reader): SQL =>
  sql`coalesce(${entered("canonical_name", reader)}, ${nameAmong(reader.audiences)})`;

/** The type that a reader is told, alike. */
export const typeSeen = (reader: Reader): SQL =>
  sql`coalesce(${entered("entity_type", reader)}, ${typeAmong(reader.audiences)})`;

/** Holds for an entity `e` that the reader sees: entered by hand for its fleets, or named by a row that it reads. */
export const isSeen = (reader: Reader): SQL => sql`(
  ${isEntered(reader)}
  or exists (select 1 from entity_audiences seen
    where seen.tenant_id = e.tenant_id and seen.entity_seq = e.seq and ${isAmong("seen", reader.audiences)}))`;
