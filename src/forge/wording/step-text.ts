import { significantRoots } from "../significant-terms.ts";
import type { Step } from "../steps.ts";
import type { Wording } from "./wording.ts";
import { addressed, uncapitalised } from "./wording.ts";

/** A step as the skill tells it. */
export interface StepText {
  readonly line: string;
  /** Something to do, and not only something to see. */
  readonly isAction: boolean;
  /** How one run did it, where that names a command or a place that the line does not; else null. */
  readonly example: string | null;
}

export interface StepWording {
  readonly wording: Wording;
  /** Whether more runs than one use a word. */
  isKnown(root: string): boolean;
}

/** What makes a sentence less fit to stand for its step. */
const COSTS = {
  placeholder: 0.4,
  /** A word that only one run uses. */
  own: 0.15,
  /** No instruction. */
  remark: 2,
  long: 0.5,
  /** "It", "them": nobody knows what. */
  pronoun: 0.4,
  /** Less central than the one before. */
  rank: 0.3,
} as const;
const LONG_FROM = 140;
const EXAMPLE_MAX = 160;
/** Commands, flags, paths and the like: what a reader copies. */
const CODE =
  /(?<![\w<])(?:--?[a-z][\w-]*|(?<![\w.-])[\w.-]*[\w-][/_][\w./-]+|\.{0,2}\/[\w./-]+|(?<![\w-])[\w-]+\.(?:sh|py|json|ya?ml|txt|conf|ini|gradle|tf|sql|xml|toml|lock|log)\b)/g;
const PRONOUN = /^\p{L}+ (?:it|them|this|that|those)\b/u;

/** The sentence that stands for a step: near to all the others, an instruction, with little that belongs to its run alone. */
export function stepText({ segments }: Step, { wording, isKnown }: StepWording): StepText {
  const rated = segments.map(({ text, imperative }, rank) => {
    const line = addressed(wording.general(imperative ?? text));
    const own = [...significantRoots(line)].filter((root) => !isKnown(root)).length;
    const cost =
      COSTS.placeholder * (line.match(/<\w+>/g)?.length ?? 0) +
      COSTS.own * own +
      (imperative === null ? COSTS.remark : 0) +
      (line.length > LONG_FROM ? COSTS.long : 0) +
      (PRONOUN.test(line) ? COSTS.pronoun : 0) +
      COSTS.rank * rank;
    const isTold = imperative !== null || !/\b(?:I|we|my|our)\b/.test(text);
    return {
      line: imperative === null ? `Expect: ${uncapitalised(line)}` : line,
      example: isTold ? line : "",
      isAction: imperative !== null,
      cost,
    };
  });
  const [best] = rated.toSorted((a, b) => a.cost - b.cost);
  const line = best?.line ?? "";
  return {
    line,
    isAction: best?.isAction ?? false,
    example: exampleOf(
      line,
      rated.map(({ example }) => example),
    ),
  };
}

function exampleOf(line: string, others: readonly string[]): string | null {
  const known = new Set(line.match(CODE));
  const rated = others
    .filter((text) => text.length <= EXAMPLE_MAX)
    .map((text) => ({ text, news: new Set(text.match(CODE)?.filter((code) => !known.has(code))).size }));
  const best = rated.toSorted((a, b) => b.news - a.news || a.text.length - b.text.length)[0];
  return best && best.news > 0 ? uncapitalised(best.text) : null;
}
