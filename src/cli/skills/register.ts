import { realpathSync, statSync } from "node:fs";
import type { JsonObject } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import { kindAt, SkillSyncError, textAt, writeWhole } from "./file.ts";

/** Where OpenClaw keeps its further folders of skills. */
const USUAL_LIST = "skills.load.extraDirs";
const INDENT = 2;

/** The list of folders that a harness loads skills from. */
export interface Register {
  readonly file: string;
  /** Names on the way to the list. */
  readonly list: readonly string[];
}

/** `FILE` or `FILE#path.of.list`. */
export function parseRegister(setting: string): Register {
  const [file = "", list = USUAL_LIST] = setting.split("#");
  return { file, list: list.split(".") };
}

/** The text of the file with the folders in its list; null when they are in it. Throws SkillSyncError for a file of another shape. */
export function registered({ file, list }: Register, dirs: readonly string[]): string | null {
  const root = readConfig(file);
  const present = listIn(root, { file, list });
  const missing = dirs.filter((dir) => !present.includes(dir));
  if (missing.length === 0) return null;
  return `${JSON.stringify(withList(root, list, [...present, ...missing]), null, INDENT)}\n`;
}

/** Writes the file whole, with the rights it had, where a link to it leads. */
export function writeRegister({ file }: Register, text: string): void {
  const there = kindAt(file) === "nothing" ? file : realpathSync(file);
  const mode = statSync(there, { throwIfNoEntry: false })?.mode ?? 0o600;
  writeWhole(there, text, mode & 0o777);
}

function readConfig(file: string): JsonObject {
  if (kindAt(file) === "nothing") return {};
  try {
    const root: unknown = JSON.parse(textAt(realpathSync(file)) ?? "");
    if (isJsonObject(root)) return root;
  } catch {
    // Told below: a file with comments is no JSON either, and must not lose them.
  }
  throw new SkillSyncError(`${file} is not a JSON object. Add the folders to it by hand.`);
}

function listIn(root: JsonObject, { file, list }: Register): string[] {
  let place: unknown = root;
  for (const name of list) {
    if (!isJsonObject(place)) throw new SkillSyncError(`${file} has no place for a list at ${list.join(".")}.`);
    place = place[name];
    if (place === undefined) return [];
  }
  if (Array.isArray(place) && place.every((one) => typeof one === "string")) return place;
  throw new SkillSyncError(`${list.join(".")} in ${file} is no list of texts.`);
}

function withList(root: JsonObject, [name = "", ...rest]: readonly string[], dirs: string[]): JsonObject {
  const inner = root[name];
  const child = rest.length === 0 ? dirs : withList(isJsonObject(inner) ? inner : {}, rest, dirs);
  return { ...root, [name]: child };
}
