import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readPlain } from "../../core/kernel/files/plain-files.ts";

/** A folder or file that a synchronisation cannot work with; the message says which and why. */
export class SkillSyncError extends Error {
  override readonly name = "SkillSyncError";
}

export type Kind = "nothing" | "file" | "folder" | "link" | "other";

/** What lies at a path itself; a link is a link, wherever it leads. */
export function kindAt(path: string): Kind {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return "nothing";
  if (found.isSymbolicLink()) return "link";
  if (found.isDirectory()) return "folder";
  return found.isFile() ? "file" : "other";
}

/** More than any file of ours: a skill comes in a body of 4 MiB, settings of harnesses have been seen with tens. */
const TEXT_MAX_BYTES = 64 * 1024 * 1024;

/** The text of a plain file, of a very large one its beginning; null when there is none. */
export const textAt = (path: string): string | null =>
  kindAt(path) === "file" ? readPlain(path, { max: TEXT_MAX_BYTES }).bytes.toString("utf8") : null;

/** The rights of new folders of skills, whatever this process would give. */
export const FOLDER_MODE = 0o755;

/** Writes a file whole or not at all: readers see the old one until the new one is complete. */
export function writeWhole(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    // Never through something that lies there already.
    rmSync(draft, { force: true });
    writeFileSync(draft, text, { mode, flag: "wx" });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

export interface SkillText {
  readonly name: string;
  readonly description: string;
  readonly content: string;
}

/** A skill as harnesses read it: front matter with its name and when to use it, then what it says. */
export const renderSkill = ({ name, description, content }: SkillText): string =>
  // A JSON text is a YAML text too, whatever is in it.
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${content.trimEnd()}\n`;
