import { lstatSync, rmSync } from "node:fs";
import { basename } from "node:path";
import type { HeldFolder } from "../../../core/kernel/files/held-folder.ts";
import { isOwn } from "../../../core/kernel/files/private-files.ts";
import type { Backup } from "../../../core/schema/keeping/backup.ts";

/** How many of those that stay are named. */
const NAMED_MAX = 20;

/**
 * Removes those backups of a folder that are more than are to be kept beside the one just made, and returns those that it leaves:
 * anybody can put a file there whose manifest says what it likes, so that those of other users, and those dated later than the one
 * just made, count for nothing, and links neither. What cannot be removed stays.
 */
export function pruneBeside(folder: HeldFolder, made: Backup, all: readonly Backup[], keep: number): string[] {
  const others = all.filter(({ file }) => file !== made.file);
  const isCounted = ({ file, manifest }: Backup) =>
    manifest.created_at <= made.manifest.created_at && isOwnFile(folder.at(basename(file)));
  const counted = others.filter(isCounted);
  const stuck = counted.slice(keep - 1).filter(({ file }) => !isRemoved(folder.at(basename(file))));
  return [...others.filter((one) => !counted.includes(one)), ...stuck].slice(0, NAMED_MAX).map(({ file }) => file);
}

/** Whether this very user wrote it: root does not count what others made, either. */
function isOwnFile(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && isOwn(found);
}

function isRemoved(path: string): boolean {
  try {
    rmSync(path);
    return true;
  } catch {
    return false;
  }
}
