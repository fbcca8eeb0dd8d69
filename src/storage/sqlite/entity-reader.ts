import type { SQLQueryBindings } from "bun:sqlite";
import type { Reach } from "../../ports/memory-filter.ts";
import type { Connections } from "./connection.ts";
import { readableAudiences } from "./owners.ts";

/** A reader as statements know it. */
export interface Reader {
  /** The audiences whose rows it reads, as JSON. */
  readonly audiences: string;
  /** Its fleets as JSON; null for all of them. */
  readonly fleets: string | null;
}

export const readerOf = (at: Connections, reach: Reach): Reader => ({
  audiences: JSON.stringify(readableAudiences(at, reach)),
  fleets: reach.fleets === "all" ? null : JSON.stringify(reach.fleets),
});

/** Holds for an entity `e` that was entered by hand for a fleet of the reader, or for all: what was entered is shown. */
export const IS_ENTERED = `(e.by_hand = 1
  and (e.fleet_id is null or ?1 is null or e.fleet_id in (select value from json_each(?1))))`;

/** What the first row of some readers says of an entity `e`, of those that write its own name. */
const firstSaid = (column: "name" | "entity_type", audiences: string, where: string): string => `(
  select l.${column} from memory_entities l
  where l.entity_seq = e.seq and l.${where} and l.audience in (select value from json_each(${audiences}))
  order by l.memory_seq limit 1)`;

/** How rows of some readers spell an entity `e`; as whoever came first did where a caller alone linked a row to it. */
export const nameAmong = (audiences: string): string =>
  `coalesce(${firstSaid("name", audiences, "name is not null")}, e.canonical_name)`;

/** What kind of thing they take it for. */
export const typeAmong = (audiences: string): string => `coalesce(
  ${firstSaid("entity_type", audiences, "entity_type <> 'unknown'")},
  ${firstSaid("entity_type", audiences, "entity_type is not null")}, e.entity_type)`;

/** The name and type that a reader is told: as they were entered for it, or as its own rows have them. */
export const NAME_SEEN = `iif(${IS_ENTERED}, e.canonical_name, ${nameAmong("?2")})`;
export const TYPE_SEEN = `iif(${IS_ENTERED}, e.entity_type, ${typeAmong("?2")})`;

/** Holds for an entity `e` that the reader sees: entered by hand for its fleets, or named by a row that it reads. */
export const IS_SEEN = `(
  ${IS_ENTERED}
  or exists (select 1 from entity_audiences seen
    where seen.entity_seq = e.seq and seen.audience in (select value from json_each(?2))))`;

/** The first two values of every statement that holds one of these. */
export const seenBy = ({ fleets, audiences }: Reader): [SQLQueryBindings, SQLQueryBindings] => [fleets, audiences];
