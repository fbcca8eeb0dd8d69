import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Clock } from "../../src/core/kernel/clock.ts";
import { MemoryPage } from "../../src/core/schema/memory-query.ts";
import { Status } from "../../src/core/schema/system.ts";
import type { Client } from "./api/client.ts";
import { createClient } from "./api/client.ts";
import { HERMETIC, openApp, UNLIMITED } from "./in-process.ts";

/** What the suite runs against: this process, or with TARGET=binary the executable in dist/. */
export const isBinary = process.env.TARGET === "binary";
const BINARY = "dist/cairn";
const READY = ["--port=0", "--ready-json"];
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
export const startApp = (options: StartOptions = {}): Promise<TestApp> =>
  isBinary ? startBinary(options) : startInProcess(options);

/** A folder that is gone after `remove`. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "cairn-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

async function startInProcess({ embedder = "hash", flags = [], ...options }: StartOptions): Promise<TestApp> {
  const { app, client, settle } = await openApp({ ...options, flags: [`--embedder=${embedder}`, ...flags] });
  await app.services.embedder.ready();
  return { client, settle, stop: () => app.stop() };
}

const Ready = z.object({ event: z.literal("ready"), url: z.string(), port: z.int(), pid: z.int() });

async function startBinary({ embedder = "hash", folder, flags = [] }: StartOptions): Promise<TestApp> {
  const place = folder === undefined ? "--ephemeral" : `--data=${folder}`;
  const command = [BINARY, "serve", ...READY, place, `--embedder=${embedder}`, ...UNLIMITED, ...flags];
  const child = Bun.spawn(command, {
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

/** No job is due or in hand, and no shared row waits for its vector; a job that is set for later is not waited for. */
async function isSettled(client: Client): Promise<boolean> {
  const { jobs } = await statusOf(client);
  const { items } = await client.ok(MemoryPage, "GET", "/api/v1/memories", { query: { limit: 500 } });
  return jobs?.due === 0 && jobs.running === 0 && items.every(({ metadata }) => metadata?.embedding_pending !== true);
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
