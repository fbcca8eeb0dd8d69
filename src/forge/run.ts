import { yieldToEventLoop } from "../core/kernel/event-loop.ts";
import { describeCause } from "../core/kernel/log.ts";
import type { Services } from "../core/ports/context.ts";
import type { ForgeReport } from "../core/ports/forge-store.ts";
import type { ForgeCluster, ForgeRun } from "../core/schema/forge.ts";
import type { Job } from "../core/schema/job.ts";
import type { SkillsFactory } from "../skills/lifecycle/factory.ts";
import { skillsFactory } from "../skills/lifecycle/factory.ts";
import { clusterTraces } from "./cluster.ts";
import { existingSkills } from "./existing.ts";
import { processCluster } from "./process-cluster.ts";
import type { Trace } from "./traces.ts";
import { readTraces } from "./traces.ts";

type TickJob = Extract<Job, { kind: "forge_tick" }>;

/** Clusters that a report tells of. */
const CLUSTERS_REPORTED = 100;

/**
 * Job: draws skills from what a tenant's agents did lately. A run that has finished is left alone, and one that died half
 * way goes on: what it had written it knows again. Throws what kept it from finishing, after the report says so.
 */
export async function runForge(
  services: Services,
  { payload, signal }: TickJob & { readonly signal: AbortSignal },
): Promise<void> {
  const { tenant_id, run: id } = payload;
  const { forge } = services.storage;
  const run = await forge.start(tenant_id, id);
  if (!run) return;
  try {
    const factory = await skillsFactory(services, tenant_id);
    await forge.finish(tenant_id, id, factory.enabled ? await work(services, { run, factory, signal }) : DISABLED);
  } catch (error) {
    if (!signal.aborted) await forge.fail(tenant_id, id, describeCause(error));
    throw error;
  }
}

const NOTHING: ForgeReport = {
  traces: 0,
  successes: 0,
  failures: 0,
  unknown: 0,
  clusters: [],
  written: 0,
  skipped: 0,
  error: null,
};
const DISABLED: ForgeReport = { ...NOTHING, error: "The skill factory of this tenant is not enabled." };

interface TickInput {
  readonly run: ForgeRun;
  readonly factory: SkillsFactory;
  readonly signal: AbortSignal;
}

async function work(services: Services, { run, factory, signal }: TickInput): Promise<ForgeReport> {
  const { tenant_id, fleet_id } = run;
  const window = { tenant_id, fleet_id, days: factory.forge.freshness_window_days };
  const traces = await readTraces(services, window, signal);
  const existing = await existingSkills(services, tenant_id);
  const clusters: ForgeCluster[] = [];
  const done = new Set<string>();
  // What an earlier attempt of this run wrote counts, too.
  const written = existing.filter(({ written_by }) => written_by === run.id).length;
  const budget = { writes: factory.forge.max_writes_per_run - written, tokens: factory.forge.llm_tokens_per_run };
  for (const cluster of await clusterTraces(traces, services.embedder.center)) {
    signal.throwIfAborted();
    clusters.push(await processCluster(services, { run, factory, signal, cluster, existing, done, budget }));
    await yieldToEventLoop();
  }
  const count = (outcome: ForgeCluster["outcome"]) => clusters.filter((cluster) => cluster.outcome === outcome).length;
  return {
    ...tally(traces),
    clusters: clusters.slice(0, CLUSTERS_REPORTED),
    written: count("written"),
    skipped: count("skipped"),
    error: null,
  };
}

function tally(traces: readonly Trace[]): Pick<ForgeReport, "traces" | "successes" | "failures" | "unknown"> {
  const count = (label: Trace["label"]) => traces.filter((trace) => trace.label === label).length;
  return { traces: traces.length, successes: count("success"), failures: count("failure"), unknown: count("unknown") };
}
