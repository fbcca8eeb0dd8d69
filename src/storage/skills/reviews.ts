import { sql } from "drizzle-orm";
import type { MemoryStatus } from "../../core/schema/memory.ts";
import { SKILLS } from "../../core/schema/skill.ts";
import { memberValue } from "../common/members.ts";
import { queueAfter } from "../jobs/queue.ts";
import type { Unit } from "../units/unit.ts";
import { row } from "../units/unit.ts";
import type { ChangeWork, TenantWork } from "../units/work.ts";

/** Queues what follows from a new status of a memory; inside the caller's transaction. */
export function* queueStatusChanged(
  work: ChangeWork,
  { status }: { readonly status: MemoryStatus },
  now_ms: number,
): Unit<void> {
  const { tenant_id } = work;
  // The rules ask at once, so whatever they may ask is read before.
  const active = yield* hasActiveSkills(work);
  yield* queueAfter(work, { kind: "status_changed", tenant_id, status, hasActiveSkills: () => active, now_ms });
}

function* hasActiveSkills({ tenant_id }: TenantWork): Unit<boolean> {
  const found = yield* row(sql`select 1 as found from document_members
    where tenant_id = ${tenant_id} and collection = ${SKILLS} and name = 'status'
      and value = ${memberValue("active")} limit 1`);
  return found !== null;
}
