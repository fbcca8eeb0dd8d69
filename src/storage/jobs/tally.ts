import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { FailingJob, JobTally, KindTally } from "../../core/ports/job-store.ts";
import { RECURRING_KINDS } from "../../core/schema/job.ts";
import type { SqlDialect } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { Work } from "../units/work.ts";
import type { Hands } from "./hands.ts";

/** Whose jobs are counted, and when. */
interface Counted {
  readonly hands: Hands;
  readonly nowMs: number;
  readonly tenant_id: string | null;
}

/** Holds for jobs that failed and were not finished since. */
export const IS_FAILING = sql`attempt > 0 and last_error is not null`;

const counts = ({ hands, nowMs }: Counted): SQL => sql`
  count(*) filter (where run_after <= ${nowMs}) as due,
  count(*) filter (where run_after > ${nowMs} and ${hands.isHeld(nowMs)}) as running,
  count(*) filter (where run_after > ${nowMs} and not ${hands.isHeld(nowMs)}) as scheduled,
  count(*) filter (where ${IS_FAILING}) as failing`;

/** Whose a job is: one engine has it beside what the job is given. */
export const tenantOf = ({ tellsTenants }: SqlDialect): SQL =>
  tellsTenants ? sql`tenant_id` : sql`payload ->> '$.tenant_id'`;

const isOf = (dialect: SqlDialect, tenant_id: string | null): SQL =>
  tenant_id === null ? sql`true` : sql`${tenantOf(dialect)} = ${tenant_id}`;

const isLeft = (dialect: SqlDialect, tenant_id: string | null): SQL =>
  sql`not (${dialect.isIn(sql`kind`, RECURRING_KINDS)}) and ${isOf(dialect, tenant_id)}`;

/** The jobs that are left; those that come again and again are not counted. */
export function* tally({ dialect }: Work, counted: Counted): Unit<JobTally> {
  const found = yield* row<JobTally>(sql`select ${counts(counted)},
    coalesce(sum(json_array_length(${dialect.asJson(sql`payload`)} -> 'memory_ids'))
      filter (where kind = 'understand_memories'), 0) as understanding_pending
    from jobs where ${isLeft(dialect, counted.tenant_id)}`);
  return found ?? { due: 0, running: 0, scheduled: 0, failing: 0, understanding_pending: 0 };
}

/** The same by kind. */
export const countByKind = ({ dialect }: Work, counted: Counted): Unit<KindTally[]> =>
  rows<KindTally>(sql`select kind, ${counts(counted)} from jobs where ${isLeft(dialect, counted.tenant_id)}
    group by kind order by kind`);

/** The jobs that failed and were not finished since, most attempts first. */
export const failing = ({ dialect }: Work, tenant_id: string | null, limit: number): Unit<FailingJob[]> =>
  rows<FailingJob>(sql`
    select ${tenantOf(dialect)} as tenant_id, kind, attempt, run_after as run_after_ms, last_error as reason from jobs
    where ${IS_FAILING} and ${isOf(dialect, tenant_id)} order by attempt desc, id limit ${limit}`);
