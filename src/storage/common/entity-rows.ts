import { nameId } from "../../core/kernel/ids.ts";
import type { EntityRow } from "../../core/ports/entities/naming.ts";

export type NewEntity = Omit<EntityRow, "seq" | "id">;

/** Made of the name: an id that told when, or in what order, a name first came up would speak of rows that its reader does not see. */
export const entityId = ({ tenant_id, name_key }: Pick<NewEntity, "tenant_id" | "name_key">): string =>
  nameId(["entity", tenant_id, name_key]);

/** An entity for which another name was entered by hand: for one fleet, or for all. */
export interface EnteredEntity extends EntityRow {
  readonly fleet_id: string | null;
}

/**
 * The one entity of those for which a fleet and all entered the same other name: the fleet's own word comes before that of
 * all. Null where there is none, or several.
 */
export function onlyEntered(found: readonly EnteredEntity[]): EntityRow | null {
  const own = found.filter((one) => one.fleet_id !== null);
  const [only, ...others] = own.length > 0 ? own : found;
  if (!only || others.length > 0) return null;
  const { fleet_id: _fleet, ...entity } = only;
  return entity;
}
