import type { Clause } from "./clauses.ts";
import { isInflected } from "./clauses.ts";
import { labelEnd } from "./label.ts";
import type { Token } from "./lexer.ts";
import { isChangeVerb, isVerbStem, predicateOf } from "./lexicon/verbs.ts";
import { ADVERBS, BE, DETERMINERS, DO, HAVE, MODALS, NEGATIONS, PREPOSITIONS, PRONOUNS } from "./lexicon/words.ts";

/** Tokens from the first up to but without the second. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export type Tense = "past" | "present" | "perfect" | "future" | "none";

/** A clause taken apart: who or what, the verb, and what is said. */
export interface Frame extends Range {
  readonly clause: Clause;
  readonly subject: Range;
  /** The auxiliaries and the main verb; empty in a fragment. */
  readonly verbs: Range;
  readonly complement: Range;
  /** Stem of the main verb; empty in a fragment and where a form of "be" is all. */
  readonly verb: string;
  /** What is said of the subject: a group of verbs, `be`, or the verb itself. */
  readonly predicate: string;
  readonly passive: boolean;
  readonly negated: boolean;
  readonly tense: Tense;
}

/** Takes a clause apart; `before` is the frame whose subject it continues. */
export function readFrame(tokens: readonly Token[], clause: Clause, before: Frame | undefined): Frame {
  const from = labelEnd(tokens, clause);
  const verbs = findVerbs(tokens, { from, to: clause.to, continues: clause.continues });
  const own = { from, to: verbs.from };
  const subject = clause.continues && own.to <= own.from && before ? before.subject : own;
  const complement = { from: verbs.to, to: clause.to };
  return {
    clause,
    from,
    to: clause.to,
    subject,
    verbs,
    complement,
    ...readVerbs(tokens, verbs, { from, to: clause.to }),
  };
}

const isAuxiliary = (word: string): boolean => BE.has(word) || HAVE.has(word) || DO.has(word) || MODALS.has(word);

/** Where a clause begins, and whether its subject stands in the clause before. */
interface Place {
  readonly from: number;
  readonly continues: boolean;
}

const EQUATIONS: ReadonlySet<string> = new Set([":", "=", "→"]);

/** The verb group of a range; where there is none, an equals sign or a colon, else nothing at the end. */
function findVerbs(tokens: readonly Token[], { from, to, continues }: Range & Place): Range {
  for (let at = from; at < to; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    if (EQUATIONS.has(token.text)) return { from: at, to: at + 1 };
    if (token.kind !== "word" || !isVerbHere(tokens, at, { from, continues })) continue;
    return { from: at, to: groupEnd(tokens, at, to) };
  }
  return { from: to, to };
}

/** Whether a word stands as a verb: an auxiliary, a known verb behind a subject, or any word behind "I" or "they". */
function isVerbHere(tokens: readonly Token[], at: number, { from, continues }: Place): boolean {
  const token = tokens[at];
  if (token === undefined) return false;
  if (isAuxiliary(token.lower)) return at > from || !HAVE.has(token.lower);
  const before = lastOutside(tokens, at - 1, from);
  if (before === undefined) return continues ? isVerbStem(token.stem) && isInflected(token) : isImperative(tokens, at);
  if (SUBJECTS.test(before.lower)) return !ADVERBS.has(token.lower) && !isClosed(token.lower);
  if (!isVerbStem(token.stem) || token.possessive || token.capital || !isSubjectEnd(before)) return false;
  return isInflected(token) ? !isParticipleAttribute(tokens, at) : isPluralNoun(before) || before.kind !== "word";
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
function lastOutside(tokens: readonly Token[], at: number, from: number): Token | undefined {
  for (let i = at; i >= from; i--) {
    const token = tokens[i];
    if (token && !ADVERBS.has(token.lower)) return token;
  }
  return undefined;
}

const isImperative = (tokens: readonly Token[], at: number): boolean => {
  const token = tokens[at];
  if (token === undefined || !isVerbStem(token.stem)) return false;
  const next = tokens[at + 1]?.lower ?? "";
  return isInflected(token) ? /^(?:the|a|an|my|our|his|her|their|from|to|into)$/.test(next) : DETERMINERS.has(next);
};

/** "the used car", "a closed road": between an article and a noun it is an adjective. */
const isParticipleAttribute = (tokens: readonly Token[], at: number): boolean =>
  DETERMINERS.has(tokens[at - 1]?.lower ?? "");

const isPluralNoun = ({ lower, kind }: Token): boolean =>
  kind === "word" && (/[^s]s$/.test(lower) || PRONOUNS.has(lower) || lower === "people" || lower === "team");

/** The end of a verb group: auxiliaries, adverbs and negations up to the main verb, and that. */
function groupEnd(tokens: readonly Token[], at: number, to: number): number {
  let next = at;
  if (!isAuxiliary(tokens[at]?.lower ?? "")) return at + 1;
  while (next < to) {
    const token = tokens[next];
    if (token === undefined || token.kind !== "word") break;
    if (!isAuxiliary(token.lower) && !ADVERBS.has(token.lower) && !NEGATIONS.has(token.lower)) break;
    if (token.lower === "no" && tokens[next + 1]?.lower !== "longer") break;
    next++;
  }
  return next < to && isMainVerb(tokens, at, next) ? next + 1 : next;
}

/** Behind an auxiliary a base form, a participle or an -ing form is the main verb; behind "be" only the latter two. */
function isMainVerb(tokens: readonly Token[], from: number, at: number): boolean {
  const token = tokens[at];
  if (token?.kind !== "word" || !isVerbStem(token.stem) || token.capital) return false;
  const auxiliary = lastAuxiliary(tokens, from, at);
  const isForm = /(?:ed|ing|en|wn)$/.test(token.lower) || token.lower !== token.stem;
  if (BE.has(auxiliary))
    return isForm && (isInflected(token) || token.lower.endsWith("ing") || token.lower.endsWith("en"));
  if (HAVE.has(auxiliary)) return isForm || /^(?:become|come|run|set|cut|put|quit)$/.test(token.lower);
  return true;
}

function lastAuxiliary(tokens: readonly Token[], from: number, at: number): string {
  for (let i = at - 1; i >= from; i--) {
    const word = tokens[i]?.lower ?? "";
    if (isAuxiliary(word)) return word;
  }
  return "";
}

type VerbReading = Pick<Frame, "verb" | "predicate" | "passive" | "negated" | "tense">;

function readVerbs(tokens: readonly Token[], verbs: Range, whole: Range): VerbReading {
  const group = tokens.slice(verbs.from, verbs.to);
  const last = group.at(-1);
  const main =
    last && !isAuxiliary(last.lower) && !ADVERBS.has(last.lower) && !EQUATIONS.has(last.text) ? last : undefined;
  const hasBe = group.some(({ lower }) => BE.has(lower));
  const verb = main?.stem ?? "";
  return {
    verb,
    predicate: predicateName(group, main),
    passive: main !== undefined && hasBe && !main.lower.endsWith("ing"),
    negated: isNegated(tokens, whole),
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

/** Whether a clause denies: an odd number of its words do. "Not only" and "no later than" deny nothing. */
function isNegated(tokens: readonly Token[], { from, to }: Range): boolean {
  let count = 0;
  for (let at = from; at < to; at++) {
    const word = tokens[at]?.lower ?? "";
    const next = tokens[at + 1]?.lower ?? "";
    if (!NEGATIONS.has(word) || /^(?:only|later|more|less|just|earlier|fewer|sooner|matter|doubt)$/.test(next))
      continue;
    count++;
  }
  return count % 2 === 1;
}

/** Whether a frame says that something became other than it was. */
export const saysChange = (frame: Frame): boolean => isChangeVerb(frame.verb);
