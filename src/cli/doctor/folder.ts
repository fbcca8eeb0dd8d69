import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { changeOwnFolder, closeOwnFile } from "../../core/kernel/files/own-modes.ts";
import { PRIVATE_FOLDER, STICKY } from "../../core/kernel/files/private-files.ts";
import type { DoctorFinding } from "./finding.ts";
import { about } from "./finding.ts";

const DATA_FILE = "cairn.db";
/** Everything Cairn keeps in its folder begins so, but for where a server says how it is reached. */
const OURS = /^cairn\.|^server\.json$/;
const OTHERS = 0o077;

/** Whether the folder is there, holds data, and belongs to this user alone. `uid` is null where users have no numbers. */
export function inspectFolder(folder: string, uid: number | null): DoctorFinding[] {
  const place = about("data", "folder");
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) {
    const what = found ? `${folder} is a file.` : `There is no folder ${folder}.`;
    const why = "Cairn keeps everything in one folder; where it is not, nothing is remembered.";
    return [place.fault(what, { why, repair: "cairn serve --data FOLDER" })];
  }
  const size = sizeOf(join(folder, DATA_FILE));
  if (size === null) {
    const why = "What you look for is in another folder, or was lost.";
    return [place.fault(`There is no data of Cairn in ${folder}.`, { why, repair: "cairn doctor --data FOLDER" })];
  }
  return [
    place.well(`${folder}, ${megabytes(size)} of data`),
    ...ownerOf(folder, found.uid, uid),
    ...(uid === null ? [] : [modesIn(folder, found.mode)]),
  ];
}

function ownerOf(folder: string, owner: number, uid: number | null): DoctorFinding[] {
  if (uid === null) return [];
  const say = about("data", "owner");
  if (owner === uid) return [say.well(`yours (user ${uid})`)];
  // The superuser may read whatever there is, and would leave files that its owner cannot.
  return [
    say.fault(`${folder} belongs to user ${owner}, and you are user ${uid}.`, {
      why: "Files that you write there may be closed to the server of its owner.",
      repair: uid === 0 ? `sudo -u '#${owner}' cairn doctor --data ${folder}` : `sudo chown -R ${uid} ${folder}`,
    }),
  ];
}

function modesIn(folder: string, mode: number): DoctorFinding {
  const files = readdirSync(folder).filter((name) => OURS.test(name));
  const open = files.filter((name) => isOpen(statSync(join(folder, name), { throwIfNoEntry: false })?.mode ?? 0));
  const say = about("data", "mode");
  if (!isOpen(mode) && open.length === 0) return say.well(octal(mode));
  const what = isOpen(mode)
    ? `${folder} is open to others (mode ${octal(mode)}).`
    : `Others may read ${open.join(", ")} in ${folder}.`;
  const why = "Whoever else uses this machine may read every memory, and the token of the running server.";
  // A folder for everybody has to stay one.
  if (isOpen(mode) && (mode & STICKY) !== 0) return say.fault(what, { why, repair: "cairn serve --data FOLDER" });
  return say.fault(what, {
    why,
    repair: isOpen(mode) ? `chmod 700 ${folder}` : `chmod 600 ${open.map((name) => join(folder, name)).join(" ")}`,
    fix: "close_folder",
  });
}

/** Takes a folder and what Cairn keeps in it away from others; what a link leads to is not in the folder. Throws what keeps it from that. */
export function closeFolder(folder: string): void {
  const why = changeOwnFolder(folder, () => PRIVATE_FOLDER);
  if (why !== null) throw new Error(`${folder} was left as it is: ${why}`);
  const files = readdirSync(folder).filter((name) => OURS.test(name) && lstatSync(join(folder, name)).isFile());
  const left = files.filter((name) => !closeOwnFile(join(folder, name)));
  if (left.length > 0) throw new Error(`${left.join(", ")} in ${folder} cannot be closed by you`);
}

const isOpen = (mode: number): boolean => (mode & OTHERS) !== 0;
const octal = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, "0");

/** Bytes of a file; null where there is none. */
export const sizeOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.size ?? null;

const MIB = 1024 * 1024;
/** `12.3 MiB`. */
export const megabytes = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;
