import { and, eq, sql } from "drizzle-orm";
import type { MemoryStatus } from "../../schema/memory.ts";
import { SKILLS } from "../../schema/skill.ts";
import type { Connections } from "./connection.ts";
import { memberValue } from "./document-members.ts";
import { insertJobs } from "./jobs.ts";
import { documentMembers, jobs } from "./tables.ts";

/** Statuses in which a memory no longer carries what was drawn from it. */
const FALLEN: readonly MemoryStatus[] = ["outdated", "conflicted", "deleted"];

/**
 * Queues a look at a tenant's skills after memories fell, inside the caller's transaction: not where there are no active
 * ones, and not when one waits already.
 */
export function queueSkillReview(
  at: Connections,
  { tenant_id, status }: { tenant_id: string; status: MemoryStatus },
  nowMs: number,
): void {
  if (!FALLEN.includes(status) || !hasActiveSkills(at, tenant_id)) return;
  const waiting = and(
    eq(jobs.kind, "review_skills"),
    eq(jobs.attempt, 0),
    sql`${jobs.payload}->>'tenant_id' = ${tenant_id}`,
  );
  if (at.write.select({ id: jobs.id }).from(jobs).where(waiting).limit(1).get()) return;
  insertJobs(at, [{ kind: "review_skills", payload: { tenant_id } }], nowMs);
}

function hasActiveSkills(at: Connections, tenant_id: string): boolean {
  const active = and(
    eq(documentMembers.tenant_id, tenant_id),
    eq(documentMembers.collection, SKILLS),
    eq(documentMembers.name, "status"),
    eq(documentMembers.value, memberValue("active")),
  );
  return at.write.select({ seq: documentMembers.seq }).from(documentMembers).where(active).limit(1).get() !== undefined;
}
