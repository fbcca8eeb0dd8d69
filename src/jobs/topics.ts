import { STANDALONE_TENANT } from "../access/resolve.ts";
import type { Changes } from "../core/ports/observing/changes.ts";
import type { Job, JobKind } from "../core/schema/job.ts";
import type { Topic } from "../core/schema/observing/changes.ts";

/** What a finished job of each kind may have changed, besides the jobs that are left. */
const CHANGED_BY: Readonly<Record<JobKind, readonly Topic[]>> = {
  embed_memories: ["memories"],
  embed_documents: ["documents"],
  understand_memories: ["memories", "entities", "conflicts"],
  compare_stated: ["memories", "conflicts"],
  promote_skills: ["skills", "documents"],
  review_skills: ["skills", "documents"],
  skills_schedule: [],
  memories_schedule: ["memories"],
  retention_schedule: ["memories"],
  wipe_traces: [],
  reread_rows: ["memories", "documents"],
  rejudge_memories: ["memories", "conflicts"],
  reword_rows: ["memories", "documents"],
  forge_tick: ["forge", "skills", "documents"],
  forge_schedule: [],
};

/** The tenant whose job it is; null for one that goes through all of them. */
const tenantOf = ({ payload }: Job): string | null => ("tenant_id" in payload ? payload.tenant_id : null);

/** Tells that a job was taken up or given back; what is of no tenant concerns the owner of the machine. */
export function tellJobMoved(changes: Changes, job: Job): void {
  changes.publish(tenantOf(job) ?? STANDALONE_TENANT, ["jobs"]);
}

/** Tells that a job is done, with what it may have changed. */
export function tellJobDone(changes: Changes, job: Job): void {
  tellJobMoved(changes, job);
  changes.publish(tenantOf(job), CHANGED_BY[job.kind]);
}
