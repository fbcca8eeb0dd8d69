import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { isOwnAccount } from "../../core/kernel/account.ts";

// Who holds what a start needs. What only /proc tells is told on Linux; elsewhere, and of strangers' processes, nothing is.

/**
 * `process 4711 (cairn serve)`, with its program and what it was told to do where that can be read; what follows, and any
 * word that is not plainly a name, may be a key, or somebody's text.
 */
export function processNamed(pid: number): string {
  const [program = "", ...words] = readOr(`/proc/${pid}/cmdline`)
    .split("\0")
    .map((word) => word.trim());
  const script = words[0]?.includes("/") ? [words.shift()] : [];
  const command = [program, ...script, words[0]]
    .map((word) => basename(word ?? ""))
    .filter((word) => NAME.test(word))
    .join(" ");
  return `process ${pid}${command === "" ? "" : ` (${command})`}`;
}

/** A word that a message may repeat. */
const NAME = /^[A-Za-z0-9][\w.+-]{0,39}$/;

/** The process that has a lock on a file; null when nobody can say. */
export function holderOfFile(path: string): number | null {
  try {
    const { ino } = statSync(path);
    // 1: POSIX  ADVISORY  WRITE 4711 fe:00:131080 0 EOF
    const locks = readOr("/proc/locks")
      .split("\n")
      .map((line) => line.trim().split(/\s+/));
    const held = locks.find((words) => words.some((word) => word.endsWith(`:${ino}`)));
    return asPid(held?.[4]);
  } catch {
    return null;
  }
}

/** The process that uses a data folder; null when nobody can say. */
export const holderOfFolder = (folder: string): number | null => holderOfFile(join(folder, "cairn.lock"));

/** The process that listens on a port; null when nobody can say. */
export function holderOfPort(port: number): number | null {
  const sockets = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) => listening(readOr(table), port));
  if (sockets.length === 0) return null;
  const wanted = new Set(sockets.map((inode) => `socket:[${inode}]`));
  return asPid(filesIn("/proc").find((name) => asPid(name) !== null && holdsOne(name, wanted)));
}

const LISTENS = "0A";

/** Inodes of the sockets of a table of /proc that listen on a port. */
function listening(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return table.split("\n").flatMap((line) => {
    // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode
    const words = line.trim().split(/\s+/);
    return words[1]?.endsWith(suffix) && words[3] === LISTENS ? (words[9] ?? []) : [];
  });
}

function holdsOne(pid: string, wanted: ReadonlySet<string>): boolean {
  const folder = `/proc/${pid}/fd`;
  return filesIn(folder).some((name) => {
    try {
      return wanted.has(readlinkSync(join(folder, name)));
    } catch {
      return false;
    }
  });
}

const asPid = (word: string | undefined): number | null => (word && /^[1-9]\d*$/.test(word) ? Number(word) : null);

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Whether a process runs, as far as this one may know. */
export function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether a process is this very account's; also where only /proc would tell. */
export function isOwnProcess(pid: number): boolean {
  const [, real, effective] = /^Uid:\s+(\d+)\s+(\d+)/m.exec(readOr(`/proc/${pid}/status`)) ?? [];
  return [real, effective].every((uid) => uid === undefined || isOwnAccount(Number(uid)));
}
