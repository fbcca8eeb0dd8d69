import { isAbsolute, relative, resolve, sep } from "node:path";

/** Whether a path says that it is a folder, by what ends it. */
export const endsAsFolder = (path: string): boolean => path.endsWith("/") || path.endsWith(sep);

/** Whether a path is a folder's, or of something below it, by their names alone: what links lead to is not looked at. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, resolve(path));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
