import { sql } from "drizzle-orm";
import type { JobLane, LeasedJob } from "../../../core/ports/job-store.ts";
import { Job } from "../../../core/schema/job.ts";
import { intArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import type { Asked } from "./due.ts";
import { isClaimable } from "./due.ts";

/** A process that takes a job, and until when it does. */
export interface Claimant extends Asked {
  readonly leaseMs: number;
}

/** A row as it was read. */
interface JobRow {
  readonly id: number;
  readonly kind: string;
  readonly payload: string;
  readonly attempt: number;
}

export const LANES: readonly JobLane[] = ["stated", "embedding", "others"];

/**
 * The due job that waited longest, of the first of these lanes that has one, inside the caller's transaction: others pass
 * over it meanwhile. A row that no handler of this version reads waits with its reason, and the next one is taken instead.
 */
export async function claim(work: Work, lanes: readonly JobLane[], claimant: Claimant): Promise<LeasedJob | null> {
  for (let row = await take(work, lanes, claimant); row; row = await take(work, lanes, claimant)) {
    const { id, attempt } = row;
    const job = jobOf(row);
    if (job) return { id, attempt, job: await gather(work, id, job, claimant) };
    await work.run(sql`update jobs set held_by = null, held_until = null, last_error = ${UNREADABLE} where id = ${id}`);
  }
  return null;
}

async function take(work: Work, lanes: readonly JobLane[], claimant: Claimant): Promise<JobRow | null> {
  const until = claimant.nowMs + claimant.leaseMs;
  for (const lane of lanes) {
    const taken = await work.row<JobRow>(sql`
      update jobs set run_after = ${until}, attempt = attempt + 1, held_by = ${claimant.holder}, held_until = ${until}
      where id = (select id from jobs where ${isClaimable(lane, claimant)}
        order by run_after, id limit 1 for update skip locked)
      returning id, kind, payload, attempt`);
    if (taken) return taken;
  }
  return null;
}

function jobOf({ kind, payload }: JobRow): Job | undefined {
  try {
    return Job.safeParse({ kind, payload: JSON.parse(payload) }).data;
  } catch {
    return undefined;
  }
}

/** Rows that one job reads at most when it takes in others: as many as of a bulk write. */
const GATHERED_MAX = 25;

/** Rows that were written one at a time are read together: a job takes in the due ones after it that read rows of its tenant. */
async function gather(work: Work, id: number, job: Job, asked: Asked): Promise<Job> {
  if (job.kind !== "understand_memories" || job.payload.memory_ids.length >= GATHERED_MAX) return job;
  const { tenant_id } = job.payload;
  const next = await work.rows<JobRow>(sql`select id, kind, payload, attempt from jobs
    where ${isClaimable("others", asked)} order by run_after, id limit ${GATHERED_MAX} for update skip locked`);
  const ids = new Set(job.payload.memory_ids);
  const taken: number[] = [];
  for (const row of next) {
    const other = jobOf(row);
    if (other?.kind !== job.kind || other.payload.tenant_id !== tenant_id || row.attempt > 0) break;
    if (ids.size + other.payload.memory_ids.length > GATHERED_MAX) break;
    for (const one of other.payload.memory_ids) ids.add(one);
    taken.push(row.id);
  }
  if (taken.length === 0) return job;
  const gathered = { kind: job.kind, payload: { tenant_id, memory_ids: [...ids] } };
  await work.run(sql`delete from jobs where id = any(${intArray(taken)})`);
  await work.run(sql`update jobs set payload = ${JSON.stringify(gathered.payload)} where id = ${id}`);
  return gathered;
}

const UNREADABLE = "This version of Cairn does not know this kind of job.";
