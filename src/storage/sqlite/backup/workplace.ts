import { lstatSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../../core/kernel/errors.ts";
import type { HeldFolder } from "../../../core/kernel/files/held-folder.ts";
import { holdFolder, holdOwn } from "../../../core/kernel/files/held-folder.ts";
import { isOwn, requireOnlyOursToChange } from "../../../core/kernel/files/private-files.ts";
import { describeCause } from "../../../core/kernel/log.ts";
import { isRunning } from "../../../core/kernel/processes.ts";
import { BACKUP_END } from "./file-format.ts";

/** What names of half-done work begin with, the process that does it behind. */
const WORK = `.cairn-backup-${process.pid}-`;
/** The same of any process, and as earlier releases named it: after the backup. */
const LEFT = [/^\.cairn-backup-(\d+)-/, /^\..*-(\d+)-\w{6}$/];
/** What lies in a folder of such work. */
const WORK_FILE = /^(copy\.db|packed)/;

/** The name of a backup until it is whole. */
export const partName = (): string => `${WORK}${crypto.randomUUID()}.part`;

/**
 * Makes a folder of its own for the copy in clear, where nobody else can read it or put another in its place: beside the backup if
 * only this user can change what lies there, else in the data folder. Throws UNAVAILABLE where that takes nothing.
 */
export function makeWorkFolder(destination: string, data: string): string {
  const own = ownFolder(destination);
  if (own !== null) return mkdtempSync(join(own, WORK));
  try {
    return mkdtempSync(join(data, WORK));
  } catch (cause) {
    throw new AppError(
      "UNAVAILABLE",
      `Others may change ${destination}, so the copy that is packed is made in ${data}, which cannot be written: ${describeCause(cause)}. Choose a folder that only you may write into.`,
      undefined,
      { cause },
    );
  }
}

/** A folder without links, if only this user can change what lies there; null else. */
function ownFolder(folder: string): string | null {
  try {
    return requireOnlyOursToChange(folder);
  } catch {
    return null;
  }
}

/** Removes what processes of this user that have ended left half done in a folder: plain files alone, through no link. */
export function removeAbandoned(path: string): void {
  const folder = holdFolder(path, { follows: true });
  try {
    for (const name of folder.names()) {
      const pid = pidIn(name);
      if (pid !== null && !isRunning(pid)) removeOwn(folder, name);
    }
  } finally {
    folder.close();
  }
}

function pidIn(name: string): number | null {
  const [now, before] = LEFT.map((form) => form.exec(name)?.[1]);
  const pid = now ?? (name.includes(BACKUP_END) ? before : undefined);
  return pid === undefined ? null : Number(pid);
}

function removeOwn(folder: HeldFolder, name: string): void {
  try {
    const found = lstatSync(folder.at(name));
    if (!isOwn(found)) return;
    if (found.isFile()) rmSync(folder.at(name));
    else if (found.isDirectory()) removeWorkFolder(folder, name);
  } catch {
    // What others may change is theirs to remove.
  }
}

/** Removes a folder of work that lies in another, where it is this user's. */
function removeWorkFolder(folder: HeldFolder, name: string): void {
  const work = holdOwn(folder, name);
  try {
    for (const one of work.names()) if (WORK_FILE.test(one)) rmSync(work.at(one));
  } finally {
    work.close();
  }
  rmdirSync(folder.at(name));
}
