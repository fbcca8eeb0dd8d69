import { quotedName } from "../../core/kernel/quoting/quote.ts";
import type { WorkInHand } from "../../projects/folder/work-in-hand.ts";
import { wordsIn } from "../../text/words/terms.ts";

/** Branches that say nothing of what is done on them. */
const COMMON_BRANCHES = new Set(["main", "master", "trunk", "develop", "development", "dev", "staging", "production"]);
/** Characters of a question; a longer text asks for everything. */
const QUESTION_MAX = 500;
/** Words of a question: a file alone, or `wip`, is near to anything. */
const WORDS_MIN = 2;
const NAME_MAX = 80;
const CHANGED_SHOWN = 3;

/** What work in hand is searched by, and what that is called. */
interface InHandQuestion {
  readonly query: string;
  readonly named: string;
}

/** The questions of work in hand: the words of its branch, the subjects of its commits, the files that it changes. */
export function questionsOf({ branch, subjects, changed }: WorkInHand): InHandQuestion[] {
  const isNamed = branch !== null && !COMMON_BRANCHES.has(branch);
  const shown = changed.slice(0, CHANGED_SHOWN).map(quotedPath);
  const files = changed.length > CHANGED_SHOWN ? [...shown, "others"] : shown;
  return [
    { query: isNamed ? branch.replaceAll(/[-_/.]+/g, " ") : "", named: `branch ${quotedPath(branch ?? "")}` },
    { query: subjects.join("\n"), named: "the last commits" },
    { query: changed.join(" "), named: `changed ${files.join(", ")}` },
  ]
    .map(({ query, named }) => ({ query: query.slice(0, QUESTION_MAX).trim().toWellFormed(), named }))
    .filter(({ query }) => wordsIn(query).length >= WORDS_MIN);
}

/** Names of a repository may say anything. */
const quotedPath = (path: string): string => `"${quotedName(path, NAME_MAX)}"`;
