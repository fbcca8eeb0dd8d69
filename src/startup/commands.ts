import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { ShownSetting } from "../cli/commands/config.ts";
import type { Migrated } from "../cli/commands/migrate.ts";
import type { CommonOptions } from "../cli/connect.ts";
import type { AddCommand } from "../cli/program.ts";
import { runningServer } from "../cli/server/local.ts";
import type { ServerPlace } from "../cli/setup/command.ts";
import type { SkillTargets } from "../cli/skills/sync.ts";
import { settingsText } from "../config/help.ts";
import { loadWithOrigins, remoteOf } from "../config/load.ts";
import { NAMES, SECRETS } from "../config/settings.ts";
import { urlOf } from "../core/kernel/address.ts";
import { API_VERSION, RELEASE } from "../version.ts";
import { createBackupFiles } from "./backup-files.ts";
import type { Env } from "./factory.ts";
import { configFor, flagsOf } from "./factory.ts";
import { createFiles } from "./files.ts";
import { hookPlaceOf, proxyPlaceOf, workIn } from "./harness-places.ts";
import { placeOf } from "./place.ts";

/** Adds one command, or a few that belong together; read when one of its words is what was called. */
interface CommandEntry {
  readonly words: readonly string[];
  readonly load: () => Promise<AddCommand>;
}

/** All commands; what each needs beyond a connection is given to it here. */
const entriesFor = (env: Env): readonly CommandEntry[] => [
  {
    words: ["serve"],
    load: async () => {
      const { addServe } = await import("../cli/commands/serve.ts");
      return (program) => addServe(program, { settings: settingsText, serve: (flags) => serveWith(env, flags) });
    },
  },
  {
    words: ["status", "stop"],
    load: async () => {
      const { addStatus } = await import("../cli/commands/status.ts");
      const isRemote = Boolean(env.CAIRN_URL);
      return (program, cli) =>
        addStatus(program, cli, async (options) => placeOf(await configFor(env, options)), isRemote);
    },
  },
  {
    words: ["config"],
    load: async () => {
      const { addConfig } = await import("../cli/commands/config.ts");
      return (program, cli) => addConfig(program, cli, (options) => settingsOf(env, options));
    },
  },
  { words: ["add"], load: async () => (await import("../cli/commands/memory/add.ts")).addAdd },
  { words: ["search", "recall"], load: async () => (await import("../cli/commands/memory/find.ts")).addFind },
  { words: ["list", "get"], load: async () => (await import("../cli/commands/memory/read.ts")).addRead },
  {
    words: ["edit"],
    load: async () => {
      const { addChange } = await import("../cli/commands/memory/change.ts");
      return (program, cli) => addChange(program, cli, env.VISUAL || env.EDITOR || null);
    },
  },
  {
    words: ["rm", "restore"],
    load: async () => {
      const { addRemove } = await import("../cli/commands/memory/remove.ts");
      return (program, cli) => addRemove(program, cli, createBackupFiles(env));
    },
  },
  { words: ["move"], load: async () => (await import("../cli/commands/memory/move.ts")).addMove },
  { words: ["project"], load: async () => (await import("../cli/commands/project/command.ts")).addProject },
  { words: ["history"], load: async () => (await import("../cli/commands/memory/history.ts")).addHistory },
  {
    words: ["contradictions"],
    load: async () => (await import("../cli/commands/memory/contradictions.ts")).addContradictions,
  },
  { words: ["docs"], load: async () => (await import("../cli/commands/docs.ts")).addDocs },
  { words: ["keystones"], load: async () => (await import("../cli/commands/keystones/command.ts")).addKeystones },
  { words: ["agents"], load: async () => (await import("../cli/commands/agents.ts")).addAgents },
  { words: ["settings"], load: async () => (await import("../cli/commands/settings.ts")).addSettings },
  { words: ["keys"], load: async () => (await import("../cli/commands/keys.ts")).addKeys },
  {
    words: ["skills"],
    load: async () => {
      const { addSkills } = await import("../cli/commands/skills.ts");
      return (program, cli) => addSkills(program, cli, (options) => targetsOf(env, options));
    },
  },
  {
    words: ["setup"],
    load: async () => {
      const { addSetup } = await import("../cli/commands/setup.ts");
      return (program, cli) => addSetup(program, cli, (options) => serverPlaceOf(env, options));
    },
  },
  {
    words: ["doctor"],
    load: async () => {
      const { addDoctor } = await import("../cli/commands/doctor.ts");
      const { doctorTargetFor } = await import("./doctor-target.ts");
      return (program, cli) => addDoctor(program, cli, (options, signal) => doctorTargetFor(env, options, signal));
    },
  },
  {
    words: ["check", "rebuild"],
    load: async () => {
      const { addIntegrity } = await import("../cli/commands/integrity.ts");
      return (program, cli) => addIntegrity(program, cli, createFiles(env));
    },
  },
  { words: ["export"], load: async () => (await import("../cli/commands/export.ts")).addExport },
  {
    words: ["import"],
    load: async () => {
      const { addImport } = await import("../cli/commands/import.ts");
      return (program, cli) => addImport(program, cli, { key: env.CAIRN_IMPORT_KEY || null, fetch });
    },
  },
  {
    words: ["backup"],
    load: async () => {
      const { addBackup } = await import("../cli/commands/backup.ts");
      return (program, cli) => addBackup(program, cli, createBackupFiles(env));
    },
  },
  { words: ["forget"], load: async () => (await import("../cli/commands/forget.ts")).addForget },
  {
    words: ["migrate"],
    load: async () => {
      const { addMigrate } = await import("../cli/commands/migrate.ts");
      return (program, cli) => addMigrate(program, cli, (options, to) => migrateWith(env, options, to));
    },
  },
  { words: ["reembed"], load: async () => (await import("../cli/commands/reembed.ts")).addReembed },
  {
    words: ["mcp"],
    load: async () => {
      const { addMcp } = await import("../cli/commands/mcp.ts");
      return (program) => addMcp(program, (options) => proxyPlaceOf(env, options));
    },
  },
  {
    words: ["hook"],
    load: async () => {
      const { addHook } = await import("../cli/commands/hook.ts");
      return (program) => addHook(program, (options) => hookPlaceOf(env, options));
    },
  },
  {
    words: ["brief"],
    load: async () => {
      const { addBrief } = await import("../cli/commands/brief.ts");
      return (program, cli) => addBrief(program, cli, () => workIn(env, process.cwd()));
    },
  },
  { words: ["completion"], load: async () => (await import("../cli/commands/completion.ts")).addCompletion },
  {
    words: ["version", "licenses"],
    load: async () => {
      const { addPlain } = await import("../cli/commands/plain.ts");
      return (program) => addPlain(program, `cairn ${RELEASE} (interface ${API_VERSION})`);
    },
  },
];

/** What tells of all commands, rather than being done by one. */
const TELLS_OF_ALL = new Set(["completion"]);

/** Reads the command that a line calls; all of them where it calls none by its name, as help and suggestions know all. */
export function commandsFor(env: Env, argv: readonly string[] = []): Promise<readonly AddCommand[]> {
  const [word = ""] = argv;
  const entries = entriesFor(env);
  const called = entries.find(({ words }) => words.includes(word) && !TELLS_OF_ALL.has(word));
  return Promise.all((called ? [called] : entries).map(({ load }) => load()));
}

async function serveWith(env: Env, flags: readonly string[]): Promise<void> {
  const { config, origins } = await loadWithOrigins(env, flags);
  const [{ serve }, { typedCommand }] = await Promise.all([import("./serve.ts"), import("../cli/setup/place.ts")]);
  await serve(config, origins, typedCommand(env));
}

async function migrateWith(env: Env, options: CommonOptions, to: string): Promise<Migrated> {
  const { createMigrate } = await import("./migrate/migrate.ts");
  return createMigrate(env)(options, to);
}

async function settingsOf(env: Env, options: CommonOptions): Promise<ShownSetting[]> {
  const { config, origins } = await loadWithOrigins(env, flagsOf(options));
  return NAMES.flatMap((name) => {
    const value = config[name];
    if (value === undefined) return [];
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return [{ name, value: SECRETS.includes(name) ? "***" : text, origin: origins[name] }];
  });
}

/** What a set-up keeps of files in repositories, within the folder of the data. */
const SETUP_BACKUPS = "setup-backups";

/** A harness starts us with another environment than this one, so that what a variable or a flag says must be told. */
async function serverPlaceOf(env: Env, options: CommonOptions): Promise<ServerPlace> {
  const { config, origins } = await loadWithOrigins(env, flagsOf(options));
  const { data, host, port } = config;
  const named = remoteOf(env)?.url;
  const url = named ?? runningServer(placeOf(config))?.url ?? urlOf(host, port);
  const backups = join(resolve(data), SETUP_BACKUPS);
  const is_named = named !== undefined;
  return { env, url, is_named, data: origins.data === "default" ? null : resolve(data), backups };
}

async function targetsOf(env: Env, options: CommonOptions): Promise<SkillTargets> {
  const { skill_targets, skill_register } = await configFor(env, options);
  return { targets: skill_targets, register: skill_register, home: homedir() };
}
