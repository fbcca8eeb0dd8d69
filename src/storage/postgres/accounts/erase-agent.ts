import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { AgentTraces } from "../../../core/ports/account-stores.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import type { TenantWork, Work } from "../engine/work.ts";
import { eraseAudit, insertAudit } from "./audit-rows.ts";
import { revokeKey } from "./keys.ts";

interface AgentKey {
  readonly tenant_id: string;
  readonly agent_id: string;
}

const rowOf = ({ tenant_id, agent_id }: AgentKey): SQL => sql`tenant_id = ${tenant_id} and agent_id = ${agent_id}`;
const keysOf = (key: AgentKey): SQL => sql`${rowOf(key)} and (revoked_at is null or label is not null)`;

/** What there is of an agent beside what it wrote. */
export async function agentTraces(work: Work, key: AgentKey): Promise<AgentTraces> {
  const found = await work.row<AgentTraces>(sql`select
    (select count(*) from agents where ${rowOf(key)}) as agents,
    (select count(*) from api_keys where ${keysOf(key)}) as keys`);
  return found ?? { agents: 0, keys: 0 };
}

/** Revokes an agent's keys and erases what is told of it; its row goes once no memory is its own. Inside the caller's transaction. */
export async function eraseAgent(work: TenantWork, agent_id: string, { actor, now }: ChangedBy): Promise<void> {
  const { tenant_id } = work;
  const key = { tenant_id, agent_id };
  for (const { id } of await work.rows<{ id: string }>(sql`select id from api_keys where ${keysOf(key)} order by id`))
    await revokeKey(work, id, now, actor);
  await work.run(sql`update api_keys set label = null where ${keysOf(key)}`);
  await work.run(sql`update findings set reviewed_by = null
    where tenant_id = ${tenant_id} and (retracted_at is null or review is not null) and reviewed_by = ${agent_id}`);
  const row = await work.row<{ is_author: boolean }>(sql`select exists (
      select 1 from memories m where m.tenant_id = a.tenant_id and m.author = a.seq
    ) as is_author from agents a where ${rowOf(key)}`);
  if (!row) return;
  if (row.is_author) {
    await work.run(sql`update agents set display_name = null where ${rowOf(key)}`);
    return;
  }
  await work.run(sql`delete from agents where ${rowOf(key)}`);
  await eraseAudit(work, agent_id);
  const event = { at: now, action: "agent.erase", target_id: agent_id };
  await insertAudit(work, actor, [{ ...event, before: null, after: null, reason: null }]);
}
