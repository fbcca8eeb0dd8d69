import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { JobLane, LeasedJob } from "../../core/ports/job-store.ts";
import { Job } from "../../core/schema/job.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows, run } from "../units/unit.ts";
import type { Work } from "../units/work.ts";
import type { Hands } from "./hands.ts";
import { rankOfLane } from "./ranks.ts";

/** When a job is taken, until when, and by whom. */
export interface Claimant {
  readonly hands: Hands;
  readonly nowMs: number;
  readonly leaseMs: number;
}

/** A row as it was read. */
interface JobRow {
  readonly id: number;
  readonly kind: string;
  readonly payload: string;
  readonly attempt: number;
}

export const LANES: readonly JobLane[] = ["stated", "embedding", "reembedding", "others"];

/**
 * The due job that waited longest, of the first of these lanes that has one, inside the caller's transaction: others pass
 * over it meanwhile. A row that no handler of this version reads waits with its reason, and the next one is taken instead.
 */
export function* claim(work: Work, lanes: readonly JobLane[], claimant: Claimant): Unit<LeasedJob | null> {
  for (let row = yield* take(work, lanes, claimant); row; row = yield* take(work, lanes, claimant)) {
    const { id, attempt } = row;
    const job = jobOf(row);
    if (job) return { id, attempt, job: yield* gather(work, id, job, claimant) };
    yield* run(sql`update jobs set last_error = ${UNREADABLE}${claimant.hands.free} where id = ${id}`);
  }
  return null;
}

const UNREADABLE = "This version of Cairn does not know this kind of job.";

function* take({ dialect }: Work, lanes: readonly JobLane[], claimant: Claimant): Unit<JobRow | null> {
  const { hands, nowMs, leaseMs } = claimant;
  const until = nowMs + leaseMs;
  for (const lane of lanes) {
    const taken = yield* row<JobRow>(sql`
      update jobs set run_after = ${until}, attempt = attempt + 1${hands.taken(until)}
      where id = (select id from jobs where ${isClaimable(lane, claimant)}
        order by run_after, id limit 1 ${dialect.unlessLocked})
      returning id, kind, payload, attempt`);
    if (taken) return taken;
  }
  return null;
}

/** Whether a job of a lane is due, and no other process has it in hand. */
const isClaimable = (lane: JobLane, { hands, nowMs }: Claimant): SQL => sql`rank = ${int(rankOfLane(lane))}
  and run_after <= ${nowMs} and ${hands.mayTake(nowMs)} and ${lane === "others" ? mayGo(hands, nowMs) : sql`true`}`;

/** Rows that still wait for their vectors would be read without them, and then once more: their jobs stand before. */
export const mayGo = (hands: Hands, nowMs: number): SQL => sql`(kind <> 'understand_memories' or id < coalesce((
  select min(e.id) from jobs e where e.rank = ${int(rankOfLane("embedding"))} and e.kind = 'embed_memories'
    and (e.run_after <= ${nowMs} or ${hands.isHeld(nowMs)})), ${Number.MAX_SAFE_INTEGER}))`;

/** The job of a row; nothing where this version reads no such job. */
export function jobOf({ kind, payload }: Pick<JobRow, "kind" | "payload">): Job | undefined {
  try {
    return Job.safeParse({ kind, payload: JSON.parse(payload) }).data;
  } catch {
    return undefined;
  }
}

/** Rows that one job reads at most when it takes in others: as many as of a bulk write. */
const GATHERED_MAX = 25;

/** Rows that were written one at a time are read together: a job takes in the due ones after it that read rows of its tenant. */
function* gather({ dialect }: Work, id: number, job: Job, claimant: Claimant): Unit<Job> {
  if (job.kind !== "understand_memories" || job.payload.memory_ids.length >= GATHERED_MAX) return job;
  const { tenant_id } = job.payload;
  const next = yield* rows<JobRow>(sql`select id, kind, payload, attempt from jobs
    where ${isClaimable("others", claimant)} order by run_after, id limit ${GATHERED_MAX} ${dialect.unlessLocked}`);
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
  yield* run(sql`delete from jobs where ${dialect.isIn(sql`id`, taken)}`);
  yield* run(sql`update jobs set payload = ${JSON.stringify(gathered.payload)} where id = ${id}`);
  return gathered;
}
