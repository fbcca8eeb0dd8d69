import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Folders that one is in which are looked at: no file system has a path of more. */
const LEVELS_MAX = 512;

/** A folder and those that it is in, from within; none above the home folder where it lies in that. */
export function* foldersAbove(folder: string, home: string): Generator<string> {
  const tops = [resolve(home), realPath(home)];
  for (let [place, level] = [folder, 0]; level < LEVELS_MAX; place = dirname(place), level++) {
    yield place;
    if (dirname(place) === place || tops.includes(place)) return;
  }
}

/** A path without links; as it is where nothing lies there. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
