import { describeCause } from "../../core/kernel/log.ts";

/** A file or a wish that a set-up cannot work with; the message says which, why, and what to do. */
export class SetupError extends Error {
  override readonly name = "SetupError";
}

/** A text that its format cannot read, or that holds something else where our entry belongs. Lines and columns begin at 1. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
  constructor(
    what: string,
    readonly line: number | null = null,
    readonly column: number | null = null,
  ) {
    super(what);
  }
}

/** What a file system answers, in words. */
const IN_WORDS: Readonly<Record<string, string>> = {
  EACCES: "permission denied; give this user the right to it and to its folder",
  EPERM: "permission denied; give this user the right to it and to its folder",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota of the disk is used up",
  ENOTDIR: "a part of this path is a file",
  EEXIST: "a part of this path is a file, or a link that leads nowhere",
  ELOOP: "a symbolic link of this path leads back to itself",
};

/** Why something could not be done to a file. */
export function causeInWords(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return IN_WORDS[code] ?? describeCause(error);
}
