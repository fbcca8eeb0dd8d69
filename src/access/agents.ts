import { AppError } from "../core/kernel/errors.ts";
import type { StoredAgent } from "../core/ports/account-stores.ts";
import type { Ctx } from "../core/ports/context.ts";
import type {
  Agent,
  AgentFleetChange,
  AgentFleetChanged,
  AgentListQuery,
  AgentTrustChange,
} from "../core/schema/account.ts";
import { actorOf } from "./actor.ts";
import { requirePerson } from "./person.ts";
import { requireTenant } from "./tenant.ts";
import { requireAdmin } from "./trust.ts";

export interface AgentAddress {
  readonly tenant_id?: string | undefined;
  readonly agent_id: string;
}

/** The tenant's agents, of one fleet if named. */
export async function listAgents(ctx: Ctx, query: AgentListQuery): Promise<Agent[]> {
  const tenant_id = requireTenant(ctx, query.tenant_id);
  return (await ctx.storage.agents.list(tenant_id, query.fleet_id ?? null)).map(toAgentView);
}

/** One agent. Throws NOT_FOUND; reading never creates one. */
export async function getAgent(ctx: Ctx, { tenant_id, agent_id }: AgentAddress): Promise<Agent> {
  const agent = await ctx.storage.agents.get(requireTenant(ctx, tenant_id), agent_id);
  if (!agent) throw noSuchAgent(agent_id);
  return toAgentView(agent);
}

/** Sets an agent's trust, and its fleet if named; its keys follow. Administrators only, and of these people alone. */
export async function changeAgentTrust(ctx: Ctx, address: AgentAddress, change: AgentTrustChange): Promise<Agent> {
  const { trust_level, fleet_id } = change;
  requireAdmin(ctx);
  requirePerson(ctx, "The trust of agents is set");
  return toAgentView((await changeAgent(ctx, address, { trust_level, fleet_id: fleet_id ?? undefined })).after);
}

/** Moves an agent to another home fleet; its keys follow. Administrators only. */
export async function changeAgentFleet(
  ctx: Ctx,
  address: AgentAddress,
  { fleet_id }: AgentFleetChange,
): Promise<AgentFleetChanged> {
  const { before } = await changeAgent(ctx, address, { fleet_id });
  return { agent_id: address.agent_id, old_fleet_id: before.fleet_id, new_fleet_id: fleet_id };
}

async function changeAgent(
  ctx: Ctx,
  address: AgentAddress,
  change: { trust_level?: AgentTrustChange["trust_level"]; fleet_id?: string | undefined },
) {
  requireAdmin(ctx);
  const tenant_id = requireTenant(ctx, address.tenant_id);
  const changed = await ctx.storage.agents.change({ tenant_id, agent_id: address.agent_id }, change, actorOf(ctx));
  if (!changed) throw noSuchAgent(address.agent_id);
  return changed;
}

const toAgentView = (agent: StoredAgent): Agent => ({ ...agent, search_profile: null });

const noSuchAgent = (agent_id: string): AppError =>
  new AppError("NOT_FOUND", `No agent '${agent_id}' has written yet.`);
