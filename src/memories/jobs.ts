import type { MemoryKey, StoredMemory } from "../core/ports/stored-memory.ts";
import type { Job } from "../core/schema/job.ts";
import { embedJobs } from "./embed.ts";

/** Rows a job reads at most: about a second of models and rules, so that new rows soon get their vectors in between. */
const ROWS_PER_JOB = 25;

/** The work that new rows and changed texts leave: vectors first, then what they say is read; what callers state waits for neither. */
export const jobsFor = (rows: readonly StoredMemory[]): Job[] => [
  ...jobsOf("compare_stated", rows.filter(statesValue)),
  ...embedJobs(rows),
  ...understandJobs(rows),
];

/** The work that reads what rows say. */
export const understandJobs = (rows: readonly MemoryKey[]): Job[] => jobsOf("understand_memories", rows);

const statesValue = ({ subject_entity_id, predicate, object_value }: StoredMemory): boolean =>
  subject_entity_id !== null && predicate !== null && object_value !== null;

function jobsOf(kind: "understand_memories" | "compare_stated", rows: readonly MemoryKey[]): Job[] {
  const jobs: Job[] = [];
  for (let i = 0; i < rows.length; i += ROWS_PER_JOB) {
    const part = rows.slice(i, i + ROWS_PER_JOB);
    const tenant_id = part[0]?.tenant_id ?? "";
    jobs.push({ kind, payload: { tenant_id, memory_ids: part.map(({ id }) => id) } });
  }
  return jobs;
}
