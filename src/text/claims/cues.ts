import type { Token } from "./lexer.ts";

/** What the wording of a clause says about how it stands to earlier statements. */
export interface Cues {
  /** Things are now other than before. */
  readonly change: boolean;
  /** What was said before was wrong. */
  readonly correction: boolean;
  /** Something is added to what was. */
  readonly addition: boolean;
  /** Speaks of what was and is no more. */
  readonly past: boolean;
  /** Nothing else is meant: "only", "solely". */
  readonly exclusive: boolean;
  /** Holds for a short while, or held once. */
  readonly temporary: boolean;
}

const CHANGE =
  phrases(`now|no longer|not any more|anymore|any more|these days|nowadays|from now on|as of|instead|by now|going forward|
  has since|have since|in the meantime|meanwhile|recently|lately|at last|switched|this time|newly|from this|starting|with effect|effective|
  since|until further notice|for now|today|again|meanwhile|henceforth|onwards`);
const CORRECTION =
  phrases(`correction|corrected|actually|scratch that|was wrong|were wrong|is wrong|is not true|not true|mistake|mistaken|mistakenly|in fact|turns out|
  turned out|after all|misremembered|misread|misheard|typo|erratum|contrary to|not as|rather than|incorrectly|strike that|disregard|ignore the earlier|my bad|in reality`);
const ADDITION = phrases(
  "also|too|as well|another|additionally|in addition|besides|second|extra|plus|along with|other|furthermore|moreover|one more|additional|further|can now|could now|now also|now supports",
);
const PAST = phrases(
  "used to|formerly|previously|originally|at first|back then|former|in the past|at the time|as a child|once upon|earlier|initially|had been|ex",
);
const EXCLUSIVE = phrases(
  "only|solely|exclusively|nothing but|nobody but|no one but|nothing else|sole|entirely|always",
);

const TEMPORARY =
  phrases(`just for today|for today only|only for today|today only|only today|this week only|for the duration|temporarily|for a day|
  for one day|for one night|just this once|only this once|this one time|as an exception|exceptionally|for a special event|until tomorrow|
  for the weekend|one-off exception|one - off|exception`);

function phrases(list: string): ReadonlyMap<string, readonly (readonly string[])[]> {
  return Map.groupBy(
    list.split("|").map((phrase) => phrase.trim().split(" ")),
    ([first = ""]) => first,
  );
}

/** Reads the cues of a range of tokens. */
export function readCues(tokens: readonly Token[], from: number, to: number): Cues {
  const has = (list: ReturnType<typeof phrases>): boolean => {
    for (let index = from; index < to; index++) {
      const starting = list.get(tokens[index]?.lower ?? "");
      if (starting?.some((words) => words.every((word, i) => tokens[index + i]?.lower === word))) return true;
    }
    return false;
  };
  return {
    change: has(CHANGE),
    correction: has(CORRECTION),
    addition: has(ADDITION),
    past: has(PAST),
    exclusive: has(EXCLUSIVE),
    temporary: has(TEMPORARY),
  };
}
