import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { createApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import { silentLogger } from "../../src/kernel/log.ts";
import { MemoryPage } from "../../src/schema/memory-query.ts";
import { Status } from "../../src/schema/system.ts";
import type { Client } from "./client.ts";
import { createClient } from "./client.ts";

/** What the suite runs against: this process, or with TARGET=binary the executable in dist/. */
export const isBinary = process.env.TARGET === "binary";
const BINARY = "dist/cairn";
const READY_WITHIN_MS = 20_000;
const SETTLED_WITHIN_MS = 20_000;

export interface StartOptions {
  readonly embedder?: "hash" | "onnx";
  /** Folder of the data; all stays in memory without one. */
  readonly folder?: string;
  /** Further flags of `cairn serve`. */
  readonly flags?: readonly string[];
  /** Only in process: a test that needs one skips the executable. */
  readonly clock?: Clock;
}

export interface TestApp {
  readonly client: Client;
  /** Waits until no work is left that a reply did not wait for. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a Cairn of its own for one test file. */
export async function startApp(options: StartOptions = {}): Promise<TestApp> {
  const place = options.folder === undefined ? ["--ephemeral"] : [`--data=${options.folder}`];
  const flags = [...place, `--embedder=${options.embedder ?? "hash"}`, ...(options.flags ?? [])];
  return isBinary ? startBinary(flags) : startInProcess(flags, options.clock);
}

/** A folder that is gone after `remove`. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "cairn-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** No config file of the machine may reach a test. */
const HERMETIC = { XDG_CONFIG_HOME: "/nonexistent" };

async function startInProcess(flags: readonly string[], clock?: Clock): Promise<TestApp> {
  const { config } = await loadConfig(HERMETIC, ["serve", ...flags]);
  const app = createApp(config, silentLogger, clock ? { clock } : {});
  await app.services.embedder.ready();
  return {
    client: createClient((path, init) => app.handle(new Request(`http://localhost${path}`, init))),
    settle: async () => {
      await app.runner.drain();
      // Work after replies runs in order, so all that was asked for before this has run when it does.
      await new Promise<void>((resolve) => app.services.afterReply(async () => resolve()));
    },
    stop: () => app.stop(),
  };
}

const Ready = z.object({ event: z.literal("ready"), url: z.string(), port: z.int(), pid: z.int() });

async function startBinary(flags: readonly string[]): Promise<TestApp> {
  const child = Bun.spawn([BINARY, "serve", "--port=0", "--ready-json", ...flags], {
    stdout: "pipe",
    stderr: "ignore",
    env: { ...HERMETIC, HOME: process.env.HOME ?? tmpdir(), PATH: process.env.PATH ?? "" },
  });
  const { url } = Ready.parse(JSON.parse(await firstLine(child.stdout)));
  const client = createClient((path, init) => fetch(`${url}${path}`, init));
  await until(READY_WITHIN_MS, async () => (await statusOf(client)).embedding.phase === "ready");
  return {
    client,
    settle: () => until(SETTLED_WITHIN_MS, () => isSettled(client)),
    stop: async () => {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.indexOf("\n");
    if (end >= 0) return text.slice(0, end);
  }
  throw new Error(`${BINARY} ended before it was ready. Build it with: bun scripts/build.ts`);
}

const statusOf = (client: Client): Promise<Status> => client.ok(Status, "GET", "/api/v1/status");

/** No job is due, and no shared row waits for its vector: a job in hand is not due, but its rows wait. */
async function isSettled(client: Client): Promise<boolean> {
  const { jobs } = await statusOf(client);
  const { items } = await client.ok(MemoryPage, "GET", "/api/v1/memories", { query: { limit: 500 } });
  return jobs.due === 0 && items.every(({ metadata }) => metadata?.embedding_pending !== true);
}

const PAUSE_MS = 20;

async function until(withinMs: number, condition: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < withinMs; waited += PAUSE_MS) {
    // First, so that work after the last reply has had its turn.
    await Bun.sleep(PAUSE_MS);
    if (await condition()) return;
  }
  throw new Error(`Not settled within ${withinMs} ms.`);
}
