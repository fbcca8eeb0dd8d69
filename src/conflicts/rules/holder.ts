import type { ContentWord } from "../../text/claims/content-words.ts";
import type { ParsedClause } from "../../text/claims/parse.ts";
import { keySet } from "../../text/lexicon/synonyms.ts";
import type { Alignment } from "../align.ts";
import type { Rule } from "../rule-match.ts";
import { matchOf } from "../rule-match.ts";

/** Words for having charge of something. */
const CHARGE = keySet(
  "charge responsibility responsible ownership leadership custody stewardship admin decision belong accountable",
);

/** Posts that one holds at a time; verbs that say that somebody holds one. */
const POSTS = keySet(
  `owner lead leader head manager director chair chairman chairwoman captain president ceo cto cfo coo treasurer secretary
  editor coach mayor principal boss supervisor maintainer coordinator moderator host speaker contact champion winner editor
  architect conductor landlord tenant goalkeeper organiser organizer dean rector minister governor chef
  oncall on-call doctor physician pediatrician dentist lawyer accountant therapist gp vet hairdresser plumber mechanic nanny
  babysitter tutor teacher trainer wife husband spouse fiance girlfriend boyfriend successor predecessor roommate assistant
  deputy sponsor supplier vendor provider insurer keynote`,
);
const OTHER_NAMES_MAX = 3;
/** Prepositions of what stands beside a holder's name: "Mei in accounting". */
const ASIDE: ReadonlySet<string> = new Set(["in", "at", "from", "after", "since", "on"]);

/** Another name holds what only one can hold: "Mei leads the team", "the team is led by Johan". */
export const holderRule: Rule = (pair) => {
  const older = holderOf(pair.only_older);
  const newer = holderOf(pair.only_newer);
  if (older === null || newer === null || !isPost(pair)) return null;
  return matchOf(pair, "holder", { older: [older], newer: [newer] });
};

interface Holder {
  readonly from: number;
  readonly to: number;
}

/** All that a part has to itself, where that is one name and nothing else but verbs. */
function holderOf(words: readonly ContentWord[]): Holder | null {
  const nouns = words.filter(({ zone, key }) => zone !== "verb" && !POSTS.has(key) && !CHARGE.has(key));
  const [first, last] = [nouns[0], nouns.at(-1)];
  if (first === undefined || last === undefined || nouns.length > OTHER_NAMES_MAX) return null;
  const names = nouns.filter(({ named }) => named);
  const others = nouns.filter(({ named, preposition }) => !named && !ASIDE.has(preposition));
  const [from, to] = names.length > 0 ? [names[0], names.at(-1)] : [first, last];
  const isName = names.length > 0 ? others.length === 0 : first.zone === "subject" && first === last;
  return isName && from && to && to.index - from.index < OTHER_NAMES_MAX
    ? { from: from.index, to: to.index + 1 }
    : null;
}

/** Both speak of the same post, or of who leads the same thing. */
function isPost({ older, newer, shared, predicate }: Alignment): boolean {
  if (older.negated || newer.negated || shared.size === 0) return false;
  const isLed = predicate === "same" && /^(?:leads|reports_to)$/.test(newer.predicate);
  const names = [...older.words, ...newer.words].some(
    ({ key, zone }) => zone !== "verb" && POSTS.has(key) && shared.has(key),
  );
  const hasCharge = (part: ParsedClause) =>
    /^(?:leads|belong)$/.test(part.predicate) || part.words.some(({ key }) => CHARGE.has(key));
  return isLed || names || (hasCharge(older) && hasCharge(newer));
}
