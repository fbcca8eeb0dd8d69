import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { share, timed } from "./figures.ts";
import { startServer, targets } from "./server.ts";
import { toTable } from "./tables.ts";
import { createAuthor } from "./text.ts";

// Usage: bun scripts/bench/hook.ts [--runs 100] [--rows 1000] [--target binary|source]
//
// How long a harness waits for a hook, from before its process starts to after it ended: with a server, and with none.

const SEED = 61;
const BULK_ROWS = 100;
const WARM_UP = 5;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100" },
    rows: { type: "string", default: "1000" },
    target: { type: "string", default: targets().at(-1)?.name ?? "source" },
  },
});
const target = targets().find(({ name }) => name === values.target);
if (!target) throw new Error(`There is no ${values.target} here. Build it with: npm run build`);
const work = mkdtempSync(join(tmpdir(), "cairn-bench-hook-"));
const folder = join(work, "data");
const server = await startServer(target, folder);

/** What a hook printed; it must have exited 0. */
async function hook(event: string, data: string, told: object): Promise<string> {
  const command = [...(target?.command ?? []), "hook", event, "--harness", "claude", "--data", data];
  const env = { PATH: process.env.PATH ?? "", HOME: work, XDG_CACHE_HOME: join(work, "cache") };
  const input = new Blob([JSON.stringify({ cwd: work, ...told })]);
  const child = Bun.spawn(command, { stdin: input, stdout: "pipe", stderr: "inherit", env });
  const out = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`cairn hook ${event} exited ${child.exitCode}.`);
  return out;
}

try {
  await server.modelReady();
  const author = createAuthor(SEED);
  const items = author.rows(Number(values.rows)).map(({ content }) => ({ content }));
  for (let index = 0; index < items.length; index += BULK_ROWS) {
    await server.call("POST", "/memories/bulk?wait=searchable", { items: items.slice(index, index + BULK_ROWS) });
  }
  const runs = Number(values.runs);
  const questions = author.questions(2 * (runs + WARM_UP));
  const cases = [
    { name: "session-start", event: "session-start", data: folder },
    { name: "user-prompt", event: "user-prompt", data: folder },
    { name: "user-prompt, no server", event: "user-prompt", data: join(work, "none") },
  ].map((one) => ({ ...one, took: [] as number[], answered: 0 }));
  for (let run = -WARM_UP; run < runs; run++) {
    for (const one of cases) {
      const told = { session_id: `${one.name}-${run}`, source: "startup", prompt: questions.pop() ?? "" };
      let out = "";
      const took = await timed(async () => {
        out = await hook(one.event, one.data, told);
      });
      if (run < 0) continue;
      one.took.push(took);
      one.answered += Number(out !== "");
    }
  }
  const rows = cases.map(({ name, took, answered }) => {
    const sorted = took.toSorted((a, b) => a - b);
    return [name, ...[0.5, 0.95, 1].map((part) => Number(share(sorted, part).toFixed(1))), answered, took.length];
  });
  console.log(toTable(["hook", "p50 ms", "p95 ms", "max ms", "answered", "n"], rows));
  const load = loadavg()[0]?.toFixed(1) ?? "";
  console.log(`\n${target.name}, ${values.rows} rows, ${availableParallelism()} processors, load ${load}`);
} finally {
  await server.stop();
  rmSync(work, { recursive: true, force: true });
}
