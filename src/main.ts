#!/usr/bin/env bun
import "./zod-settings.ts";
import { homedir } from "node:os";
import type { App } from "./app.ts";
import { createApp } from "./app.ts";
import type { CallLocal } from "./cli/call.ts";
import { callThrough, Refused } from "./cli/call.ts";
import { lockedFile, namingHolder } from "./cli/folder-holder.ts";
import type { Checked } from "./cli/integrity.ts";
import { describeSalvage, runCheck, runRebuild } from "./cli/integrity.ts";
import type { Printed } from "./cli/keys.ts";
import { runKeys, UsageError } from "./cli/keys.ts";
import { licencesText } from "./cli/licences.ts";
import { runningServer } from "./cli/local.ts";
import { print, printError } from "./cli/print.ts";
import type { ProgressLine } from "./cli/progress.ts";
import { progressLine } from "./cli/progress.ts";
import { SeedError } from "./cli/seed.ts";
import { SkillSyncError } from "./cli/skill-file.ts";
import { runSkills } from "./cli/skills.ts";
import { ConfigError } from "./config/error.ts";
import { helpText } from "./config/help.ts";
import type { Config, Invocation } from "./config/load.ts";
import { asksReadyJson, configOf, loadConfig } from "./config/load.ts";
import { systemClock, toTimestamp } from "./kernel/clock.ts";
import { AppError } from "./kernel/errors.ts";
import { describeCause, silentLogger } from "./kernel/log.ts";
import { serve } from "./serve.ts";
import { compactStorage, holdsData, salvageStorage } from "./storage/open.ts";
import { API_VERSION, RELEASE } from "./version.ts";

async function main(): Promise<void> {
  const { command, topic, words, options, config } = await loadConfig(process.env, process.argv.slice(2));
  if (!["keys", "skills"].includes(command) && words.length > 0)
    throw new ConfigError(`'${words[0]}' is one word too many. See cairn help.`);
  switch (command) {
    case "serve":
      wantsJson ||= config.ready_json;
      return serve(config);
    case "keys":
      await keys(config, words, options);
      return;
    case "skills":
      await skills(config, words, options);
      return;
    case "check":
      requireData(config);
      return integrity(config, runCheck, "check");
    case "rebuild":
      requireData(config);
      if (salvageFirst(config)) compactNext(config);
      return integrity(config, runRebuild, "rebuild");
    case "licenses":
      return print(await licencesText());
    case "version":
      return print(`cairn ${RELEASE} (interface ${API_VERSION})`);
    case "help":
      return print(helpText(topic));
    default:
      return command satisfies never;
  }
}

const keys = (config: Config, words: readonly string[], options: Invocation["options"]): Promise<Printed> =>
  against(config, NO_MODEL, (call) => runKeys(call, words, options));

const skills = (config: Config, words: readonly string[], options: Invocation["options"]): Promise<Printed> =>
  against(config, NO_MODEL, (call) =>
    runSkills(call, words, options, {
      targets: config.skill_targets,
      register: config.skill_register,
      home: homedir(),
    }),
  );

/** A mistyped folder must not be made, and then be found without fault. Throws ConfigError. */
function requireData({ data }: Config): void {
  if (!holdsData(data)) throw new ConfigError(`There is no data of Cairn in ${data}. Name its folder with --data.`);
}

/** For commands that never look at vectors. */
const NO_MODEL = "hash";

/**
 * A server that uses the folder cannot have its data file taken away; it says itself what is damaged.
 * Returns whether no server has it. Throws AppError.
 */
function salvageFirst({ data, cache }: Config): boolean {
  const stamp = toTimestamp(systemClock.now()).replace(/\D/g, "").slice(0, 14);
  try {
    const salvaged = namingHolder(data, () => salvageStorage({ folder: data, cacheDir: cache, stamp }));
    if (salvaged) print(describeSalvage(salvaged));
    return true;
  } catch (error) {
    if (lockedFile(error) === null || !isAlive(runningServer(data)?.pid ?? 0)) throw error;
    return false;
  }
}

/** The indexes can be made anew without it. */
function compactNext({ data }: Config): void {
  try {
    compactStorage(data);
  } catch (error) {
    printError(`What was deleted long ago may still be in the data file. ${describeCause(error)}\n`);
  }
}

async function integrity(
  config: Config,
  run: (call: CallLocal, progress: ProgressLine) => Promise<Checked>,
  name: string,
): Promise<void> {
  const { ok } = await against(config, config.embedder, (call) => run(call, progressLine(name)));
  if (!ok) process.exitCode = 1;
}

/** Runs a command against the data folder itself, or, when a server owns it, against that server; prints what it says. */
async function against<T extends Printed>(
  config: Config,
  embedder: Config["embedder"],
  run: (call: CallLocal) => Promise<T>,
): Promise<T> {
  const app = openFolder(config, embedder);
  try {
    const printed = await run(app.call);
    if (printed.remark) printError(`${printed.remark}\n`);
    if (printed.out) print(printed.out);
    return printed;
  } finally {
    await app.stop();
  }
}

/** Whether a server owns the folder is for its lock to say: what a server announced may outlive it. */
function openFolder({ data, cache }: Config, embedder: Config["embedder"]): Pick<App, "call" | "stop"> {
  try {
    return namingHolder(data, () => createApp(configOf({ standalone: true, data, cache, embedder }), silentLogger));
  } catch (error) {
    const running = runningServer(data);
    if (lockedFile(error) === null || !running || !isAlive(running.pid)) throw error;
    const call = callThrough(running.url, { "X-API-Key": running.token }, (request) => fetch(request));
    return { call, stop: async () => {} };
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether whoever started this waits for one line of JSON, of a start that failed, too. */
let wantsJson = asksReadyJson(process.env, process.argv.slice(2));

main().catch((error: unknown) => {
  const expected = [ConfigError, AppError, UsageError, SeedError, SkillSyncError, Refused].some(
    (kind) => error instanceof kind,
  );
  const message = expected && error instanceof Error ? error.message : describeCause(error);
  if (wantsJson) print(JSON.stringify({ event: "failed", code: codeOf(error), message }));
  printError(`cairn: ${message}\n`);
  process.exit(1);
});

function codeOf(error: unknown): string {
  if (error instanceof AppError || error instanceof ConfigError) return error.code;
  return error instanceof SeedError ? "SEED_INVALID" : "INTERNAL_ERROR";
}
