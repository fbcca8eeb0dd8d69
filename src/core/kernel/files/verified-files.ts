import { createHash, randomUUID } from "node:crypto";
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { systemClock } from "../clock.ts";
import { isOnlyOursToChange, PRIVATE_FILE, readPrivateFile } from "./private-files.ts";

/** A file and what its content must be. */
export interface Expected {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Which files of a folder were read whole and found as expected, since which boot. */
const RECEIPT = "verified.json";
const RECEIPT_MAX_BYTES = 65_536;
const Receipt = z.object({ boot: z.string(), files: z.record(z.string(), z.string()) });

/**
 * Those files of a folder that are not there with the content expected. A file is hashed once for each boot and identity on
 * disk (device, inode, size, times of its content and of its inode, the last of which only the system sets): whoever may
 * write the receipt may as well replace this program.
 */
export function unverifiedOf<File extends Expected>(folder: string, files: readonly File[]): File[] {
  const boot = bootId();
  const known = receiptOf(folder, boot);
  const found = files.map((file) => ({ file, state: stateOf(join(folder, file.name), file, known[file.name]) }));
  const now = Object.fromEntries(found.flatMap(({ file, state }) => (state ? [[file.name, state]] : [])));
  if (Object.entries(now).some(([name, state]) => known[name] !== state)) keepReceipt(folder, { boot, files: now });
  return found.flatMap(({ file, state }) => (state === null ? [file] : []));
}

/** A file's identity and expected content, where it has that content and nobody else could have changed it; null else. */
function stateOf(path: string, { bytes, sha256 }: Expected, known: string | undefined): string | null {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!found?.isFile() || found.size !== BigInt(bytes)) return null;
  if (!isOnlyOursToChange({ uid: Number(found.uid), gid: Number(found.gid), mode: Number(found.mode) })) return null;
  const state = [sha256, found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(" ");
  if (state === known) return state;
  return createHash("sha256").update(readFileSync(path)).digest("hex") === sha256 ? state : null;
}

/** What was found since this boot; nothing from a receipt that cannot be read, or that somebody else can have written. */
function receiptOf(folder: string, boot: string): Readonly<Record<string, string>> {
  try {
    const receipt = Receipt.parse(JSON.parse(readPrivateFile(join(folder, RECEIPT), RECEIPT_MAX_BYTES)));
    return receipt.boot === boot ? receipt.files : {};
  } catch {
    return {};
  }
}

/** A folder that takes no file, a read-only one say, has its files hashed at each start. */
function keepReceipt(folder: string, receipt: z.infer<typeof Receipt>): void {
  const draft = join(folder, `${RECEIPT}.${randomUUID()}`);
  try {
    writeFileSync(draft, JSON.stringify(receipt), { mode: PRIVATE_FILE, flag: "wx" });
    renameSync(draft, join(folder, RECEIPT));
  } catch {
    rmSync(draft, { force: true });
  }
}

const MINUTE_MS = 60_000;

/** What is another after each boot of the machine: Linux has a name for it, elsewhere the minute of it serves. */
function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return String(Math.round((systemClock.now() - uptime() * 1_000) / MINUTE_MS));
  }
}
