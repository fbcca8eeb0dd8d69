import { and, eq } from "drizzle-orm";
import type { MemoryStatus } from "../../../core/schema/memory.ts";
import { FALLEN_STATUSES } from "../../../core/schema/memory.ts";
import { SKILLS } from "../../../core/schema/skill.ts";
import { memberValue } from "../documents/members.ts";
import type { Connections } from "../engine/connection.ts";
import { documentMembers } from "../engine/tables.ts";
import { insertJobs } from "../jobs/jobs.ts";

/** How long a look waits for more memories to fall: many falls make one look. */
export const REVIEW_DELAY_MS = 60_000;

/** Queues a look at a tenant's active skills, if it has any, after memories fell; inside the caller's transaction. */
export function queueSkillReview(
  db: Connections,
  { tenant_id, status }: { tenant_id: string; status: MemoryStatus },
  nowMs: number,
): void {
  if (!FALLEN_STATUSES.includes(status) || !hasActiveSkills(db, tenant_id)) return;
  insertJobs(db, [{ kind: "review_skills", payload: { tenant_id } }], nowMs + REVIEW_DELAY_MS);
}

function hasActiveSkills(db: Connections, tenant_id: string): boolean {
  const active = and(
    eq(documentMembers.tenant_id, tenant_id),
    eq(documentMembers.collection, SKILLS),
    eq(documentMembers.name, "status"),
    eq(documentMembers.value, memberValue("active")),
  );
  return (
    db.drizzleWrite.select({ seq: documentMembers.seq }).from(documentMembers).where(active).limit(1).get() !==
    undefined
  );
}
