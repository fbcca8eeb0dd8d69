import { baseOfPast, isForm, verbOf } from "./verbs.ts";

const NUMBERING =
  /^\s*(?:(?:step\s+)?\d{1,2}\s*[.):]|[-*\u2022]|\[[ x]\]|(?:step|then|next|first|second|third|finally|lastly|afterwards|after that|also|now|meanwhile|so|and then|and)\b,?:?)\s+/i;
const SUBJECT =
  /^(?:let me|let us|let['\u2019]s|i|we|the agent|i've|we've)\s+(?:(?:also|then|first|just|next|now|finally|quickly|already|simply|(?:have|had)(?!\s+to\b))\s+)*/i;
/** "Had to restart", "managed to restart": the verb is the second one. */
const AUXILIARY =
  /^(?:had to|have to|need to|needed to|must|should|tried to|was able to|were able to|managed to|decided to|went on to|proceeded to|continued to|started to|began to|used to|was asked to|were asked to|asked to)\s+/i;
const ADVERB = /^(?:(?!(?:ap|re|sup|multi|com|im)ply\b|rely\b)\p{L}+ly|also|then|first|just)\s+(?=\p{L})/iu;

/** Without what only links a sentence to those around it: bullets, "then", "I", "had to". */
export function withoutLead(sentence: string): string {
  let rest = sentence.trim();
  for (const lead of [NUMBERING, NUMBERING, SUBJECT, AUXILIARY, ADVERB]) rest = rest.replace(lead, "");
  return rest;
}

/** What follows a verb only where it is no instruction: "Build failed", "Check is red". */
const NO_DEED = /^(?:not|is|are|was|were|has|have|had|failed|passed|works?|worked|shows?|showed|went|takes|took)$/;
/** The same after a word that is a noun as well: "Release of", "Build 42". */
const NOUN_THERE = /^(?:of|to|\d+)$/;
/** Nouns of work that are verbs as well: an instruction only before an article or the like. */
const NOUN_TOO =
  /^(?:release|build|test|plan|work|change|report|request|order|issue|log|check|review|patch|target|rank|score|time|place|question|document|file|index|batch|queue|process|schedule|stage|step|design|email|mail|phone|note|share|audit|survey|contract|service|market|book|trial)$/;
const DETERMINED = /^(?:the|a|an|all|each|every|any|this|that|these|those|its|both|new|old|your|my|our|\d+)$/;

/**
 * The sentence as an instruction ("Stopped the replica." is "Stop the replica."), or null when it is none: it has no verb of
 * doing where one belongs. Every part of a series of actions is turned: "tested it and reloaded" is "test it and reload".
 */
export function imperativeOf(sentence: string): string | null {
  const rest = withoutLead(sentence);
  return activeDeed(rest) ?? passiveDeed(rest) ?? notedDeed(rest);
}

/** Whether a sentence tells what was done, and not what is to be done or is under way. */
export function isDone(sentence: string): boolean {
  const rest = withoutLead(sentence);
  const first = (/^\p{L}+/u.exec(rest)?.[0] ?? "").toLowerCase();
  return baseOfPast(first) !== null || passiveDeed(rest) !== null;
}

function activeDeed(sentence: string): string | null {
  // A word of its own ("Merged, all tests pass") says how it went, not what to do.
  const [, first = "", after = ""] = /^(\p{L}+(?:-\p{L}+)?)(\s+[^\s].*)$/su.exec(sentence) ?? [];
  const base = baseAtStart(first.toLowerCase(), clauseWords(after));
  // "Offboarding of a guest" is to offboard a guest.
  const object = /ing$/i.test(first) ? after.replace(/^\s+of\b/, "") : after;
  return base === null ? null : capitalised(`${base}${furtherDeeds(ours(object))}`);
}

const CLAUSE_END = /[.,;:](?=\s|$)|\b(?:so|because|that|which|as|since|before|after|until|when|to|who)\b/;

/** The words up to where another clause begins. */
const clauseWords = (after: string): string[] =>
  (after.toLowerCase().split(CLAUSE_END)[0] ?? "").match(/[\p{L}\p{N}_]+/gu) ?? [];

function baseAtStart(first: string, rest: readonly string[]): string | null {
  const [next = ""] = rest;
  if (NO_DEED.test(next)) return null;
  const past = baseOfPast(first);
  if (past !== null && !isForm(first, "base")) return past;
  const verb = verbOf(first);
  if (!verb) return null;
  if (verb.forms.has("gerund")) return isSubject(rest) ? null : verb.base;
  if (NOUN_THERE.test(next) || isForm(next, "past")) return null;
  // "Checks the log" is a action, "Checks passed" is none.
  const isNounToo = verb.forms.has("third") || NOUN_TOO.test(first);
  return isNounToo && !DETERMINED.test(next) ? null : verb.base;
}

/** "Monitoring warns", "moving them took an hour", "rolling restart of": a gerund that is part of a name. */
const isSubject = ([next = "", second = "", ...more]: readonly string[]): boolean =>
  next === "" ||
  (isForm(next, "base") && second === "of") ||
  isForm(next, "past") ||
  [next, second].some((word) => isForm(word, "third")) ||
  [next, second, ...more].some((word) => FINITE.test(word));

const FINITE =
  /^(?:is|are|was|were|has|had|cost|costs|took|takes|made|makes|gave|gives|got|gets|went|goes|helped|helps|works?|worked|failed|fails)$/;

const ours = (text: string): string => text.replace(/\b(?:my|our)\b/gi, "the");

/** A verb of the past right after a comma or a conjunction, that no noun follows from which it could be the adjective. */
const FURTHER = /((?:,|;|\band|\bthen|\bor)\s+(?:then\s+|also\s+)?)(\p{Ll}+)(?=\s+\p{L}|[.,;]|$)/gu;

function furtherDeeds(text: string): string {
  return text.replace(FURTHER, (whole, link: string, word: string, index: number) => {
    if (isForm(word, "base")) return whole;
    const verb = verbOf(word);
    if (!verb?.forms.has("past")) return whole;
    const next = /^\s+(\p{L}+)/u.exec(text.slice(index + whole.length))?.[1];
    return next !== undefined && /^(?:by|as|from)$/.test(next) ? whole : `${link}${verb.base}`;
  });
}

const PASSIVE =
  /^((?:the|a|an|all|both|each|every|its|this|that)\s+(?:[\p{L}\p{N}_./-]+\s+){1,6}?)(?:was|were|is|are|has been|have been|got|gets|is being|are being)\s+(?:then\s+|also\s+)?(\p{L}+)\b(.*)$/isu;

/** "The build was uploaded to the stores" is "Upload the build to the stores". */
function passiveDeed(sentence: string): string | null {
  const [, subject = "", verb = "", after = ""] = PASSIVE.exec(sentence) ?? [];
  const known = verbOf(verb.toLowerCase());
  if (!known?.forms.has("participle") || /^\s+(?:because|due)\b/.test(after)) return null;
  const object = subject.trim().replace(/^\p{Lu}(?=\p{Ll}+\s)/u, (letter) => letter.toLowerCase());
  return capitalised(`${known.base} ${object}${furtherDeeds(withoutAgent(after))}`);
}

const NOTED =
  /^((?:(?!(?:i|we|he|she|they|it|you|who|which|that|there|customers?|clients?|users?|team|legal|hr|management|manager|support|everybody|everyone|somebody|nobody)\b)[\p{L}\p{N}_./-]+\s+){1,5})(\p{Ll}+ed|sent|put|set|shut|cut|built|rebuilt|taken|given|made|drawn)((?:\s+(?:to|on|in|into|from|off|out|with|at|for|as|under|over|again|now|manually|by hand)\b.*)?)[.!]?$/iu;
/** Verbs that a thing does by itself: "the lag dropped". */
const BY_ITSELF =
  /^(?:finish|complete|end|start|fail|pass|work|drop|change|improve|increase|reduce|expire|crash|help|agree|decide|reply|answer|respond|report|confirm|wait|return|close|resolve|fix|look|talk|try|need|want|happen|shrink|join|arrive|stop|continue|succeed|approve|expect|require|use)$/;

/** How terse logs put it: "account disabled", "build uploaded to the stores". */
function notedDeed(sentence: string): string | null {
  const [, object = "", verb = "", after = ""] = NOTED.exec(sentence) ?? [];
  const known = verbOf(verb.toLowerCase());
  if (!known?.forms.has("participle") || BY_ITSELF.test(known.base)) return null;
  const words = object.trim().split(/\s+/);
  if (words.some((word) => NO_DEED.test(word.toLowerCase()))) return null;
  const thing = object.trim().replace(/^\p{Lu}(?=\p{Ll}+(?:\s|$))/u, (letter) => letter.toLowerCase());
  return capitalised(`${known.base} ${thing}${after}`);
}

const withoutAgent = (text: string): string => text.replace(/^\s+by\s+(?:me|us|hand)\b/i, "");

/** With a capital, unless it begins with a name such as `pg_dump`. */
export const capitalised = (text: string): string =>
  text.replace(/^\p{Ll}(?=\p{L}*(?:[\s,.:;!?]|$))/u, (letter) => letter.toUpperCase());
