import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Clock } from "../../core/kernel/clock.ts";
import { nameId } from "../../core/kernel/ids.ts";
import type { AgentChange, AgentStore, StoredAgent } from "../../core/ports/account-stores.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import { changedBy } from "../common/changed-by.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows, run } from "../units/unit.ts";
import type { ChangeWork, Runner } from "../units/work.ts";
import { insertAudit } from "./audit.ts";
import { agentTraces, eraseAgent } from "./erase-agent.ts";

type AgentRow = Omit<StoredAgent, "id"> & { readonly seq: number };

/** The agent store. */
export const agentStore = ({ look, snapshot, write }: Runner, clock: Clock): AgentStore => ({
  list: (tenant_id, fleet_id) => look(() => listAgents(tenant_id, fleet_id)),
  get: (tenant_id, agent_id) => look(() => getAgent(tenant_id, agent_id)),
  known: (tenant_id, agent_id) => snapshot(() => agentTraces({ tenant_id, agent_id })),
  erase: ({ tenant_id, agent_id }, actor) =>
    write(tenant_id, (work) => eraseAgent(work, agent_id, changedBy(clock, actor))),
  change: ({ tenant_id, agent_id }, change, actor) =>
    write(tenant_id, (work) => changeAgent(work, agent_id, change, changedBy(clock, actor))),
});

function* listAgents(tenant_id: string, fleet_id: string | null): Unit<StoredAgent[]> {
  const ofFleet = fleet_id === null ? sql`` : sql`and fleet_id = ${fleet_id}`;
  const found = yield* rows<AgentRow>(
    sql`select * from agents where tenant_id = ${tenant_id} ${ofFleet} order by agent_id`,
  );
  return found.map(toAgent);
}

function* getAgent(tenant_id: string, agent_id: string): Unit<StoredAgent | null> {
  const found = yield* agentRow(sql`tenant_id = ${tenant_id} and agent_id = ${agent_id}`);
  return found && toAgent(found);
}

const agentRow = (named: SQL): Unit<AgentRow | null> => row<AgentRow>(sql`select * from agents where ${named}`);

/** Its id is made of its name: its number counts the agents of all tenants. */
const toAgent = ({ seq: _, ...agent }: AgentRow): StoredAgent => ({
  id: nameId(["agent", agent.tenant_id, agent.agent_id]),
  ...agent,
});

function* changeAgent(work: ChangeWork, agent_id: string, change: AgentChange, { actor, now }: ChangedBy) {
  const named = sql`tenant_id = ${work.tenant_id} and agent_id = ${agent_id}`;
  const found = yield* agentRow(named);
  if (!found) return null;
  const trust_level = change.trust_level ?? found.trust_level;
  const fleet_id = change.fleet_id ?? found.fleet_id;
  yield* run(sql`update agents set trust_level = ${trust_level}, fleet_id = ${fleet_id}, updated_at = ${now}
    where ${named}`);
  yield* run(sql`update api_keys set trust = ${trust_level}, fleet_id = ${fleet_id} where ${named}`);
  yield* insertAudit(work, actor, [
    {
      at: now,
      action: "agent.change",
      target_id: agent_id,
      before: { trust_level: found.trust_level, fleet_id: found.fleet_id },
      after: { trust_level, fleet_id },
      reason: null,
    },
  ]);
  return { before: toAgent(found), after: toAgent({ ...found, trust_level, fleet_id, updated_at: now }) };
}
