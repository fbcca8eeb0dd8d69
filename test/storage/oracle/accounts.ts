import { nameId } from "../../../src/core/kernel/ids.ts";
import type { StoredAgent } from "../../../src/core/ports/account-stores.ts";
import { NEW_AGENT_TRUST } from "../../../src/core/schema/access.ts";
import type { Oracle } from "./oracle.ts";
import type { State } from "./state.ts";
import { compare, note, nowOf } from "./state.ts";

type Named = Pick<StoredAgent, "tenant_id" | "agent_id">;

const agentOf = (state: State, { tenant_id, agent_id }: Named): StoredAgent | undefined =>
  state.agents.find((one) => one.tenant_id === tenant_id && one.agent_id === agent_id);

function putAgent(state: State, agent: Omit<StoredAgent, "id">): void {
  state.agents = state.agents.filter((one) => one !== agentOf(state, agent));
  state.agents.push({ id: nameId(["agent", agent.tenant_id, agent.agent_id]), ...agent });
}

/** Whoever writes is an agent from then on, at home in the fleet of its first row. */
export function meetAuthor(state: State, author: Named & { readonly fleet_id: string | null }, at: string): void {
  if (agentOf(state, author)) return;
  const { tenant_id, agent_id, fleet_id } = author;
  const made = { tenant_id, agent_id, fleet_id, created_at: at, updated_at: at };
  putAgent(state, { ...made, display_name: null, trust_level: NEW_AGENT_TRUST });
}

export const keysOf = (state: State): Oracle["keys"] => ({
  add: async (key, actor) => {
    state.keys.push(key);
    const { tenant_id, agent_id, fleet_id, trust, admin, created_at: at } = key;
    if (agent_id !== null) {
      const known = agentOf(state, { tenant_id, agent_id });
      putAgent(state, {
        ...(known ?? { tenant_id, agent_id, display_name: null, created_at: at }),
        fleet_id: fleet_id ?? known?.fleet_id ?? null,
        trust_level: trust,
        updated_at: at,
      });
    }
    const after = { agent_id, fleet_id, trust, admin };
    note(state, actor, { tenant_id, at, action: "key.create", target_id: key.id, before: null, after, reason: null });
  },
  find: async (key_hash) => state.keys.find((key) => key.key_hash === key_hash) ?? null,
  list: async (tenant_id) =>
    state.keys
      .filter((key) => key.tenant_id === tenant_id)
      .sort((a, b) => compare(a.created_at, b.created_at) || compare(a.id, b.id)),
  revoke: async (tenant_id, id, at, actor) => {
    const key = state.keys.find((one) => one.tenant_id === tenant_id && one.id === id && one.revoked_at === null);
    if (!key) return false;
    state.keys = state.keys.map((one) => (one === key ? { ...key, revoked_at: at } : one));
    const { agent_id, fleet_id, trust, admin } = key;
    const before = { agent_id, fleet_id, trust, admin };
    const after = { revoked_at: at };
    note(state, actor, { tenant_id, at, action: "key.revoke", target_id: id, before, after, reason: null });
    return true;
  },
  any: async () => state.keys.some(({ revoked_at }) => revoked_at === null),
});

export const agentsOf = (state: State): Oracle["agents"] => ({
  list: async (tenant_id, fleet_id) =>
    state.agents
      .filter((one) => one.tenant_id === tenant_id && (fleet_id === null || one.fleet_id === fleet_id))
      .sort((a, b) => compare(a.agent_id, b.agent_id)),
  get: async (tenant_id, agent_id) => agentOf(state, { tenant_id, agent_id }) ?? null,
  change: async (named, change, actor) => {
    const before = agentOf(state, named);
    if (!before) return null;
    const trust_level = change.trust_level ?? before.trust_level;
    const fleet_id = change.fleet_id ?? before.fleet_id;
    const at = nowOf(state);
    putAgent(state, { ...before, trust_level, fleet_id, updated_at: at });
    state.keys = state.keys.map((key) =>
      key.tenant_id === named.tenant_id && key.agent_id === named.agent_id
        ? { ...key, trust: trust_level, fleet_id }
        : key,
    );
    note(state, actor, {
      tenant_id: named.tenant_id,
      at,
      action: "agent.change",
      target_id: named.agent_id,
      before: { trust_level: before.trust_level, fleet_id: before.fleet_id },
      after: { trust_level, fleet_id },
      reason: null,
    });
    return { before, after: { ...before, trust_level, fleet_id, updated_at: at } };
  },
});

export const settingsOf = (state: State): Oracle["settings"] => ({
  get: async (tenant_id) => state.settings.get(tenant_id) ?? {},
  tenants: async () => [...state.settings.keys()].sort(),
  change: async (tenant_id, actor, decide) => {
    const before = state.settings.get(tenant_id) ?? {};
    const after = decide(before);
    state.settings.set(tenant_id, after);
    const event = { tenant_id, at: nowOf(state), action: "settings.change", target_id: tenant_id, reason: null };
    note(state, actor, { ...event, before, after });
    return after;
  },
});
