#!/usr/bin/env bun
import type { App } from "./app.ts";
import { createApp } from "./app.ts";
import type { Config } from "./config.ts";
import { ConfigError, helpText, loadConfig } from "./config.ts";
import { systemClock } from "./kernel/clock.ts";
import { AppError } from "./kernel/errors.ts";
import { describeCause, jsonLogger } from "./kernel/log.ts";
import { API_VERSION, RELEASE } from "./version.ts";

/** A second signal or a shutdown longer than this ends the process at once. */
const STOP_LIMIT_MS = 10_000;

async function main(): Promise<void> {
  const { command, config } = await loadConfig(process.env, process.argv.slice(2));
  switch (command) {
    case "serve":
      return serve(config);
    case "version":
      return print(`cairn ${RELEASE} (interface ${API_VERSION})`);
    case "help":
      return print(helpText());
    default:
      return command satisfies never;
  }
}

const print = (text: string): void => void process.stdout.write(`${text.trimEnd()}\n`);

function serve(config: Config): void {
  const log = jsonLogger(systemClock, (line) => process.stderr.write(line));
  const app = createApp(config, log);
  const { url, port } = listen(app, config);
  stopOnSignals(app);
  const ready_ms = Math.round(process.uptime() * 1000);
  if (config.ready_json) {
    print(JSON.stringify({ event: "ready", url, port, pid: process.pid, tenant_id: "default", ready_ms }));
  } else {
    print(banner(config, url, ready_ms));
  }
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
  const expected = error instanceof ConfigError || error instanceof AppError;
  process.stderr.write(expected ? `cairn: ${error.message}\n` : `cairn: ${describeCause(error)}\n`);
  process.exit(1);
});
