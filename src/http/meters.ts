import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Services } from "../ports/context.ts";

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
  const memories = gauge("cairn_memories", "Memories that are not deleted.");
  const due = gauge("cairn_jobs_due", "Jobs waiting to run now.");
  const failing = gauge("cairn_jobs_failing", "Jobs that failed at least once and will be tried again.");
  const ready = gauge("cairn_embedder_ready", "1 when the embedding model answers.");
  const uptime = gauge("cairn_uptime_seconds", "Seconds since the start.");
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
      ready.set(embedder.state().phase === "ready" ? 1 : 0);
      uptime.set((clock.now() - started_at) / 1000);
      resident.set(process.memoryUsage.rss());
      return { text: await registry.metrics(), type: registry.contentType };
    },
  };
}
