import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Machine, Scope } from "./harness.ts";

/** The folder where programs keep their settings: XDG_CONFIG_HOME, or APPDATA on Windows. */
export function configFolder({ platform, home, env }: Machine): string {
  if (platform === "win32") return env.APPDATA || join(home, "AppData", "Roaming");
  return env.XDG_CONFIG_HOME || join(home, ".config");
}

export const base = ({ home, project }: Machine, scope: Scope): string => (scope === "project" ? project : home);
export const claudeFolder = ({ home, env }: Machine): string => env.CLAUDE_CONFIG_DIR || join(home, ".claude");
export const opencodeFolder = ({ home, env }: Pick<Machine, "home" | "env">): string =>
  join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
export const geminiFile = (machine: Machine, scope: Scope): string =>
  join(base(machine, scope), ".gemini", "settings.json");
export const zedName = ({ platform }: Machine): string => (platform === "win32" ? "Zed" : "zed");

export function codexFolder(machine: Machine, scope: Scope): string {
  if (scope === "project") return join(machine.project, ".codex");
  return machine.env.CODEX_HOME || join(machine.home, ".codex");
}

export function vscodeFolder(machine: Machine): string {
  const folder =
    machine.platform === "darwin" ? join(machine.home, "Library", "Application Support") : configFolder(machine);
  return join(folder, "Code", "User");
}

export function jsonOrJsonc(file: string): string {
  return existsSync(`${file}c`) ? `${file}c` : file;
}
