import { Database } from "bun:sqlite";
import { join } from "node:path";
import { getLoadablePath } from "sqlite-vec";
import { describeFile, extractFiles, isEmbedded } from "../../../core/kernel/files/embedded-files.ts";
import type { Logger } from "../../../core/kernel/log.ts";
import { describeCause } from "../../../core/kernel/log.ts";

/**
 * Path of the sqlite-vec library; null where SQLite takes no extensions (as that of macOS), or the library cannot be put where
 * it may be executed: codes then lie in plain tables.
 */
export function loadableExtension(cacheDir: string, log: Pick<Logger, "warn">): string | null {
  const probe = new Database(":memory:");
  try {
    const path = vectorExtensionPath(cacheDir);
    probe.loadExtension(path);
    return path;
  } catch (error) {
    log.warn("vectors are kept without sqlite-vec", { cause: describeCause(error) });
    return null;
  } finally {
    probe.close();
  }
}

/** Path of the sqlite-vec library for `db.loadExtension`; the executable unpacks its copy into `cacheDir` first. */
export function vectorExtensionPath(cacheDir: string): string {
  const path = getLoadablePath();
  if (!isEmbedded(path)) return path;
  // The embedded name carries a hash; SQLite derives the entry point from the file's name, which must start with vec0.
  const file = describeFile(path, `vec0${path.slice(path.lastIndexOf("."))}`);
  return join(extractFiles("sqlite-vec", [file], cacheDir), file.name);
}
