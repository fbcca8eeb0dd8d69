import type { Stats } from "node:fs";
import { type lstatSync, statSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join, resolve } from "node:path";
import { isUnknownAccount } from "../../core/kernel/account.ts";
import { readPlain } from "../../core/kernel/files/plain-files.ts";
import { gitSettings } from "./git-config.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** For whom files are read: what belongs to others says nothing, unless this person told git that it is safe. */
export interface Person {
  readonly home: string;
  /** What this machine is called: a path says nothing without it where a server has several to tell apart. */
  readonly machine: string;
  /** The numbers that mean this person, and nobody else; null where users have none. */
  readonly uids: readonly number[] | null;
  /** Folders of others that this person told git to trust; read when it matters only. */
  readonly trusted: () => readonly string[];
}

/** Whoever runs this process. As git does, root counts what belongs to the user who became root as its own. */
export function personOf(env: Env): Person {
  const home = homedir();
  const uid = process.geteuid?.();
  const sudo = uid === 0 && /^\d{1,10}$/.test(env.SUDO_UID ?? "") ? [Number(env.SUDO_UID)] : [];
  const files = ["/etc/gitconfig", join(env.XDG_CONFIG_HOME || join(home, ".config"), "git", "config")];
  return {
    home,
    machine: hostname(),
    uids: uid === undefined ? null : [uid, ...sudo].filter((one) => !isUnknownAccount(one)),
    trusted: () => trustedIn([...files, join(home, ".gitconfig")], home),
  };
}

const CONFIG_MAX = 1024 * 1024;

/** What `safe.directory` of these files says; an empty value forgets those before it. */
function trustedIn(files: readonly string[], home: string): string[] {
  const said = files.flatMap((file) =>
    [...gitSettings(textOf(file))].filter(({ section, key }) => section === "safe" && key === "directory"),
  );
  const last = said.findLastIndex(({ value }) => value === "");
  return said.slice(last + 1).map(({ value }) => value.replace(/^~(?=\/)/, () => home));
}

function textOf(file: string): string {
  try {
    return readPlain(file, { max: CONFIG_MAX, follows: true }).bytes.toString();
  } catch {
    return "";
  }
}

/** Whether a folder is one of those, is below one that ends in `/*`, or all are trusted. */
const isTrusted = (folder: string, { trusted }: Person): boolean =>
  trusted().some(
    (named) =>
      named === "*" || resolve(named) === folder || (named.endsWith("/*") && folder.startsWith(named.slice(0, -1))),
  );

const isTheirs = (found: Stats, { uids }: Person): boolean => uids === null || uids.includes(found.uid);

/** Whoever else may write there may put files of theirs there. */
const OTHERS_WRITE = 0o022;

/**
 * Whether a file in a folder may say something: it is this person's, or lies in a folder of this person that nobody
 * else may write into, or in one that git was told to trust.
 */
export function mayFileSay(folder: string, file: Stats, person: Person): boolean {
  if (isTheirs(file, person)) return true;
  const around = found(folder, statSync);
  return (
    (around !== null && isTheirs(around, person) && (around.mode & OTHERS_WRITE) === 0) || isTrusted(folder, person)
  );
}

/** Whether a repository may say something, by git's own rule: its work tree and what holds its history are this person's. */
export const mayRepositorySay = (folder: string, places: readonly string[], person: Person): boolean =>
  person.uids === null ||
  [folder, ...places].every((place) => {
    const stats = found(place, statSync);
    return stats !== null && isTheirs(stats, person);
  }) ||
  isTrusted(folder, person);

/** What lies at a path, by `lstatSync` or `statSync`; null for what is not there or cannot be seen. */
export function found(path: string, look: typeof lstatSync | typeof statSync): Stats | null {
  try {
    return look(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
