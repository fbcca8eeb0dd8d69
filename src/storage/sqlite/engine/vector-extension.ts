import { join } from "node:path";
import { getLoadablePath } from "sqlite-vec";
import { describeFile, extractFiles, isEmbedded } from "../../../core/kernel/embedded-files.ts";

/** Path of the sqlite-vec library for `db.loadExtension`; the executable unpacks its copy into `cacheDir` first. */
export function vectorExtensionPath(cacheDir: string): string {
  const path = getLoadablePath();
  if (!isEmbedded(path)) return path;
  // The embedded name carries a hash; SQLite derives the entry point from the file's name, which must start with vec0.
  const file = describeFile(path, `vec0${path.slice(path.lastIndexOf("."))}`);
  return join(extractFiles("sqlite-vec", [file], cacheDir), file.name);
}
