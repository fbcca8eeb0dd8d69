import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { hostileShapes } from "./hold-shapes.ts";
import type { Target } from "./server.ts";
import { startServer, targets } from "./server.ts";

// Usage: bun scripts/bench/hold.ts [--target source|binary] [--only SHAPE] [--json out.json]
//
// How long one hostile request holds the thread that answers all callers: the processor time of that thread while the
// request runs, and the longest wait of somebody who asks for the version meanwhile and until the jobs after the reply are
// quiet. Prints the worst of each shape.

/** How often somebody else asks. */
const PING_MS = 5;
/** So many answers in a row, each within so many milliseconds, and the jobs after a reply count as done. */
const QUIET_PINGS = 5;
const QUIET_MS = 5;
/** Pings after which a server that is never quiet is left alone. */
const PINGS_MAX = 1_000;

interface Held {
  readonly shape: string;
  readonly text: string;
  readonly status: number;
  readonly cpu_ms: number;
  readonly wait_ms: number;
}

const { values } = parseArgs({
  options: { target: { type: "string", default: "source" }, only: { type: "string" }, json: { type: "string" } },
});
const target = targets().find(({ name }) => name === values.target);
if (!target) throw new Error(`There is no ${values.target} here.`);
const all = await measure(target, values.only);
const worst = [...Map.groupBy(all, ({ shape }) => shape).values()].flatMap((held) =>
  held.toSorted((a, b) => b.cpu_ms - a.cpu_ms).slice(0, 3),
);
if (values.json !== undefined) await Bun.write(values.json, JSON.stringify(all, null, 1));
for (const one of worst.toSorted((a, b) => b.cpu_ms - a.cpu_ms)) console.log(JSON.stringify(one));
console.log(`${all.length} requests; over 100 ms of the thread: ${all.filter(({ cpu_ms }) => cpu_ms > 100).length}`);
console.log(`Longest wait of somebody else: ${Math.max(...all.map(({ wait_ms }) => wait_ms))} ms`);

async function measure(what: Target, only: string | undefined): Promise<Held[]> {
  const server = await startServer(what, null, ["--embedder=hash"]);
  const found: Held[] = [];
  try {
    // Without the factory no skill is scanned.
    const factory = await send({
      method: "PATCH",
      url: `${server.url}/api/v1/settings`,
      body: '{"skills_factory":{"enabled":true}}',
    });
    if (factory !== 200) throw new Error(`The factory was not turned on: ${factory}.`);
    for (const { shape, text, method, path, body } of hostileShapes()) {
      if (only !== undefined && shape !== only) continue;
      const one = { shape, text, ...(await held(server, { method, url: `${server.url}${path}`, body })) };
      found.push(one);
      if (one.cpu_ms > 100) console.log(JSON.stringify(one));
    }
  } finally {
    await server.stop();
  }
  return found;
}

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

async function held(server: { pid: number; url: string }, { method, url, body }: Sent) {
  let isOver = false;
  let wait_ms = 0;
  const before = threadMs(server.pid);
  const asking = (async () => {
    for (let [quiet, pings] = [0, 0]; !isOver || (quiet < QUIET_PINGS && pings < PINGS_MAX); ) {
      const startedAt = performance.now();
      await (await fetch(`${server.url}/api/v1/version`)).text();
      const waited = performance.now() - startedAt;
      wait_ms = Math.max(wait_ms, waited);
      if (isOver) pings++;
      quiet = isOver && waited < QUIET_MS ? quiet + 1 : 0;
      await Bun.sleep(PING_MS);
    }
  })();
  const status = await send({ method, url, body });
  const cpu_ms = Math.round(threadMs(server.pid) - before);
  isOver = true;
  await asking;
  return { status, cpu_ms, wait_ms: Math.round(wait_ms) };
}

async function send({ method, url, body }: Sent): Promise<number> {
  const reply = await fetch(url, { method, body, headers: { "content-type": "application/json" } });
  await reply.arrayBuffer();
  return reply.status;
}

/** Processor time of a process's first thread, which is the one that answers. */
function threadMs(pid: number): number {
  const [ran = "0"] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
  return Number(ran) / 1e6;
}
