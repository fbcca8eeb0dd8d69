import { STANDALONE_TENANT } from "../access/resolve.ts";
import type { App } from "../app.ts";
import { createApp } from "../app.ts";
import { print } from "../cli/print.ts";
import { namingHolder, onceFree } from "../cli/server/folder-holder.ts";
import { holderOfPort, processNamed } from "../cli/server/holder.ts";
import { ConfigError } from "../config/error.ts";
import type { Config, Origins } from "../config/load.ts";
import { secretsInFlags } from "../config/shown-secrets.ts";
import { isLoopback } from "../core/kernel/address.ts";
import { systemClock } from "../core/kernel/clock.ts";
import { modeOpenToOthers } from "../core/kernel/files/private-files.ts";
import type { Logger } from "../core/kernel/log.ts";
import { jsonLogger } from "../core/kernel/log.ts";
import { shown } from "../core/kernel/quoting/unseen.ts";
import { answeringModelOf } from "../storage/open.ts";
import type { Started } from "./banner.ts";
import { banner } from "./banner.ts";
import { PARENT } from "./parent.ts";
import { placeOf } from "./place.ts";
import { becomeReady } from "./ready.ts";
import { serverLogWriter } from "./server-log.ts";

/** How often a server started with --with-parent looks for its parent. */
const PARENT_POLL_MS = 250;
/** A second signal or a shutdown longer than this ends the process at once. */
const STOP_LIMIT_MS = 10_000;

/** Serves until a signal, or the end of its parent, says stop; `command` is what a person types to call it. Throws ConfigError, AppError or SeedError when it cannot start. */
export async function serve(config: Config, origins: Origins, command: string): Promise<void> {
  const log = jsonLogger(systemClock, serverLogWriter(config.data), levelOf(config, origins));
  refuseOtherModel(config);
  const app = await onceFree(config.data, () => namingHolder(config.data, () => createApp(config, log)));
  await refuseModelOfDatabase(app, config);
  await requireAuthForPublicBind(app, config);
  await requireSoundModel(app);
  warnOfOpenFolder(config, app.services.log);
  warnOfShownSecrets(secretsInFlags(config, origins), app.services.log);
  const { url, port } = listen(app, config);
  stopOnSignals(app, config, log);
  await becomeReady(app, config, () => {
    const ready_ms = Math.round(process.uptime() * 1000);
    if (config.ready_json) {
      print(JSON.stringify({ event: "ready", url, port, pid: process.pid, tenant_id: STANDALONE_TENANT, ready_ms }));
    } else {
      void greet(app, config, { url, ready_ms, command });
    }
  });
}

/** What somebody at a terminal need not know is left out there, unless a level was asked for. */
const levelOf = ({ log_level }: Config, origins: Origins): Config["log_level"] =>
  origins.log_level === "default" && process.stderr.isTTY ? "warn" : log_level;

/** A folder that was read by another model on purpose is not to be read by counting by mistake. */
function refuseOtherModel({ data, embedder, ephemeral, database_url }: Config): void {
  if (ephemeral || database_url !== undefined || embedder !== "hash") return;
  const answering = answeringModelOf(data);
  if (answering === null || answering.model === "hash") return;
  throw new ConfigError(
    `${data} is read by ${answering.model}. Leave out --embedder hash, or begin anew in another folder with --data.`,
  );
}

/** Of a database the same is known only once it is open. */
async function refuseModelOfDatabase(app: App, config: Config): Promise<void> {
  const { database } = placeOf(config);
  if (database === null || config.embedder !== "hash") return;
  const { model } = await app.services.reembedding.state();
  if (model === "hash") return;
  await app.stop();
  throw new ConfigError(`${database} is read by ${model}. Leave out --embedder hash, or name another database.`);
}

/** A model of the user's own may have become another since it was begun with. */
async function requireSoundModel(app: App): Promise<void> {
  try {
    await app.soundModel();
  } catch (error) {
    await app.stop();
    throw error;
  }
}

/** What others of this machine may see stays the owner's to decide: a folder that was there may be shared on purpose. */
function warnOfOpenFolder({ data, ephemeral }: Config, log: Logger): void {
  const mode = ephemeral ? null : modeOpenToOthers(data);
  if (mode !== null) log.warn("data folder is open to others", { folder: data, mode, hint: `chmod 700 ${data}` });
}

/** Whoever may list the processes of this machine reads their flags. */
function warnOfShownSecrets(shown: ReturnType<typeof secretsInFlags>, log: Logger): void {
  for (const { flag, variable } of shown)
    log.warn("a flag shows a secret to every account of this machine", { flag, hint: `set ${variable} instead` });
}

/** Nobody beyond this machine may call without a key unless the owner says so in so many words. */
async function requireAuthForPublicBind(app: App, { host, api_key, insecure_no_auth }: Config): Promise<void> {
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
    const { host, port } = config;
    const holder = holderOfPort(port);
    const why = holder === null ? "the address is taken or not allowed" : `${processNamed(holder)} listens there`;
    const hint = "Choose another with --port, or --port 0 for a free one.";
    throw new ConfigError(`Cannot listen on ${host}:${port}: ${why}. ${hint}`, { code: "ADDRESS_IN_USE", cause });
  }
}

function stopOnSignals(app: App, { with_parent }: Config, log: Logger): void {
  let stopping = false;
  const stop = (why: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    const end = (code: number) => {
      log.info("stopped", { why, ran_s: Math.round(process.uptime()) });
      process.exit(code);
    };
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    void app.stop().then(
      () => end(0),
      () => end(1),
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  if (with_parent) onParentGone(() => stop("parent ended"));
}

/** A process whose parent has ended gets another one, even if that was before it could serve. */
function onParentGone(stop: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === PARENT) return;
    clearInterval(timer);
    stop();
  }, PARENT_POLL_MS);
}

async function greet(app: App, config: Config, at: Pick<Started, "url" | "ready_ms" | "command">): Promise<void> {
  const { identity, storage, embedder } = app.services;
  const { memory_count } = await storage.memories.counters();
  const width = process.stdout.isTTY ? process.stdout.columns || 80 : null;
  const started = { ...at, keyless: identity.keyless, memories: memory_count, model: embedder.id };
  print(shown(banner(config, started, width)));
}
