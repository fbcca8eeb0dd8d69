import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { ForgeReport, ForgeRequest, ForgeRequested, ForgeStore } from "../../../core/ports/forge-store.ts";
import type { ForgeRun } from "../../../core/schema/forge.ts";
import { isEnough } from "../../common/forge-runs.ts";
import { insertAudit } from "../accounts/audit-rows.ts";
import { jsonValue } from "../engine/values.ts";
import type { Engine, TenantWork, Work } from "../engine/work.ts";
import { insertJobs } from "../jobs/queue.ts";
import { traceRows } from "./forge-traces.ts";

/** Runs that are remembered of a tenant. */
const RUNS_KEPT = 200;
/** Longest text of a failure that is kept. */
const ERROR_MAX = 500;

/** The store of the Forge over Postgres. */
export function postgresForgeStore(engine: Engine, clock: Clock): ForgeStore {
  const now = () => toTimestamp(clock.now());
  return {
    traceRows: (query) => engine.snapshot((work) => traceRows(work, query)),
    request: (request) => engine.write(request.tenant_id, (work) => requestRun(work, request, clock.now())),
    start: (tenant_id, id) =>
      engine.write(tenant_id, async (work) => {
        const started = await work.row<RunRow>(sql`update forge_runs set started_at = coalesce(started_at, ${now()})
          where ${openRun(work, id)} returning *`);
        return started && toRun(started);
      }),
    finish: (tenant_id, id, report) =>
      engine.write(tenant_id, async (work) => {
        await finishRun(work, { id, report, finished_at: now() });
        await forgetOld(work);
      }),
    fail: (tenant_id, id, error) =>
      engine.write(tenant_id, async (work) => {
        await work.run(sql`update forge_runs set error = ${error.slice(0, ERROR_MAX).toWellFormed()}
          where ${openRun(work, id)}`);
      }),
    runs: (tenant_id, limit) =>
      engine.look(async (work) => {
        const rows = await work.rows<RunRow>(
          sql`select * from forge_runs where tenant_id = ${tenant_id} order by seq desc limit ${limit}`,
        );
        return rows.map(toRun);
      }),
    optedIn: () => engine.look(optedIn),
  };
}

/** A run as it is stored. */
interface RunRow extends ForgeRun {
  readonly seq: number;
  readonly audit_id: number;
}

const toRun = ({ seq: _seq, audit_id: _audit, ...run }: RunRow): ForgeRun => run;

const openRun = ({ tenant_id }: TenantWork, id: string): SQL =>
  sql`tenant_id = ${tenant_id} and id = ${id} and finished_at is null`;

async function requestRun(work: TenantWork, request: ForgeRequest, nowMs: number): Promise<ForgeRequested> {
  const { id, fleet_id, trigger, actor } = request;
  const { tenant_id } = work;
  const last = await lastRun(work, fleet_id);
  if (last && isEnough(last, request.quiet_ms, nowMs)) return { outcome: "quiet", audit_id: last.audit_id };
  const requested_at = toTimestamp(nowMs);
  const after = { trigger, fleet_id };
  const audit_id = await insertAudit(work, actor, [
    { at: requested_at, action: "forge.request", target_id: id, before: null, after, reason: null },
  ]);
  await work.run(sql`insert into forge_runs (tenant_id, id, fleet_id, trigger, audit_id, requested_at,
      traces, successes, failures, unknown, clusters, written, skipped)
    values (${tenant_id}, ${id}, ${fleet_id}, ${trigger}, ${audit_id}, ${requested_at}, 0, 0, 0, 0, '[]', 0, 0)`);
  await insertJobs(work, [{ kind: "forge_tick", payload: { tenant_id, run: id } }], nowMs);
  return { outcome: "queued", audit_id };
}

const lastRun = (work: TenantWork, fleet_id: string | null): Promise<RunRow | null> =>
  work.row<RunRow>(sql`select * from forge_runs
    where tenant_id = ${work.tenant_id} and fleet_id is not distinct from ${fleet_id} order by seq desc limit 1`);

interface Finished {
  readonly id: string;
  readonly report: ForgeReport;
  readonly finished_at: string;
}

const finishRun = (work: TenantWork, { id, report, finished_at }: Finished): Promise<number> =>
  work.run(sql`update forge_runs set finished_at = ${finished_at}, traces = ${report.traces},
      successes = ${report.successes}, failures = ${report.failures}, unknown = ${report.unknown},
      clusters = ${jsonValue(report.clusters)}, written = ${report.written}, skipped = ${report.skipped},
      error = ${report.error}
    where ${openRun(work, id)}`);

const forgetOld = (work: TenantWork): Promise<number> =>
  work.run(sql`delete from forge_runs where tenant_id = ${work.tenant_id} and seq < (
    select seq from forge_runs where tenant_id = ${work.tenant_id} order by seq desc limit 1 offset ${RUNS_KEPT - 1})`);

async function optedIn(work: Work): Promise<string[]> {
  const rows = await work.rows<{ tenant_id: string }>(
    sql`select tenant_id from org_settings where tree -> 'skills_factory' ->> 'enabled' = 'true' order by tenant_id`,
  );
  return rows.map(({ tenant_id }) => tenant_id);
}
