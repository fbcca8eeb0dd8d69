import type { SQLQueryBindings } from "bun:sqlite";
import type { ReadScope } from "../../../core/ports/memory-filter.ts";
import { readFleets } from "../../common/entity-entries.ts";
import { readableAudiences } from "../accounts/audiences.ts";
import type { Connections } from "../engine/connection.ts";

/** A reader as statements know it. */
export interface Reader {
  /** The audiences whose rows it reads, as JSON. */
  readonly audiences: string;
  /** As JSON: whether it reads what was entered for any fleet, and the fleets whose entries come first. */
  readonly fleets: string;
}

/** Who reads, for a fleet in particular where one is named that it may read. */
export const readerOf = (db: Connections, read_scope: ReadScope, named?: string): Reader => ({
  audiences: JSON.stringify(readableAudiences(db, read_scope)),
  fleets: JSON.stringify(readFleets(read_scope, named)),
});

/** Holds for what was entered for a fleet of the reader, or for all. */
export const isOfReader = (entered: string, fleets = "?1"): string => `(${entered}.fleet_id is null
  or json_extract(${fleets}, '$.all') or ${entered}.fleet_id in (select value from json_each(${fleets}, '$.own')))`;

/** The order in which a reader is told one of several: its own fleet's, that of all, the first of the others. */
export const nearest = (entered: string, fleets = "?1"): string => `(
  select min(key) from json_each(${fleets}, '$.own') where value = ${entered}.fleet_id) nulls last,
  ${entered}.fleet_id is not null, ${entered}.seq`;

/** Holds for an entity `e` that was entered by hand for a fleet of the reader, or for all: what was entered is shown. */
export const IS_ENTERED = `exists (select 1 from entity_entries h where h.entity_seq = e.seq and ${isOfReader("h")})`;

/** What the entry says of an entity `e` that its reader is told; null without one. */
export const entered = (column: "seq" | "canonical_name" | "entity_type"): string => `(
  select h.${column} from entity_entries h where h.entity_seq = e.seq and ${isOfReader("h")}
  order by ${nearest("h")} limit 1)`;

/** Holds for another name `a` that was entered by hand and that the reader may know. */
export const IS_ENTERED_ALIAS = `exists (
  select 1 from entity_entries h where h.seq = -a.memory_seq and ${isOfReader("h")})`;

/** What the first row of some readers says of an entity `e`, of those that write its own name. */
const firstSaid = (column: "name" | "entity_type", audiences: string, where: string): string => `(
  select l.${column} from memory_entities l
  where l.entity_seq = e.seq and l.${where} and l.audience in (select value from json_each(${audiences}))
  order by l.memory_seq limit 1)`;

/** How rows of some readers spell an entity `e`; null where none of them writes its name. */
export const nameSaid = (audiences: string): string => firstSaid("name", audiences, "name is not null");

/** The same, by its id where a caller alone linked their rows to it: how others spell it is not theirs to know. */
export const nameAmong = (audiences: string): string => `coalesce(${nameSaid(audiences)}, e.id)`;

/** What kind of thing they take it for. */
export const typeAmong = (audiences: string): string => `coalesce(
  ${firstSaid("entity_type", audiences, "entity_type <> 'unknown'")}, 'unknown')`;

/** The name and type that a reader is told: as they were entered for it, or as its own rows have them. */
export const NAME_SEEN = `coalesce(${entered("canonical_name")}, ${nameAmong("?2")})`;
export const TYPE_SEEN = `coalesce(${entered("entity_type")}, ${typeAmong("?2")})`;

/** Holds for an entity `e` that the reader sees: entered by hand for its fleets, or named by a row that it reads. */
export const IS_SEEN = `(
  ${IS_ENTERED}
  or exists (select 1 from entity_audiences seen
    where seen.entity_seq = e.seq and seen.audience in (select value from json_each(?2))))`;

/** The first two values of every statement that holds one of these. */
export const seenBy = ({ fleets, audiences }: Reader): [SQLQueryBindings, SQLQueryBindings] => [fleets, audiences];
