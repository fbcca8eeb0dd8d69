import { sql } from "drizzle-orm";
import type { MemoryStatus } from "../../../core/schema/memory.ts";
import { SKILLS } from "../../../core/schema/skill.ts";
import { memberValue } from "../../common/members.ts";
import type { TenantWork } from "../engine/work.ts";
import { queueAfter } from "../jobs/queue.ts";

/** Queues what follows from a new status of a memory; inside the caller's transaction. */
export async function queueStatusChanged(
  work: TenantWork,
  { status }: { readonly status: MemoryStatus },
  now_ms: number,
): Promise<void> {
  const { tenant_id } = work;
  // The rules ask at once, so whatever they may ask is read before.
  const active = await hasActiveSkills(work);
  await queueAfter(work, { kind: "status_changed", tenant_id, status, hasActiveSkills: () => active, now_ms });
}

async function hasActiveSkills(work: TenantWork): Promise<boolean> {
  const found = await work.row(sql`select 1 as found from document_members
    where tenant_id = ${work.tenant_id} and collection = ${SKILLS} and name = 'status'
      and value = ${memberValue("active")} limit 1`);
  return found !== null;
}
