import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../../core/kernel/files/private-files.ts";
import { sha256 } from "../../core/kernel/hash.ts";

// What hooks keep of a session: files of lines, which only their owner may read, and which do not say whose session it was.

/** What a session was told already, and by what it can be seen whether that was taken up. */
const KINDS = ["seen", "told"] as const;
type Kind = (typeof KINDS)[number];

const NAME_LENGTH = 32;
const NAME = new RegExp(`^[0-9a-f]{${NAME_LENGTH}}\\.(?:${KINDS.join("|")})$`);

/** A file of a session. */
export interface SessionFile {
  readonly folder: string;
  readonly path: string;
}

/** Where a session's file of a kind lies. */
export const sessionFile = (folder: string, session: string, kind: Kind): SessionFile => ({
  folder,
  path: join(folder, `${sha256(session).slice(0, NAME_LENGTH)}.${kind}`),
});

/** Whether a file of the folder is one of these. */
export const isSessionFile = (name: string): boolean => NAME.test(name);

/** Its lines; none where it cannot be read. */
export function linesOf({ path }: SessionFile): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

/** Puts lines at its end; the older half of one that is longer than so many bytes is forgotten before. Throws what the system refuses. */
export function appendLines(file: SessionFile, lines: readonly string[], bytes_max: number): void {
  mkdirSync(file.folder, { recursive: true, mode: PRIVATE_FOLDER });
  shorten(file, bytes_max);
  appendFileSync(file.path, textOf(lines), { mode: PRIVATE_FILE });
}

function shorten(file: SessionFile, bytes_max: number): void {
  if ((statSync(file.path, { throwIfNoEntry: false })?.size ?? 0) <= bytes_max) return;
  const lines = linesOf(file);
  writeFileSync(file.path, textOf(lines.slice(Math.floor(lines.length / 2))), { mode: PRIVATE_FILE });
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** A file that was written within the last so many milliseconds before `now` is left. */
export interface Recent {
  readonly now: number;
  readonly unless_within_ms: number;
}

/** Takes it away, unless it was written just now. What cannot be removed stays: a harness has no use for our complaint. */
export function forgetFile({ path }: SessionFile, recent?: Recent): void {
  try {
    if (recent && statSync(path).mtimeMs > recent.now - recent.unless_within_ms) return;
    rmSync(path, { force: true });
  } catch {}
}
