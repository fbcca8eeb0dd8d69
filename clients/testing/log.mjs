// What an instance writes, and how it comes into the error of a failed test.
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file without a name, so that it goes with its last reader, and what was written last can be read at once; `limit` bytes of it at most. */
export function openLog(limit) {
  const folder = mkdtempSync(join(tmpdir(), "cairn-log-"));
  const fd = openSync(join(folder, "log"), "a+");
  if (process.platform !== "win32") rmSync(folder, { recursive: true });
  let last = null;
  const size = () => fstatSync(fd).size;
  const read = (from) => {
    if (last !== null) return last;
    const start = Math.max(from, size() - limit);
    const bytes = Buffer.alloc(size() - start);
    return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, start));
  };
  const close = (from) => {
    last = read(from);
    closeSync(fd);
  };
  return { fd, size, read, close };
}

/** The same error, with what the instance wrote since the last reset. */
export function withLog(error, log) {
  const failed = error instanceof Error ? error : new Error(String(error));
  const told = `\n--- cairn log ---\n${log.trimEnd() || "(empty)"}\n--- end of the cairn log ---`;
  const stack = failed.stack;
  failed.message += told;
  if (stack && !stack.includes(told)) failed.stack = stack + told;
  return failed;
}
