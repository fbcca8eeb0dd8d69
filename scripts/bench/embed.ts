import { tmpdir } from "node:os";
import { openEmbedder } from "../../src/ai/open.ts";
import type { Embedder } from "../../src/core/ports/embedder.ts";

// Usage: bun scripts/bench/embed.ts [rows]: prints one JSON line.

export interface EmbedBench {
  readonly bench: "embed";
  readonly model: string;
  readonly ready_ms: number;
  readonly query_ms: { readonly p50: number; readonly p95: number };
  /** Single queries while background rows are being embedded. */
  readonly busy_query_ms: { readonly p50: number; readonly p95: number };
  readonly rows: number;
  readonly rows_per_s: number;
  readonly rss_mb: number;
}

const QUERIES = 100;
const WORDS = `the deployment of our payment service moved from staging to production on friday because maria asked for
  a rollback of the broken migration in the billing database and nobody objected during review`.split(/\s+/);

/** Distinct sentences of about 30 tokens. */
const row = (seed: number): string =>
  `${seed} ${Array.from({ length: 26 }, (_, index) => WORDS[(index * 7 + seed * (index + 13)) % WORDS.length]).join(" ")}`;
const question = (seed: number): string => `who asked for rollback ${seed} of the billing database`;

/** Measures start, single questions and bulk rows of the real model. */
export async function benchEmbed(rows = 512): Promise<EmbedBench> {
  const embedder = openEmbedder("onnx", { cacheDir: tmpdir() });
  await embedder.ready();
  const state = embedder.state();
  const query_ms = await timeQueries(embedder, 0);
  const startedAt = performance.now();
  await embedder.embed(
    Array.from({ length: rows }, (_, index) => row(index)),
    { role: "passage", priority: "background" },
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  const load = embedder.embed(
    Array.from({ length: rows * 4 }, (_, index) => row(rows + index)),
    {
      role: "passage",
      priority: "background",
    },
  );
  load.catch(() => undefined); // Cut short by close, once the questions are answered.
  const busy_query_ms = await timeQueries(embedder, QUERIES);
  const rss_mb = Math.round(process.memoryUsage.rss() / 1e6);
  await embedder.close();
  return {
    bench: "embed",
    model: embedder.id,
    ready_ms: state.phase === "ready" ? Math.round(state.ready_ms) : -1,
    query_ms,
    busy_query_ms,
    rows,
    rows_per_s: Math.round(rows / seconds),
    rss_mb,
  };
}

async function timeQueries(embedder: Embedder, seed: number): Promise<{ p50: number; p95: number }> {
  const times: number[] = [];
  for (let index = 0; index < QUERIES; index++) {
    const startedAt = performance.now();
    await embedder.embed([question(seed + index)], { role: "query", priority: "interactive" });
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const share = (part: number) => Number((times[Math.floor(times.length * part)] ?? 0).toFixed(2));
  return { p50: share(0.5), p95: share(0.95) };
}

if (import.meta.main) console.log(JSON.stringify(await benchEmbed(Number(process.argv[2] ?? 512))));
