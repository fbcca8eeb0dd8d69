import { and, desc, eq, isNull, lt, max, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { ForgeRequest, ForgeRequested, ForgeStore } from "../../../core/ports/forge-store.ts";
import type { ForgeCluster, ForgeRun, ForgeTrigger } from "../../../core/schema/forge.ts";
import { isEnough } from "../../common/forge-runs.ts";
import { insertAudit } from "../accounts/audit.ts";
import type { Connections, Engine, GroupedConnections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { auditLog, orgSettings } from "../engine/tables.ts";
import { insertJobs } from "../jobs/queue.ts";
import { traceRows } from "./forge-traces.ts";

/** Runs that are remembered of a tenant. */
const RUNS_KEPT = 200;
/** Longest text of a failure that is kept. */
const ERROR_MAX = 500;

/** The store of the Forge over SQLite; `jobAdded` is called after a transaction that queued work. */
export function sqliteForgeStore(db: Engine, clock: Clock, jobAdded: () => void): ForgeStore {
  const change = <T>(body: () => T) => guarded(() => db.write(body));
  const now = () => toTimestamp(clock.now());
  return {
    traceRows: (query) => guarded(() => traceRows(db, query)),
    request: async (request) => {
      const requested = await change(() => requestRun(db, request, clock.now()));
      if (requested.outcome === "queued") jobAdded();
      return requested;
    },
    start: (tenant_id, id) =>
      change(() => {
        const open = db.drizzleWrite.select().from(forgeRuns).where(openRun(tenant_id, id)).get();
        if (!open) return null;
        const started_at = open.started_at ?? now();
        db.drizzleWrite.update(forgeRuns).set({ started_at }).where(openRun(tenant_id, id)).run();
        return toRun({ ...open, started_at });
      }),
    finish: (tenant_id, id, { clusters, ...report }) =>
      change(() => {
        const set = { ...report, clusters: [...clusters], finished_at: now() };
        db.drizzleWrite.update(forgeRuns).set(set).where(openRun(tenant_id, id)).run();
        forgetOld(db, tenant_id);
      }),
    fail: (tenant_id, id, error) =>
      change(() => {
        const set = { error: error.slice(0, ERROR_MAX) };
        db.drizzleWrite.update(forgeRuns).set(set).where(openRun(tenant_id, id)).run();
      }),
    runs: (tenant_id, limit) =>
      guarded(() => {
        const own = db.drizzleRead.select().from(forgeRuns).where(eq(forgeRuns.tenant_id, tenant_id));
        return own.orderBy(desc(forgeRuns.seq)).limit(limit).all().map(toRun);
      }),
    optedIn: () =>
      guarded(() => {
        const enabled = sql`json_extract(${orgSettings.tree}, '$.skills_factory.enabled') = 1`;
        const rows = db.drizzleRead.select({ tenant_id: orgSettings.tenant_id }).from(orgSettings).where(enabled);
        return rows
          .all()
          .map(({ tenant_id }) => tenant_id)
          .sort();
      }),
  };
}

type RunRow = typeof forgeRuns.$inferSelect;

const toRun = ({ seq: _seq, audit_id: _audit, ...run }: RunRow): ForgeRun => run;

const openRun = (tenant_id: string, id: string) =>
  and(eq(forgeRuns.tenant_id, tenant_id), eq(forgeRuns.id, id), isNull(forgeRuns.finished_at));

function requestRun(db: Connections, request: ForgeRequest, nowMs: number): ForgeRequested {
  const { id, tenant_id, fleet_id, trigger, actor } = request;
  const last = lastRun(db, tenant_id, fleet_id);
  if (last && isEnough(last, request.quiet_ms, nowMs)) return { outcome: "quiet", audit_id: last.audit_id };
  const requested_at = toTimestamp(nowMs);
  const after = { trigger, fleet_id };
  insertAudit(db, actor, [
    { tenant_id, at: requested_at, action: "forge.request", target_id: id, before: null, after, reason: null },
  ]);
  const audit_id =
    db.drizzleWrite
      .select({ number: max(auditLog.number) })
      .from(auditLog)
      .where(eq(auditLog.tenant_id, tenant_id))
      .get()?.number ?? 0;
  const counts = { traces: 0, successes: 0, failures: 0, unknown: 0, written: 0, skipped: 0 };
  db.drizzleWrite
    .insert(forgeRuns)
    .values({ id, tenant_id, fleet_id, trigger, audit_id, requested_at, clusters: [], ...counts })
    .run();
  insertJobs(db, [{ kind: "forge_tick", payload: { tenant_id, run: id } }], nowMs);
  return { outcome: "queued", audit_id };
}

function lastRun(db: Connections, tenant_id: string, fleet_id: string | null): RunRow | undefined {
  const same = and(
    eq(forgeRuns.tenant_id, tenant_id),
    fleet_id === null ? isNull(forgeRuns.fleet_id) : eq(forgeRuns.fleet_id, fleet_id),
  );
  return db.drizzleWrite.select().from(forgeRuns).where(same).orderBy(desc(forgeRuns.seq)).limit(1).get();
}

function forgetOld(db: GroupedConnections, tenant_id: string): void {
  const own = eq(forgeRuns.tenant_id, tenant_id);
  const kept = db.drizzleWrite.select({ seq: forgeRuns.seq }).from(forgeRuns).where(own).orderBy(desc(forgeRuns.seq));
  const oldest = kept
    .limit(1)
    .offset(RUNS_KEPT - 1)
    .get();
  if (oldest)
    db.drizzleWrite
      .delete(forgeRuns)
      .where(and(own, lt(forgeRuns.seq, oldest.seq)))
      .run();
}

/** Runs of the Forge: asked for, under way or over. */
export const forgeRuns = sqliteTable(
  "forge_runs",
  {
    seq: integer().primaryKey(),
    id: text().notNull().unique(),
    tenant_id: text().notNull(),
    fleet_id: text(),
    trigger: text().$type<ForgeTrigger>().notNull(),
    audit_id: integer().notNull(),
    requested_at: text().notNull(),
    started_at: text(),
    finished_at: text(),
    traces: integer().notNull(),
    successes: integer().notNull(),
    failures: integer().notNull(),
    unknown: integer().notNull(),
    clusters: text({ mode: "json" }).$type<ForgeCluster[]>().notNull(),
    written: integer().notNull(),
    skipped: integer().notNull(),
    error: text(),
  },
  (t) => [index("forge_runs_by_tenant").on(t.tenant_id, t.seq)],
);
