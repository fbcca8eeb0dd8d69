import { z } from "zod";
import { AgentId, FleetId } from "../common.ts";

export const KEYSTONE_SCOPES = ["tenant", "fleet", "agent"] as const;
export const KeystoneScope = z.enum(KEYSTONE_SCOPES).describe("Whom the rule binds: everyone, a fleet, or one agent.");

/** Where a rule stands: of everyone, of a fleet, or of an agent in a fleet or, without one, wherever it works. */
export const RulePlace = z
  .object({ scope: KeystoneScope, fleet_id: z.string().nullable(), agent_id: z.string().nullable() })
  .meta({ id: "KeystonePlace", description: "Where a rule stands; a name may stand in several places." });
export type RulePlace = z.infer<typeof RulePlace>;

interface Binding {
  readonly scope: RulePlace["scope"];
  readonly agent_id?: string | null | undefined;
}

/** Where a rule stands that binds so in a fleet. */
export const placeOf = (fleet_id: string | null | undefined, { scope, agent_id }: Binding): RulePlace => ({
  scope,
  fleet_id: fleet_id ?? null,
  agent_id: agent_id ?? null,
});

export const isSamePlace = (a: RulePlace, b: RulePlace): boolean =>
  a.scope === b.scope && a.fleet_id === b.fleet_id && a.agent_id === b.agent_id;

/** Which of the rules of a name is meant. */
export const PlaceAsked = z.object({
  scope: KeystoneScope.nullish().describe("Of several rules of this name, that which binds so."),
  fleet_id: FleetId.nullish().describe("Of several rules of this name, that of this fleet."),
  agent_id: AgentId.nullish().describe("Of several rules of this name, that of this agent."),
  place: z
    .boolean()
    .nullish()
    .describe("true: the rule at just this place (scope, fleet_id, agent_id) or none; scope is needed."),
});
export type PlaceAsked = z.infer<typeof PlaceAsked>;

/** The same in a query, which has no null. */
export const PlaceQuery = z.object({
  scope: PlaceAsked.shape.scope.unwrap().unwrap().optional(),
  fleet_id: PlaceAsked.shape.fleet_id.unwrap().unwrap().optional(),
  agent_id: PlaceAsked.shape.agent_id.unwrap().unwrap().optional(),
  place: z.boolean().optional().describe("true: the rule at just this place or none."),
});
