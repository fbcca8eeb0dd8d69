import type { Clock } from "../core/kernel/clock.ts";
import { toTimestamp } from "../core/kernel/clock.ts";
import { AppError } from "../core/kernel/errors.ts";
import type {
  IndexMaintenance,
  MaintenanceKind,
  MaintenanceOrder,
  MaintenanceResult,
} from "../core/ports/index-maintenance.ts";
import type { IndexesRebuilt, IntegrityReport, IntegrityRun } from "../core/schema/integrity.ts";

type Going = { readonly [K in MaintenanceKind]: Map<string | null, Promise<MaintenanceResult[K]>> };

/**
 * Keeps the runs of a process: one at a time, in the order in which they were asked for. `changed` is called as one of a
 * tenant, or of the whole (null), goes on.
 */
export function createIndexMaintenance(clock: Clock, changed: (tenant_id: string | null) => void): IndexMaintenance {
  const latest = new Map<string | null, IntegrityRun>();
  const going: Going = { check: new Map(), rebuild: new Map() };
  let before: Promise<unknown> = Promise.resolve();
  const now = () => toTimestamp(clock.now());
  const begin = async <K extends MaintenanceKind>(
    { kind, tenant_id, work }: MaintenanceOrder<K>,
    turn: Promise<unknown>,
  ) => {
    let run: IntegrityRun = { ...BEGUN, kind, started_at: now() };
    const change = (told: Partial<IntegrityRun>) => {
      run = { ...run, ...told };
      latest.set(tenant_id, run);
      changed(tenant_id);
    };
    change({});
    await turn;
    try {
      const result = await work(change);
      change({ ...foundBy(result), state: "finished", done: run.total, now: "", finished_at: now() });
      return result;
    } catch (error) {
      const message = error instanceof AppError ? error.message : "It failed; the log has the cause.";
      change({ state: "failed", error: message, finished_at: now() });
      throw error;
    } finally {
      going[kind].delete(tenant_id);
    }
  };
  return {
    latest: (tenant_id) => latest.get(tenant_id) ?? null,
    run: (order) => {
      const joined = going[order.kind].get(order.tenant_id);
      if (joined) return joined;
      const begun = begin(order, before);
      going[order.kind].set(order.tenant_id, begun);
      before = begun.catch(() => undefined);
      return begun;
    },
  };
}

const foundBy = (result: IntegrityReport | IndexesRebuilt): Partial<IntegrityRun> =>
  "report" in result ? { rebuilt: result, report: result.report } : { report: result };

const BEGUN = {
  state: "running",
  done: 0,
  total: 0,
  now: "",
  finished_at: null,
  report: null,
  rebuilt: null,
  error: null,
} as const;
