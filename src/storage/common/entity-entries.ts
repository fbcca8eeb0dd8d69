import type { JsonObject } from "../../core/kernel/json.ts";
import type { Entering, Guard } from "../../core/ports/entity-store.ts";
import type { ReadScope } from "../../core/ports/memory-filter.ts";
import type { EntityType } from "../../core/schema/entity.ts";

/** Something that was entered, of which there is one for each fleet and one for all. */
interface Entered {
  readonly fleet_id: string | null;
}

/**
 * Which of what was entered before a write changes: that of the fleet it names, else that of all, which the guard may keep
 * from being taken into the fleet; without a fleet that of the writer's own, else that of all. What other fleets entered is
 * neither changed nor told of.
 */
export function enteredBefore<T extends Entered>(
  entered: readonly T[],
  { fleet_id, home }: Entering,
  guard: Guard,
): T | null {
  const of = (fleet: string | null) => entered.find((one) => one.fleet_id === fleet) ?? null;
  const own = of(fleet_id ?? home);
  if (own) return own;
  const shared = of(null);
  if (shared && fleet_id !== null) guard();
  return shared;
}

/** What the audit shows of an entry. */
export const auditedEntry = ({
  entity_type,
  canonical_name,
  fleet_id,
}: Entered & { readonly entity_type: EntityType; readonly canonical_name: string }): JsonObject => ({
  entity_type,
  canonical_name,
  fleet_id,
});

/** Whether a reader reads what was entered for any fleet, and the fleets whose entries come first. */
export interface ReadFleets {
  readonly all: boolean;
  readonly own: readonly string[];
}

/** For whom a reader reads what was entered; for a fleet in particular where one is named that it may read. */
export function readFleets({ fleets, home }: ReadScope, named: string | undefined): ReadFleets {
  const all = fleets === "all";
  const own = all ? [home ?? []].flat() : fleets;
  return { all, own: named !== undefined && (all || own.includes(named)) ? [named, ...own] : own };
}
