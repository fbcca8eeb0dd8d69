import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { SkillSyncError } from "./file.ts";

/**
 * Throws SkillSyncError for a folder that is named within a repository and lies elsewhere: whoever wrote the repository chose where
 * its links lead, and a person's own files may be there. The home folder may be a repository of that person's own.
 */
export function requireWithinRepository(dir: string, home: string): void {
  const place = realPlace(dir);
  for (let folder = dirname(resolve(dir)); folder !== home && folder !== dirname(folder); folder = dirname(folder)) {
    if (!existsSync(join(folder, ".git"))) continue;
    const root = realpathSync(folder);
    if (place === root || place.startsWith(`${root}${sep}`)) continue;
    throw new SkillSyncError(
      `${dir} is in the repository ${folder}, and leads out of it to ${place}. Name that folder itself.`,
    );
  }
}

/** Where a folder lies, links resolved, or would lie. */
function realPlace(dir: string): string {
  const path = resolve(dir);
  let there = path;
  while (!lstatSync(there, { throwIfNoEntry: false })) there = dirname(there);
  return join(realpathSync(there), relative(there, path));
}
