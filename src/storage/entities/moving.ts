import { sql } from "drizzle-orm";
import type { EntityRow } from "../../core/ports/entities/naming.ts";
import type { Unit } from "../units/unit.ts";
import { rows } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";
import { entriesOf } from "./entries.ts";

/** What of an entity goes over to another one. */
export interface Moving {
  readonly from: EntityRow;
  readonly into: EntityRow;
  /** The sets of readers whose rows go over. */
  readonly audiences: readonly number[];
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
export function* movingOf(work: TenantWork, { from, into, fleets, isForAll }: Merge): Unit<Moving> {
  const entries = yield* entriesOf(work, from.seq);
  const kept = entries.flatMap(({ fleet_id }) => (fleets.includes(fleet_id) ? [] : [fleet_id]));
  const isMoved = (fleet_id: string | null) => (isForAll ? !kept.includes(fleet_id) : fleets.includes(fleet_id));
  const all = yield* rows<{ id: number; fleet_id: string | null }>(sql`
    select id, case when kind = 'scope_team' and owner <> '' then owner end as fleet_id from audiences
    where tenant_id = ${work.tenant_id}`);
  const audiences = all.filter(({ fleet_id }) => isMoved(fleet_id)).map(({ id }) => id);
  return { from, into, isMoved, audiences };
}
