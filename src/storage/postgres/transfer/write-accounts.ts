import { sql } from "drizzle-orm";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { ImportOutcome } from "../../../core/ports/keeping/transfer.ts";
import type { RecordOf } from "../../../core/schema/keeping/transfer.ts";
import type { WriteContext } from "../../common/transfer/write-context.ts";
import { beside, CREATED } from "../../common/transfer/write-context.ts";
import { jsonValue } from "../engine/values.ts";
import type { TenantWork } from "../engine/work.ts";

interface AgentRow {
  readonly display_name: string | null;
  readonly fleet_id: string | null;
  readonly trust_level: number;
}

/** Stores an agent, inside the caller's transaction; one that is there stays. */
export async function writeAgent(
  work: TenantWork,
  { now }: WriteContext,
  agent: RecordOf<"agent">,
): Promise<ImportOutcome> {
  const { tenant_id } = work;
  const { agent_id, display_name, fleet_id, trust_level, created_at } = agent;
  const wanted: AgentRow = {
    display_name: display_name ?? null,
    fleet_id: fleet_id ?? null,
    trust_level: trust_level ?? 1,
  };
  const present = await work.row<AgentRow>(sql`select display_name, fleet_id, trust_level from agents
    where tenant_id = ${tenant_id} and agent_id = ${agent_id}`);
  if (present) return beside({ ...present }, { ...wanted });
  await work.run(sql`
    insert into agents (tenant_id, agent_id, display_name, fleet_id, trust_level, created_at, updated_at)
    values (${tenant_id}, ${agent_id}, ${wanted.display_name}, ${wanted.fleet_id}, ${wanted.trust_level},
      ${created_at ?? now}, ${now})`);
  return CREATED;
}

/** Stores settings, inside the caller's transaction; settings that are there stay. */
export async function writeSettings(work: TenantWork, tree: RecordOf<"settings">["tree"]): Promise<ImportOutcome> {
  const { tenant_id } = work;
  const changes = await work.run(
    sql`insert into org_settings (tenant_id, tree) values (${tenant_id}, ${jsonValue(tree)}) on conflict do nothing`,
  );
  if (changes > 0) return CREATED;
  const present = await work.row<{ tree: JsonObject }>(
    sql`select tree from org_settings where tenant_id = ${tenant_id}`,
  );
  return beside(present?.tree ?? null, tree);
}
