#!/usr/bin/env bun
import type { App } from "./app.ts";
import { createApp } from "./app.ts";
import { callThrough, Refused } from "./cli/call.ts";
import { runKeys, UsageError } from "./cli/keys.ts";
import { runningServer } from "./cli/local.ts";
import { print } from "./cli/print.ts";
import { SeedError } from "./cli/seed.ts";
import type { Config, Invocation } from "./config.ts";
import { ConfigError, configOf, helpText, loadConfig } from "./config.ts";
import { AppError } from "./kernel/errors.ts";
import { describeCause, silentLogger } from "./kernel/log.ts";
import { serve } from "./serve.ts";
import { API_VERSION, RELEASE } from "./version.ts";

async function main(): Promise<void> {
  const { command, words, options, config } = await loadConfig(process.env, process.argv.slice(2));
  if (command !== "keys" && words.length > 0)
    throw new ConfigError(`'${words[0]}' is one word too many. See cairn help.`);
  switch (command) {
    case "serve":
      return serve(config);
    case "keys":
      return keys(config, words, options);
    case "version":
      return print(`cairn ${RELEASE} (interface ${API_VERSION})`);
    case "help":
      return print(helpText());
    default:
      return command satisfies never;
  }
}

/** Runs against the data folder itself, or, when a server owns it, against that server. */
async function keys(config: Config, words: readonly string[], options: Invocation["options"]): Promise<void> {
  const app = openFolder(config);
  try {
    const { out, remark } = await runKeys(app.call, words, options);
    if (remark) process.stderr.write(`${remark}\n`);
    if (out) print(out);
  } finally {
    await app.stop();
  }
}

/** Whether a server owns the folder is for its lock to say: what a server announced may outlive it. */
function openFolder({ data, cache }: Config): Pick<App, "call" | "stop"> {
  try {
    return createApp(configOf({ ...OFFLINE, data, cache }), silentLogger);
  } catch (error) {
    const running = runningServer(data);
    if (!running || !isAlive(running.pid)) throw error;
    const call = callThrough(running.url, { "X-API-Key": running.token }, (request) => fetch(request));
    return { call, stop: async () => {} };
  }
}

/** A server without a socket or a model, for commands that only touch the data. */
const OFFLINE = { embedder: "hash", standalone: true } as const;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

main().catch((error: unknown) => {
  const expected = [ConfigError, AppError, UsageError, SeedError, Refused].some((kind) => error instanceof kind);
  process.stderr.write(
    expected && error instanceof Error ? `cairn: ${error.message}\n` : `cairn: ${describeCause(error)}\n`,
  );
  process.exit(1);
});
