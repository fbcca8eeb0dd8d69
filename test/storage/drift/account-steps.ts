import * as fc from "fast-check";
import type { AuditEntry } from "../../../src/core/ports/account-stores.ts";
import { HOLDERS } from "../../../src/core/ports/keeping/forgetting.ts";
import { AGENTS, actor, agent, bytes, fleet, limit, orNull, rowId, TENANTS, tenant, time } from "./pools.ts";
import type { PlainWorld } from "./world.ts";
import { plainStepOf, stepOf } from "./world.ts";

const KEYS = 6;
const keyNumber = fc.integer({ min: 0, max: KEYS - 1 });
const trust = fc.constantFrom(0, 1, 2, 3);
const hashOf = (n: number): string => `${n}`.padStart(64, "f");

const addKey = plainStepOf(
  "add key",
  fc.record({
    n: keyNumber,
    tenant_id: tenant,
    agent_id: orNull(agent),
    fleet_id: orNull(fleet),
    trust,
    admin: fc.boolean(),
    label: fc.constantFrom(null, "laptop"),
    created_at: time,
    actor,
  }),
  async (world, { n, actor, ...fields }) => {
    const { keys } = world.storage;
    if (await keys.find(hashOf(n))) return null;
    const key = { id: rowId(n), key_hash: hashOf(n), key_prefix: `cairn_${n}`, revoked_at: null };
    return keys.add({ ...fields, ...key }, actor);
  },
);
const revoke = plainStepOf(
  "revoke key",
  fc.record({ tenant_id: tenant, n: keyNumber, at: time, actor }),
  (world, drawn) => world.storage.keys.revoke(drawn.tenant_id, rowId(drawn.n), drawn.at, drawn.actor),
);
const changeAgent = plainStepOf(
  "change agent",
  fc.record({
    tenant_id: tenant,
    agent_id: agent,
    change: fc.record({ trust_level: trust, fleet_id: fleet }, { requiredKeys: [] }),
    actor,
  }),
  (world, { change, actor, ...key }) => world.storage.agents.change(key, change, actor),
);
const eraseAgent = stepOf("erase agent", fc.record({ tenant_id: tenant, agent_id: agent, actor }), (world, drawn) =>
  world.storage.agents.erase({ tenant_id: drawn.tenant_id, agent_id: drawn.agent_id }, drawn.actor),
);
const setting = fc.constantFrom(
  { skills_factory: { enabled: true } },
  { skills_factory: { enabled: false } },
  { skills: { governance: "governed" } },
  { memories: { expired_grace_days: 3 } },
  {},
);
const change = plainStepOf("change settings", fc.record({ tenant_id: tenant, setting, actor }), (world, drawn) =>
  world.storage.settings.change(drawn.tenant_id, drawn.actor, () => drawn.setting),
);
const replyKey = fc.record({
  tenant_id: tenant,
  credential: fc.constantFrom("c1", "c2"),
  key: fc.constantFrom("k1", "k2"),
});
const claimReply = plainStepOf(
  "claim reply",
  fc.record({ key: replyKey, hash: fc.constantFrom("h1", "h2") }),
  async (world, { key, hash }) => {
    const claimed = await world.storage.replies.claim(key, hash, world.clock.now());
    return claimed.state === "claimed" ? { state: claimed.state } : claimed;
  },
);
const keepReply = plainStepOf(
  "keep reply",
  fc.record({ key: replyKey, body: fc.constantFrom(null, '{"a":1}', `{"id":"${rowId(1)}"}`) }),
  (world, { key, body }) => world.storage.replies.keep(key, { status: 200, body }),
);
const releaseReply = plainStepOf("release reply", replyKey, (world, key) => world.storage.replies.release(key));
const spend = stepOf("remove spent", fc.record({ later: fc.constantFrom(0, 1e9), limit }), (world, drawn) =>
  world.storage.retention.removeSpent(world.clock.now() + drawn.later, drawn.limit),
);
const cutAudit = stepOf("remove audit", fc.record({ tenant_id: tenant, before: time, limit }), (world, drawn) =>
  world.storage.retention.removeAudit(drawn.tenant_id, drawn.before, drawn.limit),
);
const forget = stepOf(
  "forget",
  fc.record({
    holder: fc.constantFrom(...HOLDERS),
    filter: fc.record({ tenant_id: tenant, fleet_id: fleet, before: time }, { requiredKeys: ["tenant_id"] }),
    take: fc.nat(2),
    actor,
  }),
  async (world, { holder, filter, take, actor }) => {
    const held = await world.storage.forgetting.held(holder, filter, 0);
    const rows = held.rows.slice(0, take);
    const traces = await world.storage.forgetting.traces(filter.tenant_id, rows);
    if (rows.length > 0) await world.storage.forgetting.erase(holder, filter.tenant_id, rows, actor);
    return [held.rows.map(({ id, target, text }) => [holder === "audit_entries" ? "" : id, target, text]), traces];
  },
);

export const plainAccountSteps = fc.oneof(
  { arbitrary: addKey, weight: 4 },
  { arbitrary: revoke, weight: 1 },
  { arbitrary: changeAgent, weight: 3 },
  { arbitrary: change, weight: 2 },
  { arbitrary: claimReply, weight: 3 },
  { arbitrary: keepReply, weight: 3 },
  { arbitrary: releaseReply, weight: 1 },
);
export const accountSteps = fc.oneof(
  { arbitrary: plainAccountSteps, weight: 17 },
  { arbitrary: eraseAgent, weight: 1 },
  { arbitrary: spend, weight: 1 },
  { arbitrary: cutAudit, weight: 1 },
  { arbitrary: forget, weight: 2 },
);

/** Each engine numbers its entries in its own way; that they fall is all that is promised. */
const unnumbered = (entries: readonly AuditEntry[]) => entries.map(({ id: _, ...entry }) => entry);

const audit = stepOf(
  "audit",
  fc.record({
    tenant_id: tenant,
    action: fc.constantFrom(undefined, "memory.create", "agent.change", "document.write"),
    target_id: fc.constantFrom(undefined, rowId(0), rowId(1)),
    skip: fc.nat(4),
    limit,
    bytes,
  }),
  async (world, { skip, bytes: most, ...query }) => {
    const all = await world.storage.audit.list({ ...query, limit: 100 });
    const before_id = all[skip]?.id;
    const { items, more } = await world.storage.audit.page({ ...query, before_id, bytes: most });
    return [unnumbered(items), more];
  },
);
const plainAudit = plainStepOf(
  "plain audit",
  fc.record({
    tenant_id: tenant,
    action: fc.constantFrom(undefined, "memory.create", "agent.change"),
    skip: fc.nat(4),
    limit,
  }),
  async (world, { skip, ...query }) => {
    const all = await world.storage.audit.list({ ...query, limit: 100 });
    return unnumbered(await world.storage.audit.list({ ...query, before_id: all[skip]?.id }));
  },
);
const agents = plainStepOf(
  "agents",
  fc.record({ tenant_id: tenant, fleet_id: orNull(fleet), agent_id: agent }),
  async (world, one) => [
    await world.storage.agents.list(one.tenant_id, one.fleet_id),
    await world.storage.agents.get(one.tenant_id, one.agent_id),
  ],
);
const holders = stepOf(
  "held",
  fc.record({ holder: fc.constantFrom(...HOLDERS), tenant_id: tenant, fleet_id: orNull(fleet) }),
  async (world, { holder, tenant_id, fleet_id }) => {
    const { rows } = await world.storage.forgetting.held(holder, { tenant_id, fleet_id: fleet_id ?? undefined }, 0);
    return rows.map(({ id, target, text }) => [holder === "audit_entries" ? "" : id, target, text]);
  },
);
const known = stepOf("known", fc.record({ tenant_id: tenant, agent_id: agent }), (world, one) =>
  world.storage.agents.known(one.tenant_id, one.agent_id),
);
export const plainAccountQuestions = fc.oneof(plainAudit, plainAudit, agents);
export const accountQuestions = fc.oneof(audit, audit, agents, holders, known);

/** All that is known of keys, agents and settings, and the whole audit log. */
export async function allOfAccounts(world: PlainWorld): Promise<unknown> {
  const { storage } = world;
  const answers: unknown[] = [await storage.settings.tenants(), await storage.keys.any()];
  for (const tenant_id of TENANTS) {
    answers.push(await storage.keys.list(tenant_id), await storage.agents.list(tenant_id, null));
    answers.push(await storage.settings.get(tenant_id));
    answers.push(unnumbered(await storage.audit.list({ tenant_id, limit: 500 })));
    for (const agent_id of AGENTS) answers.push(await storage.agents.get(tenant_id, agent_id));
  }
  for (let n = 0; n < KEYS; n++) answers.push(await storage.keys.find(hashOf(n)));
  return answers;
}
