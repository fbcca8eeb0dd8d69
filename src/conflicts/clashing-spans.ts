import type { TextSpan } from "../core/ports/finding.ts";

/** Words that say nothing of what clashes, wherever they stand. */
const COMMON = new Set(
  `a an the is are was were be been being am has have had do does did will would and or but of to in on at for from by with as
  it its he she they we you i his her their our your my this that these those now since still also so then no longer not any
  more anymore instead today currently already actually update note fyi`.split(/\s+/),
);

/** Where two texts clash. */
export interface ClashingSpans {
  readonly older: TextSpan;
  readonly newer: TextSpan;
}

/**
 * What clashes in two texts, as far as their words tell: the one place in which they differ, or else in each the run of words
 * that the other lacks, without the small words at its ends, that has most of them; figures and names count twice. The whole
 * text where there is none.
 */
export function clashingSpans(older: string, newer: string): ClashingSpans {
  const [one, other] = [wordsOf(older), wordsOf(newer)];
  return (
    onePlace(one, other) ?? { older: ownSpan(one, other) ?? whole(older), newer: ownSpan(other, one) ?? whole(newer) }
  );
}

/** Words that tell of a change, which only one of two such texts may have. */
const OF_CHANGE = new Set("now currently today already instead".split(" "));
/** Fewer words than this at their beginning name no subject that both speak of. */
const ALIKE_MIN = 2;
/** Longest difference, in words. */
const PLACE_MAX = 3;

function onePlace(older: readonly Word[], newer: readonly Word[]): ClashingSpans | null {
  const [one, other] = [older, newer].map((words) => words.filter(({ key }) => !OF_CHANGE.has(key)));
  if (!one || !other) return null;
  let from = 0;
  while (from < one.length && from < other.length && one[from]?.key === other[from]?.key) from++;
  let behind = 0;
  const left = Math.min(one.length, other.length) - from;
  while (behind < left && one.at(-1 - behind)?.key === other.at(-1 - behind)?.key) behind++;
  const [first, second] = [one, other].map((words) => words.slice(from, words.length - behind));
  if (from < ALIKE_MIN || !isPlace(first) || !isPlace(second)) return null;
  return { older: spanOf(first), newer: spanOf(second) };
}

const isPlace = (words: readonly Word[] | undefined): words is readonly [Word, ...Word[]] =>
  words !== undefined && words.length > 0 && words.length <= PLACE_MAX;

const spanOf = (words: readonly [Word, ...Word[]]): TextSpan => ({
  start: words[0].start,
  end: (words.at(-1) ?? words[0]).end,
});

const whole = (text: string): TextSpan => ({ start: 0, end: text.length });

interface Word extends TextSpan {
  readonly key: string;
  readonly weight: number;
  /** A sentence or clause ends behind it. */
  readonly ends: boolean;
}

/** What a word may begin and end with; marks around it are none of it: "eu-west-1." is one. */
const BEGINS = /[\p{L}\p{N}$€£#+-]/u;
const ENDS = /[\p{L}\p{N}%°+#]/u;

function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(/\S+/g)).flatMap(({ 0: written, index }) => {
    let [start, end] = [0, written.length];
    while (start < end && !BEGINS.test(written.charAt(start))) start++;
    while (end > start && !ENDS.test(written.charAt(end - 1))) end--;
    const word = written.slice(start, end);
    if (word === "") return [];
    const key = word.toLowerCase().replace(/['\u2019]s$/, "");
    const weight = /[\p{N}\p{Lu}]/u.test(word) ? 2 : 1;
    return [{ start: index + start, end: index + end, key, weight, ends: /^[.;!?]/.test(written.slice(end)) }];
  });
}

/** The heaviest run of words that the others lack, the first of equals; small words join what stands around them. */
function ownSpan(words: readonly Word[], others: readonly Word[]): TextSpan | null {
  const known = new Set(others.map(({ key }) => key));
  const runs: Word[][] = [[]];
  for (const word of words) {
    const isCommon = COMMON.has(word.key);
    const isKnown = !isCommon && known.has(word.key);
    if (!isCommon && !isKnown) runs.at(-1)?.push(word);
    if (isKnown || word.ends) runs.push([]);
  }
  const [heaviest = []] = runs.toSorted((a, b) => weightOf(b) - weightOf(a));
  const [first, last] = [heaviest[0], heaviest.at(-1)];
  return first && last ? { start: first.start, end: last.end } : null;
}

const weightOf = (run: readonly Word[]): number => run.reduce((sum, { weight }) => sum + weight, 0);
