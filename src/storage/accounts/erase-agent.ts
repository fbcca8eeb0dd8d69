import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { AgentTraces } from "../../core/ports/account-stores.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows, run } from "../units/unit.ts";
import type { ChangeWork } from "../units/work.ts";
import { insertAudit } from "./audit.ts";
import { revokeKey } from "./keys.ts";

interface AgentKey {
  readonly tenant_id: string;
  readonly agent_id: string;
}

const rowOf = ({ tenant_id, agent_id }: AgentKey): SQL => sql`tenant_id = ${tenant_id} and agent_id = ${agent_id}`;
const keysOf = (key: AgentKey): SQL => sql`${rowOf(key)} and (revoked_at is null or label is not null)`;

/** What there is of an agent beside what it wrote. */
export function* agentTraces(key: AgentKey): Unit<AgentTraces> {
  const found = yield* row<AgentTraces>(sql`select
    (select count(*) from agents where ${rowOf(key)}) as agents,
    (select count(*) from api_keys where ${keysOf(key)}) as keys`);
  return found ?? { agents: 0, keys: 0 };
}

/** Revokes an agent's keys and erases what is told of it; its row goes once no memory is its own. Inside the caller's transaction. */
export function* eraseAgent(work: ChangeWork, agent_id: string, { actor, now }: ChangedBy): Unit<void> {
  const { tenant_id, dialect } = work;
  const key = { tenant_id, agent_id };
  for (const { id } of yield* rows<{ id: string }>(sql`select id from api_keys where ${keysOf(key)} order by id`))
    yield* revokeKey(work, id, now, actor);
  yield* run(sql`update api_keys set label = null where ${keysOf(key)}`);
  yield* run(sql`update findings set reviewed_by = null
    where tenant_id = ${tenant_id} and (retracted_at is null or review is not null) and reviewed_by = ${agent_id}`);
  const found = yield* row<{ is_author: boolean | number }>(sql`select exists (
      select 1 from memories m where ${dialect.belongs("m", sql`a.tenant_id`)} and m.author = a.seq
    ) as is_author from agents a where ${rowOf(key)}`);
  if (!found) return;
  if (found.is_author) {
    yield* run(sql`update agents set display_name = null where ${rowOf(key)}`);
    return;
  }
  yield* run(sql`delete from agents where ${rowOf(key)}`);
  yield* run(sql`update audit_log set before = null, after = null, reason = null
    where tenant_id = ${tenant_id} and target_id = ${agent_id} and action like 'agent.%'`);
  const event = { at: now, action: "agent.erase", target_id: agent_id };
  yield* insertAudit(work, actor, [{ ...event, before: null, after: null, reason: null }]);
}
