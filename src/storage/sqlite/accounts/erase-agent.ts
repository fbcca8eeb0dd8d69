import { and, eq, isNotNull, isNull, or } from "drizzle-orm";
import type { AgentTraces } from "../../../core/ports/account-stores.ts";
import type { Actor } from "../../../core/ports/memory-store.ts";
import type { Connections } from "../engine/connection.ts";
import { agents, apiKeys, memories } from "../engine/tables.ts";
import { eraseAudit, insertAudit } from "./audit.ts";
import { revokeKey } from "./keys.ts";

interface AgentKey {
  readonly tenant_id: string;
  readonly agent_id: string;
}

const rowOf = ({ tenant_id, agent_id }: AgentKey) =>
  and(eq(agents.tenant_id, tenant_id), eq(agents.agent_id, agent_id));
const keysOf = ({ tenant_id, agent_id }: AgentKey) =>
  and(
    eq(apiKeys.tenant_id, tenant_id),
    eq(apiKeys.agent_id, agent_id),
    or(isNull(apiKeys.revoked_at), isNotNull(apiKeys.label)),
  );

const FORGET_REVIEWER = `update findings set reviewed_by = null
  where tenant_id = ? and (retracted_at is null or review is not null) and reviewed_by = ?`;

/** What there is of an agent beside what it wrote. */
export function agentTraces(db: Connections, key: AgentKey): AgentTraces {
  return {
    agents: db.drizzleRead.select({ seq: agents.seq }).from(agents).where(rowOf(key)).all().length,
    keys: db.drizzleRead.select({ id: apiKeys.id }).from(apiKeys).where(keysOf(key)).all().length,
  };
}

/** Revokes an agent's keys and erases what is told of it; its row goes once no memory is its own. Inside the caller's transaction. */
export function eraseAgent(db: Connections, key: AgentKey, { actor, now }: { actor: Actor; now: string }): void {
  const { tenant_id, agent_id } = key;
  for (const { id } of db.drizzleWrite.select({ id: apiKeys.id }).from(apiKeys).where(keysOf(key)).all()) {
    revokeKey(db, { tenant_id, id }, now, actor);
    db.drizzleWrite
      .update(apiKeys)
      .set({ label: null })
      .where(and(eq(apiKeys.tenant_id, tenant_id), eq(apiKeys.id, id)))
      .run();
  }
  db.writeConnection.query(FORGET_REVIEWER).run(tenant_id, agent_id);
  const row = db.drizzleWrite.select().from(agents).where(rowOf(key)).get();
  if (!row) return;
  const wrote = db.drizzleWrite.select({ seq: memories.seq }).from(memories).where(eq(memories.author, row.seq));
  const isAuthor = wrote.limit(1).get() !== undefined;
  if (isAuthor) db.drizzleWrite.update(agents).set({ display_name: null }).where(rowOf(key)).run();
  else db.drizzleWrite.delete(agents).where(rowOf(key)).run();
  if (isAuthor) return;
  eraseAudit(db, tenant_id, agent_id);
  const event = { tenant_id, at: now, action: "agent.erase", target_id: agent_id };
  insertAudit(db, actor, [{ ...event, before: null, after: null, reason: null }]);
}
