import type { Judge, Judgement, StatementPair } from "../../core/ports/judge.ts";
import { languageOf } from "../../text/language.ts";

/**
 * A judge that reads any language, and beside it, on English pairs, one that learned nothing else: the mean of their log-odds is
 * right more often than either (docs/benchmarks.md). About other pairs, and where it cannot be asked, the second one is undecided.
 */
export function twoJudges(first: Judge, english: Judge): Judge {
  return {
    id: `${first.id}+${english.id}`,
    state: first.state,
    async score(pairs, options) {
      const found = await first.score(pairs, options);
      const inEnglish = pairs.filter(isEnglish);
      if (found === null) return null;
      const second = inEnglish.length === 0 ? [] : await english.score(inEnglish, options);
      const byPair = new Map(inEnglish.map((pair, i) => [pair, second?.[i]] as const));
      return pairs.map((pair, i) => together(found[i] ?? UNDECIDED, byPair.get(pair) ?? UNDECIDED));
    },
  };
}

const UNDECIDED: Judgement = { clash: 0.5, replaced: 0.5, whole: 0.5 };

/** Whether one text is English and the other may be: short ones often tell no language. */
function isEnglish({ older, newer }: StatementPair): boolean {
  const languages = [languageOf(older), languageOf(newer)];
  return languages.includes("en") && languages.every((language) => language === "en" || language === null);
}

/** Only the first judge knows whether the whole is over. */
const together = (one: Judgement, other: Judgement): Judgement => ({
  clash: meanOf(one.clash, other.clash),
  replaced: meanOf(one.replaced, other.replaced),
  whole: one.whole,
});

/** The chance whose log-odds are the mean of those of two chances. */
function meanOf(a: number, b: number): number {
  const [yes, no] = [Math.sqrt(a * b), Math.sqrt((1 - a) * (1 - b))];
  return yes + no === 0 ? 0.5 : yes / (yes + no);
}
