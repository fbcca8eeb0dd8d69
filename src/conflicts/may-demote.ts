import type { StoredMemory } from "../core/ports/stored-memory.ts";

/** What decides who reads a row, and whose it is. */
export type Owned = Pick<StoredMemory, "tenant_id" | "fleet_id" | "agent_id" | "visibility">;

/**
 * Whether a newer row may demote an older one: only when whoever sees the older row also sees the newer one, whatever fleet
 * it belongs to, so that nobody loses a statement without seeing what took its place; and only within one tenant and fleet
 * (none is one of its own). What an agent keeps to itself is demoted by that agent's own rows alone.
 */
export function mayDemote(newer: Owned, older: Owned): boolean {
  if (newer.tenant_id !== older.tenant_id || newer.fleet_id !== older.fleet_id) return false;
  switch (older.visibility) {
    case "scope_agent":
      return newer.agent_id === older.agent_id && (newer.visibility === "scope_agent" || isSeenByAll(newer));
    case "scope_team":
      return newer.visibility !== "scope_agent";
    case "scope_org":
      return isSeenByAll(newer);
    default:
      return older.visibility satisfies never;
  }
}

/** A team row without a fleet is every fleet's. */
const isSeenByAll = ({ visibility, fleet_id }: Owned): boolean =>
  visibility === "scope_org" || (visibility === "scope_team" && fleet_id === null);
