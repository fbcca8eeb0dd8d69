import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { shapesAtLimits } from "./hold/limits.ts";
import { hostileShapes } from "./hold/shapes.ts";
import type { BenchServer, Target } from "./server.ts";
import { startServer, targets } from "./server.ts";

// Usage: bun scripts/bench/hold.ts [--target source|binary] [--only SHAPE] [--json out.json]
//
// How long one hostile request holds the thread that answers all callers. Somebody else asks for the version again and
// again, until the jobs after the reply are quiet; the processor time that the thread has had from one of these answers to
// the next is at least what a piece of work took that let nobody in between. Delays of this process and of the machine are
// not in it. Prints the worst of each shape.

/** How often somebody else asks. */
const PING_MS = 2;
/** So many answers in a row, with less than so much work between them, and the jobs after a reply count as done. */
const QUIET_PINGS = 5;
const QUIET_MS = 3;
/** Pings after which a server that is never quiet is left alone. */
const PINGS_MAX = 1_000;
const TOO_LONG_MS = 100;

interface Held {
  readonly shape: string;
  readonly text: string;
  readonly status: number;
  /** Longest work between two answers to somebody else. */
  readonly hold_ms: number;
  /** All that the thread worked until the reply. */
  readonly cpu_ms: number;
}

const { values } = parseArgs({
  options: { target: { type: "string", default: "source" }, only: { type: "string" }, json: { type: "string" } },
});
const target = targets().find(({ name }) => name === values.target);
if (!target) throw new Error(`There is no ${values.target} here.`);
const all = await measure(target, values.only);
if (values.json !== undefined) await Bun.write(values.json, JSON.stringify(all, null, 1));
const shapes = [...Map.groupBy(all, ({ shape }) => shape)].map(([shape, held]) => {
  const [worst] = held.toSorted((a, b) => b.hold_ms - a.hold_ms);
  const statuses = [...Map.groupBy(held, ({ status }) => status)]
    .map(([status, of]) => `${of.length}x ${status}`)
    .join(" ");
  return {
    shape,
    requests: held.length,
    statuses,
    hold_ms: worst?.hold_ms ?? 0,
    cpu_ms: worst?.cpu_ms,
    of: worst?.text,
  };
});
console.table(shapes.toSorted((a, b) => b.hold_ms - a.hold_ms));
console.log(`${all.length} requests; held for more than ${TOO_LONG_MS} ms by ${all.filter(isTooLong).length}`);

function isTooLong({ hold_ms }: Held): boolean {
  return hold_ms > TOO_LONG_MS;
}

async function measure(what: Target, only: string | undefined): Promise<Held[]> {
  const server = await startServer(what, null, ["--embedder=hash"]);
  const found: Held[] = [];
  try {
    // Without the factory no skill is scanned.
    const factory = await send(server, "PATCH", "/api/v1/settings", '{"skills_factory":{"enabled":true}}');
    if (factory !== 200) throw new Error(`The factory was not turned on: ${factory}.`);
    for (const { shape, text, method, path, body } of shapesOf(await changeable(server))) {
      if (only !== undefined && shape !== only) continue;
      const one = { shape, text, ...(await held(server, () => send(server, method, path, body))) };
      found.push(one);
      if (isTooLong(one)) console.log(JSON.stringify(one));
    }
  } finally {
    await server.stop();
  }
  return found;
}

function* shapesOf(memory_id: string) {
  yield* hostileShapes();
  yield* shapesAtLimits(memory_id);
}

/** A memory of the caller's own. */
async function changeable(server: BenchServer): Promise<string> {
  const { body } = await server.call("POST", "/memories", { tenant_id: "default", content: "A bittern in the reeds." });
  if (typeof body !== "object" || body === null || !("id" in body)) throw new Error("The memory has no id.");
  return String(body.id);
}

async function held({ pid, url }: BenchServer, ask: () => Promise<number>): Promise<Omit<Held, "shape" | "text">> {
  let isOver = false;
  let hold = 0;
  const before = threadMs(pid);
  const asking = (async () => {
    let last = threadMs(pid);
    for (let [quiet, pings] = [0, 0]; !isOver || (quiet < QUIET_PINGS && pings < PINGS_MAX); ) {
      await (await fetch(`${url}/api/v1/version`)).text();
      const now = threadMs(pid);
      const worked = now - last;
      last = now;
      hold = Math.max(hold, worked);
      if (isOver) pings++;
      quiet = isOver && worked < QUIET_MS ? quiet + 1 : 0;
      await Bun.sleep(PING_MS);
    }
  })();
  const status = await ask();
  const cpu_ms = Math.round(threadMs(pid) - before);
  isOver = true;
  await asking;
  return { status, hold_ms: Math.round(hold), cpu_ms };
}

async function send({ url }: BenchServer, method: string, path: string, body: string | null): Promise<number> {
  const reply = await fetch(`${url}${path}`, { method, body, headers: { "content-type": "application/json" } });
  await reply.arrayBuffer();
  return reply.status;
}

/** Processor time of a process's first thread, which is the one that answers. */
function threadMs(pid: number): number {
  const [ran = "0"] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
  return Number(ran) / 1e6;
}
