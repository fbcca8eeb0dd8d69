import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, parse, relative, resolve, sep } from "node:path";
import { isWithin } from "../../core/kernel/files/paths.ts";
import { kindAt, SkillSyncError } from "./file.ts";

/**
 * Throws SkillSyncError for a folder that is named within a repository and lies elsewhere: whoever wrote the repository chose where
 * its links lead, and a person's own files may be there. The home folder may be a repository of that person's own.
 */
export function requireWithinRepository(dir: string, home: string): void {
  const place = realPlace(dir);
  for (let folder = dirname(resolve(dir)); folder !== home && folder !== dirname(folder); folder = dirname(folder)) {
    // Be it a link that leads nowhere: who wrote the repository may have made that, too.
    if (kindAt(join(folder, ".git")) === "nothing") continue;
    const root = realpathSync(folder);
    if (place === root || place.startsWith(`${root}${sep}`)) continue;
    throw new SkillSyncError(
      `${dir} is in the repository ${folder}, and leads out of it to ${place}. Name that folder itself.`,
    );
  }
}

/**
 * Whether a link leads to a folder, of those that anybody but the system's maker can have put on the way: below the home folder, or
 * else below the first folder of the path.
 */
export function isBehindLink(dir: string, home: string): boolean {
  const path = resolve(dir);
  const { root } = parse(path);
  const [first = ""] = relative(root, path).split(sep);
  const base = isWithin(path, home) ? home : join(root, first);
  return realPlace(path) !== join(realPlace(base), relative(base, path));
}

/** Where a folder lies, links resolved, or would lie. */
function realPlace(dir: string): string {
  const path = resolve(dir);
  let there = path;
  while (!lstatSync(there, { throwIfNoEntry: false })) there = dirname(there);
  return join(realpathSync(there), relative(there, path));
}
