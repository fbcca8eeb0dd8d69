import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { addAgents } from "../cli/commands/agents.ts";
import { addBackup } from "../cli/commands/backup.ts";
import { addCompletion } from "../cli/commands/completion.ts";
import type { ShownSetting } from "../cli/commands/config.ts";
import { addConfig } from "../cli/commands/config.ts";
import { addDocs } from "../cli/commands/docs.ts";
import { addDoctor } from "../cli/commands/doctor.ts";
import { addExport } from "../cli/commands/export.ts";
import { addForget } from "../cli/commands/forget.ts";
import { addHook } from "../cli/commands/hook.ts";
import { addImport } from "../cli/commands/import.ts";
import { addIntegrity } from "../cli/commands/integrity.ts";
import { addKeys } from "../cli/commands/keys.ts";
import { addKeystones } from "../cli/commands/keystones/command.ts";
import { addMcp } from "../cli/commands/mcp.ts";
import { addAdd } from "../cli/commands/memory/add.ts";
import { addChange } from "../cli/commands/memory/change.ts";
import { addContradictions } from "../cli/commands/memory/contradictions.ts";
import { addFind } from "../cli/commands/memory/find.ts";
import { addHistory } from "../cli/commands/memory/history.ts";
import { addRead } from "../cli/commands/memory/read.ts";
import { addRemove } from "../cli/commands/memory/remove.ts";
import type { Migrated } from "../cli/commands/migrate.ts";
import { addMigrate } from "../cli/commands/migrate.ts";
import { addPlain } from "../cli/commands/plain.ts";
import { addReembed } from "../cli/commands/reembed.ts";
import { addServe } from "../cli/commands/serve.ts";
import { addSettings } from "../cli/commands/settings.ts";
import { addSetup } from "../cli/commands/setup.ts";
import { addSkills } from "../cli/commands/skills.ts";
import { addStatus } from "../cli/commands/status.ts";
import type { CommonOptions, ReachOptions } from "../cli/connect.ts";
import { announced } from "../cli/connect.ts";
import type { HookPlace } from "../cli/hook/process.ts";
import type { AddCommand } from "../cli/program.ts";
import { projectOf } from "../cli/project.ts";
import type { ProxyOptions } from "../cli/proxy/run.ts";
import { personOf } from "../cli/repository/person.ts";
import { runningServer } from "../cli/server/local.ts";
import type { ServerPlace } from "../cli/setup/command.ts";
import type { SkillTargets } from "../cli/skills/sync.ts";
import { settingsText } from "../config/help.ts";
import { loadConfig, loadWithOrigins, remoteOf } from "../config/load.ts";
import { NAMES, SECRETS } from "../config/settings.ts";
import { urlOf } from "../core/kernel/address.ts";
import { API_VERSION, RELEASE } from "../version.ts";
import { createBackupFiles } from "./backup-files.ts";
import { doctorTargetFor } from "./doctor-target.ts";
import type { Env } from "./factory.ts";
import { configFor, flagsOf } from "./factory.ts";
import { createFiles } from "./files.ts";
import { PARENT } from "./parent.ts";
import { placeOf } from "./place.ts";

/** All commands; what each needs beyond a connection is given to it here. */
export const commandsFor = (env: Env): readonly AddCommand[] => [
  (program) => addServe(program, { settings: settingsText, serve: (flags) => serveWith(env, flags) }),
  (program, cli) =>
    addStatus(program, cli, async (options) => placeOf(await configFor(env, options)), Boolean(env.CAIRN_URL)),
  (program, cli) => addConfig(program, cli, (options) => settingsOf(env, options)),
  addAdd,
  addFind,
  addRead,
  (program, cli) => addChange(program, cli, env.VISUAL || env.EDITOR || null),
  (program, cli) => addRemove(program, cli, createBackupFiles(env)),
  addHistory,
  addContradictions,
  addDocs,
  addKeystones,
  addAgents,
  addSettings,
  addKeys,
  (program, cli) => addSkills(program, cli, (options) => targetsOf(env, options)),
  (program, cli) => addSetup(program, cli, (options) => serverPlaceOf(env, options)),
  (program, cli) => addDoctor(program, cli, (options, signal) => doctorTargetFor(env, options, signal)),
  (program, cli) => addIntegrity(program, cli, createFiles(env)),
  addExport,
  (program, cli) => addImport(program, cli, { key: env.CAIRN_IMPORT_KEY || null, fetch }),
  (program, cli) => addBackup(program, cli, createBackupFiles(env)),
  addForget,
  (program, cli) => addMigrate(program, cli, (options, to) => migrateWith(env, options, to)),
  addReembed,
  (program) => addMcp(program, (options) => proxyPlaceOf(reaching(env, options), options)),
  (program) => addHook(program, (options) => hookPlaceOf(reaching(env, options), options)),
  addCompletion,
  (program) => addPlain(program, `cairn ${RELEASE} (interface ${API_VERSION})`),
];

async function serveWith(env: Env, flags: readonly string[]): Promise<void> {
  const config = await loadConfig(env, flags);
  const { serve } = await import("./serve.ts");
  await serve(config);
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

/** Tells the project of a folder, for whoever runs this process. */
function projectFor(env: Env): HookPlace["projectOf"] {
  const person = personOf(env);
  return (folder) => projectOf(folder, person);
}

/** The variables, with the server that a flag names before that of CAIRN_URL. */
const reaching = (env: Env, { url }: ReachOptions): Env => (url === undefined ? env : { ...env, CAIRN_URL: url });

/** A hook calls the server that there is, and opens no folder. */
async function hookPlaceOf(env: Env, options: CommonOptions): Promise<HookPlace> {
  const config = await configFor(env, options);
  const remote = remoteOf(env);
  const running = remote ? null : runningServer(placeOf(config));
  return {
    server: running ? announced(running) : remote,
    has_key: remote?.key !== undefined,
    folder: join(config.cache, "hooks"),
    projectOf: projectFor(env),
  };
}

/** The proxy of MCP reaches one server, and starts it unless it was told of one elsewhere. */
async function proxyPlaceOf(
  env: Env,
  options: CommonOptions,
): Promise<Pick<ProxyOptions, "find" | "projectOf" | "folder" | "parent">> {
  const remote = remoteOf(env);
  const config = await configFor(env, options);
  const place = { projectOf: projectFor(env), folder: process.cwd(), parent: PARENT };
  if (remote) return { ...place, find: async () => remote };
  const [{ ensureServer }, { selfCommand }] = await Promise.all([
    import("../cli/proxy/server.ts"),
    import("../cli/setup/place.ts"),
  ]);
  return { ...place, find: () => ensureServer({ ...placeOf(config), self: selfCommand(env), env }) };
}
