import { DAY_MS, toTimestamp } from "../core/kernel/clock.ts";
import type { PageEdge } from "../core/kernel/cursor.ts";
import { mapCooperatively, yieldToEventLoop } from "../core/kernel/event-loop.ts";
import type { Services } from "../core/ports/context.ts";
import type { TraceRow } from "../core/ports/forge-store.ts";
import type { TraceLabel } from "./signals.ts";
import { judgeRun } from "./signals.ts";

/** What one agent wrote in one run, in order of time: all of it is read by one fleet, or by the whole tenant. */
export interface Trace {
  readonly run_id: string;
  readonly agent_id: string;
  /** The fleet that reads it; null for the whole tenant. */
  readonly fleet_id: string | null;
  readonly rows: readonly TraceRow[];
  readonly label: TraceLabel;
}

export interface Window {
  readonly tenant_id: string;
  readonly fleet_id: string | null;
  readonly days: number;
}

/** Rows looked at by one read, and by one walk: what a run of the Forge may cost a large tenant. */
const ROWS_PER_PAGE = 2_000;
const PAGES_MAX = 100;
/** The newest runs that are compared with each other. */
export const TRACES_MAX = 500;
/** The newest rows of a run that are read. */
export const ROWS_PER_TRACE_MAX = 40;
const CONTENT_MAX = 2_000;

/**
 * The newest runs of a window with how each ended. Private rows of an agent are left out: what only one agent may see must
 * not come to all in a skill. Throws the signal's reason when aborted.
 */
export async function readTraces(services: Services, window: Window, signal: AbortSignal): Promise<Trace[]> {
  const { clock, storage, embedder } = services;
  const now = clock.now();
  const query = {
    tenant_id: window.tenant_id,
    fleet_id: window.fleet_id,
    since: toTimestamp(now - window.days * DAY_MS),
    unexpired_at: toTimestamp(now),
    embedder_id: embedder.id,
    scan: ROWS_PER_PAGE,
    content_max: CONTENT_MAX,
  };
  const rows = new Map<string, TraceRow[]>();
  let before: PageEdge | null = null;
  for (let page = 0; page < PAGES_MAX; page++) {
    signal.throwIfAborted();
    const found = await storage.forge.traceRows({ ...query, before });
    for (const row of found.rows) keep(rows, row);
    if (!found.next) break;
    before = found.next;
    await yieldToEventLoop();
  }
  return tracesOf([...rows.values()].flat());
}

/** Rows come newest first, so that what is beyond the bounds is the oldest. */
function keep(kept: Map<string, TraceRow[]>, row: TraceRow): void {
  const key = keyOf(row);
  const trace = kept.get(key);
  if (trace && trace.length < ROWS_PER_TRACE_MAX) trace.push(row);
  if (!trace && kept.size < TRACES_MAX) kept.set(key, [row]);
}

const keyOf = ({ run_id, agent_id }: Pick<TraceRow, "run_id" | "agent_id">): string =>
  JSON.stringify([run_id, agent_id]);

/**
 * Rows grouped by run and agent, whatever order they come in; traces in the order of their keys. A run with rows of a fleet
 * is that fleet's, with what the whole tenant reads of it; one with rows of several is each one's, without the others' rows.
 */
export async function tracesOf(rows: readonly TraceRow[]): Promise<Trace[]> {
  const groups = [...Map.groupBy(rows, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  const traces = await mapCooperatively(groups, ([, group]) => {
    const fleets = [...new Set(group.flatMap(({ fleet_id }) => fleet_id ?? []))].sort();
    const readers = fleets.length === 0 ? [null] : fleets;
    return readers.flatMap((fleet) =>
      traceOf(
        fleet,
        group.filter(({ fleet_id }) => fleet_id === null || fleet_id === fleet),
      ),
    );
  });
  return traces.flat();
}

function traceOf(fleet_id: string | null, rows: readonly TraceRow[]): Trace[] {
  const ordered = rows.toSorted(byTime);
  const [first] = ordered;
  if (!first) return [];
  const { label } = judgeRun(ordered.map((row) => ({ ...row, outcome: outcomeOf(row) })));
  return [{ run_id: first.run_id, agent_id: first.agent_id, fleet_id, rows: ordered, label }];
}

const byTime = (a: TraceRow, b: TraceRow): number =>
  a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? -1 : 1;

/** `metadata.outcome`, by which a harness may say how a run ended. */
const outcomeOf = ({ metadata }: TraceRow): string | null =>
  typeof metadata?.outcome === "string" ? metadata.outcome : null;
