import { readFileSync } from "node:fs";
import { once } from "./once.ts";

const ROOT = 0;

/** Whether a number is the superuser's. */
export const isRoot = (uid: number): boolean => uid === ROOT;

/** Whether a number is this very account's, be it root. Where accounts have no numbers they are not told apart. */
export const isOwnAccount = (uid: number): boolean =>
  process.geteuid === undefined || (uid === process.geteuid() && !isUnknownAccount(uid));

/**
 * Whether a number stands for all accounts that a namespace of users (a sandbox, or a container that does without root) does
 * not know: nobody there is told from anybody, nor from an account that has that number within.
 */
export const isUnknownAccount = (uid: number): boolean => uid === unknownAccount();

/** Linux gives this number where nothing else was set. */
const OVERFLOW = 65_534;

/** The number that stands for unknown accounts; null outside of a namespace of users, where every account is known. */
const unknownAccount = once((): number | null => {
  if (process.platform !== "linux" || /^\s*0\s+0\s+4294967295\s*$/.test(textOf("/proc/self/uid_map"))) return null;
  return Number(textOf("/proc/sys/kernel/overflowuid") || OVERFLOW);
});

/** Empty where this process may not see it: then nobody says that every account is known. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
