import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** The folder in which Claude Code keeps memories of a project: the project's own path, each sign of it that is no letter or digit a "-". */
const KEPT = /(?:^|[\\/])(-[\w-]*|[A-Za-z]--[\w-]*)[\\/]memory[\\/]/;

/** The name of such a folder that a file lies in; null for none. */
export const keptProject = (path: string): string | null => KEPT.exec(path)?.[1] ?? null;

/** So many folders are looked into for one name. */
const LOOKED_INTO_MAX = 100;

/** The path that such a name was made of: the folder of this machine that fits it, else its parts as steps. */
export async function namedFolder(kept: string): Promise<string> {
  let left = LOOKED_INTO_MAX;
  /** Looks below a folder for what the rest of the name says, the longest step first: `my-app` before `my`. */
  const below = async (folder: string, rest: string): Promise<string | null> => {
    if (rest === "") return folder;
    if (left-- <= 0) return null;
    const steps = (await foldersIn(folder)).map((name) => ({ name, said: `-${name.replace(/[^A-Za-z0-9]/g, "-")}` }));
    const fitting = steps.filter(({ said }) => rest === said || rest.startsWith(`${said}-`));
    for (const { name, said } of fitting.sort((a, b) => b.said.length - a.said.length)) {
      const found = await below(join(folder, name), rest.slice(said.length));
      if (found !== null) return found;
    }
    return null;
  };
  return (kept.startsWith("-") ? await below("/", kept) : null) ?? kept.replace(/-+/g, "/");
}

async function foldersIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}
