import type { Token } from "../../claims/lexer.ts";
import { keySet } from "../../claims/lexicon/synonyms.ts";
import type { ContentWord, Part } from "../../claims/reading.ts";
import type { Alignment } from "../align.ts";
import type { TokenRange } from "../chunks.ts";
import type { Rule } from "../finding.ts";
import { finding } from "../found.ts";

/** Verbs that end what they are said of. */
const ENDING = keySet(
  `leave quit stop end drop remove sell cancel abandon retire ditch discontinue uninstall decommission resign close delete
  terminate dissolve disband scrap withdraw revoke repeal lift deprecate sunset divorce unsubscribe break demolish lose
  replace switch move migrate swap cease discard return shut kill rip`,
);
const ENDING_PHRASE =
  /^(?:(?:gave|give|gives|given) up|hand(?:ed|s)? in|step(?:ped|s)? down|(?:let|lets) go|(?:got|get) rid|phas(?:ed|es) out|pull(?:ed|s)? out|(?:came|come|comes) to an end|turn(?:ed|s)? in|part(?:ed)? ways|wound down|shut down|took down|taken down|fell through|got over|mov(?:ed|es) on from|gone off|went off)$/;
const AWAY_FROM: ReadonlySet<string> = new Set(["from", "off", "than", "of"]);

/** The newer text says that what the older one tells has ended: "left the bakery", "no longer", "used to". */
export const endedRule: Rule = (pair) => {
  const told = toldBy(pair);
  if (told.length === 0 || pair.older.negated) return null;
  const ends = hasEnding(pair) || isOver(pair.newer, pair.newer_text.tokens);
  const [first] = told;
  if (!ends || first === undefined) return null;
  const inOlder = pair.older.words.find(({ key }) => key === first.key) ?? first;
  return finding(pair, "ended", { older: [rangeOf(inOlder)], newer: [rangeOf(first)] });
};

const rangeOf = ({ at }: ContentWord): TokenRange => ({ from: at, to: at + 1 });

/** What both say of the subject, in the newer part. */
const toldBy = ({ older, newer, shared }: Alignment): ContentWord[] => {
  const said = new Set(older.words.filter(({ zone }) => zone !== "subject").map(({ key }) => key));
  return newer.words.filter(({ key, zone }) => zone !== "subject" && shared.has(key) && said.has(key));
};

const hasEnding = ({ older, newer, newer_text }: Alignment): boolean => {
  if (hasEndingPhrase(newer, newer_text.tokens)) return !newer.negated;
  const verb = newer.words.find(({ zone, key }) => zone === "verb" && ENDING.has(key));
  return verb !== undefined && !newer.negated && !older.words.some(({ key }) => key === verb.key);
};

function hasEndingPhrase({ from, to }: Part, tokens: readonly Token[]): boolean {
  for (let at = from; at < to - 1; at++) {
    const words = tokens.slice(at, at + PHRASE_WORDS).map(({ lower }) => lower);
    if (words.some((_, i) => i > 0 && ENDING_PHRASE.test(words.slice(0, i + 1).join(" ")))) return true;
  }
  return false;
}

/** Words of the longest phrase for an end. */
const PHRASE_WORDS = 4;

/** "No longer", "used to", "not any more". */
function isOver({ from, to }: Part, tokens: readonly Token[]): boolean {
  for (let at = from; at < to; at++) {
    const [word, next] = [tokens[at]?.lower, tokens[at + 1]?.lower];
    if ((word === "no" && next === "longer") || (word === "used" && next === "to") || word === "anymore") return true;
    if (word === "any" && next === "more") return true;
  }
  return false;
}

/** The newer text names what it replaces: "from X to Y", "instead of X", "replaced X with Y", and X is what the older one says. */
export const replacedRule: Rule = (pair) => {
  const { older, newer, shared } = pair;
  if (older.negated || newer.negated) return null;
  const said = new Set(older.words.filter(({ zone }) => zone === "complement").map(({ key }) => key));
  const left = newer.words.find((word) => shared.has(word.key) && said.has(word.key) && isLeft(pair, word));
  const entered = newer.words.find(
    (word) => word.zone === "complement" && word.at > (left?.at ?? 0) && !shared.has(word.key),
  );
  const inOlder = older.words.find(({ key, zone }) => zone === "complement" && key === left?.key);
  if (left === undefined || entered === undefined || inOlder === undefined) return null;
  return finding(pair, "replaced", { older: [rangeOf(inOlder)], newer: [{ from: left.at, to: entered.at + 1 }] });
};

const SWAPS = keySet("replace swap switch migrate move change convert rename upgrade exchange trade");

/** Behind "from", "instead of" or "rather than", or the object of "replace". */
function isLeft({ newer, newer_text }: Alignment, { preposition, at }: ContentWord): boolean {
  const before = newer_text.tokens[at - 2]?.lower ?? "";
  const isInstead = preposition === "of" && /^(?:instead|place|lieu)$/.test(before);
  const swaps = newer.words.some(({ zone, key }) => zone === "verb" && SWAPS.has(key));
  if (preposition === "of") return isInstead;
  return (AWAY_FROM.has(preposition) && swaps) || (preposition === "" && swaps);
}
