import type { Stats } from "node:fs";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../../core/kernel/clock.ts";
import { sha256 } from "../../core/kernel/hash.ts";
import type { Recent } from "./session-file.ts";
import { appendLines, forgetFile, isSessionFile, linesOf, sessionFile } from "./session-file.ts";

/** What one session was told already: a file of one line a text, `<hash> <who told it>`. */
export interface Seen {
  has(text: string): boolean;
  /**
   * Those of some texts that are told now for the first time; null when it cannot be kept. Of several hooks that tell a
   * text at once, one gets it.
   */
  claim(texts: readonly string[]): ReadonlySet<string> | null;
}

const FILES_MAX = 400;
const AGE_MAX_MS = 7 * DAY_MS;
/** Some 2,000 texts; with more, the older half is forgotten. */
const BYTES_MAX = 128 * 1024;
const HASH_LENGTH = 32;

/** Opens what a session was told. `teller` names this process among those that run at the same time. */
export function openSeen(folder: string, session: string, teller: string): Seen {
  const file = sessionFile(folder, session, "seen");
  const told = new Set(linesOf(file).map((line) => line.slice(0, HASH_LENGTH)));
  return {
    has: (text) => told.has(keyOf(text)),
    claim: (texts) => {
      try {
        const lines = texts.map((text) => `${keyOf(text)} ${teller}`);
        appendLines(file, lines, BYTES_MAX);
        // Appended lines stand in one order for all: whoever is first has the text.
        const first = new Map<string, string>();
        for (const line of linesOf(file)) {
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

/** Forgets what a session was told, unless that was just now. */
export const forgetSeen = (folder: string, session: string, recent?: Recent): void =>
  forgetFile(sessionFile(folder, session, "seen"), recent);

/** Removes the files of sessions that are long over, and the oldest of too many. */
export function pruneSeen(folder: string, now: number): void {
  const files = namesIn(folder).flatMap((name) => {
    const changed_ms = statOf(join(folder, name))?.mtimeMs;
    return changed_ms === undefined ? [] : [{ name, at: changed_ms }];
  });
  const newest = files.toSorted((a, b) => b.at - a.at);
  for (const [index, { name, at: position }] of newest.entries()) {
    if (index >= FILES_MAX || position < now - AGE_MAX_MS) forgetFile({ folder, path: join(folder, name) });
  }
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
    return readdirSync(folder).filter(isSessionFile);
  } catch {
    return [];
  }
}
