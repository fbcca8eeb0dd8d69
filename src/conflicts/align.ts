import type { ContentWord } from "../text/claims/content-words.ts";
import type { ParsedClause, ParsedText } from "../text/claims/parse.ts";
import { canonical, keySet } from "../text/lexicon/synonyms.ts";
import { changesPredicate } from "../text/lexicon/verbs.ts";
import { ATTRIBUTE_NOUNS } from "../text/lexicon/words.ts";
import { relate } from "../text/values/relate.ts";
import type { Value } from "../text/values/value.ts";

/**
 * Whether two parts speak of the same subject: `narrower` where one says more of it, `part` where one speaks of something
 * of it, `unknown` where one has only a pronoun.
 */
export type SubjectRelation = "same" | "narrower" | "part" | "unknown" | "different";
/** How the verb of a newer part stands to that of an older one. */
export type PredicateRelation = "same" | "change" | "generic" | "other";

export type Side = "older" | "newer";

/** Two parts of two texts, laid side by side. */
export interface Alignment {
  readonly older: ParsedClause;
  readonly newer: ParsedClause;
  readonly older_text: ParsedText;
  readonly newer_text: ParsedText;
  readonly subject: SubjectRelation;
  readonly predicate: PredicateRelation;
  /** Keys that both have. */
  readonly shared: ReadonlySet<string>;
  /** Words of one part that the other lacks. */
  readonly only_older: readonly ContentWord[];
  readonly only_newer: readonly ContentWord[];
  /** Share of the words of the part with fewer of them that the other has too. */
  readonly coverage: number;
}

/** Predicates that "to be" may stand for. */
const LIKE_BE: ReadonlySet<string> = new Set(
  "be located_in lives_in stored_in hosted_on costs starts ends lasts weighs holds leads made_with stay remain call measure stand total amount equal reach read comprise number show".split(
    " ",
  ),
);

/** Nouns that say what a verb says: "Ravi's manager is Mei", "Ravi reports to Mei". */
const NOUN_PREDICATES: ReadonlyMap<string, string> = new Map([
  ...pairsOf("reports_to", "manager boss supervisor"),
  ...pairsOf("lives_in", "home residence"),
  ...pairsOf("works_at", "employer job"),
  ...pairsOf("costs", "price cost pricing"),
  ...pairsOf("lasts", "duration"),
  ...pairsOf("weighs", "weight"),
  ...pairsOf("born", "birthplace birthday birthdate"),
  ...pairsOf("made_with", "language framework"),
]);

function pairsOf(predicate: string, nouns: string): (readonly [string, string])[] {
  return [...keySet(nouns)].map((key) => [key, predicate] as const);
}

function predicateByNoun({ predicate, words }: ParsedClause): string {
  if (predicate !== "be") return predicate;
  const noun = words.find(({ zone, key }) => zone === "subject" && NOUN_PREDICATES.has(key));
  return NOUN_PREDICATES.get(noun?.key ?? "") ?? predicate;
}

/** Lays two parts side by side. */
export function align(
  older_text: ParsedText,
  older: ParsedClause,
  newer_text: ParsedText,
  newer: ParsedClause,
): Alignment {
  const olderKeys = keysOf(older);
  const newerKeys = keysOf(newer);
  const shared = new Set([...olderKeys].filter((key) => newerKeys.has(key)));
  const only_older = older.words.filter(({ key }) => !newerKeys.has(key));
  const only_newer = newer.words.filter(({ key }) => !olderKeys.has(key));
  const smaller = Math.min(olderKeys.size, newerKeys.size);
  return {
    older,
    newer,
    older_text,
    newer_text,
    subject: relateSubjects({ older, newer, olderKeys, newerKeys }),
    predicate: relatePredicates(older, newer, shared),
    shared,
    only_older,
    only_newer,
    coverage: smaller === 0 ? 0 : shared.size / smaller,
  };
}

const keysOf = (part: ParsedClause): ReadonlySet<string> => new Set(part.words.map(({ key }) => key));

interface Sides {
  readonly older: ParsedClause;
  readonly newer: ParsedClause;
  readonly olderKeys: ReadonlySet<string>;
  readonly newerKeys: ReadonlySet<string>;
}

function relateSubjects({ older, newer, olderKeys, newerKeys }: Sides): SubjectRelation {
  if (hasOtherLabel(older, newer)) return "different";
  const inOlder = subjectKeys(older);
  const inNewer = subjectKeys(newer);
  const onlyOlder = inOlder.filter((key) => !newerKeys.has(key) && !inNewer.includes(key));
  const onlyNewer = inNewer.filter((key) => !olderKeys.has(key) && !inOlder.includes(key));
  if (onlyOlder.length > 0 && onlyNewer.length > 0) return "different";
  if (isOtherSpeaker(older, newer, { onlyOlder, onlyNewer })) return "different";
  if (isOfRelative(older, onlyOlder) || isOfRelative(newer, onlyNewer)) return "different";
  if (inOlder.length === 0 || inNewer.length === 0) return "unknown";
  if (onlyOlder.length + onlyNewer.length === 0) return "same";
  const isPart = isOwnHead(older, newerKeys) || isOwnHead(newer, olderKeys);
  return isPart ? "part" : "narrower";
}

/** "My editor" and "Mei's editor": who speaks is not whom somebody speaks of. */
function isOtherSpeaker(
  older: ParsedClause,
  newer: ParsedClause,
  only: { readonly onlyOlder: readonly string[]; readonly onlyNewer: readonly string[] },
): boolean {
  const isOfOther = ({ words }: ParsedClause, keys: readonly string[]) =>
    words.some(({ zone, named, key, index }) => zone === "subject" && (named || index === 0) && keys.includes(key));
  if (older.first_person === newer.first_person) return false;
  return older.first_person ? isOfOther(newer, only.onlyNewer) : isOfOther(older, only.onlyOlder);
}

const RELATIVES = keySet(
  `brother sister mother father son daughter child cousin uncle aunt nephew niece grandmother grandfather wife husband partner
  spouse fiance boyfriend girlfriend friend roommate flatmate housemate neighbour neighbor colleague coworker trainer assistant
  landlord tenant twin parent sibling stepfather stepmother mate buddy guest client teacher tutor successor predecessor deputy`,
);

/** "Mei's brother" is another person than Mei; "my brother Leon" is Leon. */
function isOfRelative({ words }: ParsedClause, only: readonly string[]): boolean {
  return words.some(({ key, zone, index }, i) => {
    if (zone !== "subject" || !only.includes(key) || !RELATIVES.has(key)) return false;
    const next = words[i + 1];
    return !(next?.zone === "subject" && next.index === index + 1 && next.named);
  });
}

/** Whether the noun that a subject is about is one that the other text lacks: "the rate of the loan" for "the loan". */
function isOwnHead(part: ParsedClause, otherKeys: ReadonlySet<string>): boolean {
  const head = headOf(part);
  return (
    head !== undefined && !otherKeys.has(head.key) && !attributeKeys.has(head.key) && !NOUN_PREDICATES.has(head.key)
  );
}

/** The noun before the first preposition; "preparing the meeting" is about preparing. */
function headOf({ words, gerund }: ParsedClause): ContentWord | undefined {
  const subject = words.filter(({ zone }) => zone === "subject");
  return gerund ? subject[0] : subject.findLast(({ preposition }) => preposition === "");
}

/** What a subject is told apart by; an attribute such as "limit" may be left out. */
const subjectKeys = (part: ParsedClause): string[] =>
  topicOf(part)
    .filter(({ key }) => !attributeKeys.has(key) && !NOUN_PREDICATES.has(key))
    .map(({ key }) => key)
    .concat(
      part.values
        .filter(({ kind, from }) => kind === "frequency" && from >= part.subject.from && from < part.subject.to)
        .map(({ key }) => key),
    );

const attributeKeys: ReadonlySet<string> = new Set([...ATTRIBUTE_NOUNS].map(canonical));

/** What a part speaks of: its subject, but of who changes something, the thing that is changed. */
function topicOf({ words, changes, passive, complement }: ParsedClause): readonly ContentWord[] {
  const object =
    changes && !passive
      ? words.filter(({ zone, preposition }) => zone === "complement" && /^(?:|of|for)$/.test(preposition))
      : [];
  const isObject = object[0] !== undefined && object[0].index - complement.from <= 2;
  return isObject ? object : words.filter(({ zone }) => zone === "subject");
}

/** Subjects with numbers of their own ("ticket 12", "room 3", "in 2022") that differ. */
export function hasOtherLabel(older: ParsedClause, newer: ParsedClause): boolean {
  const labels = (part: ParsedClause) =>
    part.values.filter(
      (value) => value.from < part.subject.to && value.from >= part.subject.from && isLabel(part, value),
    );
  if (isLatest(older)) return false;
  if (labels(older).some((label) => labels(newer).some((other) => relate(label, other) === "clash"))) return true;
  if (isOneNamed(labels, older, newer)) return true;
  const [one, other] = [codeOf(older), codeOf(newer)];
  return one !== null && other !== null && one.family === other.family && one.key !== other.key;
}

/** A version or date, or the number of the noun before it: "the region 7 database". */
const isLabel = ({ words }: ParsedClause, { kind, from }: Value): boolean =>
  kind === "version" || kind === "date" || (kind === "number" && words.some(({ index }) => index === from - 1));

/** "Order 12" and "the order of paper": one is told apart by its number, the other by what it is of. */
function isOneNamed(
  labels: (part: ParsedClause) => readonly Value[],
  older: ParsedClause,
  newer: ParsedClause,
): boolean {
  const numbered = (part: ParsedClause) =>
    labels(part).some(({ kind, dimension }) => kind === "version" && dimension !== "");
  const [one, other] = [numbered(older), numbered(newer)];
  if (one === other) return false;
  const [named, unnamed] = one ? [older, newer] : [newer, older];
  const keys = new Set(named.words.map(({ key }) => key));
  return unnamed.words.filter(({ zone, key }) => zone === "subject" && !keys.has(key)).length >= 2;
}

/** "4.2 is the latest": what comes after it is of the same subject. */
const isLatest = ({ latest }: ParsedClause): boolean => latest;

/** The code that a subject begins with, such as OPS-12 or FR-2a, and the family of such codes. */
function codeOf({ words }: ParsedClause): { readonly key: string; readonly family: string } | null {
  const code = words.find(({ zone, key }) => zone === "subject" && /\d/.test(key) && /^\p{L}/u.test(key));
  return code === undefined ? null : { key: code.key, family: code.key.replace(/\d.*$/, "") };
}

function relatePredicates(older: ParsedClause, newer: ParsedClause, shared: ReadonlySet<string>): PredicateRelation {
  const [was, is] = [predicateByNoun(older), predicateByNoun(newer)];
  if (was === is) return "same";
  if (newer.verb !== "" && changesPredicate(newer.verb, was)) return "change";
  if (newer.changes && LIKE_BE.has(was)) return "change";
  if (LIKE_BE.has(was) && LIKE_BE.has(is)) return "generic";
  // "We deploy with" and "deploys go through": the verb of one is a noun of the other.
  const isShared = [older, newer].some((part) =>
    part.words.some(({ zone, key }) => zone === "verb" && shared.has(key)),
  );
  return isShared ? "same" : "other";
}
