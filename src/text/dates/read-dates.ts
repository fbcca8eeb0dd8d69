import { DAY_MS } from "../../core/kernel/clock.ts";
import { cluesOf, plainWords } from "../clues.ts";
import { ABSOLUTE } from "./absolute.ts";
import type { TimeWindow } from "./calendar.ts";
import { grammarOf } from "./languages/grammars.ts";
import { relateBy } from "./languages/relate.ts";
import { PARTS_OF_YEAR } from "./parts-of-year.ts";
import type { DateMention, DateReading } from "./relations.ts";
import { relate } from "./relations.ts";
import { RELATIVE } from "./relative.ts";
import type { DateExpression, DatePattern } from "./vocabulary.ts";

/** Characters of a text that are read for dates. */
const READ_WITHIN = 4_000;
/** Dates read of one text; what follows is a table, and no statement. */
const MENTIONS_MAX = 32;

const PATTERNS: readonly DatePattern[] = [...ABSOLUTE, ...RELATIVE, ...PARTS_OF_YEAR];

/**
 * The dates that a text names, in the order in which they stand, as its language writes them.
 *
 * @example
 * readDates("We met on 17 November 2026.", { reference: writtenMs }) // one mention, the window of that day
 */
export function readDates(text: string, reading: DateReading): DateMention[] {
  const read = text.length > READ_WITHIN ? text.slice(0, READ_WITHIN) : text;
  const { reference } = reading;
  const grammar = grammarOf(read);
  if (grammar) return relateBy(grammar, read, apart(find(read, reference, grammar.patterns)), reading);
  const clues = reading.clues ?? cluesOf(plainWords(read));
  const wanted = PATTERNS.filter(({ needs }) => (needs & clues) === needs);
  if (wanted.length === 0) return [];
  const expressions = find(read, reference, wanted);
  const parts = apart(expressions).map((expression) => narrowed(read, expression));
  return relate(read, parts, reading);
}

function find(text: string, reference: number, patterns: readonly DatePattern[]): DateExpression[] {
  const found: DateExpression[] = [];
  for (const { regex, read } of patterns) {
    regex.lastIndex = 0;
    for (let match = regex.exec(text); match && found.length < MENTIONS_MAX; match = regex.exec(text)) {
      const reading = read({ reference, text, match });
      if (reading) found.push({ ...reading, span: { start: match.index, end: match.index + match[0].length } });
    }
  }
  return found;
}

/** Of expressions that share words, the longest. */
function apart(expressions: readonly DateExpression[]): DateExpression[] {
  const length = ({ span }: DateExpression) => span.end - span.start;
  const kept: DateExpression[] = [];
  for (const one of expressions.toSorted((a, b) => length(b) - length(a))) {
    if (kept.every(({ span }) => one.span.end <= span.start || one.span.start >= span.end)) kept.push(one);
  }
  return kept.sort((a, b) => a.span.start - b.span.start);
}

const PART = /\b(?:(early|beginning of|start of)|(mid|middle of)|(late|end of|last days of))[\s-]+(?:the\s+)?$/i;
/** "Early June" is the first third of it, "end of June" the last. */
const PARTS = 3;

function narrowed(text: string, expression: DateExpression): DateExpression {
  const found = PART.exec(text.slice(Math.max(0, expression.span.start - 24), expression.span.start));
  if (!found) return expression;
  const part = found.slice(1).findIndex((word) => word !== undefined);
  const span = { start: expression.span.start - found[0].length, end: expression.span.end };
  return { ...expression, span, window: (turn) => partOf(expression.window(turn), part), whole: expression.window };
}

function partOf(window: TimeWindow | null, part: number): TimeWindow | null {
  if (!window || window.end - window.start <= DAY_MS) return window;
  const third = Math.round((window.end - window.start) / PARTS / DAY_MS) * DAY_MS;
  if (part === 0) return { start: window.start, end: window.start + third };
  if (part === 2) return { start: window.end - third, end: window.end };
  return { start: window.start + third, end: window.end - third };
}
