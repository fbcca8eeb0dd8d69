import { isJsonObject } from "../../core/kernel/json.ts";
import type { Backup } from "./backups.ts";
import { backupsOf } from "./backups.ts";
import { causeInWords, Unreadable } from "./error.ts";
import type { Change } from "./files.ts";
import type { Ground } from "./ground.ts";
import { readJson } from "./json-text.ts";
import { merge, partsIn, saysNothing, strip } from "./merge.ts";
import type { ConfigPart, Spot } from "./part.ts";
import { readText } from "./read-text.ts";
import { tableAt } from "./toml-text.ts";

/** A file of a harness, and what of ours it is to hold: no parts, when ours are to go. */
export interface Wanted {
  readonly file: string;
  readonly spot: Spot;
  readonly parts: readonly ConfigPart[];
}

/** A change, or why there can be none; before and after are the same where nothing is to be done. */
export type Planned = Change | { readonly file: string; readonly fault: string };

/** What is to become of a file. Reads only, and throws nothing: a file that cannot be worked with is a fault. */
export function planFile({ file, spot, parts }: Wanted, ground: Ground): Planned {
  try {
    const before = readText(file, ground);
    if (parts.length === 0) return planRemoval({ file, spot, ground }, before);
    const text = before ?? "";
    const placed = parts.map((part) =>
      part.kind === "entry" ? { ...part, path: pathIn(text, spot, part.path) } : part,
    );
    return { file, before, after: merge(text, spot, placed), spent: [] };
  } catch (error) {
    return { file, fault: faultOf(file, error) };
  }
}

function faultOf(file: string, error: unknown): string {
  // What reads JSON and TOML goes down into each list and table in turn.
  if (error instanceof RangeError) return `${file}: it is nested too deeply`;
  if (!(error instanceof Unreadable)) return `${file} cannot be read: ${causeInWords(error)}`;
  const { message, line, column } = error;
  return line === null ? `${file}: ${message}` : `${file}, line ${line}, column ${column}: ${message}`;
}

/** Where an entry belongs in this file: where it is, else in the first of the other places that the file has, else as told. */
function pathIn(text: string, spot: Spot, told: readonly string[]): readonly string[] {
  if (spot.entries.length < 2) return told;
  const root = readJson(text.replace(/^\uFEFF/, ""));
  const has = (path: readonly string[]) => isJsonObject(tableAt(root, path));
  return (
    spot.entries.find(has) ??
    spot.entries.find((path) => path !== told && path.length > told.length && has(path.slice(0, -1))) ??
    told
  );
}

/**
 * Gives back the very bytes of before, where a backup, or no file at all, and our parts make up what is there now;
 * where somebody has changed the file since, takes out our parts and leaves the rest.
 */
function planRemoval(
  { file, spot, ground }: Pick<Wanted, "file" | "spot"> & { ground: Ground },
  before: string | null,
): Planned {
  const parts = before === null ? [] : partsIn(before, spot);
  if (before === null || parts.length === 0) return { file, before, after: before, spent: [] };
  const backups = backupsOf(file, ground);
  const origins = [...backups.map(({ text }) => text).filter((text) => isFree(text, spot)), null];
  const origin = origins.find((text) => madeOf(text, spot, parts) === before);
  if (origin !== undefined) return { file, before, after: origin, spent: spentOn(origin, spot, backups) };
  const like = origins[0] ?? "";
  const after = strip(before, spot, like);
  return { file, before, after: backups.length === 0 && saysNothing(after) ? null : after, spent: [] };
}

/** Null when the text cannot take the parts. */
function madeOf(text: string | null, spot: Spot, parts: readonly ConfigPart[]): string | null {
  try {
    return merge(text ?? "", spot, parts);
  } catch {
    return null;
  }
}

/** A backup may be broken, or of another shape, and is then no origin. */
function isFree(text: string, spot: Spot): boolean {
  try {
    return partsIn(text, spot).length === 0;
  } catch {
    return false;
  }
}

function spentOn(origin: string | null, spot: Spot, backups: readonly Backup[]): string[] {
  const isSpent = ({ text }: Backup) => {
    if (text === origin) return true;
    try {
      return madeOf(origin, spot, partsIn(text, spot)) === text;
    } catch {
      return false;
    }
  };
  return backups.filter(isSpent).map(({ path }) => path);
}
