import { and, asc, eq } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import { nameId } from "../../../core/kernel/ids.ts";
import type { AgentChange, AgentStore, StoredAgent } from "../../../core/ports/account-stores.ts";
import type { Actor } from "../../../core/ports/memory-store.ts";
import type { Connections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { agents, apiKeys } from "../engine/tables.ts";
import { insertAudit } from "./audit.ts";
import { agentTraces, eraseAgent } from "./erase-agent.ts";

interface AgentKey {
  readonly tenant_id: string;
  readonly agent_id: string;
}

const named = (key: AgentKey) => and(eq(agents.tenant_id, key.tenant_id), eq(agents.agent_id, key.agent_id));

/** The agent store over SQLite. */
export function sqliteAgentStore(db: Connections, clock: Clock): AgentStore {
  return {
    list: (tenant_id, fleet_id) =>
      guarded(() => {
        const wanted = and(
          eq(agents.tenant_id, tenant_id),
          fleet_id === null ? undefined : eq(agents.fleet_id, fleet_id),
        );
        return db.drizzleRead.select().from(agents).where(wanted).orderBy(asc(agents.agent_id)).all().map(toAgent);
      }),
    get: (tenant_id, agent_id) =>
      guarded(() => {
        const row = db.drizzleRead.select().from(agents).where(named({ tenant_id, agent_id })).get();
        return row ? toAgent(row) : null;
      }),
    known: (tenant_id, agent_id) => guarded(() => agentTraces(db, { tenant_id, agent_id })),
    erase: (key, actor) =>
      guarded(() => db.transaction(() => eraseAgent(db, key, { actor, now: toTimestamp(clock.now()) }))),
    change: (key, change, actor) =>
      guarded(() => db.transaction(() => changeAgent(db, key, change, { actor, now: toTimestamp(clock.now()) }))),
  };
}

/** Its id is made of its name: its number counts the agents of all tenants. */
const toAgent = ({ seq: _, ...agent }: typeof agents.$inferSelect): StoredAgent => ({
  id: nameId(["agent", agent.tenant_id, agent.agent_id]),
  ...agent,
});

function changeAgent(db: Connections, key: AgentKey, change: AgentChange, by: { actor: Actor; now: string }) {
  const row = db.drizzleWrite.select().from(agents).where(named(key)).get();
  if (!row) return null;
  const trust_level = change.trust_level ?? row.trust_level;
  const fleet_id = change.fleet_id ?? row.fleet_id;
  const changed = { ...row, trust_level, fleet_id, updated_at: by.now };
  db.drizzleWrite
    .update(agents)
    .set({ trust_level, fleet_id, updated_at: by.now })
    .where(eq(agents.seq, row.seq))
    .run();
  const itsKeys = and(eq(apiKeys.tenant_id, key.tenant_id), eq(apiKeys.agent_id, key.agent_id));
  db.drizzleWrite.update(apiKeys).set({ trust: trust_level, fleet_id }).where(itsKeys).run();
  insertAudit(db, by.actor, [
    {
      tenant_id: key.tenant_id,
      at: by.now,
      action: "agent.change",
      target_id: key.agent_id,
      before: { trust_level: row.trust_level, fleet_id: row.fleet_id },
      after: { trust_level, fleet_id },
      reason: null,
    },
  ]);
  return { before: toAgent(row), after: toAgent(changed) };
}
