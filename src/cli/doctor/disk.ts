import { closeSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openPrivateFile } from "../../core/kernel/files/private-files.ts";
import type { DoctorFinding } from "./finding.ts";
import { about } from "./finding.ts";
import { megabytes, sizeOf } from "./folder.ts";

/** File systems that other machines may write to at the same time, by the number that Linux gives them. */
const SHARED: Readonly<Record<number, string>> = {
  26985: "NFS",
  20859: "SMB",
  4283649346: "CIFS",
  4266872130: "SMB2",
  16914839: "9P",
  1702057286: "FUSE",
  12805120: "Ceph",
  1397113167: "AFS",
};
const IN_MEMORY: Readonly<Record<number, string>> = { 16914836: "tmpfs", 2240043254: "ramfs" };

/** Below this, the next hours may fill it. */
const FREE_MIN_BYTES = 64 * 1024 * 1024;
/** What rebuilding the indexes may need beside the data, at most. */
const FREE_SHARE = 0.1;

/** On what kind of disk the folder lies, how much of it is free, and whether it takes anything. */
export function inspectDisk(folder: string): DoctorFinding[] {
  const say = about("data", "disk");
  const { type, bavail, bsize } = statfsSync(folder);
  return [kindOf(type), spaceOf(folder, bavail * bsize), probe(folder)].map((finding) => finding ?? say.well("local"));
}

function kindOf(type: number): DoctorFinding | null {
  const say = about("data", "disk");
  if (process.platform !== "linux") return say.note("what kind of file system it is, is told on Linux only");
  const shared = SHARED[type >>> 0];
  if (shared !== undefined) {
    return say.fault(`The folder lies on a shared file system (${shared}).`, {
      why: "SQLite's locks and its log do not hold there: two machines may write at once, and the data be damaged.",
      repair: "Stop the server, copy the folder to a local disk, then: cairn serve --data FOLDER",
    });
  }
  const fleeting = IN_MEMORY[type >>> 0];
  return fleeting === undefined ? null : say.note(`The folder lies in memory (${fleeting}): a restart empties it.`);
}

function spaceOf(folder: string, free: number): DoctorFinding {
  const say = about("data", "space");
  const needed = Math.max(FREE_MIN_BYTES, FREE_SHARE * (sizeOf(join(folder, "cairn.db")) ?? 0));
  if (free >= needed) return say.well(`${megabytes(free)} free`);
  return say.fault(`Only ${megabytes(free)} are free on the disk of ${folder}; ${megabytes(needed)} should be.`, {
    why: "On a full disk nothing is written any more: every save is refused until there is space.",
    repair: `df -h ${folder}`,
  });
}

const PROBE_BYTES = 64 * 1024;

/** Writes a file and takes it away again: what modes and mounts promise, only this proves. */
function probe(folder: string): DoctorFinding {
  const say = about("data", "writable");
  const path = join(folder, `.cairn-doctor-${process.pid}`);
  try {
    const file = openPrivateFile(path, { empties: true });
    try {
      writeSync(file, new Uint8Array(PROBE_BYTES));
    } finally {
      closeSync(file);
      rmSync(path, { force: true });
    }
    return say.well("takes what is written");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return say.fault(`Nothing can be written into ${folder} (${code}).`, {
      why: "Reads go on; every save is refused until the folder takes it.",
      repair: REPAIRS[code]?.(folder) ?? `ls -ld ${folder}`,
    });
  }
}

const REPAIRS: Readonly<Record<string, (folder: string) => string>> = {
  ENOSPC: (folder) => `df -h ${folder}`,
  EDQUOT: (folder) => `df -h ${folder}`,
  EROFS: (folder) => `mount -o remount,rw "$(df --output=target ${folder} | tail -1)"`,
  EACCES: (folder) => `chmod u+rwx ${folder}`,
  EPERM: (folder) => `chmod u+rwx ${folder}`,
};
