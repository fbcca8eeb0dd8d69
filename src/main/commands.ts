import { homedir } from "node:os";
import { addCompletion } from "../cli/commands/completion.ts";
import type { ShownSetting } from "../cli/commands/config.ts";
import { addConfig } from "../cli/commands/config.ts";
import { addDoctor } from "../cli/commands/doctor.ts";
import { addIntegrity } from "../cli/commands/integrity.ts";
import { addKeys } from "../cli/commands/keys.ts";
import { addPlain } from "../cli/commands/plain.ts";
import { addServe } from "../cli/commands/serve.ts";
import { addSkills } from "../cli/commands/skills.ts";
import { addStatus } from "../cli/commands/status.ts";
import type { CommonOptions } from "../cli/connect.ts";
import type { AddCommand } from "../cli/program.ts";
import type { SkillTargets } from "../cli/skills.ts";
import { settingsText } from "../config/help.ts";
import { loadConfig, loadWithOrigins, remoteOf } from "../config/load.ts";
import { NAMES, SECRETS } from "../config/settings.ts";
import { API_VERSION, RELEASE } from "../version.ts";
import { patientFor } from "./doctor.ts";
import type { Env } from "./factory.ts";
import { configFor, flagsOf } from "./factory.ts";
import { createFiles } from "./files.ts";

/** All commands; what each needs beyond a connection is given to it here. */
export const commandsFor = (env: Env): readonly AddCommand[] => [
  (program) => addServe(program, { settings: settingsText, serve: (flags) => serveWith(env, flags) }),
  (program, cli) =>
    addStatus(program, cli, async (options) => (await configFor(env, options)).data, remoteOf(env) !== null),
  (program, cli) => addConfig(program, cli, (options) => settingsOf(env, options)),
  addKeys,
  (program, cli) => addSkills(program, cli, (options) => targetsOf(env, options)),
  (program, cli) => addDoctor(program, cli, (options, signal) => patientFor(env, options, signal)),
  (program, cli) => addIntegrity(program, cli, createFiles(env)),
  addCompletion,
  (program) => addPlain(program, `cairn ${RELEASE} (interface ${API_VERSION})`),
];

async function serveWith(env: Env, flags: readonly string[]): Promise<void> {
  const config = await loadConfig(env, flags);
  const { serve } = await import("../serve.ts");
  await serve(config);
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

async function targetsOf(env: Env, options: CommonOptions): Promise<SkillTargets> {
  const { skill_targets, skill_register } = await configFor(env, options);
  return { targets: skill_targets, register: skill_register, home: homedir() };
}
