import { isScope } from "../lexicon/scopes.ts";
import { canonical } from "../lexicon/synonyms.ts";
import { isVerbStem } from "../lexicon/verbs.ts";
import { BE, DO, HAVE, MODALS, PRONOUNS } from "../lexicon/words.ts";
import type { Clause } from "./clauses.ts";
import type { Token, TokenRange } from "./lexer.ts";

/** What stands before and behind what a clause says, and is no part of it. */
export interface Intro {
  /** Where what is said begins and ends. */
  readonly from: number;
  readonly to: number;
  /** The frame around it says that it is not so. */
  readonly denied: boolean;
  /** Token of the name of who speaks. */
  readonly speaker: number | null;
}

/** Words of a label such as "Correction:" or "Mei:". */
const LABEL_MAX = 5;
/** How far into a clause the "that" of a frame may stand. */
const THAT_WITHIN = 14;
const NOTES =
  /^(?:correction|update|updated|note|notes|fyi|reminder|edit|info|heads|news|decision|decided|fact|ps|todo|tldr|status|memo|addendum|erratum)$/;
const OPENERS =
  /^(?:actually|scratch|that|no|wait|oops|sorry|ok|okay|well|so|hey|hi|btw|by|the|way|fyi|update|correction|turns|out|in|fact|good|to|know|quick|small|thing|just|please|remember|for|record|as|of|now|today|from|on|update|heads|up|note|anyway|also|worth|noting|again|confirmed|memo|reminder)$/;
/** What frames a statement without a change to it: "it turns out that", "remember that", "nobody disputes that". */
const FRAME =
  /^(?:turns?|turned|note[ds]?|noting|remember|confirm(?:ed|s)?|clear|true|fact|correct|agreed|decided|checked|reminder|sure|aware|known|know|learned|disputes?|doubts?|denies|recorded|established|case|mind|wrong|mistaken|false|untrue|incorrect|rule[ds]?|myth|mistake|noted)$/;
const DENYING = /^(?:wrong|mistaken|false|untrue|incorrect|myth|mistake)$/;
const DENYING_PHRASE = /\b(?:not (?:true|the case|correct|so)|no longer (?:true|the case)|rule[ds]? out)\b/;
/** How a statement ends that is called off as a whole. */
const VOID =
  /\b(?:is|was|are|were) (?:wrong|out of date|outdated|obsolete|incorrect|not true|no longer true|false|untrue|mistaken|a mistake)$/;
const BELIEF =
  /^(?:the|any|that|our|this) (?:claim|idea|notion|rumou?r|belief|story|assumption|impression|statement|report) that\b/;
const SAYS =
  /\b(?:note|entry|record|claim|statement|info|line|page|slide|message|comment|memo)s? (?:saying|stating|claiming|that says|that claims|that states)(?: that)?\b/;

/** Where what a clause says begins and ends: behind a heading, a speaker's name or a frame such as "it turns out that". */
export function readIntro(tokens: readonly Token[], clause: Clause): Intro {
  const start = stampEnd(tokens, clause);
  const from = labelEnd(tokens, { from: start, to: clause.to });
  const isSpeaker =
    from > start &&
    tokens[from - 1]?.text === ":" &&
    !OPENERS.test(tokens[start]?.lower ?? "") &&
    !NOTES.test(tokens[start]?.lower ?? "");
  return { ...readFrames(tokens, { from, to: clause.to }), speaker: isSpeaker ? start : null };
}

type Framed = Omit<Intro, "speaker">;

function readFrames(tokens: readonly Token[], range: TokenRange): Framed {
  const quoted = readQuoted(tokens, range);
  if (quoted !== null) return quoted;
  const first = readThat(tokens, range);
  if (first.from === range.from) return first;
  // "It turns out that I can confirm that": frames stand in frames.
  const second = readThat(tokens, first);
  return { ...second, denied: first.denied !== second.denied };
}

/** The end of a date in brackets at the beginning, as logs have it. */
function stampEnd(tokens: readonly Token[], { from, to }: Clause): number {
  const isDate = (index: number) => tokens[index]?.kind === "date" || tokens[index]?.kind === "time";
  let index = from;
  while (index < to - 1 && (isDate(index) || /^[[\](),:-]$/.test(tokens[index]?.text ?? ""))) index++;
  return isDate(from) || isDate(from + 1) ? index : from;
}

const textOf = (tokens: readonly Token[], from: number, to: number): string =>
  tokens
    .slice(from, to)
    .map(({ lower }) => lower)
    .join(" ");

/** "The note saying that ... is out of date", "ignore the entry that says ...". */
function readQuoted(tokens: readonly Token[], { from, to }: TokenRange): Framed | null {
  const text = textOf(tokens, from, Math.min(to, from + THAT_WITHIN));
  const says = SAYS.exec(text) ?? BELIEF.exec(text);
  if (says === null) return null;
  const start = from + text.slice(0, says.index + says[0].length).split(" ").length;
  const end = VOID.exec(textOf(tokens, start, to));
  if (end !== null) return { from: start, to: to - end[0].split(" ").length, denied: true };
  return /^(?:please )?(?:ignore|disregard|forget|delete|discard)\b/.test(text)
    ? { from: start, to, denied: true }
    : null;
}

function readThat(tokens: readonly Token[], { from, to }: TokenRange): Framed {
  const plain = { from, to, denied: false };
  for (let index = from + 1; index < Math.min(to - 1, from + THAT_WITHIN); index++) {
    const token = tokens[index];
    if (token?.kind === "mark") return plain;
    if (token?.lower !== "that") continue;
    const words = tokens.slice(from, index);
    if (!words.some(({ lower }) => FRAME.test(lower))) return plain;
    const denied = words.some(({ lower }) => DENYING.test(lower)) || DENYING_PHRASE.test(textOf(tokens, from, index));
    return { from: index + 1, to, denied };
  }
  return plain;
}

/** The end of a label: a note's heading, the name of who speaks, words of opening before a comma. */
function labelEnd(tokens: readonly Token[], { from, to }: TokenRange): number {
  for (let index = from; index < Math.min(to - 1, from + LABEL_MAX); index++) {
    const mark = tokens[index + 1]?.text;
    if (mark === ":" && isLabel(tokens, { from, to }, index + 1)) return index + 2;
    if (mark === "," && tokens.slice(from, index + 1).every(({ lower }) => OPENERS.test(lower))) return index + 2;
    if (tokens[index]?.kind !== "word") break;
  }
  return from;
}

function isLabel(tokens: readonly Token[], { from, to }: TokenRange, colon: number): boolean {
  const words = tokens.slice(from, colon);
  if (words.every(({ lower }) => NOTES.test(lower) || OPENERS.test(lower))) return true;
  const next = tokens[colon + 1]?.lower ?? "";
  if (words.length > 2 || !words.every(({ capital, text }) => capital && /^\p{L}\p{Ll}+$/u.test(text))) return false;
  if (PRONOUNS.has(next) || next === "my" || next === "our") return true;
  // One name and a sentence of its own behind it: somebody says so. "Staging: the database runs" tells where.
  return words.length === 1 && !isScope(canonical(words[0]?.stem ?? "")) && hasSentence(tokens, colon + 1, to);
}

const isVerb = ({ lower }: Token): boolean => BE.has(lower) || HAVE.has(lower) || DO.has(lower) || MODALS.has(lower);

const hasSentence = (tokens: readonly Token[], from: number, to: number): boolean =>
  tokens
    .slice(from + 1, to)
    .some((token) => isVerb(token) || (isVerbStem(token.stem) && /(?:[^s]s|ed)$/.test(token.lower)));
