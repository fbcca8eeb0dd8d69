import { isVerbStem, predicateOf } from "../lexicon/verbs.ts";
import { ADVERBS, BE, DETERMINERS, DO, HAVE, MODALS, NEGATIONS, PREPOSITIONS, PRONOUNS } from "../lexicon/words.ts";
import { stems } from "../words/stem.ts";
import type { Clause } from "./clauses.ts";
import { isInflected } from "./clauses.ts";
import { type Denials, readDenials } from "./denials.ts";
import { readIntro } from "./intro.ts";
import type { Token, TokenRange } from "./lexer.ts";

export type Tense = "past" | "present" | "perfect" | "future" | "none";

/** A clause taken apart: who or what, the verb, and what is said. */
export interface Frame extends TokenRange, Denials {
  readonly clause: Clause;
  readonly subject: TokenRange;
  /** The auxiliaries and the main verb; empty in a fragment. */
  readonly verbs: TokenRange;
  readonly complement: TokenRange;
  /** Stem of the main verb; empty in a fragment and where a form of "be" is all. */
  readonly verb: string;
  /** What is said of the subject: a group of verbs, `be`, or the verb itself. */
  readonly predicate: string;
  readonly passive: boolean;
  /** Token of the name of who says so, where the text has one. */
  readonly speaker: number | null;
  readonly negated: boolean;
  readonly tense: Tense;
}

/** Takes a clause apart; `before` is the frame whose subject it continues. */
export function readFrame(tokens: readonly Token[], clause: Clause, before: Frame | undefined): Frame {
  const { from, to, denied, speaker } = readIntro(tokens, clause);
  const verbs = findVerbs(tokens, { from, to, continues: clause.continues });
  const own = { from, to: verbs.from };
  const subject = clause.continues && own.to <= own.from && before ? before.subject : own;
  const complement = { from: verbs.to, to };
  const { denials, set_aside } = readDenials(tokens, { from, to });
  const negated = (denials.length % 2 === 1) !== denied;
  return {
    clause,
    from,
    to,
    speaker,
    subject,
    verbs,
    complement,
    negated,
    denials,
    set_aside,
    ...readVerbs(tokens, verbs),
  };
}

const isAuxiliary = (word: string): boolean => BE.has(word) || HAVE.has(word) || DO.has(word) || MODALS.has(word);

/** Whether a clause has its subject in the clause before. */
interface Place {
  readonly continues: boolean;
}

const EQUATIONS: ReadonlySet<string> = new Set([":", "=", "→"]);

/** The verb group of a range; where there is none, an equals sign or a colon, else nothing at the end. */
function findVerbs(tokens: readonly Token[], { from, to, continues }: TokenRange & Place): TokenRange {
  for (let index = from; index < to; index++) {
    const token = tokens[index];
    if (token === undefined) break;
    if (EQUATIONS.has(token.text)) return { from: index, to: index + 1 };
    if (token.kind !== "word" || !isVerbHere(tokens, index, { from, to, continues })) continue;
    return { from: index, to: groupEnd(tokens, index, to) };
  }
  return { from: to, to };
}

/** Whether a word stands as a verb: an auxiliary, a known verb behind a subject, or any word behind "I" or "they". */
function isVerbHere(
  tokens: readonly Token[],
  index: number,
  { from, to, continues }: TokenRange & Pick<Place, "continues">,
): boolean {
  const token = tokens[index];
  if (token === undefined) return false;
  if (isAuxiliary(token.lower)) return index > from || !HAVE.has(token.lower);
  const before = lastOutside(tokens, index - 1, from);
  if (before === undefined)
    return continues ? isVerbStem(token.stem) && isInflected(token) : isImperative(tokens, index, to);
  if (SUBJECTS.test(before.lower)) return !ADVERBS.has(token.lower) && !isClosed(token.lower);
  if (!isVerbStem(token.stem) || token.possessive || token.capital || !isSubjectEnd(before)) return false;
  return isInflected(token)
    ? !isParticipleAttribute(tokens, index)
    : isPluralNoun(before) || before.kind !== "word" || hasPluralHead(tokens, from, index);
}

/** "Backups of the worker run": the noun before the preposition has the verb. */
function hasPluralHead(tokens: readonly Token[], from: number, index: number): boolean {
  const preposition = tokens.findIndex(({ lower }, i) => i > from && i < index && PREPOSITIONS.has(lower));
  const head = preposition > 0 ? tokens[preposition - 1] : undefined;
  return head !== undefined && preposition < index - 1 && /[^s]s$/.test(head.lower);
}

const SUBJECTS = /^(?:i|we|you|he|she|it|they|who|everyone|nobody|someone|anyone)$/;

/** Whether a subject may end with a word: a noun, a name, a number; the second part of "stand-up" is no preposition. */
function isSubjectEnd(before: Token): boolean {
  if (DETERMINERS.has(before.lower) || before.possessive) return false;
  if (before.kind !== "word") return before.kind === "number" || before.kind === "version";
  return !PREPOSITIONS.has(before.lower) || before.glued;
}

const isClosed = (word: string): boolean => PREPOSITIONS.has(word) || DETERMINERS.has(word) || PRONOUNS.has(word);

/** The last word before that is no adverb. */
function lastOutside(tokens: readonly Token[], index: number, from: number): Token | undefined {
  for (let i = index; i >= from; i--) {
    const token = tokens[i];
    if (token && !ADVERBS.has(token.lower)) return token;
  }
  return undefined;
}

/** "Call the plumber", "left the company"; "reads from the store are cheap" has its verb further on. */
const isImperative = (tokens: readonly Token[], index: number, to: number): boolean => {
  const token = tokens[index];
  if (token === undefined || !isVerbStem(token.stem)) return false;
  const next = tokens[index + 1]?.lower ?? "";
  if (tokens.slice(index + 1, to).some(({ lower }) => BE.has(lower) || MODALS.has(lower))) return false;
  return isInflected(token) ? /^(?:the|a|an|my|our|his|her|their|from|to|into)$/.test(next) : DETERMINERS.has(next);
};

/** "the used car", "a closed road": between an article and a noun it is an adjective. */
const isParticipleAttribute = (tokens: readonly Token[], index: number): boolean =>
  DETERMINERS.has(tokens[index - 1]?.lower ?? "");

const isPluralNoun = ({ lower, kind }: Token): boolean =>
  kind === "word" && (/[^s]s$/.test(lower) || PRONOUNS.has(lower) || lower === "people" || lower === "team");

/** The end of a verb group: auxiliaries, adverbs and negations up to the main verb, and that. */
function groupEnd(tokens: readonly Token[], index: number, to: number): number {
  const first = tokens[index];
  if (first?.stem === "get" && isParticiple(tokens[index + 1])) return index + 2;
  if (first === undefined || !isAuxiliary(first.lower)) return afterInfinitive(tokens, index, to);
  let next = index;
  while (next < to && isBeforeMain(tokens, next)) next++;
  return next < to && isMainVerb(tokens, index, next) ? afterInfinitive(tokens, next, to) : next;
}

/** An auxiliary, an adverb or a negation; the "no" of "no heating" is none. */
function isBeforeMain(tokens: readonly Token[], index: number): boolean {
  const word = tokens[index]?.lower ?? "";
  if (word === "no") return tokens[index + 1]?.lower === "longer";
  return isAuxiliary(word) || ADVERBS.has(word) || NEGATIONS.has(word);
}

/** Verbs that leave it to the next one what is said: "is going to", "decided not to", "used to". */
const LEADING = new Set(
  stems(`go suppose expect use have need want plan decide start begin continue tend hope intend aim agree refuse fail allow able
    require oblige ask like love try manage choose mean propose promise offer seem appear happen wish learn prepare force`),
);

/** The end of a verb group with its infinitive, if it has one. */
function afterInfinitive(tokens: readonly Token[], main: number, to: number): number {
  if (!LEADING.has(tokens[main]?.stem ?? "")) return main + 1;
  const negated = tokens[main + 1]?.lower === "not" ? 1 : 0;
  const verb = main + negated + 2;
  const isInfinitive = tokens[main + negated + 1]?.lower === "to" && verb < to && tokens[verb]?.kind === "word";
  return isInfinitive && !isClosed(tokens[verb]?.lower ?? "") ? verb + 1 : main + 1;
}

/** "Got pushed", "gets paid": a passive in other words. */
const isParticiple = (token: Token | undefined): boolean =>
  token !== undefined && isVerbStem(token.stem) && /(?:ed|en|wn|ut)$/.test(token.lower);

/** Behind an auxiliary a base form, a participle or an -ing form is the main verb; behind "be" only the latter two. */
function isMainVerb(tokens: readonly Token[], from: number, index: number): boolean {
  const token = tokens[index];
  if (token?.kind !== "word" || !isVerbStem(token.stem) || token.capital) return false;
  // "Is left-handed" has no main verb.
  if (tokens[index + 1]?.text === "-" && tokens[index + 1]?.glued === true) return false;
  const auxiliary = lastAuxiliary(tokens, from, index);
  if (BE.has(auxiliary)) return isInflected(token) || /(?:ing|en)$/.test(token.lower);
  return HAVE.has(auxiliary) ? isPerfectForm(token) : true;
}

const isPerfectForm = ({ lower, stem }: Token): boolean =>
  /(?:ed|ing|en|wn)$/.test(lower) || lower !== stem || /^(?:become|come|run|set|cut|put|quit)$/.test(lower);

function lastAuxiliary(tokens: readonly Token[], from: number, index: number): string {
  for (let i = index - 1; i >= from; i--) {
    const word = tokens[i]?.lower ?? "";
    if (isAuxiliary(word)) return word;
  }
  return "";
}

type VerbReading = Pick<Frame, "verb" | "predicate" | "passive" | "tense">;

function readVerbs(tokens: readonly Token[], verbs: TokenRange): VerbReading {
  const group = tokens.slice(verbs.from, verbs.to);
  const last = group.at(-1);
  const main =
    last && !isAuxiliary(last.lower) && !ADVERBS.has(last.lower) && !EQUATIONS.has(last.text) ? last : undefined;
  const hasBe = group.some(({ lower }) => BE.has(lower));
  const verb = main?.stem ?? "";
  return {
    verb,
    predicate: predicateName(group, main),
    passive:
      main !== undefined && (hasBe || group[0]?.stem === "get") && group.length > 1 && !main.lower.endsWith("ing"),
    tense: tenseOf(group, main),
  };
}

function predicateName(group: readonly Token[], main: Token | undefined): string {
  if (main) return predicateOf(main.stem);
  return group.some(({ lower }) => HAVE.has(lower)) ? "holds" : "be";
}

const PAST_AUXILIARY = /^(?:was|were|did|had)$/;
const FUTURE_AUXILIARY = /^(?:will|shall|gonna)$/;

function tenseOf(group: readonly Token[], main: Token | undefined): Tense {
  const words = group.map(({ lower }) => lower);
  if (words.length === 0 || EQUATIONS.has(words[0] ?? "")) return "none";
  if (words.some((word) => FUTURE_AUXILIARY.test(word))) return "future";
  if (words.some((word) => PAST_AUXILIARY.test(word))) return "past";
  if (main && words.some((word) => HAVE.has(word))) return "perfect";
  if (main && words.length === 1 && isPastForm(main)) return "past";
  return "present";
}

const isPastForm = ({ lower, stem }: Token): boolean =>
  (lower.endsWith("ed") && !lower.endsWith("eed") && lower.length > 4) ||
  (isInflected({ lower, stem }) && !/s$/.test(lower));
