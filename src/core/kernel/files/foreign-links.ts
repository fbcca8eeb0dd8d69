import { lstatSync, readlinkSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { isOwn, isRoots } from "./private-files.ts";

/** More links than a path of a person's has; systems stop at as many (ELOOP). */
const LINKS_MAX = 40;

/** A link on the way to a path that belongs to another account, which may lead it elsewhere at any time; null without one. */
export function foreignLink(path: string): string | null {
  let rest = partsOf(resolve(path));
  let at: string = sep;
  for (let links = 0; ; ) {
    const [name, ...others] = rest;
    if (name === undefined) return null;
    const place = join(at, name);
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (!found) return null;
    if (!found.isSymbolicLink()) [at, rest] = [place, others];
    else if (!(isOwn(found) || isRoots(found)) || ++links > LINKS_MAX) return place;
    else [at, rest] = [sep, [...partsOf(resolve(at, readlinkSync(place))), ...others]];
  }
}

const partsOf = (path: string): string[] => path.split(sep).filter((part) => part !== "");
