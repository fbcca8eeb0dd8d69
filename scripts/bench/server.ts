import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { TargetName } from "./figures.ts";
import { UNLIMITED } from "./folder.ts";

const ROOT = resolve(import.meta.dir, "../..");
const BINARY = join(ROOT, "dist", "cairn");
/** Longest wait for a process to say that it is ready, and for its model. */
const READY_LIMIT_MS = 30_000;
const POLL_MS = 5;

/** A way to start Cairn. */
export interface Target {
  readonly name: TargetName;
  readonly command: readonly string[];
}

/** What can be started here: the source always, the executable once it is built. */
export const targets = (): Target[] => [
  { name: "source", command: [process.execPath, join(ROOT, "src", "main.ts")] },
  ...(existsSync(BINARY) ? [{ name: "binary" as const, command: [BINARY] }] : []),
];

export const binaryBytes = (): number | null => (existsSync(BINARY) ? Bun.file(BINARY).size : null);

/** A reply with how long it took: seen from here, and by the server's own account. */
export interface Reply {
  readonly body: unknown;
  readonly outside_ms: number;
  readonly server_ms: number;
}

/** A server process of our own, over real HTTP on the loopback address. */
export interface BenchServer {
  readonly pid: number;
  readonly url: string;
  /** From before the process was started until it printed that it listens. */
  readonly ready_ms: number;
  /** Since the process was started. */
  elapsed_ms(): number;
  call(
    method: "GET" | "POST",
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  search(query: string, more?: object): Promise<Reply>;
  /** Resolves once the model answers. */
  modelReady(): Promise<void>;
  /** Resident memory now, in megabytes. */
  rssMb(): number;
  stop(): Promise<void>;
}

const Ready = z.object({ event: z.literal("ready"), url: z.string() });
const Status = z.object({ embedding: z.object({ phase: z.enum(["loading", "ready", "failed"]) }) });

/** Starts Cairn on a free port; without a folder it keeps everything in memory. */
export async function startServer(
  target: Target,
  folder: string | null,
  flags: readonly string[] = [],
): Promise<BenchServer> {
  const startedAt = performance.now();
  const place = folder === null ? ["--ephemeral"] : ["--data", folder];
  const child = Bun.spawn(
    [...target.command, "serve", ...place, "--port", "0", "--ready-json", ...UNLIMITED, ...flags],
    {
      env: withoutSettings(process.env),
      stdout: "pipe",
      stderr: "ignore",
    },
  );
  const { url } = Ready.parse(JSON.parse(await firstLine(child.stdout)));
  const ready_ms = performance.now() - startedAt;
  const call: BenchServer["call"] = (method, path, body, headers) =>
    timedCall(method, `${url}/api/v1${path}`, body, headers);
  return {
    pid: child.pid,
    url,
    ready_ms,
    elapsed_ms: () => performance.now() - startedAt,
    call,
    search: (query, more = {}) => call("POST", "/search", { tenant_id: "default", query, top_k: 10, ...more }),
    modelReady: () => untilModelReady(call),
    rssMb: () => residentMb(child.pid),
    stop: async () => {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** No setting of whoever runs the bench may change what it measures. */
const withoutSettings = (env: NodeJS.ProcessEnv): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("CAIRN_")));

async function firstLine(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stdout) {
    text += decoder.decode(chunk, { stream: true });
    const [line, rest] = text.split("\n", 2);
    if (rest !== undefined) return line ?? "";
  }
  throw new Error("The server ended before it was ready. Run it by hand to see why.");
}

async function timedCall(
  method: string,
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const sent = body === undefined ? null : JSON.stringify(body);
  const startedAt = performance.now();
  const response = await fetch(url, {
    method,
    body: sent,
    headers: { "content-type": "application/json", ...headers },
  });
  const text = await response.text();
  const outside_ms = performance.now() - startedAt;
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text.slice(0, 300)}`);
  const server_ms = Number.parseFloat(response.headers.get("x-response-time") ?? "NaN");
  return { body: JSON.parse(text), outside_ms, server_ms };
}

async function untilModelReady(call: BenchServer["call"]): Promise<void> {
  const limit = performance.now() + READY_LIMIT_MS;
  while (performance.now() < limit) {
    const { phase } = Status.parse((await call("GET", "/status")).body).embedding;
    if (phase === "ready") return;
    if (phase === "failed") throw new Error("The model could not be loaded.");
    await Bun.sleep(POLL_MS);
  }
  throw new Error(`The model was not ready after ${READY_LIMIT_MS} ms.`);
}

function residentMb(pid: number): number {
  const { stdout } = Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]);
  return Number(stdout.toString().trim()) / 1024;
}
