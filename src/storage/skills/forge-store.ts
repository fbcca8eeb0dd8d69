import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Clock } from "../../core/kernel/clock.ts";
import { toTimestamp } from "../../core/kernel/clock.ts";
import type { ForgeReport, ForgeRequest, ForgeRequested, ForgeStore } from "../../core/ports/forge-store.ts";
import type { ForgeRun } from "../../core/schema/forge.ts";
import { insertAudit } from "../accounts/audit.ts";
import { insertJobs } from "../jobs/queue.ts";
import type { EmbedderSpace } from "../options.ts";
import { jsonIn } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { ChangeWork, Runner, TenantWork } from "../units/work.ts";
import { isEnough } from "./forge-runs.ts";
import { traceRows } from "./forge-traces.ts";

/** Runs that are remembered of a tenant. */
const RUNS_KEPT = 200;
/** Longest text of a failure that is kept. */
const ERROR_MAX = 500;

/** The store of the Forge; what it reads has the vectors of a space. */
export function forgeStore({ look, snapshot, write }: Runner, clock: Clock, space: EmbedderSpace): ForgeStore {
  const now = () => toTimestamp(clock.now());
  return {
    traceRows: (query) => snapshot((work) => traceRows(work, space, query)),
    request: (request) => write(request.tenant_id, (work) => requestRun(work, request, clock.now())),
    start: (tenant_id, id) =>
      write(tenant_id, function* (work) {
        const [started] = yield* runsOf(sql`update forge_runs set started_at = coalesce(started_at, ${now()})
          where ${openRun(work, id)} returning *`);
        return started ? toRun(started) : null;
      }),
    finish: (tenant_id, id, report) => write(tenant_id, (work) => finishRun(work, { id, report, finished_at: now() })),
    fail: (tenant_id, id, error) =>
      write(tenant_id, function* (work) {
        yield* run(sql`update forge_runs set error = ${error.slice(0, ERROR_MAX).toWellFormed()}
          where ${openRun(work, id)}`);
      }),
    runs: (tenant_id, limit) =>
      look(function* () {
        const found = yield* runsOf(
          sql`select * from forge_runs where tenant_id = ${tenant_id} order by seq desc limit ${limit}`,
        );
        return found.map(toRun);
      }),
    optedIn: () => look(optedIn),
  };
}

/** A run as it is stored. */
interface RunRow extends ForgeRun {
  readonly seq: number;
  readonly audit_id: number;
}

const toRun = ({ seq: _seq, audit_id: _audit, ...run }: RunRow): ForgeRun => run;

function* runsOf(query: SQL): Unit<RunRow[]> {
  const found = yield* rows<RunRow>(query);
  return found.map((one) => ({ ...one, clusters: jsonIn(one.clusters) }));
}

const openRun = ({ tenant_id }: TenantWork, id: string): SQL =>
  sql`tenant_id = ${tenant_id} and id = ${id} and finished_at is null`;

function* requestRun(work: ChangeWork, request: ForgeRequest, nowMs: number): Unit<ForgeRequested> {
  const { id, fleet_id, trigger, actor } = request;
  const { tenant_id } = work;
  const [last] = yield* runsOf(sql`select * from forge_runs
    where tenant_id = ${tenant_id} and fleet_id is not distinct from ${fleet_id} order by seq desc limit 1`);
  if (last && isEnough(last, request.quiet_ms, nowMs)) return { outcome: "quiet", audit_id: last.audit_id };
  const requested_at = toTimestamp(nowMs);
  const after = { trigger, fleet_id };
  const audit_id = yield* insertAudit(work, actor, [
    { at: requested_at, action: "forge.request", target_id: id, before: null, after, reason: null },
  ]);
  yield* run(sql`insert into forge_runs (tenant_id, id, fleet_id, trigger, audit_id, requested_at,
      traces, successes, failures, unknown, clusters, written, skipped)
    values (${tenant_id}, ${id}, ${fleet_id}, ${trigger}, ${audit_id}, ${requested_at}, 0, 0, 0, 0, '[]', 0, 0)`);
  yield* insertJobs(work, [{ kind: "forge_tick", payload: { tenant_id, run: id } }], nowMs);
  return { outcome: "queued", audit_id };
}

interface Finished {
  readonly id: string;
  readonly report: ForgeReport;
  readonly finished_at: string;
}

/** Keeps the report, and forgets the tenant's oldest runs. */
function* finishRun(work: ChangeWork, { id, report, finished_at }: Finished): Unit<void> {
  const { tenant_id, dialect } = work;
  yield* run(sql`update forge_runs set finished_at = ${finished_at}, traces = ${report.traces},
      successes = ${report.successes}, failures = ${report.failures}, unknown = ${report.unknown},
      clusters = ${dialect.json(report.clusters)}, written = ${report.written}, skipped = ${report.skipped},
      error = ${report.error}
    where ${openRun(work, id)}`);
  yield* run(sql`delete from forge_runs where tenant_id = ${tenant_id} and seq < (
    select seq from forge_runs where tenant_id = ${tenant_id} order by seq desc limit 1 offset ${RUNS_KEPT - 1})`);
}

function* optedIn(): Unit<string[]> {
  const found = yield* rows<{ tenant_id: string }>(sql`select tenant_id from org_settings
    where cast(tree -> 'skills_factory' -> 'enabled' as text) = 'true' order by tenant_id`);
  return found.map(({ tenant_id }) => tenant_id);
}
