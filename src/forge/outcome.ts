import { FULL_STOPS } from "../core/kernel/text.ts";
import { QUESTION_MARKS } from "../text/sentence-marks.ts";
import type { OutcomeKind, OutcomePhrase } from "./wording/outcome-words.ts";
import { phraseAt } from "./wording/outcome-words.ts";
import { isForm, verbOf } from "./wording/verbs.ts";

/** One statement of a text about how work ended. */
export interface OutcomeEvent {
  readonly kind: OutcomeKind;
  /** "then", "now", "in the end": what was before is over. */
  readonly turns: boolean;
  /** Said by a "not" or "no longer", which may be what was wanted: "the old key no longer works". */
  readonly negated: boolean;
}

/** Characters at the end of a text that are read. */
const READ_MAX = 2_000;
/** Words before a phrase in which a "not" or "should" speaks of it. */
const NEGATION_REACH = 4;
const UNREAL_REACH = 3;
const ATTEMPT_REACH = 4;

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));
const NEGATORS = words("not no never without zero 0 none nothing neither nor hardly");
/** What makes a statement a wish, a plan or a condition. */
const UNREAL = words(
  "will shall should would might may must can need needs needed going planned want wants hope hoping waiting awaiting pending expect expects expected let's please todo",
);
/** The same where "to" or "for" follows. */
const ATTEMPTS = words("try tries tried trying plan plans ready ask asked due wait");
const BE = words(
  "is are was were be been being am get gets got getting become became stays stayed remains remained keeps kept",
);
const BEFORE_NOUN = words(
  "the a an this that these those each every any old its our their his her for of with about from",
);
/** A word after "failed" that shows it to be the verb of the clause. */
const AFTER_VERB = words(
  `is was are were has have had be in on at with because and or but again due when while after for by to as since twice once
  today yesterday tonight there here it them us me this that the a an so still too now completely silently halfway`,
);
const TURNS = words("then now finally eventually afterwards meanwhile next");
const TURN_PHRASE = /\b(?:in the end|at last|after that|this time|second (?:try|attempt)|retried|retry|again)\b/;

/** What a text says of how work ended, in order of time as far as its words tell it. */
export function outcomesOf(text: string): OutcomeEvent[] {
  return sentencesOf(withoutContractions(text.slice(-READ_MAX).toLowerCase())).flatMap((sentence) => {
    const clauses = clausesOf(sentence);
    const background = clauses.filter(({ isBackground }) => isBackground);
    const main = clauses.filter(({ isBackground }) => !isBackground);
    return [...background, ...main].flatMap((clause, i, all) => eventsOf(clause, all[i + 1]));
  });
}

const withoutContractions = (lower: string): string =>
  lower
    .replaceAll("\u2019", "'")
    .replace(/\bcan't\b/g, "cannot")
    .replace(/\bwon't\b/g, "will not")
    .replace(/n't\b/g, " not");

const SENTENCE_ENDS = new RegExp(`(?<=[.!?])\\s+|\\n+|(?<=[${FULL_STOPS}])`);
const ASKED = new RegExp(`[${QUESTION_MARKS}]\\s*$`);

const sentencesOf = (text: string): string[] =>
  text.split(SENTENCE_ENDS).filter((sentence) => sentence.trim() !== "" && !ASKED.test(sentence));

interface Clause {
  readonly words: readonly string[];
  /** What had been before the main clause, or why. */
  readonly isBackground: boolean;
  /** A condition, or something yet to come. */
  readonly isUnreal: boolean;
  readonly opensWithUntil: boolean;
  readonly turns: boolean;
}

const BREAK =
  /[,;:()]|\s[-\u2013\u2014]\s|\b(?=(?:but|however|although|though|then|so|because|since|while|whereas|until|after|before|despite|once|if|unless|and)\b)/;

function clausesOf(sentence: string): Clause[] {
  return sentence.split(BREAK).flatMap((part) => {
    const text = part.trim();
    const found = text.match(/\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{N}]+(?:'\p{L}+)?/gu) ?? [];
    if (found.length === 0) return [];
    const first = found[0] ?? "";
    return {
      words: found,
      isBackground: /^(?:although|though|after|despite|because|since|while|whereas)$/.test(first),
      isUnreal: /^(?:if|unless|before|once|until)$/.test(first),
      opensWithUntil: first === "until",
      turns: found.some((word) => TURNS.has(word)) || TURN_PHRASE.test(text),
    };
  });
}

function eventsOf(clause: Clause, next: Clause | undefined): OutcomeEvent[] {
  if (clause.isUnreal) return [];
  const events: Placed[] = [];
  for (let index = 0; index < clause.words.length; index++) {
    const phrase = phraseAt(clause.words, index);
    if (!phrase) continue;
    const kind = kindAt(clause.words, index, phrase);
    if (kind) events.push({ kind, turns: clause.turns, negated: isNegated(clause.words, index), at: index });
    index += phrase.words.length - 1;
  }
  // "Could not log in until the cache was cleared" tells how it was overcome.
  const isOvercome = next?.opensWithUntil === true && next.words.some((word) => isForm(word, "past"));
  const event = governing(clause.words, events);
  return event && !(isOvercome && event.kind === "setback")
    ? [{ kind: event.kind, turns: event.turns, negated: event.negated }]
    : [];
}

interface Placed extends OutcomeEvent {
  readonly at: number;
}

const isGood = ({ kind }: OutcomeEvent): boolean => kind === "works" || kind === "formal";
const RELATIVE = words("that which who what where whatever");

/**
 * Within a clause, what comes first governs: "failed to get it approved" failed, "fixed what crashed" is fixed. Unless what
 * follows is said of the whole: "the merged change was reverted".
 */
function governing(all: readonly string[], events: readonly Placed[]): Placed | undefined {
  const [first] = events;
  if (!first || !isGood(first)) return first;
  const relative = all.findIndex((word, i) => i > first.at && RELATIVE.has(word));
  const limit = relative < 0 ? all.length : relative;
  return events.find((event) => !isGood(event) && BE.has(all[event.at - 1] ?? "") && event.at < limit) ?? first;
}

/** What a phrase says where it stands, or null when it says nothing of how things are. */
function kindAt(all: readonly string[], index: number, { kind, words }: OutcomePhrase): OutcomeKind | null {
  const isBad = kind === "setback" || kind === "end";
  if (isNegated(all, index)) return isBad ? "works" : "setback";
  if (isUnreal(all, index)) return null;
  return words.length === 1 && isAttributive(all, index, isBad) ? null : kind;
}

const isNegated = (all: readonly string[], index: number): boolean =>
  all.slice(Math.max(0, index - NEGATION_REACH), index).some((word) => NEGATORS.has(word)) ||
  (all[index + 1] === "no" && /^(?:longer|more)$/.test(all[index + 2] ?? ""));

const isUnreal = (all: readonly string[], index: number): boolean =>
  all.slice(Math.max(0, index - UNREAL_REACH), index).some((word) => UNREAL.has(word)) ||
  all
    .slice(Math.max(0, index - ATTEMPT_REACH), index)
    .some((word, i, near) => ATTEMPTS.has(word) && /^(?:to|for)$/.test(near[i + 1] ?? ""));

/** "The failing test", "repair a broken replica": part of a name, not a statement. */
function isAttributive(all: readonly string[], index: number, isBad: boolean): boolean {
  const before = all[index - 1];
  const after = all[index + 1];
  if (before === undefined || after === undefined || BE.has(before) || AFTER_VERB.has(after)) return false;
  // "A failed run", "counts as a failed release", "was a broken build" are said of the whole.
  if (before === "a" && (index < 2 || all[index - 2] === "as" || BE.has(all[index - 2] ?? ""))) return false;
  const isVerb = verbOf(before) !== null && !BEFORE_NOUN.has(all[index - 2] ?? "");
  return BEFORE_NOUN.has(before) || (isBad && isVerb);
}
