import { fstatSync, ftruncateSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { printError } from "../cli/print.ts";
import { LOG_MAX_BYTES, SERVER_LOG } from "../cli/proxy/server.ts";

const STDERR = 2;

/**
 * Writes lines to standard error. Where that goes into the log of the data folder, as of a server that was started in the
 * background, no one else cuts it: then the newer half is kept whenever it is full. A file that a person named is theirs.
 */
export function serverLogWriter(data: string): (line: string) => void {
  const path = join(data, SERVER_LOG);
  let size = sizeOfOwn(path);
  if (size === null) return printError;
  return (line) => {
    printError(line);
    size = (size ?? 0) + Buffer.byteLength(line);
    if (size > LOG_MAX_BYTES) size = keepNewerHalf(path);
  };
}

/** Bytes of the log of a folder, if it is where standard error goes; else null. */
function sizeOfOwn(path: string): number | null {
  try {
    const [ours, there] = [fstatSync(STDERR), statSync(path)];
    return ours.isFile() && ours.dev === there.dev && ours.ino === there.ino ? ours.size : null;
  } catch {
    return null;
  }
}

/** Returns how many bytes are left. What cannot be cut is looked at again when as much has been written once more. */
function keepNewerHalf(path: string): number {
  try {
    if (sizeOfOwn(path) === null) return 0;
    const bytes = readFileSync(path);
    const kept = bytes.subarray(bytes.indexOf("\n", Math.floor(bytes.length / 2)) + 1);
    ftruncateSync(STDERR, 0);
    return writeSync(STDERR, kept);
  } catch {
    return 0;
  }
}
