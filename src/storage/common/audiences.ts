import type { MemoryFilter, ReadScope } from "../../core/ports/memory-filter.ts";
import type { Visibility } from "../../core/schema/access.ts";

/** Whom a memory belongs to, as far as that decides who reads it. */
export interface AudienceKey {
  readonly tenant_id: string;
  readonly visibility: Visibility;
  readonly fleet_id: string | null;
  readonly agent_id: string;
}

/** The owner that tells sets of readers of one kind apart: the fleet of a team ('' without one), the agent of private rows. */
export function audienceOwner({ visibility, fleet_id, agent_id }: Omit<AudienceKey, "tenant_id">): string {
  if (visibility === "scope_agent") return agent_id;
  return visibility === "scope_team" ? (fleet_id ?? "") : "";
}

/** A set of readers, as a statement gives it. */
export interface Audience {
  readonly id: number;
  readonly kind: Visibility;
  readonly owner: string;
  /** Its live rows. */
  readonly stored: number;
}

/** Whether everyone of the tenant belongs to a set. */
export const isForAll = ({ kind, owner }: Pick<Audience, "kind" | "owner">): boolean =>
  kind === "scope_org" || (kind === "scope_team" && owner === "");

/** Whether a reader belongs to a set; nobody in particular belongs to all. */
export function isReader(
  { kind, owner }: Pick<Audience, "kind" | "owner">,
  read_scope: MemoryFilter["read_scope"],
): boolean {
  if (!read_scope || kind === "scope_org") return true;
  if (kind === "scope_agent") return owner === read_scope.agent_id;
  return read_scope.fleets === "all" || owner === "" || read_scope.fleets.includes(owner);
}

/** Rows that are not deleted of all the sets that a reader belongs to. */
export const storedAmong = (all: readonly Audience[], read_scope: ReadScope): number =>
  all.filter((audience) => isReader(audience, read_scope)).reduce((sum, { stored }) => sum + stored, 0);

/** Of some audiences, those whose rows can pass a filter. */
export const passingAudiences = (
  all: readonly Audience[],
  { read_scope, fleets, visibility }: MemoryFilter,
): Audience[] =>
  all
    .filter(({ kind }) => visibility === undefined || kind === visibility)
    .filter((audience) => isReader(audience, read_scope) && isOfFleets(audience, fleets));

/** Only a team's audience tells the fleet of its rows. */
const isOfFleets = ({ kind, owner }: Audience, fleets: MemoryFilter["fleets"]): boolean =>
  !fleets || kind !== "scope_team" || fleets.ids.includes(owner) || (fleets.orShared && owner === "");
