import { realpathSync } from "node:fs";
import { NotPlain, readPlain } from "../../core/kernel/files/plain-files.ts";
import { Unreadable } from "./error.ts";
import type { Place } from "./ground.ts";
import { requireOneName, requireWithin } from "./ground.ts";

/** MiB of a file that a set-up works with: settings of harnesses have been seen with tens of them. */
const MAX_MIB = 64;

/**
 * The text of a file, byte by byte; null when there is none. Throws Unreadable for what is no text in UTF-8, for what
 * is no file, and, in a repository, for what lies outside of it.
 */
export function readText(file: string, place: Place): string | null {
  try {
    requireWithin(file, place);
    const following = place.kind === "own" ? { follows: true } : { within: realpathSync(place.root) };
    const { bytes, isWhole, stats } = readPlain(file, { max: MAX_MIB * 1024 * 1024, ...following });
    requireOneName(stats, place);
    if (!isWhole) throw new Unreadable(`it has more than ${MAX_MIB} MiB`);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw new Unreadable("it is no text in UTF-8");
    if (error instanceof NotPlain) throw new Unreadable(error.message);
    if (isNothing(error)) return null;
    throw error;
  }
}

/** Nothing is there, as below a file that stands where a folder belongs. */
const isNothing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
