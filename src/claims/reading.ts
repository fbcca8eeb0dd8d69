import { STOP_WORDS } from "../kernel/words.ts";
import { tellsChange } from "./change.ts";
import type { Modality } from "./claim.ts";
import { splitClauses } from "./clauses.ts";
import { type Cues, readCues } from "./cues.ts";
import { type Frame, readFrame } from "./frame.ts";
import { type Token, tokenize } from "./lexer.ts";
import { readStates, type State } from "./lexicon/states.ts";
import { canonical } from "./lexicon/synonyms.ts";
import { GENERIC, NEGATIONS, PREPOSITIONS } from "./lexicon/words.ts";
import { modalityOf } from "./modality.ts";
import { stem } from "./stem.ts";
import { readValues } from "./values/read.ts";
import type { Value } from "./values/value.ts";

export type Zone = "subject" | "verb" | "complement";

/** A word that tells what a clause is about. */
export interface ContentWord {
  readonly at: number;
  /** Equal for the forms and synonyms of a word. */
  readonly key: string;
  readonly zone: Zone;
  /** The preposition that it hangs on; empty for none. */
  readonly preposition: string;
  /** Written as a name: a capital where no sentence begins, or a digit. */
  readonly named: boolean;
}

/** A clause with all that is read of it. */
export interface Part extends Frame {
  readonly modality: Modality;
  readonly cues: Cues;
  /** Says that something came to be other than it was. */
  readonly changes: boolean;
  /** Speaks of the newest of a row. */
  readonly latest: boolean;
  readonly words: readonly ContentWord[];
  readonly values: readonly Value[];
  readonly states: readonly State[];
}

/** A text, taken apart. */
export interface Reading {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly parts: readonly Part[];
}

/** Reads a text; `reference_ms` is the moment from which "tomorrow" is told. */
export function readText(text: string, reference_ms: number): Reading {
  const tokens = tokenize(text);
  const values = readValues(tokens, reference_ms);
  const parts: Part[] = [];
  for (const clause of splitClauses(tokens)) {
    const frame = readFrame(tokens, clause, parts.at(-1));
    parts.push({
      ...frame,
      modality: modalityOf(tokens, frame, parts.at(-1)),
      cues: readCues(tokens, clause.from, clause.to),
      changes: tellsChange(tokens, frame),
      latest: tokens.slice(frame.from, frame.to).some(({ lower }) => LATEST.test(lower)),
      words: [...inherited(tokens, frame, parts.at(-1)), ...wordsOf(tokens, frame, values)],
      values: values.filter(({ from }) => isWithin(frame, from)),
      states: statesOf(tokens, frame),
    });
  }
  return { text, tokens, parts };
}

const LATEST = /^(?:latest|newest|current|youngest|record)$/;
const REFERRING = /^(?:it|he|she|they|that|this|which|who|there|its|his|her|their|both|those|these)$/;

/** What a pronoun in place of a subject stands for: the subject of the clause before. */
function inherited(tokens: readonly Token[], { subject, complement, clause }: Frame, before: Part | undefined): ContentWord[] {
  if (before === undefined || clause.continues) return [];
  const isPronoun =
    subject.to - subject.from <= 1 &&
    (subject.to === subject.from || REFERRING.test(tokens[subject.from]?.lower ?? ""));
  const isOwner = /^(?:its|his|her|their)$/.test(tokens[subject.from]?.lower ?? "");
  const isObject = tokens.slice(complement.from, complement.to).some(({ lower }) => /^(?:it|them|him)$/.test(lower));
  return isPronoun || isOwner || isObject ? before.words.filter(({ zone }) => zone === "subject") : [];
}

/** A continued clause has its subject in the clause before. */
const isWithin = ({ from, to, subject }: Frame, at: number): boolean =>
  (at >= from && at < to) || (subject.to <= from && at >= subject.from && at < subject.to);

const statesOf = (tokens: readonly Token[], frame: Frame): State[] =>
  readStates(tokens, frame.from, frame.to).filter((state) => !state.predicative || isPredicative(tokens, frame, state));

/** Said of the subject: behind a form of "be", "stay" or "turn", or an equals sign, and not before a noun. */
function isPredicative(tokens: readonly Token[], { verbs }: Frame, { from, to }: State): boolean {
  const next = tokens[to];
  const isLast = next === undefined || next.kind !== "word" || STOP_WORDS.has(next.lower) || GENERIC.has(next.stem);
  return from >= verbs.from && from <= verbs.to + 1 && isLast;
}

function wordsOf(tokens: readonly Token[], frame: Frame, values: readonly Value[]): ContentWord[] {
  const taken = takenBy(values);
  const ranges = [
    ["subject", frame.subject],
    ["verb", frame.verbs],
    ["complement", frame.complement],
  ] as const;
  return ranges.flatMap(([zone, range]) => {
    let preposition = "";
    const words: ContentWord[] = [];
    for (let at = range.from; at < range.to; at++) {
      const token = tokens[at];
      if (token === undefined || taken.has(at)) continue;
      preposition = prepositionAt(token, preposition);
      const named = isNamed(tokens, at, frame.clause.from);
      if (isContent(tokens, at, token))
        words.push(...keysOf(token).map((key) => ({ at, key, zone, preposition, named })));
    }
    return words;
  });
}

/** The key of a word; those of its parts for an identifier of several words. */
function keysOf(token: Token): string[] {
  if (!/[_\p{Ll}]\p{Lu}|_/u.test(token.text) || token.kind !== "word") return [canonical(token.stem)];
  const parts = token.text.split(/_+|(?<=\p{Ll})(?=\p{Lu})/u).filter((part) => part !== "");
  return parts.map((part) => canonical(stem(part.toLowerCase())));
}

function prepositionAt(token: Token, before: string): string {
  if (PREPOSITIONS.has(token.lower)) return token.lower;
  return token.kind === "mark" && token.text !== "-" ? "" : before;
}

/** The words of dates, units and numbers are compared as values. The noun that is counted stays a word. */
function takenBy(values: readonly Value[]): ReadonlySet<number> {
  const taken = new Set<number>();
  for (const { from, to } of values) for (let at = from; at < to; at++) taken.add(at);
  return taken;
}

/** "us" of "us-east" is no pronoun. */
const isPartOfName = (tokens: readonly Token[], at: number): boolean =>
  tokens[at + 1]?.text === "-" && tokens[at + 1]?.glued === true && tokens[at + 2]?.glued === true;

const isContent = (tokens: readonly Token[], at: number, token: Token): boolean =>
  (token.kind === "word" || token.kind === "url") &&
  (!STOP_WORDS.has(token.lower) || isPartOfName(tokens, at)) &&
  !GENERIC.has(token.stem) &&
  !NEGATIONS.has(token.lower) &&
  !PREPOSITIONS.has(token.lower);

function isNamed(tokens: readonly Token[], at: number, start: number): boolean {
  const token = tokens[at];
  if (token === undefined) return false;
  if (/\d/.test(token.text) || /^\p{Lu}{2,}$/u.test(token.text)) return true;
  return token.capital && (at > start || token.possessive || tokens[at + 1]?.capital === true);
}
