import { distinctBy } from "./significant-terms.ts";
import type { PlacedSegment } from "./steps.ts";
import { isForm } from "./wording/verbs.ts";
import type { Wording } from "./wording/wording.ts";
import { sentence, uncapitalised } from "./wording/wording.ts";

export interface Triggers {
  /** The beginning of a sentence that says when the skill is of use. */
  readonly summary: string;
  /** The occasions, one line each. */
  readonly lines: readonly string[];
}

/** Occasions listed, and those that the summary names besides the goal. */
const LINES_MAX = 6;
const SUMMARY_OCCASIONS = 6;
const RICH_FROM = 1;
/** Occasions with more words in common than this are one. */
const SAME_FROM = 0.6;

/** When the skill is of use: to reach its goal, and on the occasions on which the runs began, each worded differently. */
export function triggersOf(
  goals: readonly PlacedSegment[],
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
  const others = occasions.slice(1, 1 + SUMMARY_OCCASIONS).map(({ text, isWanted }) => {
    const plain = wording.plain(text);
    return { plain, isWanted, isTold: isWanted || hasVerb(plain) };
  });
  // A mere name of the work says less than a sentence, and is left out where there are sentences enough.
  const isRich = others.filter(({ isTold }) => isTold).length >= RICH_FROM;
  const named = others.filter(({ isTold }) => isTold || !isRich);
  const wanted = [goal, ...named.flatMap(({ plain, isWanted }) => (isWanted ? [plain] : []))];
  const seen = named.flatMap(({ plain, isWanted, isTold }) =>
    isWanted ? [] : [`${isTold ? "when" : "in case of"} ${uncapitalised(plain)}`],
  );
  const needs = `you need to ${wanted.map(uncapitalised).join(" or ")}`;
  return { summary: `Use when ${[needs, ...seen].join(", or ")}`, lines };
}

const hasVerb = (text: string): boolean =>
  (text.toLowerCase().match(/\p{L}+/gu) ?? []).some(
    (word) => IS.test(word) || isForm(word, "third") || isForm(word, "past"),
  );

const IS = /^(?:is|are|was|were|has|have|had|does|did|wants|needs|says|fell|grew|went)$/;
