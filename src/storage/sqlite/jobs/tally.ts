import type { FailingJob, JobTally, KindTally } from "../../../core/ports/job-store.ts";
import { RECURRING_KINDS } from "../../../core/schema/job.ts";
import type { Connections } from "../engine/connection.ts";

/** Whose jobs are counted, and when. */
interface Counted {
  /** Jobs claimed and not given back. */
  readonly held: ReadonlySet<number>;
  readonly nowMs: number;
  readonly tenant_id: string | null;
}

const COUNTS = `
  coalesce(sum(run_after <= $now), 0) as due,
  coalesce(sum(run_after > $now and held), 0) as running,
  coalesce(sum(run_after > $now and not held), 0) as scheduled,
  coalesce(sum(attempt > 0 and last_error is not null), 0) as failing`;

const LEFT = `(
  select *, id in (select value from json_each($held)) as held from jobs
  where kind not in (select value from json_each($recurring))
    and ($tenant is null or json_extract(payload, '$.tenant_id') = $tenant)
)`;

const TALLY = `
  select ${COUNTS},
    coalesce(sum(json_array_length(payload, '$.memory_ids')) filter (where kind = 'understand_memories'), 0) as understanding_pending
  from ${LEFT}`;

const BY_KIND = `select kind, ${COUNTS} from ${LEFT} group by kind order by kind`;

type Values = Record<string, string | number | null>;

const valuesOf = ({ held, nowMs, tenant_id }: Counted): Values => ({
  $now: nowMs,
  $held: JSON.stringify([...held]),
  $recurring: JSON.stringify(RECURRING_KINDS),
  $tenant: tenant_id,
});

/** The jobs that are left; those that come again and again are not counted. */
export function tally(db: Connections, counted: Counted): JobTally {
  const found = db.readConnection.query<JobTally, Values>(TALLY).get(valuesOf(counted));
  return found ?? { due: 0, running: 0, scheduled: 0, failing: 0, understanding_pending: 0 };
}

/** The same by kind. */
export function countByKind(db: Connections, counted: Counted): KindTally[] {
  return db.readConnection.query<KindTally, Values>(BY_KIND).all(valuesOf(counted));
}

const FAILING = `
  select json_extract(payload, '$.tenant_id') as tenant_id, kind, attempt, run_after as run_after_ms, last_error as reason
  from jobs
  where attempt > 0 and last_error is not null
    and ($tenant is null or json_extract(payload, '$.tenant_id') = $tenant)
  order by attempt desc, id limit $limit`;

/** The jobs that failed and were not finished since, most attempts first. */
export function failing(db: Connections, tenant_id: string | null, limit: number): FailingJob[] {
  return db.readConnection.query<FailingJob, Values>(FAILING).all({ $tenant: tenant_id, $limit: limit });
}
