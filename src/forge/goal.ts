import { dot } from "../core/kernel/vectors.ts";
import { fold } from "../text/words/letters.ts";
import { STOP_WORDS } from "../text/words/terms.ts";
import { rootOf, significantRoots } from "./significant-terms.ts";
import type { PlacedSegment, Step } from "./steps.ts";
import { blended } from "./vectors.ts";
import { capitalised } from "./wording/imperative.ts";
import { verbOf } from "./wording/verbs.ts";
import type { Wording } from "./wording/wording.ts";
import { fitted } from "./wording/wording.ts";

/** Longest name, in bytes, and the words of a slug. */
const NAME_BYTES_MAX = 80;
const SLUG_WORDS_MAX = 6;
const SLUG_MAX = 60;
/** A phrase of fewer significant terms than this could mean anything. */
const GOAL_ROOTS_MIN = 2;
/** What a goal that agents wrote down is ahead of a step, of which there are many. */
const WRITTEN_GOAL = 0.5;
/** What each word costs beyond those that a name needs. */
const LENGTH_COST = 0.02;
const LENGTH_FREE = 6;

/** Letters of a word that may stand for what a procedure is about, and the share of runs that write it. */
const SUBJECT_MIN = 3;
const SUBJECT_SHARE = 0.5;

export interface GoalSource {
  readonly goals: readonly PlacedSegment[];
  readonly steps: readonly Step[];
  /** The significant terms of each run. */
  readonly runs: readonly ReadonlySet<string>[];
  readonly wording: Wording;
}

/**
 * What the runs were to achieve, as an instruction: the phrase whose words most runs share and whose meaning is nearest to
 * how they began. Falls back to the step that is most like it. Null when no phrase says enough.
 */
export function goalOf({ goals, steps, runs, wording }: GoalSource): string | null {
  const aim = blended(goals.flatMap(({ direction }) => (direction ? [{ vector: direction, weight: 1 }] : [])));
  const share = (root: string) => runs.filter((bag) => bag.has(root)).length / Math.max(1, runs.length);
  const rate = ({ imperative, direction }: PlacedSegment, bonus: number) => {
    const text = withoutOwnTail(wording.plain(imperative ?? ""), share, runs.length);
    const roots = [...significantRoots(text)];
    if (roots.length < (bonus > 0 ? 1 : GOAL_ROOTS_MIN) || !text.includes(" ")) return [];
    const known = roots.reduce((sum, root) => sum + share(root), 0) / roots.length;
    const near = aim && direction ? dot(aim, direction) : 0;
    const cost = LENGTH_COST * Math.max(0, text.split(" ").length - LENGTH_FREE);
    return [{ text, score: known + near + bonus - cost }];
  };
  const rated = [
    ...goals.flatMap((segment) => rate(segment, WRITTEN_GOAL)),
    ...steps.flatMap(({ segments }) => segments.flatMap((segment) => rate(segment, 0))),
  ];
  return rated.toSorted((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1))[0]?.text ?? null;
}

const TAIL =
  /(?<!\s)\s+(?:of|for|on|from|at|by|before|after|in|to|with|because|so that|due to)\s+(?:(?!\b(?:of|for|on|from|at|by|before|after|in|to|with)\b).)+$/i;

/** Without a last part that mostly this run alone speaks of: "in a single window". */
function withoutOwnTail(text: string, share: (root: string) => number, runs: number): string {
  const tail = TAIL.exec(text)?.[0];
  if (tail === undefined) return text;
  const roots = [...significantRoots(tail)];
  if (roots.filter((root) => share(root) * runs > 1).length >= roots.length / 2) return text;
  const rest = text.slice(0, -tail.length);
  return significantRoots(rest).size < GOAL_ROOTS_MIN ? text : withoutOwnTail(rest, share, runs);
}

/** The goal at the length of a name. */
export const nameOf = (goal: string): string =>
  capitalised(fitted(goal.split(/[,;:(]\s/, 1)[0]?.trim() ?? goal, NAME_BYTES_MAX));

/** The significant terms of a name as a bare slug; empty when it has none in Latin letters. */
export function slugOf(name: string): string {
  const words = fold(name)
    .normalize("NFKD")
    .match(/[a-z0-9]+/g);
  const significant = (words ?? []).filter((word) => !STOP_WORDS.has(word)).slice(0, SLUG_WORDS_MAX);
  return significant
    .join("-")
    .slice(0, SLUG_MAX)
    .replace(/(?<!-)-+$/, "");
}

/** The nouns that most runs share, those of the goal before the others: what the procedure is about, as the runs write it. */
export function subjectsOf(goal: string, texts: readonly string[]): string[] {
  const spellings = new Map<string, Map<string, number>>();
  for (const text of texts) {
    for (const word of new Set(fold(text).match(/\p{L}[\p{L}\p{N}_-]*\p{L}/gu))) {
      const known = spellings.get(rootOf(word)) ?? new Map<string, number>();
      spellings.set(rootOf(word), known.set(word, (known.get(word) ?? 0) + 1));
    }
  }
  const bags = texts.map(significantRoots);
  const holders = (root: string) => bags.filter((bag) => bag.has(root)).length;
  const own = significantRoots(goal);
  const isShared = (root: string) => holders(root) > 1 && holders(root) >= texts.length * SUBJECT_SHARE;
  const nouns = [...new Set(bags.flatMap((bag) => [...bag]))].filter(
    (root) => root.length >= SUBJECT_MIN && verbOf(root) === null && isShared(root),
  );
  return nouns
    .toSorted((a, b) => Number(own.has(b)) - Number(own.has(a)) || holders(b) - holders(a) || (a < b ? -1 : 1))
    .map((root) => commonest(spellings.get(root)) ?? root);
}

const commonest = (spellings: ReadonlyMap<string, number> = new Map()): string | undefined =>
  [...spellings].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0];
