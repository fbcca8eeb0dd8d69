import type { Stats } from "node:fs";
import { lstatSync, rmSync } from "node:fs";
import type { Backup } from "../../../core/schema/keeping/backup.ts";

/** How many of those that stay are named. */
const NAMED_MAX = 20;

/**
 * Removes the backups beside the one just made that are more than are to be kept, and returns those that it leaves: anybody can
 * put a file there whose manifest says what it likes, so that those of other users, and those dated later than the one just
 * made, count for nothing. What cannot be removed stays.
 */
export function pruneBeside(made: Backup, all: readonly Backup[], keep: number): string[] {
  const others = all.filter(({ file }) => file !== made.file);
  const isCounted = ({ file, manifest }: Backup) =>
    manifest.created_at <= made.manifest.created_at && isOwn(lstatSync(file, { throwIfNoEntry: false }));
  const counted = others.filter(isCounted);
  const stuck = counted.slice(keep - 1).filter(({ file }) => !isRemoved(file));
  return [...others.filter((one) => !counted.includes(one)), ...stuck].slice(0, NAMED_MAX).map(({ file }) => file);
}

/** Whether this very user wrote it: root does not count what others made, either. */
const isOwn = (found: Stats | undefined): boolean =>
  found !== undefined && (process.geteuid === undefined || found.uid === process.geteuid());

function isRemoved(file: string): boolean {
  try {
    rmSync(file);
    return true;
  } catch {
    return false;
  }
}
