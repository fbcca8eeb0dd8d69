import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { storedFor } from "../access/counted.ts";
import type { Ctx, Services } from "../core/ports/context.ts";

/** Upper bounds of the duration buckets, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export type Meters = ReturnType<typeof createMeters>;

/** The meters themselves; names, units and types as Prometheus recommends. */
export function createMeters() {
  const registers = [new Registry()] as const;
  const [registry] = registers;
  const labels = ["operation", "status"] as const;
  const requests = new Counter({
    name: "cairn_http_requests_total",
    help: "Requests answered.",
    labelNames: [...labels],
    registers: [...registers],
  });
  const durations = new Histogram({
    name: "cairn_http_request_duration_seconds",
    help: "Time to answer.",
    labelNames: ["operation"],
    buckets: BUCKETS,
    registers: [...registers],
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [...registers] });
  const memories = gauge("cairn_memories", GAUGES.cairn_memories);
  const due = gauge("cairn_jobs_due", "Jobs waiting to run now.");
  const failing = gauge("cairn_jobs_failing", "Jobs that failed at least once and will be tried again.");
  const ready = gauge("cairn_embedder_ready", GAUGES.cairn_embedder_ready);
  const uptime = gauge("cairn_uptime_seconds", GAUGES.cairn_uptime_seconds);
  const resident = gauge("process_resident_memory_bytes", "Resident memory of the process.");
  return {
    observe: (operation: string, status: number, seconds: number): void => {
      requests.inc({ operation, status: String(status) });
      durations.observe({ operation }, seconds);
    },
    render: async ({ storage, clock, embedder, started_at }: Services) => {
      const jobs = await storage.jobs.tally(clock.now(), null);
      memories.set((await storage.memories.counters()).memory_count);
      due.set(jobs.due);
      failing.set(jobs.failing);
      ready.set(isReady(embedder));
      uptime.set(secondsSince(started_at, clock));
      resident.set(process.memoryUsage.rss());
      return { text: await registry.metrics(), type: registry.contentType };
    },
    renderOf: tenantMeters,
  };
}

/** What concerns one tenant alone, as far as the caller counts it: made for each reader, so that no two see each other's. */
async function tenantMeters(ctx: Ctx, tenant_id: string) {
  const { clock, embedder, started_at } = ctx;
  const registry = new Registry();
  const show = (name: keyof typeof GAUGES, value: number) =>
    new Gauge({ name, help: GAUGES[name], registers: [registry] }).set(value);
  show("cairn_memories", await storedFor(ctx, tenant_id));
  show("cairn_embedder_ready", isReady(embedder));
  show("cairn_uptime_seconds", secondsSince(started_at, clock));
  return { text: await registry.metrics(), type: registry.contentType };
}

/** Gauges that everyone has, of the whole or of one tenant. */
const GAUGES = {
  cairn_memories: "Memories that are not deleted.",
  cairn_embedder_ready: "1 when the embedding model answers.",
  cairn_uptime_seconds: "Seconds since the start.",
} as const;

const isReady = (embedder: Services["embedder"]): number => (embedder.state().phase === "ready" ? 1 : 0);
const secondsSince = (started_at: number, clock: Services["clock"]): number => (clock.now() - started_at) / 1000;
