import { STANDALONE_TENANT } from "../access/resolve.ts";
import type { App } from "../app.ts";
import { loadSeed } from "../cli/seed.ts";
import { ConfigError } from "../config/error.ts";
import type { Config } from "../config/load.ts";

/** How soon a start looks first whether the last row has its vector, and how much longer it waits each time: all is counted. */
const LOOK_MS = 25;
const LOOK_GROWTH = 1.25;
const LOOK_MAX_MS = 1_000;

/** What a start waits for before it says that it is ready. */
const readyWhen = ({ ready_when, ephemeral, seed }: Config): NonNullable<Config["ready_when"]> =>
  ready_when ?? (ephemeral && seed !== undefined ? "searchable" : "keyword");

/** Loads the seed, tells that the server is ready as soon as it is what was asked for. Throws SeedError, ConfigError. */
export async function becomeReady(app: App, config: Config, tell: () => void): Promise<void> {
  const wanted = readyWhen(config);
  if (wanted === "listening") tell();
  if (config.seed !== undefined) await loadSeed(app.call, config.seed, STANDALONE_TENANT);
  if (wanted === "searchable") await untilSearchable(app, config);
  if (wanted !== "listening") tell();
}

/** Waits until the model is loaded and every row has its vector, but for rows that it failed to read. */
async function untilSearchable({ services }: App, { seed }: Config): Promise<void> {
  const { storage, embedder, clock } = services;
  await embedder.ready().catch((cause: unknown) => {
    const way = `Start with --ready-when keyword to do without${seed === undefined ? "" : " until it is back"}.`;
    throw new ConfigError(`Nothing can be found by meaning, as the embedding model failed. ${way}`, { cause });
  });
  for (let pause = LOOK_MS; (await storage.memories.countAllPending()) > 0; pause *= LOOK_GROWTH) {
    const { due, running, failing } = await storage.jobs.tally(clock.now(), null);
    if (due + running === 0 && failing > 0) return;
    await Bun.sleep(Math.min(pause, LOOK_MAX_MS));
  }
}
