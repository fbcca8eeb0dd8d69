import { isPlausible } from "../calendar.ts";
import type { DateMention, DateReading, DateRelation } from "../relations.ts";
import { choose, rangeOf } from "../relations.ts";
import { sentenceAround } from "../tense.ts";
import type { DateExpression } from "../vocabulary.ts";
import type { Grammar } from "./grammar.ts";

/** Characters beside a date in which its relation is looked for. */
const LOOK = 32;

/** Joins expressions that stand in their text's order into what the text says, as its own language says it. */
export function relateBy(
  grammar: Grammar,
  text: string,
  expressions: readonly DateExpression[],
  reading: DateReading,
): DateMention[] {
  const mentions: DateMention[] = [];
  for (let i = 0; i < expressions.length; i++) {
    const one = expressions[i];
    const next = expressions[i + 1];
    if (!one) continue;
    const isPair = next !== undefined && isRange(grammar, text, one, next);
    if (isPair) i++;
    const mention = isPair ? paired(grammar, text, [one, next], reading) : single(grammar, text, one, reading);
    if (mention && isPlausible(mention.named)) mentions.push(mention);
  }
  return mentions;
}

const ahead = (text: string, { span }: DateExpression): string =>
  text.slice(Math.max(0, span.start - LOOK), span.start);

function isRange({ link, between, and }: Grammar, text: string, one: DateExpression, next: DateExpression): boolean {
  const joint = text.slice(one.span.end, next.span.start);
  return link.test(joint) || (and.test(joint) && between.test(ahead(text, one)));
}

/** Two weekdays are a habit: "Montag bis Freitag". */
function paired(
  grammar: Grammar,
  text: string,
  [one, next]: readonly [DateExpression, DateExpression],
  reading: DateReading,
): DateMention | null {
  if (one.repeats === "week" && next.repeats === "week") return null;
  const span = { start: one.span.start, end: next.span.end };
  const lean = reading.lean ?? tenseAround(grammar, text, span.start, span.end);
  const named = rangeOf(one, next, { ...reading, lean });
  const yearly = one.repeats === "year" && next.repeats === "year";
  return named && { span, relation: "range", named, whole: null, yearly, vague: false };
}

function single(grammar: Grammar, text: string, expression: DateExpression, reading: DateReading): DateMention | null {
  const { span, repeats, vague } = expression;
  const relation = relationOf(grammar, text, expression);
  const lean = reading.lean ?? leanHere(grammar, text, expression, relation);
  const named = choose(expression, { ...reading, lean });
  return named && { span, relation, named, whole: null, yearly: repeats === "year", vague };
}

function relationOf({ before, behind }: Grammar, text: string, expression: DateExpression): DateRelation {
  if (expression.range) return "range";
  const front = ahead(text, expression);
  const rest = text.slice(expression.span.end, expression.span.end + LOOK);
  const found = behind.find(([, words]) => words.test(rest)) ?? before.find(([, words]) => words.test(front));
  return found?.[0] ?? "at";
}

/** Only what has begun is said to be so "since" then, and what is to be done "by" then is yet to come. */
function leanHere(grammar: Grammar, text: string, expression: DateExpression, relation: DateRelation) {
  if (relation === "since" && grammar.since.test(ahead(text, expression))) return "past";
  const { start, end } = expression.span;
  const told = tenseAround(grammar, text, start, end);
  const sentence = sentenceAround(text, start, end);
  const isOpen = relation === "until" && !grammar.past.test(sentence) && !grammar.habit.test(sentence);
  return told === null && isOpen ? "future" : told;
}

/** Null where the sentence tells neither, or both, or a habit. */
function tenseAround(
  { past, future, habit }: Grammar,
  text: string,
  start: number,
  end: number,
): "past" | "future" | null {
  const sentence = sentenceAround(text, start, end);
  if (habit.test(sentence)) return null;
  const [isPast, isFuture] = [past.test(sentence), future.test(sentence)];
  if (isPast === isFuture) return null;
  return isPast ? "past" : "future";
}
