import type { Clause } from "./clauses.ts";
import { isInflected } from "./clauses.ts";
import { labelEnd } from "./label.ts";
import type { Token } from "./lexer.ts";
import { isVerbStem, predicateOf } from "./lexicon/verbs.ts";
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
  /** Where its words of negation stand. */
  readonly denials: readonly number[];
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

/** Whether a clause has its subject in the clause before. */
interface Place {
  readonly continues: boolean;
}

const EQUATIONS: ReadonlySet<string> = new Set([":", "=", "→"]);

/** The verb group of a range; where there is none, an equals sign or a colon, else nothing at the end. */
function findVerbs(tokens: readonly Token[], { from, to, continues }: Range & Place): Range {
  for (let at = from; at < to; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    if (EQUATIONS.has(token.text)) return { from: at, to: at + 1 };
    if (token.kind !== "word" || !isVerbHere(tokens, at, { from, to, continues })) continue;
    return { from: at, to: groupEnd(tokens, at, to) };
  }
  return { from: to, to };
}

/** Whether a word stands as a verb: an auxiliary, a known verb behind a subject, or any word behind "I" or "they". */
function isVerbHere(
  tokens: readonly Token[],
  at: number,
  { from, to, continues }: Range & Pick<Place, "continues">,
): boolean {
  const token = tokens[at];
  if (token === undefined) return false;
  if (isAuxiliary(token.lower)) return at > from || !HAVE.has(token.lower);
  const before = lastOutside(tokens, at - 1, from);
  if (before === undefined)
    return continues ? isVerbStem(token.stem) && isInflected(token) : isImperative(tokens, at, to);
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

/** "Call the plumber", "left the company"; "reads from the store are cheap" has its verb further on. */
const isImperative = (tokens: readonly Token[], at: number, to: number): boolean => {
  const token = tokens[at];
  if (token === undefined || !isVerbStem(token.stem)) return false;
  const next = tokens[at + 1]?.lower ?? "";
  if (tokens.slice(at + 1, to).some(({ lower }) => BE.has(lower) || MODALS.has(lower))) return false;
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
  const first = tokens[at];
  if (first === undefined || !isAuxiliary(first.lower))
    return first?.stem === "get" && isParticiple(tokens[at + 1]) ? at + 2 : at + 1;
  while (next < to) {
    const token = tokens[next];
    if (token === undefined || token.kind !== "word") break;
    if (!isAuxiliary(token.lower) && !ADVERBS.has(token.lower) && !NEGATIONS.has(token.lower)) break;
    if (token.lower === "no" && tokens[next + 1]?.lower !== "longer") break;
    next++;
  }
  return next < to && isMainVerb(tokens, at, next) ? next + 1 : next;
}

/** "Got pushed", "gets paid": a passive in other words. */
const isParticiple = (token: Token | undefined): boolean =>
  token !== undefined && isVerbStem(token.stem) && /(?:ed|en|wn|ut)$/.test(token.lower);

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

type VerbReading = Pick<Frame, "verb" | "predicate" | "passive" | "negated" | "denials" | "tense">;

function readVerbs(tokens: readonly Token[], verbs: Range, whole: Range): VerbReading {
  const group = tokens.slice(verbs.from, verbs.to);
  const last = group.at(-1);
  const main =
    last && !isAuxiliary(last.lower) && !ADVERBS.has(last.lower) && !EQUATIONS.has(last.text) ? last : undefined;
  const hasBe = group.some(({ lower }) => BE.has(lower));
  const verb = main?.stem ?? "";
  const denials = denialsOf(tokens, whole);
  return {
    verb,
    predicate: predicateName(group, main),
    passive:
      main !== undefined && (hasBe || group[0]?.stem === "get") && group.length > 1 && !main.lower.endsWith("ing"),
    negated: denials.length % 2 === 1,
    denials,
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

/** Words that deny. "Not only" and "no later than" deny nothing. */
function denialsOf(tokens: readonly Token[], { from, to }: Range): number[] {
  const denials: number[] = [];
  for (let at = from; at < to; at++) {
    const next = tokens[at + 1]?.lower ?? "";
    const denies = NEGATIONS.has(tokens[at]?.lower ?? "") && !DENIES_NOTHING.test(next);
    if (denies || isDenyingVerb(tokens, at, to)) denials.push(at);
  }
  return denials;
}

/** How far behind a verb its "from" may stand. */
const FROM_WITHIN = 6;

/** "Stops it from loading", "fails to load", "refuses to load". */
function isDenyingVerb(tokens: readonly Token[], at: number, to: number): boolean {
  const word = tokens[at]?.stem ?? "";
  if (/^(?:fail|refus|declin|neglect)$/.test(word)) return tokens[at + 1]?.lower === "to";
  if (!/^(?:stop|prevent|keep|block|bar)$/.test(word)) return false;
  return tokens.slice(at + 1, Math.min(to, at + FROM_WITHIN)).some(({ lower }, i) => i > 0 && lower === "from");
}

const DENIES_NOTHING = /^(?:only|later|more|less|just|earlier|fewer|sooner|matter|doubt)$/;
