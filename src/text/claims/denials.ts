import { isVerbStem } from "../lexicon/verbs.ts";
import { BE, DO, HAVE, MODALS, NEGATIONS } from "../lexicon/words.ts";
import { isInflected } from "./clauses.ts";
import type { Token, TokenRange } from "./lexer.ts";

/** What a clause denies. */
export interface Denials {
  /** Where the words stand that deny the clause. */
  readonly denials: readonly number[];
  /** What is named only to be set aside: "not 20", "rather than by post", "instead of Mei". */
  readonly set_aside: readonly TokenRange[];
}

/** Behind these a word of negation denies nothing, or all is denied but the rest: "not only", "nothing else". */
const DENIES_NOTHING =
  /^(?:only|later|more|less|just|earlier|fewer|sooner|matter|doubt|else|other|but|mistake|disputes?|doubts?|denies|wonder)$/;
/** How far behind a verb its "from" may stand. */
const FROM_WITHIN = 6;

/** Reads the words of negation of a range, and what they deny: the clause, or only a thing set beside another. */
export function readDenials(tokens: readonly Token[], { from, to }: TokenRange): Denials {
  const denials: number[] = [];
  const set_aside: TokenRange[] = [];
  for (let index = from; index < to; index++) {
    const aside = setAsideAt(tokens, index, { from, to });
    if (aside !== null) {
      set_aside.push(aside);
      index = aside.to - 1;
    } else if (denies(tokens, index, to)) denials.push(index);
  }
  return { denials, set_aside };
}

function denies(tokens: readonly Token[], index: number, to: number): boolean {
  const next = tokens[index + 1]?.lower ?? "";
  if (NEGATIONS.has(tokens[index]?.lower ?? "")) return !DENIES_NOTHING.test(next);
  return isDenyingVerb(tokens, index, to) || isEnding(tokens, index);
}

/** "Quit smoking", "gave up driving", "free of nuts". */
function isEnding(tokens: readonly Token[], index: number): boolean {
  const [word, next, third] = [tokens[index], tokens[index + 1]?.lower ?? "", tokens[index + 2]?.lower ?? ""];
  if (word?.lower === "free") return next === "of" || next === "from";
  if (/^(?:gave|give|given|gives)$/.test(word?.lower ?? "")) return next === "up" && third.endsWith("ing");
  return /^(?:quit|stop|ceas|discontinu)$/.test(word?.stem ?? "") && next.endsWith("ing");
}

/** "Stops it from loading", "fails to load", "refuses to load". */
function isDenyingVerb(tokens: readonly Token[], index: number, to: number): boolean {
  const word = tokens[index]?.stem ?? "";
  if (/^(?:fail|refus|declin|neglect)$/.test(word)) return tokens[index + 1]?.lower === "to";
  if (!/^(?:stop|prevent|keep|block|bar)$/.test(word)) return false;
  return tokens.slice(index + 1, Math.min(to, index + FROM_WITHIN)).some(({ lower }, i) => i > 0 && lower === "from");
}

/** A thing that is set aside, with the words that do so. */
function setAsideAt(tokens: readonly Token[], index: number, { from, to }: TokenRange): TokenRange | null {
  const [before, word, next] = [tokens[index - 1], tokens[index]?.lower ?? "", tokens[index + 1]];
  const isPair = (word === "rather" && next?.lower === "than") || (word === "instead" && next?.lower === "of");
  if (isPair) return { from: index, to: asideEnd(tokens, index + 2, to) };
  if (word !== "not" || index === from) return null;
  const isBeside = before?.text === "," || /^(?:and|but)$/.test(before?.lower ?? "");
  if (isBeside && next !== undefined && !isVerbForm(next)) return { from: index, to: asideEnd(tokens, index + 1, to) };
  return notBut(tokens, index, to);
}

/** "Is not in the hall but in the pantry": up to the "but", where no verb comes behind it. */
function notBut(tokens: readonly Token[], index: number, to: number): TokenRange | null {
  for (let i = index + 1; i < to; i++) {
    if (tokens[i]?.lower !== "but") continue;
    const hasVerb = tokens.slice(i + 1, to).some(isVerbForm);
    return hasVerb || i === index + 1 ? null : { from: index, to: i };
  }
  return null;
}

function asideEnd(tokens: readonly Token[], index: number, to: number): number {
  let end = index;
  while (
    end < to &&
    tokens[end]?.kind !== "mark" &&
    !/^(?:and|but|because|so|as|since|now)$/.test(tokens[end]?.lower ?? "")
  )
    end++;
  return end;
}

const isVerbForm = (token: Token): boolean =>
  BE.has(token.lower) ||
  HAVE.has(token.lower) ||
  DO.has(token.lower) ||
  MODALS.has(token.lower) ||
  (isVerbStem(token.stem) && isInflected(token) && !token.capital);
