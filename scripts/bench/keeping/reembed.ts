import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { ReembedState } from "../../../src/core/schema/keeping/reembed.ts";
import { fill } from "../fill.ts";
import { startServer, targets } from "../server.ts";
import { toTable } from "../tables.ts";
import { createAuthor } from "../text.ts";

// Usage: bun scripts/bench/keeping/reembed.ts [EXECUTABLE] --models DIR --model NAME [--rows 1000] [--clients 2]
//
// How searches fare while a filled folder is read by another model: whether they are answered with the same rows as before, up to
// the change of model, and how long they take against the seconds before it began. Questions are new each time for the
// half of them, since a question that was asked before costs no model. Without a name the source is started.

const { values, positionals } = parseArgs({
  options: {
    rows: { type: "string", default: "1000" },
    model: { type: "string" },
    models: { type: "string" },
    clients: { type: "string", default: "2" },
    seconds: { type: "string", default: "10" },
  },
  allowPositionals: true,
});
if (!values.model || !values.models)
  throw new Error("Name a model of your own with --model, and its folder with --models.");
const [executable] = positionals;
const [source] = targets();
const target = executable ? { name: "binary" as const, command: [resolve(executable)] } : source;
if (!target) throw new Error("There is nothing to start.");
const folder = mkdtempSync(join(tmpdir(), "cairn-bench-reembed-"));
await fill(folder, { rows: Number(values.rows), embedder: "onnx", vectors: "embedded" });
const server = await startServer(target, folder, ["--models", values.models]);
const Found = z.object({ items: z.array(z.object({ id: z.string() })) });
const asked = createAuthor(3).questions(20);
const fresh = createAuthor(5).questions(20_000);
const stateNow = async () => ReembedState.parse((await server.call("GET", "/admin/reembed")).body);
const idsOf = (body: unknown): string =>
  Found.parse(body)
    .items.map(({ id }) => id)
    .join();
const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

let isOver = false;
let times: { known: number[]; fresh: number[] } = { known: [], fresh: [] };
let next = 0;
/** What was answered to each known question, and when. */
const answers: { readonly question: number; readonly ids: string; readonly at: number }[] = [];

async function keepSearching(): Promise<void> {
  for (let i = 0; !isOver; i++) {
    const question = i % asked.length;
    const known = await server.search(asked[question] ?? "");
    answers.push({ question, ids: idsOf(known.body), at: performance.now() });
    times.known.push(known.outside_ms);
    times.fresh.push((await server.search(fresh[next++ % fresh.length] ?? "")).outside_ms);
    await Bun.sleep(20);
  }
}
const taken = () => {
  const found = { known_ms: median(times.known), fresh_ms: median(times.fresh), searches: times.known.length };
  times = { known: [], fresh: [] };
  return found;
};

try {
  await server.modelReady();
  const work = Array.from({ length: Number(values.clients) }, keepSearching);
  await Bun.sleep(3_000);
  taken();
  const wanted = new Map(answers.map(({ question, ids }) => [question, ids]));
  await Bun.sleep(Number(values.seconds) * 1_000);
  const before = taken();
  const startedAt = performance.now();
  await server.call("POST", "/admin/reembed", { model: values.model });
  let changedAt = Number.NaN;
  for (let state = await stateNow(); state.model !== values.model; state = await stateNow()) {
    if (state.other?.state !== "building") throw new Error(state.other?.error ?? "It stopped.");
    await Bun.sleep(20);
    changedAt = performance.now();
  }
  const during = taken();
  await Bun.sleep(3_000);
  isOver = true;
  await Promise.all(work);
  const after = taken();
  const between = answers.filter(({ at }) => at > startedAt && at < changedAt - 100);
  const same = between.filter(({ question, ids }) => wanted.get(question) === ids).length;
  const took_s = (changedAt - startedAt) / 1_000;
  console.log(JSON.stringify({ ...values, took_s, before, during, after, answered: between.length, same }));
  const row = (what: string, without: number, beside: number) => [
    what,
    without.toFixed(1),
    beside.toFixed(1),
    (beside / without).toFixed(2),
  ];
  console.log(
    toTable(
      ["ms", "before", "meanwhile", "ratio"],
      [
        row("search p50, question asked before", before.known_ms, during.known_ms),
        row("search p50, new question", before.fresh_ms, during.fresh_ms),
      ],
    ),
  );
  console.log(
    `${values.rows} rows in ${took_s.toFixed(1)} s; ${same} of ${between.length} answers the same as before.`,
  );
} finally {
  isOver = true;
  await server.stop();
  rmSync(folder, { recursive: true });
}
