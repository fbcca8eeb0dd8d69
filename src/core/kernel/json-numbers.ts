import type { JsonFault } from "./json.ts";
import { EXACT_DIGITS, endOfText } from "./json-measure.ts";

/** Longest number; what a double can tell apart ends long before. */
const NUMBER_MAX = 400;
/** Faults that are told; more than that are refused in any case. */
const FAULTS_MAX = 1_000;
/** Steps of a path that an error names. */
const PATH_SHOWN = 8;

/**
 * Numbers of a JSON text that would not be given back as they are. In the list `apart`, whose items fail alone, the first
 * of each item; one anywhere else refuses the whole text and ends the search. Fractions are rounded everywhere and no fault.
 */
export function inexactNumbers(text: string, apart?: string): JsonFault[] {
  const faults: JsonFault[] = [];
  const way: Step[] = [];
  for (let index = 0; index < text.length && faults.length < FAULTS_MAX; ) {
    const code = text.charCodeAt(index);
    const end = endOfToken(text, index, code);
    const fault = isNumber(code) ? numberFault(text.slice(index, end)) : null;
    if (fault) {
      const path = way.slice(0, PATH_SHOWN).map(nameOf);
      note(faults, { path, message: fault });
      if (apart === undefined || path[0] !== apart) break;
    }
    if (code > SPACE) follow(way, text, { at: index, end });
    index = end;
  }
  return faults;
}

/** A position in an array, or where the name of a member lies in the text; null before that name has come. */
type Step = { index: number } | { name: string | null };

const nameOf = (step: Step): string | number => ("index" in step ? step.index : (step.name ?? ""));

/** Goes the way of a bracket, a comma or a name. */
function follow(way: Step[], text: string, { at: position, end }: { at: number; end: number }): void {
  const last = way.at(-1);
  switch (text[position]) {
    case "[":
      way.push({ index: 0 });
      return;
    case "{":
      way.push({ name: null });
      return;
    case "]":
    case "}":
      way.pop();
      return;
    case ",":
      if (last && "index" in last) last.index++;
      else if (last) last.name = null;
      return;
    case '"':
      if (last && "name" in last && last.name === null) last.name = unquoted(text.slice(position, end));
  }
}

function unquoted(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return "";
  }
}

/** One past what begins here: a text, a number or word, or a single character. */
function endOfToken(text: string, index: number, code: number): number {
  if (code === QUOTE) return endOfText(text, index);
  if (code <= SPACE) return index + 1;
  let end = index;
  while (end < text.length && isWord(text.charCodeAt(end))) end++;
  return Math.max(end, index + 1);
}

/** Letters, digits, signs and points. */
const isWord = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  (code >= 0x61 && code <= 0x7a) ||
  code === 0x2b ||
  code === 0x2d ||
  code === 0x2e ||
  code === 0x45;

const isNumber = (code: number): boolean => code === 0x2d || (code >= 0x30 && code <= 0x39);
const QUOTE = 0x22;
const SPACE = 0x20;

function numberFault(written: string): string | null {
  if (written.length > NUMBER_MAX) return `A number has more than ${NUMBER_MAX} characters`;
  if (written.length <= EXACT_DIGITS || isKept(written)) return null;
  const shown = written.length > SHOWN ? `${written.slice(0, SHOWN)}...` : written;
  return `The whole number ${shown} is too large to be kept exactly: send it as a text`;
}

const SHOWN = 40;
/** No double is written with more digits before its zeros. */
const KEPT_DIGITS = 17;
/** Doubles of more digits are written with an exponent. */
const PLAIN_DIGITS = 21;

/** Whether a long number is given back as it is, or is no whole one. Most are told by their digits, without being read. */
function isKept(written: string): boolean {
  const start = written.charCodeAt(0) === MINUS ? 1 : 0;
  let told = start;
  for (let index = start; index < written.length; index++) {
    const code = written.charCodeAt(index);
    if (!isDigit(code)) return true;
    if (code !== ZERO) told = index + 1;
  }
  const digits = written.length - start;
  if (told - start <= EXACT_DIGITS && digits <= FINITE_DIGITS) return true;
  if (told - start > KEPT_DIGITS) return false;
  const number = Number(written);
  if (Number.isSafeInteger(number)) return true;
  const kept = String(number);
  if (digits <= PLAIN_DIGITS) return kept === written;
  // As in 1.2345e+30.
  return kept.slice(start, kept.indexOf("e")).replace(".", "") === written.slice(start, told);
}

/** Whole numbers of more digits may be beyond the range of doubles. */
const FINITE_DIGITS = 308;
const isDigit = (code: number): boolean => code >= ZERO && code <= 0x39;
const MINUS = 0x2d;
const ZERO = 0x30;

function note(faults: JsonFault[], fault: JsonFault): void {
  const last = faults.at(-1)?.path;
  if (!last || last[0] !== fault.path[0] || last[1] !== fault.path[1]) faults.push(fault);
}
