import { isBinary, readStates, type State } from "../lexicon/states.ts";
import { canonical } from "../lexicon/synonyms.ts";
import { isChangeVerb, isGeneralChange, isVerbStem } from "../lexicon/verbs.ts";
import { DETERMINERS, GENERIC } from "../lexicon/words.ts";
import { readValues } from "../values/read.ts";
import type { Value } from "../values/value.ts";
import { STOP_WORDS } from "../words/terms.ts";
import type { Modality } from "./claim.ts";
import { splitClauses } from "./clauses.ts";
import { type ContentWord, contentWords } from "./content-words.ts";
import { type Cues, readCues } from "./cues.ts";
import { type Frame, readFrame } from "./frame.ts";
import type { TokenRange } from "./lexer.ts";
import { type Token, tokenize } from "./lexer.ts";
import { modalityOf } from "./modality.ts";

/** A clause with all that is read of it. */
export interface ParsedClause extends Frame {
  readonly modality: Modality;
  readonly cues: Cues;
  /** Says that something came to be other than it was. */
  readonly changes: boolean;
  /** Who writes speaks of himself. */
  readonly first_person: boolean;
  /** The subject is something that is done: "preparing the meeting". */
  readonly gerund: boolean;
  /** Speaks of the newest of a row. */
  readonly latest: boolean;
  readonly words: readonly ContentWord[];
  /** The subject, or where it has none, that of a clause before: what a pronoun behind it stands for. */
  readonly topic: readonly ContentWord[];
  readonly values: readonly Value[];
  readonly states: readonly State[];
  /** What is named only to be set aside: "not 20", "rather than by post". */
  readonly aside: { readonly words: readonly ContentWord[]; readonly values: readonly Value[] };
}

/** A text, taken apart. */
export interface ParsedText {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly parts: readonly ParsedClause[];
}

/** Reads a text; `reference_ms` is the moment from which "tomorrow" is told. */
export function parseText(text: string, reference_ms: number): ParsedText {
  const tokens = tokenize(text);
  const values = readValues(tokens, reference_ms);
  const parts: ParsedClause[] = [];
  for (const clause of splitClauses(tokens)) {
    const before = parts.at(-1);
    const frame = readFrame(tokens, clause, before);
    if (before && isVoiding(tokens, frame))
      parts[parts.length - 1] = { ...before, negated: !before.negated, modality: "asserted" };
    else parts.push(readPart(tokens, frame, { before, values }));
  }
  return { text, tokens, parts };
}

interface Beside {
  readonly before: ParsedClause | undefined;
  readonly values: readonly Value[];
}

function readPart(tokens: readonly Token[], frame: Frame, { before, values }: Beside): ParsedClause {
  const own = values.filter(({ from }) => isWithin(frame, from));
  const said = contentWords(tokens, frame, own);
  const words = [...spoken(tokens, frame), ...inherited(tokens, frame, { before, said }), ...said];
  const own_topic = words.filter(({ zone }) => zone === "subject");
  const isAside = (index: number) => frame.set_aside.some(({ from, to }) => index >= from && index < to);
  return {
    ...frame,
    modality: modalityOf(tokens, frame, before),
    cues: readCues(tokens, frame.clause.from, frame.clause.to),
    changes: statesChange(tokens, frame),
    gerund: isGerund(tokens, frame.subject),
    first_person: frame.speaker === null && isFirstPerson(tokens, frame.subject),
    latest: tokens.slice(frame.from, frame.to).some(({ lower }) => LATEST.test(lower)),
    words: words.filter(({ index }) => !isAside(index)),
    values: own.filter(({ from }) => !isAside(from)),
    states: statesOf(tokens, frame).filter(({ from }) => !isAside(from)),
    topic: own_topic.length > 0 ? own_topic : (before?.topic ?? []),
    aside: { words: words.filter(({ index }) => isAside(index)), values: own.filter(({ from }) => isAside(from)) },
  };
}

/** How far behind "turn" its "on" or "off" may stand. */
const PARTICLE_WITHIN = 4;
const isGerund = (tokens: readonly Token[], { from, to }: TokenRange): boolean => {
  const [first, next] = [tokens[from], tokens[from + 1]];
  return (
    to - from > 1 &&
    first !== undefined &&
    /ing$/.test(first.lower) &&
    isVerbStem(first.stem) &&
    DETERMINERS.has(next?.lower ?? "")
  );
};

const isFirstPerson = (tokens: readonly Token[], { from, to }: TokenRange): boolean =>
  tokens.slice(from, to).some(({ lower }) => /^(?:i|my|mine)$/.test(lower));

const LATEST = /^(?:latest|newest|current|youngest|record)$/;
const REFERRING = /^(?:it|he|she|they|that|this|which|who|there|its|his|her|their|both|those|these)$/;
const WRONG = /^(?:wrong|false|untrue|incorrect|mistaken|outdated|obsolete|nonsense)$/;

/** "But that is wrong": a clause that calls off the one before. */
function isVoiding(tokens: readonly Token[], { subject, complement, negated }: Frame): boolean {
  const words = ({ from, to }: TokenRange) => tokens.slice(from, to).filter(({ kind }) => kind === "word");
  const [pronoun, ...others] = words(subject);
  if (others.length > 0 || !/^(?:that|this|it|which)$/.test(pronoun?.lower ?? "")) return false;
  const said = words(complement).map(({ lower }) => lower);
  if (said.length === 0 || said.length > 3) return false;
  return negated
    ? said.every((word) => /^(?:true|so|right|correct|the|case|not)$/.test(word))
    : WRONG.test(said.at(-1) ?? "");
}

/** "Mei: I moved": Mei is meant. */
function spoken(tokens: readonly Token[], { speaker, subject }: Frame): ContentWord[] {
  const token = speaker === null ? undefined : tokens[speaker];
  if (speaker === null || token === undefined || !isFirstPerson(tokens, subject)) return [];
  return [{ index: speaker, key: canonical(token.stem), zone: "subject", preposition: "", named: true }];
}

/** What a pronoun in place of a subject stands for: the subject of the clause before; for "which", what stands last in it. */
function inherited(
  tokens: readonly Token[],
  { subject, complement, clause }: Frame,
  { before, said }: { readonly before: ParsedClause | undefined; readonly said: readonly ContentWord[] },
): readonly ContentWord[] {
  if (before === undefined || clause.continues) return [];
  // A bare value is of what stands before it.
  if (said.length === 0) return before.words.map((word) => ({ ...word, zone: "subject" }));
  const first = tokens[subject.from]?.lower ?? "";
  if (first === "which" || first === "who") return lastPhrase(before);
  const isPronoun = subject.to === subject.from || (subject.to - subject.from === 1 && REFERRING.test(first));
  const isOwner = /^(?:its|his|her|their)$/.test(first);
  const isObject = tokens.slice(complement.from, complement.to).some(({ lower }) => /^(?:it|them|him)$/.test(lower));
  return isPronoun || isOwner || isObject ? before.topic : [];
}

function lastPhrase({ words }: ParsedClause): ContentWord[] {
  const last = words.at(-1);
  return words
    .filter(({ zone, preposition }) => zone === last?.zone && preposition === last.preposition)
    .map((word) => ({ ...word, zone: "subject" }));
}

/** A continued clause has its subject in the clause before. */
const isWithin = ({ from, to, subject }: Frame, index: number): boolean =>
  (index >= from && index < to) || (subject.to <= from && index >= subject.from && index < subject.to);

const statesOf = (tokens: readonly Token[], frame: Frame): State[] =>
  readStates(tokens, frame.from, frame.to).filter(
    (state) =>
      (!state.predicative || isPredicative(tokens, frame, state)) && tokens[state.from - 1]?.lower !== "without",
  );

/** Said of the subject: behind a form of "be", "stay" or "turn", or an equals sign, and not before a noun. */
function isPredicative(tokens: readonly Token[], { verbs, verb }: Frame, { from, to }: State): boolean {
  // "Turned the alarm off": the word belongs to the verb.
  if (/^(?:turn|switch|flip)$/.test(verb) && from >= verbs.to && from - verbs.to <= PARTICLE_WITHIN) return true;
  const next = tokens[to];
  const isClosed = next !== undefined && STOP_WORDS.has(next.lower) && !DETERMINERS.has(next.lower);
  const isLast = next === undefined || next.kind !== "word" || isClosed || GENERIC.has(next.stem);
  return from >= verbs.from && from <= verbs.to + 1 && isLast;
}

/** "Not open" is closed where there are two positions only. */
export function positionOf({ negated, denials }: ParsedClause, { group, position, from, to }: State): number | null {
  // "Can't stand" is a state with its own negation.
  const own = denials.filter((index) => index >= from && index < to).length;
  if (negated === (own % 2 === 1)) return position;
  return isBinary(group) ? 1 - position : null;
}

/** Words that tell of a change with any verb: "went up to", "is down to", "handed over to", "got cut back to". */
const DIRECTIONS: ReadonlySet<string> = new Set(["up", "down", "back", "over", "off"]);
const TOWARDS: ReadonlySet<string> = new Set(["to", "from", "by", "as"]);

/** Whether a clause says that something came to be other than it was. */
export function statesChange(tokens: readonly Token[], { verb, verbs, tense, to }: Frame): boolean {
  if (isChangeVerb(verb) && (tense !== "present" || !isGeneralChange(verb))) return true;
  for (let index = verbs.from; index < to - 1; index++) {
    const [word, next] = [tokens[index]?.lower ?? "", tokens[index + 1]?.lower ?? ""];
    if (DIRECTIONS.has(word) && TOWARDS.has(next)) return true;
  }
  return false;
}
