import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { FailingJob, JobTally, KindTally } from "../../../core/ports/job-store.ts";
import { RECURRING_KINDS } from "../../../core/schema/job.ts";
import { textArray } from "../engine/values.ts";
import type { Work } from "../engine/work.ts";
import { isHeld } from "./due.ts";

/** Whose jobs are counted, and when. */
interface Counted {
  readonly nowMs: number;
  readonly tenant_id: string | null;
}

const counts = (nowMs: number): SQL => sql`
  count(*) filter (where run_after <= ${nowMs}) as due,
  count(*) filter (where run_after > ${nowMs} and ${isHeld(nowMs)}) as running,
  count(*) filter (where run_after > ${nowMs} and not ${isHeld(nowMs)}) as scheduled,
  count(*) filter (where ${IS_FAILING}) as failing`;

const IS_FAILING = sql`attempt > 0 and last_error is not null`;

const isLeft = (tenant_id: string | null): SQL =>
  sql`kind <> all(${textArray(RECURRING_KINDS)}) and ${isOf(tenant_id)}`;

const isOf = (tenant_id: string | null): SQL => (tenant_id === null ? sql`true` : sql`tenant_id = ${tenant_id}`);

/** The jobs that are left; those that come again and again are not counted. */
export async function tally(work: Work, { nowMs, tenant_id }: Counted): Promise<JobTally> {
  const found = await work.row<JobTally>(sql`select ${counts(nowMs)},
    coalesce(sum(json_array_length(payload::json -> 'memory_ids')) filter (where kind = 'understand_memories'), 0)
      as understanding_pending
    from jobs where ${isLeft(tenant_id)}`);
  return found ?? { due: 0, running: 0, scheduled: 0, failing: 0, understanding_pending: 0 };
}

/** The same by kind. */
export const countByKind = (work: Work, { nowMs, tenant_id }: Counted): Promise<KindTally[]> =>
  work.rows<KindTally>(
    sql`select kind, ${counts(nowMs)} from jobs where ${isLeft(tenant_id)} group by kind order by kind`,
  );

/** The jobs that failed and were not finished since, most attempts first. */
export const failing = (work: Work, tenant_id: string | null, limit: number): Promise<FailingJob[]> =>
  work.rows<FailingJob>(sql`
    select tenant_id, kind, attempt, run_after as run_after_ms, last_error as reason from jobs
    where ${IS_FAILING} and ${isOf(tenant_id)} order by attempt desc, id limit ${limit}`);
