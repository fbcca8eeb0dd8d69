import type { Stats } from "node:fs";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../../core/kernel/clock.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../../core/kernel/files/private-files.ts";
import { sha256 } from "../../core/kernel/hash.ts";

/** What one session was told already: a file of one line a text, `<hash> <who told it>`. */
export interface Seen {
  has(text: string): boolean;
  /**
   * Those of some texts that are told now for the first time; null when it cannot be kept. Of several hooks that tell a
   * text at once, one gets it.
   */
  claim(texts: readonly string[]): ReadonlySet<string> | null;
}

const NAME = /^[0-9a-f]{32}\.seen$/;
const FILES_MAX = 200;
const AGE_MAX_MS = 7 * DAY_MS;
/** Some 2,000 texts; with more, the older half is forgotten. */
const BYTES_MAX = 128 * 1024;
const HASH_LENGTH = 32;

const pathOf = (folder: string, session: string): string =>
  join(folder, `${sha256(session).slice(0, HASH_LENGTH)}.seen`);

/** Opens what a session was told. `teller` names this process among those that run at the same time. */
export function openSeen(folder: string, session: string, teller: string): Seen {
  const path = pathOf(folder, session);
  const told = new Set(linesOf(path).map((line) => line.slice(0, HASH_LENGTH)));
  return {
    has: (text) => told.has(keyOf(text)),
    claim: (texts) => {
      try {
        mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
        shorten(path);
        const lines = texts.map((text) => `${keyOf(text)} ${teller}\n`);
        appendFileSync(path, lines.join(""), { mode: PRIVATE_FILE });
        // Appended lines stand in one order for all: whoever is first has the text.
        const first = new Map<string, string>();
        for (const line of linesOf(path)) {
          const key = line.slice(0, HASH_LENGTH);
          if (!first.has(key)) first.set(key, line.slice(HASH_LENGTH + 1));
        }
        return new Set(texts.filter((text) => first.get(keyOf(text)) === teller));
      } catch {
        return null;
      }
    },
  };
}

const keyOf = (text: string): string => sha256(text).slice(0, HASH_LENGTH);

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

function shorten(path: string): void {
  if ((statOf(path)?.size ?? 0) <= BYTES_MAX) return;
  const lines = linesOf(path);
  const kept = lines.slice(Math.floor(lines.length / 2));
  writeFileSync(path, kept.map((line) => `${line}\n`).join(""), { mode: PRIVATE_FILE });
}

/** Forgets what a session was told, unless that was within the last `unless_within_ms` before `now`. */
export function forgetSeen(folder: string, session: string, recent?: { now: number; unless_within_ms: number }): void {
  const path = pathOf(folder, session);
  if (recent && (statOf(path)?.mtimeMs ?? 0) > recent.now - recent.unless_within_ms) return;
  remove(path);
}

/** Removes the files of sessions that are long over, and the oldest of too many. */
export function pruneSeen(folder: string, now: number): void {
  const files = namesIn(folder).flatMap((name) => {
    const changed_ms = statOf(join(folder, name))?.mtimeMs;
    return changed_ms === undefined ? [] : [{ name, at: changed_ms }];
  });
  const newest = files.toSorted((a, b) => b.at - a.at);
  for (const [index, { name, at: position }] of newest.entries()) {
    if (index >= FILES_MAX || position < now - AGE_MAX_MS) remove(join(folder, name));
  }
}

/** What cannot be removed stays: a harness has no use for our complaint. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => NAME.test(name));
  } catch {
    return [];
  }
}
