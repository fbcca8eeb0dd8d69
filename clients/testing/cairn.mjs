// A Cairn of its own for tests: in memory, on a free port, put back to its seeded state in milliseconds. For Node 20 and Bun.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openLog, withLog } from "./log.mjs";

const FLAGS = ["serve", "--ephemeral", "--port", "0", "--with-parent", "--ready-json", "--ready-when", "listening"];
/** A file, below which nobody can put a config file. */
const NO_FOLDER = fileURLToPath(import.meta.url);
/** Tests are faster than any caller; no setting and no config file of the machine may reach them. */
const UNLIMITED = { CAIRN_RATE_WRITES: "0", CAIRN_RATE_BULK: "0", CAIRN_RATE_SEARCHES: "0", CAIRN_RATE_READS: "0" };
const JSON_BODY = { "content-type": "application/json" };
const BULK_MAX = 100;
const SEED_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 10_000;
const LOG_MAX = 256 * 1024;

/** A reply with an error status. */
export class CairnError extends Error {
  constructor(what, status, body) {
    super(`${what}: ${status} ${body?.error?.code ?? ""} ${body?.error?.message ?? JSON.stringify(body)}`);
    this.name = "CairnError";
    this.status = status;
    this.body = body;
  }
}

/** Starts an instance, writes the seed, and remembers the state once all of it can be found. */
export async function startCairn({ seed, binary = process.env.CAIRN_BINARY || "cairn", args = [], env = {} } = {}) {
  const log = openLog(LOG_MAX);
  const child = spawn(binary, [...FLAGS, ...args], {
    env: { ...withoutSettings(process.env), ...UNLIMITED, ...env },
    stdio: ["ignore", "pipe", log.fd],
  });
  const ended = new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve(`it ended with ${code ?? signal}`));
    child.once("error", ({ message }) => resolve(`${message}. Put cairn on the PATH, or name it in CAIRN_BINARY`));
  });
  let since = 0;
  let stopped;
  const logs = () => log.read(since);
  const end = async () => {
    child.ref();
    child.kill();
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
    await ended;
    clearTimeout(timer);
    log.close(since);
  };
  const stop = () => {
    stopped ??= end();
    return stopped;
  };
  try {
    const [line] = await Promise.race([once(createInterface(child.stdout), "line"), ended.then((why) => [why])]);
    const { event, url, message } = line.startsWith("{") ? JSON.parse(line) : { message: line };
    if (event !== "ready") throw new Error(message);
    const call = (method, path, body) => request(url, method, path, body);
    const reset = async () => {
      await call("POST", "/api/v1/admin/snapshot/restore");
      since = log.size();
    };
    if (typeof seed === "function") await seed(url);
    else if (seed) await writeAll(call, seed);
    await remember(call);
    // Whoever forgets to stop it can end all the same: it ends with its parent.
    child.stdout.unref?.();
    child.unref();
    const test = (body) => async () => {
      await reset();
      try {
        return await body(cairn);
      } catch (error) {
        throw withLog(error, logs());
      }
    };
    const cairn = { url, pid: child.pid, call, reset, stop, logs, test, [Symbol.asyncDispose]: stop };
    return cairn;
  } catch (error) {
    const told = logs();
    await stop();
    throw withLog(new Error(`Cairn did not start: ${error.message}`, { cause: error }), told);
  }
}

async function request(url, method, path, body) {
  const sent = body === undefined ? {} : { headers: JSON_BODY, body: JSON.stringify(body) };
  // What is written is for this instance alone: a redirect is a refusal.
  const response = await fetch(new URL(path, url), { method, redirect: "manual", ...sent });
  const target = response.headers.get("location");
  if (target !== null) {
    const message = `It leads to ${new URL(target, url).origin}, where nothing is sent.`;
    throw new CairnError(`${method} ${path}`, response.status, { error: { code: "REDIRECTED", message } });
  }
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  const reply = text === "" ? null : isJson ? JSON.parse(text) : text;
  if (!response.ok) throw new CairnError(`${method} ${path}`, response.status, reply);
  return reply;
}

/** Writes memories, in as few calls as those who own them allow. */
async function writeAll(call, memories) {
  const owners = new Map();
  for (const memory of memories) {
    const { agent_id, fleet_id, visibility, ...item } = typeof memory === "string" ? { content: memory } : memory;
    const owner = JSON.stringify({ agent_id, fleet_id, visibility });
    owners.set(owner, [...(owners.get(owner) ?? []), item]);
  }
  for (const [owner, items] of owners) {
    for (let i = 0; i < items.length; i += BULK_MAX) {
      const body = { tenant_id: "default", ...JSON.parse(owner), items: items.slice(i, i + BULK_MAX) };
      const { results } = await call("POST", "/api/v1/memories/bulk", body);
      const refused = results.find(({ status }) => status === "error");
      if (refused) throw new Error(`Of the seed, "${body.items[refused.index]?.content}" is refused: ${refused.error}`);
    }
  }
}

/** Waits until all was read, and takes the snapshot. */
async function remember(call) {
  for (const endsAt = Date.now() + SEED_LIMIT_MS; ; ) {
    try {
      return await call("POST", "/api/v1/admin/snapshot");
    } catch (error) {
      if (error.body?.error?.details?.reason !== "jobs_left" || Date.now() > endsAt) throw error;
    }
  }
}

function withoutSettings(env) {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("CAIRN_"));
  return { ...Object.fromEntries(kept), XDG_CONFIG_HOME: NO_FOLDER };
}
