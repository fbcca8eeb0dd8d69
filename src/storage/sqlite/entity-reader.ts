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

/** Holds for an entity `e` that the reader sees: entered by hand for its fleets, or named by a row that it reads. */
export const IS_SEEN = `(
  ${IS_ENTERED}
  or exists (select 1 from entity_audiences seen
    where seen.entity_seq = e.seq and seen.audience in (select value from json_each(?2))))`;

/** The first two values of every statement that holds one of these. */
export const seenBy = ({ fleets, audiences }: Reader): [SQLQueryBindings, SQLQueryBindings] => [fleets, audiences];
