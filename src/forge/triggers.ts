import type { PlacedPassage } from "./steps.ts";
import { distinctBy } from "./telling.ts";
import { isForm } from "./verbs.ts";
import type { Wording } from "./wording.ts";
import { sentence, uncapitalised } from "./wording.ts";

export interface Triggers {
  /** The beginning of a sentence that says when the skill is of use. */
  readonly summary: string;
  /** The occasions, one line each. */
  readonly lines: readonly string[];
}

/** Occasions listed, and those that the summary names besides the goal. */
const LINES_MAX = 4;
const SUMMARY_OCCASIONS = 3;
/** Occasions with more words in common than this are one. */
const SAME_FROM = 0.6;

/** When the skill is of use: to reach its goal, and on the occasions on which the runs began, each worded differently. */
export function triggersOf(
  goals: readonly PlacedPassage[],
  { goal, wording }: { readonly goal: string; readonly wording: Wording },
): Triggers {
  const told = goals
    .map(({ text, imperative }) => ({ text: imperative ?? text, isWanted: imperative !== null }))
    // What is left of "offboard J. Doe" without the name says nothing.
    .filter(({ text }) => wording.plain(text).includes(" "));
  const occasions = distinctBy([{ text: goal, isWanted: true }, ...told], ({ text }) => wording.plain(text), SAME_FROM);
  const lines = occasions.slice(0, LINES_MAX).map(({ text, isWanted }) => {
    const line = wording.general(text);
    return sentence(isWanted ? `You need to ${uncapitalised(line)}` : line);
  });
  const others = occasions.slice(1, 1 + SUMMARY_OCCASIONS);
  const wanted = [goal, ...others.flatMap(({ text, isWanted }) => (isWanted ? [wording.plain(text)] : []))];
  const seen = others.flatMap(({ text, isWanted }) => (isWanted ? [] : [asClause(wording.plain(text))]));
  const needs = `you need to ${wanted.map(uncapitalised).join(" or ")}`;
  return { summary: `Use when ${[needs, ...seen].join(", or ")}`, lines };
}

/** "when monitoring warns"; what has no verb is "in case of". */
function asClause(text: string): string {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const hasVerb = words.some((word) => IS.test(word) || isForm(word, "third") || isForm(word, "past"));
  return `${hasVerb ? "when" : "in case of"} ${uncapitalised(text)}`;
}

const IS = /^(?:is|are|was|were|has|have|had|does|did|wants|needs|says|fell|grew|went)$/;
