import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import { nameId } from "../../../core/kernel/ids.ts";
import type { AgentChange, AgentStore, StoredAgent } from "../../../core/ports/account-stores.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import { changedBy } from "../../common/changed-by.ts";
import type { agents } from "../engine/tables.ts";
import type { Engine, TenantWork, Work } from "../engine/work.ts";
import { insertAudit } from "./audit-rows.ts";
import { agentTraces, eraseAgent } from "./erase-agent.ts";

type AgentRow = typeof agents.$inferSelect;

/** The agent store over Postgres. */
export function postgresAgentStore(engine: Engine, clock: Clock): AgentStore {
  return {
    list: (tenant_id, fleet_id) =>
      engine.look(async (work) => {
        const ofFleet = fleet_id === null ? sql`` : sql`and fleet_id = ${fleet_id}`;
        const rows = await work.rows<AgentRow>(
          sql`select * from agents where tenant_id = ${tenant_id} ${ofFleet} order by agent_id`,
        );
        return rows.map(toAgent);
      }),
    get: (tenant_id, agent_id) =>
      engine.look(async (work) => {
        const row = await agentRow(work, sql`tenant_id = ${tenant_id} and agent_id = ${agent_id}`);
        return row && toAgent(row);
      }),
    known: (tenant_id, agent_id) => engine.snapshot((work) => agentTraces(work, { tenant_id, agent_id })),
    erase: ({ tenant_id, agent_id }, actor) =>
      engine.write(tenant_id, (work) => eraseAgent(work, agent_id, changedBy(clock, actor))),
    change: ({ tenant_id, agent_id }, change, actor) =>
      engine.write(tenant_id, (work) => changeAgent(work, agent_id, change, changedBy(clock, actor))),
  };
}

const agentRow = (work: Work, named: SQL) => work.row<AgentRow>(sql`select * from agents where ${named}`);

/** Its id is made of its name: its number counts the agents of all tenants. */
const toAgent = ({ seq: _, ...agent }: AgentRow): StoredAgent => ({
  id: nameId(["agent", agent.tenant_id, agent.agent_id]),
  ...agent,
});

async function changeAgent(work: TenantWork, agent_id: string, change: AgentChange, { actor, now }: ChangedBy) {
  const named = sql`tenant_id = ${work.tenant_id} and agent_id = ${agent_id}`;
  const row = await agentRow(work, named);
  if (!row) return null;
  const trust_level = change.trust_level ?? row.trust_level;
  const fleet_id = change.fleet_id ?? row.fleet_id;
  await work.run(sql`update agents set trust_level = ${trust_level}, fleet_id = ${fleet_id}, updated_at = ${now}
    where ${named}`);
  await work.run(sql`update api_keys set trust = ${trust_level}, fleet_id = ${fleet_id} where ${named}`);
  await insertAudit(work, actor, [
    {
      at: now,
      action: "agent.change",
      target_id: agent_id,
      before: { trust_level: row.trust_level, fleet_id: row.fleet_id },
      after: { trust_level, fleet_id },
      reason: null,
    },
  ]);
  return { before: toAgent(row), after: toAgent({ ...row, trust_level, fleet_id, updated_at: now }) };
}
