import { isVerbStem } from "../lexicon/verbs.ts";
import { BE, CONJUNCTIONS, DO, HAVE, MODALS, PRONOUNS } from "../lexicon/words.ts";
import type { Token, TokenRange } from "./lexer.ts";

/** A part of a sentence with one verb, or a fragment without one: tokens from the first up to but without the second. */
export interface Clause {
  readonly from: number;
  readonly to: number;
  /** Clauses of one sentence have the same number. */
  readonly sentence: number;
  readonly asks: boolean;
  /** The word that hangs it on another clause: `if`, `because`. */
  readonly hung_by: string | null;
  /** Begins with its verb, the subject being that of the clause before. */
  readonly continues: boolean;
}

/** Clauses read of one text. */
const CLAUSES_MAX = 16;
const ABBREVIATIONS = /^(?:dr|mr|mrs|ms|st|prof|vs|e\.g|i\.e|approx|no|ca|inc|ltd|jr|sr|dept|est)$/;
const SUBORDINATORS: ReadonlySet<string> = new Set(
  "if unless because although though while whereas when whenever once as since so but however until till after before".split(
    " ",
  ),
);
/** How far into a part its verb is looked for before the part counts as a clause of its own. */
const VERB_WITHIN = 6;

/** Cuts a text into clauses, in order. */
export function splitClauses(tokens: readonly Token[]): Clause[] {
  const clauses: Clause[] = [];
  for (const [number, sentence] of sentencesOf(tokens).entries()) {
    for (const clause of clausesOf(tokens, { ...sentence, number })) {
      if (clauses.length < CLAUSES_MAX && clause.to > clause.from) clauses.push(clause);
    }
  }
  return clauses;
}

function sentencesOf(tokens: readonly Token[]): (TokenRange & { readonly asks: boolean })[] {
  const sentences: (TokenRange & { readonly asks: boolean })[] = [];
  let from = 0;
  for (let index = 0; index <= tokens.length; index++) {
    const token = tokens[index];
    const ends = token === undefined || isSentenceEnd(tokens, index);
    if (!ends && !(token.line_start && index > from)) continue;
    if (index > from) sentences.push({ from, to: index, asks: token?.text === "?" });
    from = ends ? index + 1 : index;
  }
  return sentences;
}

function isSentenceEnd(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (token?.kind !== "mark" || !/^[.!?;]$/.test(token.text)) return false;
  const before = tokens[index - 1];
  const isInitial = before?.capital === true && before.text.length === 1 && before.text !== "I";
  return token.text !== "." || !(isInitial || ABBREVIATIONS.test(before?.lower ?? ""));
}

interface Sentence extends TokenRange {
  readonly asks: boolean;
  readonly number: number;
}

function clausesOf(tokens: readonly Token[], { from, to, asks, number }: Sentence): Clause[] {
  const cuts = cutsOf(tokens, { from, to });
  return cuts.map((cut, i) => {
    const end = cuts[i + 1]?.from ?? to;
    const first = skipMarks(tokens, cut.from, end);
    const word = tokens[first]?.lower ?? "";
    const hangs = SUBORDINATORS.has(word) || CONJUNCTIONS.has(word) || word === "that";
    return {
      from: hangs ? first + 1 : first,
      to: end,
      sentence: number,
      asks,
      hung_by: hangs ? word : null,
      continues: cut.continues,
    };
  });
}

function skipMarks(tokens: readonly Token[], index: number, to: number): number {
  let next = index;
  while (next < to && tokens[next]?.kind === "mark" && !/^[$€£#<>~]$/.test(tokens[next]?.text ?? "")) next++;
  return next;
}

interface Cut {
  readonly from: number;
  readonly continues: boolean;
}

function cutsOf(tokens: readonly Token[], { from, to }: TokenRange): Cut[] {
  const cuts: Cut[] = [{ from, continues: false }];
  let last = from;
  for (let index = from + 1; index < to; index++) {
    const cut = cutAt(tokens, { index, from: last, to });
    if (cut === null) continue;
    cuts.push(cut);
    last = index;
  }
  return cuts;
}

function cutAt(tokens: readonly Token[], { index, from, to }: TokenRange & { readonly index: number }): Cut | null {
  const text = tokens[index]?.text ?? "";
  const plain = { from: index, continues: false };
  if (isDash(tokens, index) || text === "(" || text === ")") return plain;
  if (text === ":") return hasSureVerb(tokens, from, index) ? plain : null;
  if (!isJoint(tokens, index) || !hasVerb(tokens, from, index)) return null;
  if (text === ",") return isCommaCut(tokens, index, to) ? plain : null;
  const next = skipMarks(tokens, index + 1, to);
  if (startsWithVerb(tokens, next)) return { from: index, continues: true };
  return startsClause(tokens, next, to) ? plain : null;
}

const isJoint = (tokens: readonly Token[], index: number): boolean => {
  const word = tokens[index]?.lower ?? "";
  return word === "," || SUBORDINATORS.has(word) || CONJUNCTIONS.has(word);
};

/** A comma before a clause; ", not by post" sets something aside, and before a conjunction that does the cut. */
function isCommaCut(tokens: readonly Token[], index: number, to: number): boolean {
  const next = skipMarks(tokens, index, to);
  const word = tokens[next]?.lower ?? "";
  if (word === "not" || SUBORDINATORS.has(word) || CONJUNCTIONS.has(word)) return false;
  return startsClause(tokens, next, to);
}

const isDash = (tokens: readonly Token[], index: number): boolean => {
  const text = tokens[index]?.text;
  if (text === "—" || text === "–") return true;
  return text === "-" && tokens[index]?.glued === false && tokens[index + 1]?.glued === false;
};

const isAuxiliary = (word: string): boolean => BE.has(word) || HAVE.has(word) || DO.has(word) || MODALS.has(word);

/** A form that can only be a verb's in this place: an auxiliary, or a known verb with an ending or an irregular past. */
function isFiniteVerb(token: Token | undefined): boolean {
  if (token === undefined || token.kind !== "word") return false;
  if (isAuxiliary(token.lower)) return true;
  return isVerbStem(token.stem) && !token.capital && isInflected(token);
}

/** Whether a word has an ending or a form of its own for the third person or the past. */
export const isInflected = ({ lower, stem }: Pick<Token, "lower" | "stem">): boolean =>
  /(?:[^s]s|[^e]ed)$/.test(lower) || (lower !== stem && !lower.startsWith(stem)) || PAST.test(lower);

const PAST =
  /^(?:took|gave|went|left|sold|bought|moved|got|met|lost|kept|held|led|ran|set|cut|put|hit|let|quit|shut|split|spread|read|cost|led|fed|won|made|came|saw|paid)$/;

const SUBJECTS = /^(?:i|we|you|he|she|it|they|who)$/;

const hasVerb = (tokens: readonly Token[], from: number, to: number): boolean => {
  for (let index = from; index < to; index++) {
    const token = tokens[index];
    if (
      token?.kind === "word" &&
      (isFiniteVerb(token) || (index > from && SUBJECTS.test(tokens[index - 1]?.lower ?? "")))
    )
      return true;
  }
  return false;
};

/** A verb that is no noun in the plural: before a colon stands a heading as often as a sentence. */
const hasSureVerb = (tokens: readonly Token[], from: number, to: number): boolean =>
  tokens.slice(from, to).some((token) => isFiniteVerb(token) && !/^(?!is$|was$|has$|does$).*[^s]s$/.test(token.lower));

const startsWithVerb = (tokens: readonly Token[], index: number): boolean => {
  const token = tokens[index];
  if (token === undefined || token.kind !== "word") return false;
  const skipped = /^(?:now|then|also|no|not|is|just|never|later)$/.test(token.lower) ? 1 : 0;
  return isFiniteVerb(token) || (skipped > 0 && isFiniteVerb(tokens[index + skipped]) && token.lower !== "no");
};

/** A subject and a verb not far behind it. */
function startsClause(tokens: readonly Token[], index: number, to: number): boolean {
  const word = tokens[index]?.lower ?? "";
  if ((PRONOUNS.has(word) || word === "which") && tokens[index + 1]?.kind === "word") return true;
  for (let i = index + 1; i < Math.min(to, index + VERB_WITHIN); i++) {
    if (tokens[i]?.kind === "mark") return false;
    if (isFiniteVerb(tokens[i])) return true;
  }
  return false;
}
