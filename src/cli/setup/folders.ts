import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Machine, Scope } from "./harness.ts";

/** The folder where programs keep their settings: XDG_CONFIG_HOME, or APPDATA on Windows. */
export function configFolder({ platform, home, env }: Machine): string {
  if (platform === "win32") return env.APPDATA || join(home, "AppData", "Roaming");
  return env.XDG_CONFIG_HOME || join(home, ".config");
}

/** The folder that a set-up writes below: the project or the home folder. */
export const base = ({ home, project }: Machine, scope: Scope): string => (scope === "project" ? project : home);
/** Where Claude Code keeps its settings. */
export const claudeFolder = ({ home, env }: Machine): string => env.CLAUDE_CONFIG_DIR || join(home, ".claude");
/** Where OpenCode keeps its settings. */
export const opencodeFolder = ({ home, env }: Pick<Machine, "home" | "env">): string =>
  join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
/** Gemini CLI's settings file. */
export const geminiFile = (machine: Machine, scope: Scope): string =>
  join(base(machine, scope), ".gemini", "settings.json");
/** The name of Zed's settings folder on this system. */
export const zedName = ({ platform }: Machine): string => (platform === "win32" ? "Zed" : "zed");

/** Where Codex keeps its settings. */
export function codexFolder(machine: Machine, scope: Scope): string {
  if (scope === "project") return join(machine.project, ".codex");
  return machine.env.CODEX_HOME || join(machine.home, ".codex");
}

/** Where Visual Studio Code keeps the settings of its user. */
export function vscodeFolder(machine: Machine): string {
  const folder =
    machine.platform === "darwin" ? join(machine.home, "Library", "Application Support") : configFolder(machine);
  return join(folder, "Code", "User");
}

/** The settings file that is there, with comments or without; the plain one where neither is. */
export function jsonOrJsonc(file: string): string {
  return existsSync(`${file}c`) ? `${file}c` : file;
}
