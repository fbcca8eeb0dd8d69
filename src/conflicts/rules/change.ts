import type { ContentWord } from "../../text/claims/content-words.ts";
import type { Token, TokenRange } from "../../text/claims/lexer.ts";
import type { ParsedClause } from "../../text/claims/parse.ts";
import { keySet } from "../../text/lexicon/synonyms.ts";
import { relate } from "../../text/values/relate.ts";
import { stems } from "../../text/words/stem.ts";
import type { Alignment } from "../align.ts";
import type { MatchedTokens } from "../chunks.ts";
import type { Rule } from "../rule-match.ts";
import { matchOf } from "../rule-match.ts";

/** Verbs that end what they are said of. */
const ENDING = keySet(
  `leave quit stop end drop remove sell cancel abandon retire ditch discontinue uninstall decommission resign close delete
  terminate dissolve disband scrap withdraw revoke repeal lift deprecate sunset divorce unsubscribe break demolish lose
  cease discard return shut kill rip`,
);
const ENDING_PHRASE =
  /^(?:(?:gave|give|gives|given) up|hand(?:ed|s)? in|step(?:ped|s)? down|(?:let|lets) go|(?:got|get) rid|phas(?:ed|es) out|pull(?:ed|s)? out|(?:came|come|comes) to an end|turn(?:ed|s)? in|part(?:ed)? ways|wound down|shut down|took down|taken down|fell through|got over|mov(?:ed|es) on from|gone off|went off)$/;

/** The newer text says that what the older one tells has ended: "left the bakery", "no longer", "used to". */
export const endedRule: Rule = (pair) => {
  const told = toldBy(pair);
  if (told.length === 0 || pair.older.negated || hasEndingVerb(pair.older)) return null;
  const ends = hasEnding(pair) || isOver(pair.newer, pair.newer_text.tokens);
  const [first] = told;
  if (!ends || first === undefined) return null;
  const inOlder = pair.older.words.find(({ key }) => key === first.key) ?? first;
  return matchOf(pair, "ended", { older: [rangeOf(inOlder)], newer: [rangeOf(first)] });
};

const rangeOf = ({ index }: ContentWord): TokenRange => ({ from: index, to: index + 1 });

/** What both say of the subject, in the newer part. */
const toldBy = ({ older, newer, shared }: Alignment): ContentWord[] => {
  const said = new Set(older.words.filter(({ zone }) => zone !== "subject").map(({ key }) => key));
  return newer.words.filter(({ key, zone }) => zone !== "subject" && shared.has(key) && said.has(key));
};

const hasEndingVerb = ({ words }: ParsedClause): boolean =>
  words.some(({ zone, key }) => zone === "verb" && ENDING.has(key));

const hasEnding = ({ newer, newer_text }: Alignment): boolean => {
  if (hasEndingPhrase(newer, newer_text.tokens)) return !newer.negated;
  return hasEndingVerb(newer) && !newer.negated;
};

function hasEndingPhrase({ from, to }: ParsedClause, tokens: readonly Token[]): boolean {
  for (let index = from; index < to - 1; index++) {
    if (!ENDING_WORDS.has(tokens[index]?.stem ?? "")) continue;
    const words = tokens.slice(index, index + PHRASE_WORDS).map(({ lower }) => lower);
    if (words.some((_, i) => i > 0 && ENDING_PHRASE.test(words.slice(0, i + 1).join(" ")))) return true;
  }
  return false;
}

/** Verbs that such a phrase begins with. */
const ENDING_WORDS: ReadonlySet<string> = new Set(
  stems("give hand step let get phase pull come turn part wind shut take fall move go"),
);
/** Words of the longest phrase for an end. */
const PHRASE_WORDS = 4;

/** "No longer", "used to", "not any more". */
function isOver({ from, to }: ParsedClause, tokens: readonly Token[]): boolean {
  for (let index = from; index < to; index++) {
    const [word, next] = [tokens[index]?.lower, tokens[index + 1]?.lower];
    if ((word === "no" && next === "longer") || (word === "used" && next === "to") || word === "anymore") return true;
    if (word === "any" && next === "more") return true;
  }
  return false;
}

/** The newer text names what it replaces, and that is what the older one says: "from X to Y", "Y rather than X", "replaced X". */
export const replacedRule: Rule = (pair) => {
  const { older, newer } = pair;
  if (older.negated || newer.negated) return null;
  const value = asideValue(pair);
  if (value !== null) return matchOf(pair, "replaced", value);
  const said = older.words.filter(({ zone }) => zone !== "verb");
  for (const word of [...newer.words.filter((one) => isLeft(pair, one)), ...newer.aside.words]) {
    const inOlder = said.find(({ key }) => key === word.key);
    if (inOlder === undefined || (inOlder.zone === "subject" && !isHandedOn(pair))) continue;
    // Something must be left that both speak of.
    if (![...pair.shared].some((key) => key !== word.key)) continue;
    return matchOf(pair, "replaced", { older: [rangeOf(inOlder)], newer: [rangeOf(word)] });
  }
  return null;
};

/** A value that the newer text sets aside and the older one gives. */
function asideValue({ older, newer, newer_text }: Alignment): MatchedTokens | null {
  const left = newer.values.filter(({ from }) => newer.changes && newer_text.tokens[from - 1]?.lower === "from");
  for (const aside of [...left, ...newer.aside.values]) {
    const said = older.values.find(
      (value) =>
        relate(value, aside) === "equal" || (relate(value, aside) === "compatible" && value.amount === aside.amount),
    );
    if (said !== undefined) return { older: [said], newer: [aside] };
  }
  return null;
}

const SWAPS = keySet("replace swap supersede supplant exchange trade oust succeed relieve");
const FROM = keySet(
  "switch migrate move change convert rename upgrade pass transfer shift go hand take port downgrade relocate withdraw",
);
const HAND_ON = keySet("pass transfer hand take go shift move replace succeed relieve inherit");

/** The holder of something is its subject: "Mei leads the team", "the team passed from Mei to Johan". */
const isHandedOn = ({ newer }: Alignment): boolean =>
  newer.words.some(({ zone, key }) => zone === "verb" && HAND_ON.has(key));

/** Behind "from" and a verb of moving, or the object of "replace"; in a passive its subject, or who hands on. */
function isLeft({ newer }: Alignment, { preposition, zone }: ContentWord): boolean {
  const verbs = newer.words.filter((word) => word.zone === "verb").map(({ key }) => key);
  if (zone === "complement" && preposition === "from") return verbs.some((key) => FROM.has(key));
  if (zone === "complement" && preposition === "") return !newer.passive && verbs.some((key) => SWAPS.has(key));
  if (zone !== "subject") return false;
  return newer.passive ? verbs.some((key) => SWAPS.has(key)) : verbs.some((key) => /^(?:hand|pas|transf)$/.test(key));
}
