import { z } from "zod";
import { AgentId, FleetId, TenantId } from "../common.ts";

/** Narrows to what is of no project in particular. */
export const SharedOnly = z
  .boolean()
  .describe(
    "Only what belongs to every fleet: rows of none, and those of the whole organisation. Not beside a fleet that is named.",
  );
/** The same where only rows of no fleet at all are meant: a row that all see may still be a fleet's. */
export const WrittenForAll = z
  .boolean()
  .describe("Only what belongs to no fleet: it was written for everyone. Not beside fleet_id.");

const NoFleet = z
  .boolean()
  .describe(
    "It belongs to no fleet, whatever its writer's home is, and unless `visibility` says otherwise all see it. Needs the trust to change what all share. Not beside fleet_id.",
  );

/** Where what is written belongs: to the fleet that is named, to none, or to its writer's home. */
export const WrittenPlace = { fleet_id: FleetId.nullish(), no_fleet: NoFleet.nullish() };
/** Who writes, and where that belongs. */
export const Written = { tenant_id: TenantId, agent_id: AgentId.nullish(), ...WrittenPlace };

/** The members that say that no fleet is meant, and those that name one. */
const NONE = ["no_fleet", "shared_only", "everyone"];
const NAMED = ["fleet_id", "fleet_ids"];

/** Refuses a fleet that is named beside what says that none is meant. */
export function onePlace({ value, issues }: z.core.ParsePayload<object>): void {
  const said = new Map<string, unknown>(Object.entries(value));
  const none = NONE.find((name) => said.get(name) === true);
  const named = NAMED.find((name) => [said.get(name) ?? []].flat().length > 0);
  if (none === undefined || named === undefined) return;
  const message = `${none} says that no fleet is meant, and ${named} names one: send one of them.`;
  issues.push({ code: "custom", message, path: [none], input: said.get(none), continue: true });
}
