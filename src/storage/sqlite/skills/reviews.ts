import { and, eq } from "drizzle-orm";
import type { MemoryStatus } from "../../../core/schema/memory.ts";
import { SKILLS } from "../../../core/schema/skill.ts";
import { memberValue } from "../../common/members.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { documentMembers } from "../engine/tables.ts";
import { queueAfter } from "../jobs/queue.ts";

/** Queues what follows from a new status of a memory; inside the caller's transaction. */
export const queueStatusChanged = (
  db: Engine,
  { tenant_id, status }: { readonly tenant_id: string; readonly status: MemoryStatus },
  now_ms: number,
): void =>
  queueAfter(db, {
    kind: "status_changed",
    tenant_id,
    status,
    hasActiveSkills: () => hasActiveSkills(db, tenant_id),
    now_ms,
  });

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
