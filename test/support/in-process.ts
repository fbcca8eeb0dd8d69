import type { App } from "../../src/app.ts";
import { createApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config/load.ts";
import type { Logger } from "../../src/core/kernel/log.ts";
import { silentLogger } from "../../src/core/kernel/log.ts";
import type { Overrides } from "../../src/startup/overrides.ts";
import type { Client } from "./api/client.ts";
import { createClient } from "./api/client.ts";
import { NO_FOLDER } from "./postgres/engine.ts";

export interface InProcessOptions extends Overrides {
  /** Folder of the data; all stays in memory without one, or in a database with ENGINE=postgres. */
  readonly folder?: string;
  readonly flags?: readonly string[];
  readonly log?: Logger;
}

/** An app whose insides a test may reach: the job loop to drain, the socket to listen on. */
export interface InProcess {
  readonly app: App;
  readonly client: Client;
  /** Runs the jobs that are due, and what was put off until after the replies. */
  settle(): Promise<void>;
}

/** A test is faster than any caller; one about limits sets its own. */
export const UNLIMITED = ["--rate-writes=0", "--rate-bulk=0", "--rate-searches=0", "--rate-reads=0"];
/** No config file of the machine may reach a test, and no server outlives the tests that started it. */
export const HERMETIC = { XDG_CONFIG_HOME: "/nonexistent", CAIRN_WITH_PARENT: "true" };

/** With VECTORS=plain the suite runs as where sqlite-vec cannot be loaded. */
const VECTORS = process.env.VECTORS === "plain" ? ["--no-vector-extension"] : [];

/** Opens an app in this process, with the hash embedder unless the test brings its own. */
export async function openApp(options: InProcessOptions = {}): Promise<InProcess> {
  const { folder, flags = [], log = silentLogger, ...overrides } = options;
  const { flags: place, ...database } = folder === undefined ? NO_FOLDER : { flags: [`--data=${folder}`] };
  const all = ["--port=0", "--embedder=hash", ...UNLIMITED, ...VECTORS, ...place, ...flags];
  const config = await loadConfig(HERMETIC, all);
  const app = await createApp(config, log, { ...database, ...overrides });
  return {
    app,
    client: createClient((path, init) => app.handle(new Request(`http://localhost${path}`, init))),
    settle: async () => {
      await app.runner.drain();
      // Such work runs in order: all that was put off before this has run when this does.
      await new Promise<void>((resolve) => app.services.afterReply(async () => resolve()));
    },
  };
}
