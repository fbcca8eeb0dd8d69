import type { StoredMemory } from "../ports/memory-store.ts";
import type { Job } from "../schema/job.ts";
import { embedJobs } from "./embed.ts";

/** Rows a job reads at most, so that a lease always outlives its job. */
const ROWS_PER_JOB = 100;

/** The work that new rows leave behind: vectors for those without, then reading what they say. */
export const jobsFor = (created: readonly StoredMemory[]): Job[] => [...embedJobs(created), ...understandJobs(created)];

function understandJobs(created: readonly StoredMemory[]): Job[] {
  const jobs: Job[] = [];
  for (let i = 0; i < created.length; i += ROWS_PER_JOB) {
    const rows = created.slice(i, i + ROWS_PER_JOB);
    const tenant_id = rows[0]?.tenant_id ?? "";
    jobs.push({ kind: "understand_memories", payload: { tenant_id, memory_ids: rows.map(({ id }) => id) } });
  }
  return jobs;
}
