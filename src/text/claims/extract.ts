import { type State, stateName } from "../lexicon/states.ts";
import { canonical } from "../lexicon/synonyms.ts";
import { DETERMINERS } from "../lexicon/words.ts";
import type { Value } from "../values/value.ts";
import type { Claim, ValueKind } from "./claim.ts";
import type { ContentWord } from "./content-words.ts";
import { isHabit } from "./habit.ts";
import type { Token, TokenRange } from "./lexer.ts";
import { type ParsedClause, type ParsedText, parseText } from "./parse.ts";
import { type Topic, topicOf } from "./topic.ts";

/** Claims of one text. */
const CLAIMS_MAX = 24;
/** Words of a value that is text. */
const VALUE_WORDS_MAX = 8;
/** Predicates that say where something is. */
const PLACES: ReadonlySet<string> = new Set(["lives_in", "located_in", "stored_in", "hosted_on"]);
/** What a verb of change leaves behind, where its group of predicates is not named by what follows it. */
const CHANGED: Readonly<Record<string, string>> = {
  mov: "located_in",
  reloc: "located_in",
  switch: "uses",
  upgrad: "uses",
  migrat: "uses",
};

/** What a text claims, clause by clause; `reference_ms` is the moment from which "tomorrow" is told. */
export function extractClaims(text: string, reference_ms: number): Claim[] {
  const reading = parseText(text, reference_ms);
  return reading.parts.flatMap((part) => claimsOf(reading, part)).slice(0, CLAIMS_MAX);
}

type Draft = Pick<Claim, "predicate" | "value" | "value_kind" | "value_key" | "span">;

function claimsOf(reading: ParsedText, part: ParsedClause): Claim[] {
  const topic = topicOf(reading.tokens, part);
  if (topic === null) return [];
  const drafts = [
    ...valueClaims(reading, part, topic),
    ...stateClaims(reading, part),
    ...textClaims(reading, part, topic),
  ];
  const claims = drafts.map((draft) => ({
    ...draft,
    subject: topic.text,
    subject_key: topic.key,
    negated: part.negated,
    modality: part.modality,
  }));
  return [...claims, ...heldBy(reading, part, topic)];
}

/** Numbers, prices, dates and the like, each a claim of its own; those in the subject only name it. */
function valueClaims({ text }: ParsedText, part: ParsedClause, topic: Topic): Draft[] {
  const isNamed = ({ from }: Value) =>
    from >= part.subject.from && from < part.subject.to && part.verbs.to > part.verbs.from;
  return part.values
    .filter((value) => !isNamed(value))
    .map((value) => ({
      predicate: measureName(part, topic, value),
      value: text.slice(value.start, value.end),
      value_kind: value.kind,
      value_key: value.key,
      span: { start: value.start, end: value.end },
    }));
}

function measureName({ predicate }: ParsedClause, { attribute_name }: Topic, { kind, dimension }: Value): string {
  if (attribute_name !== null) return attribute_name;
  if (kind === "number" && dimension) return `count_${dimension}`;
  if (kind === "version") return dimension ? `version_${dimension}` : "version";
  return kind === "date" || kind === "time" ? (predicate === "ends" ? "ends" : "starts") : kind;
}

function stateClaims({ tokens, text }: ParsedText, part: ParsedClause): Draft[] {
  const own = part.states.filter(
    (state) => state.from >= part.verbs.from && state.group_class !== "kind" && isSaid(tokens, part, state),
  );
  return own.slice(0, 1).map(({ group, position, from, to }) => {
    const span = { start: tokens[from]?.start ?? 0, end: tokens[to - 1]?.end ?? 0 };
    return {
      predicate: "status",
      value: text.slice(span.start, span.end),
      value_kind: "boolean" satisfies ValueKind,
      value_key: stateName(group, position),
      span,
    };
  });
}

/** How things stand: with a form of "be" or a passive, or a verb that tells a state. */
const isSaid = (tokens: readonly Token[], part: ParsedClause, state: State): boolean =>
  (part.predicate === "be" ||
    part.passive ||
    part.tense === "perfect" ||
    (state.from < part.verbs.to && !hasObject(part))) &&
  !isHabit(tokens, part, state) &&
  !part.words.some(({ index }) => index === state.to);

/** "Runs" tells a state, "runs Postgres" does not. */
const hasObject = ({ words, passive }: ParsedClause): boolean =>
  !passive && words.some(({ zone, preposition }) => zone === "complement" && preposition === "");

/** What the clause says in words: where, who, which. */
function textClaims({ tokens, text }: ParsedText, part: ParsedClause, { attribute_name }: Topic): Draft[] {
  const range = objectRange(tokens, part);
  const words = part.words.filter(
    ({ index, zone }) => zone === "complement" && index >= range.from && index < range.to,
  );
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined || isCounted(part, words)) return [];
  const span = { start: tokens[first.index]?.start ?? 0, end: tokens[last.index]?.end ?? 0 };
  const predicate = attribute_name ?? predicateName(part, first.preposition);
  const value_kind: ValueKind = predicate === "located_in" || PLACES.has(part.predicate) ? "place" : "text";
  const value_key = words.map(({ key }) => key).join(" ");
  return [{ predicate, value: text.slice(span.start, span.end), value_kind, value_key, span }];
}

/** The noun behind a number is part of that value. */
const isCounted = ({ values }: ParsedClause, words: readonly ContentWord[]): boolean =>
  values.some(({ counted = [] }) => counted.length > 0 && words.every(({ key }) => counted.includes(key)));

function predicateName({ predicate, verb, changes }: ParsedClause, preposition: string): string {
  if (PLACES.has(predicate)) return "located_in";
  if (changes) return CHANGED[canonical(verb)] ?? CHANGED[verb] ?? predicate;
  if (predicate === "be") return /^(?:in|at|on|near|inside)$/.test(preposition) ? "located_in" : "be";
  return predicate;
}

/** The first phrase behind the verb; behind "from X to Y", the second. */
function objectRange(tokens: readonly Token[], { complement: { from, to }, changes }: ParsedClause): TokenRange {
  const target = changes ? tokens.findIndex(({ lower }, i) => i >= from && i < to && /^(?:to|into)$/.test(lower)) : -1;
  const start = target >= 0 ? target + 1 : from;
  let end = start;
  let words = 0;
  while (end < to && words < VALUE_WORDS_MAX) {
    const token = tokens[end];
    if (token === undefined || (words > 0 && (token.kind === "mark" || isPhraseEnd(token)))) break;
    if (token.kind === "word" && !DETERMINERS.has(token.lower) && !isPhraseEnd(token)) words++;
    end++;
  }
  return { from: start, to: end };
}

const isPhraseEnd = ({ lower }: Token): boolean =>
  /^(?:in|on|at|to|from|with|by|for|since|because|until|after|before|during|through|now|instead|these|via|when|while)$/.test(
    lower,
  );

/** Who leads or holds something, told from the side of what is held: so "Mei leads the team" and "the team is led by Mei" meet. */
function heldBy({ tokens, text }: ParsedText, part: ParsedClause, topic: Topic): Claim[] {
  if (part.predicate !== "leads" || part.verb === "") return [];
  const object = part.words.filter(({ zone }) => zone === (part.passive ? "subject" : "complement"));
  const holder = part.words.filter(({ zone, preposition }) =>
    part.passive ? zone === "complement" && preposition === "by" : zone === "subject",
  );
  const [from, to, first, last] = [object[0], object.at(-1), holder[0], holder.at(-1)];
  if (!from || !to || !first || !last) return [];
  const slice = (a: number, b: number) => ({ start: tokens[a]?.start ?? 0, end: tokens[b]?.end ?? 0 });
  const span = slice(first.index, last.index);
  const subject = slice(from.index, to.index);
  return [
    {
      subject: text.slice(subject.start, subject.end) || topic.text,
      subject_key: object.map(({ key }) => key).join(" "),
      predicate: "led_by",
      value: text.slice(span.start, span.end),
      value_kind: "text",
      value_key: holder.map(({ key }) => key).join(" "),
      negated: part.negated,
      modality: part.modality,
      span,
    },
  ];
}
