import { closeSync, lstatSync, readSync } from "node:fs";
import { join, resolve } from "node:path";
import { openPlain, readPlain } from "../../core/kernel/files/plain-files.ts";
import { foldersAbove, realPath } from "./above.ts";
import { changedIn } from "./git-index.ts";
import type { Person } from "./person.ts";
import { READ_MAX, repositoryAbove, repositoryText } from "./repository.ts";

/** What somebody is at in a work tree, as far as its files tell without a run of git, which a folder may make do anything. */
export interface WorkInHand {
  /** Null on no branch. */
  readonly branch: string | null;
  /** Paths of files that are not as they were last staged, those changed last first. */
  readonly changed: readonly string[];
  /** Of the last commits made here, the last first. */
  readonly subjects: readonly string[];
}

const SUBJECTS_MAX = 5;
const CHANGED_MAX = 20;
/** Bytes of a larger index are not read: it would take longer than a session may wait. */
const INDEX_MAX = 2 * 1024 * 1024;

/** What is in hand in the repository that a folder lies in; null outside any that this person trusts. Nothing that its files hold makes it fail. */
export function workInHand(folder: string, person: Person): WorkInHand | null {
  const repository = repositoryAbove([...foldersAbove(realPath(resolve(folder)), person.home)], person);
  if (repository === null || "warning" in repository) return null;
  const { root, own } = repository;
  const head = repositoryText(join(own, "HEAD")) ?? "";
  return {
    branch: /^ref: refs\/heads\/(.+)/.exec(head)?.[1]?.trim() ?? null,
    changed: changedFiles(root, own),
    subjects: subjectsIn(endOf(join(own, "logs", "HEAD"))),
  };
}

function changedFiles(root: string, own: string): string[] {
  try {
    const { bytes, isWhole } = readPlain(join(own, "index"), { max: INDEX_MAX, follows: true });
    if (!isWhole) return [];
    const stat = (path: string) => lstatSync(join(root, path), { throwIfNoEntry: false }) ?? null;
    return changedIn(bytes, stat).slice(0, CHANGED_MAX);
  } catch {
    return [];
  }
}

/** A commit in a log of references: "OLD NEW Name <address> TIME ZONE<tab>commit (amend): subject". */
const COMMIT = /\tcommit(?: \([a-z ]+\))?: (.+)$/;

function subjectsIn(log: string): string[] {
  const subjects = log.split("\n").flatMap((line) => COMMIT.exec(line)?.[1] ?? []);
  return [...new Set(subjects.toReversed())].slice(0, SUBJECTS_MAX);
}

/** The last whole lines of a file; empty where there is none. */
function endOf(path: string): string {
  try {
    const { descriptor, stats } = openPlain(path, { follows: true });
    try {
      const from = Math.max(0, stats.size - READ_MAX);
      const bytes = Buffer.alloc(READ_MAX);
      const text = bytes.subarray(0, readSync(descriptor, bytes, 0, READ_MAX, from)).toString();
      return from === 0 ? text : text.slice(text.indexOf("\n") + 1);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return "";
  }
}
