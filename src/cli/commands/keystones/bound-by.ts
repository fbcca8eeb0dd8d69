import type { RuleText } from "../../../core/schema/keystone.ts";

/** Whom a rule binds, in words. */
export const boundBy = ({ scope, agent_id }: RuleText, fleet_id: string | null): string =>
  ({ tenant: "everyone", fleet: `project ${fleet_id}`, agent: `agent ${agent_id} in ${fleet_id}` })[scope];
