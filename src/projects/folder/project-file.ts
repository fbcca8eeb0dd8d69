import { lstatSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readPlain } from "../../core/kernel/files/plain-files.ts";
import { describeCause } from "../../core/kernel/log.ts";
import { ProjectName } from "../../core/schema/common.ts";
import { ProjectError } from "./error.ts";
import type { Person } from "./person.ts";
import { found, mayFileSay } from "./person.ts";
import { READ_MAX } from "./repository.ts";

/** Names a project in its own folder: `{"project": "name"}`. */
const PROJECT_FILE = ".cairn.json";

const ProjectFile = z.looseObject({ project: ProjectName });

/** What `.cairn.json` calls the project, and the folder that holds it. */
export interface NamedByFile {
  readonly name: string;
  readonly folder: string;
}

/** What the nearest `.cairn.json` of these folders says, from within; null without one. Throws ProjectError for one that names none. */
export function namedByFile(folders: readonly string[], person: Person): NamedByFile | null {
  for (const folder of folders) {
    const told = toldIn(folder, person);
    if (told) return { name: nameIn(join(folder, PROJECT_FILE), told), folder };
  }
  return null;
}

/** Whether a folder has a `.cairn.json` that may say something to this person, be it broken. */
export const hasProjectFile = (folder: string, person: Person): boolean => toldIn(folder, person) !== null;

type Told = { readonly json: unknown } | { readonly why: string };

/** What a project file says, or why it cannot be read; null where there is none that may say anything to this person. */
function toldIn(folder: string, person: Person): Told | null {
  const path = join(folder, PROJECT_FILE);
  const there = found(path, lstatSync);
  if (there === null || !mayFileSay(folder, there, person)) return null;
  try {
    const { bytes, isWhole, stats } = readPlain(path, { max: READ_MAX });
    if (!mayFileSay(folder, stats, person)) return null;
    if (!isWhole) return { why: `it has more than ${READ_MAX / 1024} KiB` };
    return { json: JSON.parse(bytes.toString().replace(/^\ufeff/, "")) };
  } catch (error) {
    // What a parser says quotes what it has read, whatever that is.
    return { why: error instanceof SyntaxError ? "it is no JSON" : describeCause(error) };
  }
}

function nameIn(path: string, told: Told): string {
  const parsed = "why" in told ? null : ProjectFile.safeParse(told.json);
  if (parsed?.success) return parsed.data.project;
  const why = "why" in told ? told.why : parsed?.error.issues[0]?.message;
  throw new ProjectError(`${path} names no project: ${why}. Write {"project": "name"} into it.`);
}
