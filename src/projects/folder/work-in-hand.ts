import { closeSync, lstatSync, readSync } from "node:fs";
import { join, resolve } from "node:path";
import { DAY_MS } from "../../core/kernel/clock.ts";
import { openPlain, readPlain } from "../../core/kernel/files/plain-files.ts";
import { foldersAbove, realPath } from "./above.ts";
import { gitSettings } from "./git-config.ts";
import { changedIn } from "./git-index.ts";
import type { Person } from "./person.ts";
import { found } from "./person.ts";
import type { Repository } from "./repository.ts";
import { READ_MAX, repositoryAbove, repositoryText } from "./repository.ts";

/** What somebody is at in a work tree, as far as its files tell without a run of git, which a folder may make do anything. */
export interface WorkInHand {
  /** Null on no branch. */
  readonly branch: string | null;
  /** Paths of files that are not as they were last staged, those changed last first. */
  readonly changed: readonly string[];
  /** Of the last commits made on the branch, the last first. */
  readonly subjects: readonly string[];
}

const SUBJECTS_MAX = 5;
/** What was committed earlier is hardly in hand. */
const SUBJECT_AGE_MS = 14 * DAY_MS;
const CHANGED_MAX = 20;
/** Bytes of a larger index are not read, and files are looked at for so long: a session does not wait longer. */
const INDEX_MAX = 2 * 1024 * 1024;
const LOOK_MS = 40;

/** What is in hand in the repository that a folder lies in; null outside any that this person trusts. Nothing that its files hold makes it fail. */
export function workInHand(folder: string, person: Person, now: number): WorkInHand | null {
  const repository = repositoryAbove([...foldersAbove(realPath(resolve(folder)), person.home)], person);
  if (repository === null || "warning" in repository) return null;
  const head = /^ref: refs\/heads\/(\S+)\s*$/.exec(repositoryText(join(repository.own, "HEAD")) ?? "")?.[1];
  // A repository that keeps its references in a table says so there.
  const branch = head === undefined || NO_BRANCH.test(head) ? null : head;
  const log = branch === null ? join(repository.own, "logs/HEAD") : join(repository.common, "logs/refs/heads", branch);
  return { branch, changed: changedFiles(repository), subjects: subjectsIn(endOf(log), now) };
}

const NO_BRANCH = /^\.invalid$|(?:^|\/)\.\.(?:\/|$)/;

function changedFiles({ root, own, config }: Repository): string[] {
  // Names of objects are longer there.
  const settings = [...gitSettings(repositoryText(config) ?? "")];
  if (settings.some(({ section, key }) => section === "extensions" && key === "objectformat")) return [];
  try {
    const { bytes, isWhole } = readPlain(join(own, "index"), { max: INDEX_MAX });
    if (!isWhole) return [];
    const until = performance.now() + LOOK_MS;
    const stat = (path: string) => found(join(root, path), lstatSync);
    return changedIn(bytes, { stat, isOver: () => performance.now() > until }).slice(0, CHANGED_MAX);
  } catch {
    return [];
  }
}

/** What a log of references says of a commit behind the first tab of its line: "commit (amend): subject". */
const COMMIT = /^commit(?: \(([a-z]{1,12})\))?: (.*)$/;
/** The moment of a line, in seconds, before the zone at the end of what stands before the tab. */
const MOMENT = / (\d{1,12}) [+-]\d{4}$/;
const LINE_MAX = 1_000;

function subjectsIn(log: string, now: number): string[] {
  const subjects: string[] = [];
  for (const line of log.split("\n")) {
    const tab = line.indexOf("\t");
    if (tab === -1 || line.length > LINE_MAX) continue;
    const [, kind, subject = ""] = COMMIT.exec(line.slice(tab + 1)) ?? [];
    const seconds = Number(MOMENT.exec(line.slice(0, tab))?.[1] ?? Number.NaN);
    if (subject === "" || !(seconds * 1000 >= now - SUBJECT_AGE_MS)) continue;
    if (kind === "amend") subjects.pop();
    subjects.push(subject);
  }
  return [...new Set(subjects.toReversed())].slice(0, SUBJECTS_MAX);
}

/** The last whole lines of a file; empty where there is none. */
function endOf(path: string): string {
  try {
    const { descriptor, stats } = openPlain(path);
    try {
      const from = Math.max(0, stats.size - READ_MAX);
      const bytes = Buffer.alloc(READ_MAX);
      const text = bytes.subarray(0, readSync(descriptor, bytes, 0, READ_MAX, from)).toString();
      return from === 0 ? text : text.slice(text.indexOf("\n") + 1 || text.length);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return "";
  }
}
