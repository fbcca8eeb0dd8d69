import type { EntityRow } from "../../common/entity-rows.ts";
import type { Connections } from "../engine/connection.ts";
import { entriesOf } from "./entries.ts";

/** What of an entity goes over to another one. */
export interface Moving {
  readonly from: EntityRow;
  readonly into: EntityRow;
  /** The sets of readers whose rows go over, as JSON. */
  readonly audiences: string;
  /** Whether what was entered for a fleet, or for all, goes over. */
  readonly isMoved: (fleet_id: string | null) => boolean;
}

interface Merge {
  readonly from: EntityRow;
  readonly into: EntityRow;
  /** For which fleets, or for all, what was entered goes over. */
  readonly fleets: readonly (string | null)[];
  readonly isForAll: boolean;
}

/** What goes over: a merge for all leaves alone the fleets that entered the name for themselves and are none of the caller's. */
export function movingOf(db: Connections, { from, into, fleets, isForAll }: Merge): Moving {
  const kept = entriesOf(db, from.seq).flatMap(({ fleet_id }) => (fleets.includes(fleet_id) ? [] : [fleet_id]));
  const isMoved = (fleet_id: string | null) => (isForAll ? !kept.includes(fleet_id) : fleets.includes(fleet_id));
  const audiences = db.writeConnection
    .query<{ id: number; fleet_id: string | null }, [string]>(
      `select id, case when kind = 'scope_team' and owner <> '' then owner end as fleet_id from audiences where tenant_id = ?`,
    )
    .all(from.tenant_id)
    .filter(({ fleet_id }) => isMoved(fleet_id))
    .map(({ id }) => id);
  return { from, into, isMoved, audiences: JSON.stringify(audiences) };
}
