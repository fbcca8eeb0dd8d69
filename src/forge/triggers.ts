import { imperativeOf } from "./imperative.ts";
import type { PlacedPassage } from "./steps.ts";
import { rarityOf, sharedWords, tellingRoots } from "./telling.ts";
import { isForm } from "./verbs.ts";
import type { Wording } from "./wording.ts";
import { sentence, uncapitalised } from "./wording.ts";

export interface Triggers {
  /** One sentence that says when the skill is of use, for search. */
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
  const occasions = distinct([goal, ...goals.map(({ text }) => text)], wording);
  const lines = occasions.slice(0, LINES_MAX).map((text) => sentence(asOccasion(wording.general(text), "You need to")));
  const others = occasions.slice(1, 1 + SUMMARY_OCCASIONS).map((text) => asOccasion(wording.plain(text), "to"));
  const wants = others.filter((text) => text.startsWith("to "));
  const sights = others.filter((text) => !text.startsWith("to "));
  const first = ["you need to ", [uncapitalised(goal), ...wants.map((text) => text.slice(3))].join(" or ")].join("");
  return { summary: sentence(`Use when ${[first, ...sights.map(asClause)].join(", or ")}`), lines };
}

/** Those that no earlier one says already in much the same words. */
function distinct(texts: readonly string[], wording: Wording): string[] {
  const plain = texts.map((text) => wording.plain(text));
  const bags = plain.map(tellingRoots);
  const rarity = rarityOf(bags);
  const kept: number[] = [];
  for (const [i, bag] of bags.entries()) {
    if (bag.size === 0 || kept.some((k) => sharedWords(bag, bags[k] ?? new Set(), rarity) >= SAME_FROM)) continue;
    kept.push(i);
  }
  return kept.flatMap((i) => texts[i] ?? []);
}

const asOccasion = (text: string, lead: string): string => {
  const wanted = imperativeOf(text);
  return wanted === null ? text : `${lead} ${uncapitalised(wanted)}`;
};

/** "when monitoring warns"; what has no verb is "in case of". */
function asClause(text: string): string {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const hasVerb = words.some((word) => IS.test(word) || isForm(word, "third") || isForm(word, "past"));
  return `${hasVerb ? "when" : "in case of"} ${uncapitalised(text)}`;
}

const IS = /^(?:is|are|was|were|has|have|had|does|did|wants|needs|says|fell|grew|went)$/;
