import { chmodSync, closeSync, openSync, statSync } from "node:fs";

/** Modes of what only its owner may read. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

const OTHERS = 0o077;

/** The mode of a folder that others than its owner may enter, read or write, as `0755`; null when none may. */
export function modeOpenToOthers(folder: string): string | null {
  const mode = process.platform === "win32" ? undefined : statSync(folder, { throwIfNoEntry: false })?.mode;
  return mode !== undefined && (mode & OTHERS) !== 0 ? (mode & 0o7777).toString(8).padStart(4, "0") : null;
}

/** Makes an empty file that only its owner may read; one that exists stays as it is. */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", PRIVATE_FILE));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

/** Takes a file away from others than its owner, as far as it is ours to do so. */
export function tightenFile(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || (mode & OTHERS) === 0) return;
  try {
    chmodSync(path, PRIVATE_FILE);
  } catch {
    // It belongs to somebody else, or lies on a file system that cannot be changed: then it is not ours to close.
  }
}
