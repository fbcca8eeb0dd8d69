import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isEmbedded } from "../../core/kernel/files/embedded-files.ts";
import { beginsProject } from "../../projects/folder/begins-project.ts";
import type { Person } from "../../projects/folder/person.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The executable of this name that the caller's PATH leads to; null when there is none. */
export const commandAt = (name: string, { PATH }: Env): string | null => Bun.which(name, { PATH: PATH ?? "" });

/**
 * How this program is started again: the executable, by the name on the PATH when that leads to it, so that an update
 * which moves the link is followed; or, from source, the runtime and the program's own file.
 */
export function selfCommand(env: Env): string[] {
  if (!isEmbedded(import.meta.path)) return [process.execPath, join(import.meta.dir, "..", "..", "main.ts")];
  return [onPath(env) ?? process.execPath];
}

/** What a person types to call this program: its name where the PATH leads to it, else its path; from source, what npm offers in its folder. */
export function typedCommand(env: Env): string {
  if (!isEmbedded(import.meta.path)) return FROM_SOURCE;
  return onPath(env) === null ? process.execPath : "cairn";
}

/** What npm calls this program by, in the folder of its source alone. */
export const FROM_SOURCE = "npx cairn";

/** Where the PATH leads to this executable; null where it does not. */
function onPath(env: Env): string | null {
  const named = commandAt("cairn", env);
  return named !== null && realpathSync(named) === realpathSync(process.execPath) ? named : null;
}

/**
 * The folder that a project begins at: the nearest one upwards, below the home folder, that says so; else the one given.
 * Nothing is looked for beyond a repository of somebody else.
 */
export function projectFolder(folder: string, person: Person): string {
  for (let place = folder; place !== person.home || place === folder; place = dirname(place)) {
    const begins = beginsProject(place, person);
    if (begins) return begins === "theirs" ? folder : place;
    if (dirname(place) === place) break;
  }
  return folder;
}
