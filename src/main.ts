#!/usr/bin/env bun
import type { App } from "./app.ts";
import { createApp } from "./app.ts";
import { callThrough, Refused } from "./cli/call.ts";
import { runKeys, UsageError } from "./cli/keys.ts";
import { runningServer } from "./cli/local.ts";
import type { Config, Invocation } from "./config.ts";
import { ConfigError, configOf, helpText, loadConfig } from "./config.ts";
import { isLoopback } from "./kernel/address.ts";
import { systemClock } from "./kernel/clock.ts";
import { AppError } from "./kernel/errors.ts";
import { describeCause, jsonLogger, silentLogger } from "./kernel/log.ts";
import { API_VERSION, RELEASE } from "./version.ts";

/** A second signal or a shutdown longer than this ends the process at once. */
const STOP_LIMIT_MS = 10_000;

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

const print = (text: string): void => void process.stdout.write(`${text.trimEnd()}\n`);

/** Runs against the server that owns the data folder, or, when none runs, against the folder itself. */
async function keys(config: Config, words: readonly string[], options: Invocation["options"]): Promise<void> {
  const running = runningServer(config.data);
  const app =
    running && isAlive(running.pid)
      ? null
      : createApp(configOf({ ...OFFLINE, data: config.data, cache: config.cache }), silentLogger);
  const call = app
    ? callThrough("http://localhost", {}, app.handle)
    : callThrough(running?.url ?? "", { "X-API-Key": running?.token ?? "" }, (request) => fetch(request));
  try {
    const { out, remark } = await runKeys(call, words, options);
    if (remark) process.stderr.write(`${remark}\n`);
    if (out) print(out);
  } finally {
    await app?.stop();
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

async function serve(config: Config): Promise<void> {
  const log = jsonLogger(systemClock, (line) => process.stderr.write(line));
  const app = createApp(config, log);
  await refuseOpenDoor(app, config);
  const { url, port } = listen(app, config);
  stopOnSignals(app);
  const ready_ms = Math.round(process.uptime() * 1000);
  if (config.ready_json) {
    print(JSON.stringify({ event: "ready", url, port, pid: process.pid, tenant_id: "default", ready_ms }));
  } else {
    print(banner(config, url, ready_ms));
  }
}

/** Nobody beyond this machine may call without a key unless the owner says so in so many words. */
async function refuseOpenDoor(app: App, { host, api_key, insecure_no_auth }: Config): Promise<void> {
  if (isLoopback(host) || api_key !== undefined || insecure_no_auth || (await app.services.storage.keys.any())) return;
  await app.stop();
  throw new ConfigError(
    `Listening on ${host} lets others in, and there is no key yet. Make one with \`cairn keys create\`, set CAIRN_API_KEY, or start with --insecure-no-auth.`,
  );
}

function listen(app: App, config: Config): { url: string; port: number } {
  try {
    return app.listen();
  } catch (cause) {
    const hint = "Choose another with --port, or --port 0 for a free one.";
    throw new ConfigError(
      `Cannot listen on ${config.host}:${config.port}: the address is taken or not allowed. ${hint}`,
      {
        cause,
      },
    );
  }
}

function stopOnSignals(app: App): void {
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    void app.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

const banner = (config: Config, url: string, ready_ms: number): string => `
  Cairn ${RELEASE}    ready in ${ready_ms} ms
  API      ${url}/api/v1
  Docs     ${url}/api/docs
  Data     ${config.ephemeral ? "in memory, gone at exit" : config.data}
  Model    ${config.embedder === "onnx" ? "e5-small-v2, local" : "hash (tests only)"}
  Access   ${config.standalone ? "standalone: no key needed, loopback only" : "keys only"}
`;

main().catch((error: unknown) => {
  const expected = [ConfigError, AppError, UsageError, Refused].some((kind) => error instanceof kind);
  process.stderr.write(
    expected && error instanceof Error ? `cairn: ${error.message}\n` : `cairn: ${describeCause(error)}\n`,
  );
  process.exit(1);
});
