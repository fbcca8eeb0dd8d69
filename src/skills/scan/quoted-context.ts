import { FULL_STOPS } from "../../core/kernel/text.ts";

/**
 * Whether a passage that reads like an attack is one, or is only shown by somebody who warns of it. Only what governs the
 * passage counts (its own sentence, the line that introduces its list or block): a "never" elsewhere excuses nothing.
 */

/** Judgements of what is quoted. */
const CONDEMNING =
  /\b(?:malicious|hostile|suspicious|dangerous|destructive|harmful|unsafe|insecure|untrusted|red flags?|anti-?patterns?|warning signs?|bad practice|tell-?tale|forbidden|prohibited|disallowed)\b/i;
/** Subjects of those who describe attacks on readers. */
const ATTACK =
  /\b(?:attack\w*|adversar\w*|injections?|injected|inject|jailbreaks?|payloads?|phish\w*|social engineering|manipulat\w*)\b/i;
const REFUSAL =
  /\b(?:refuse[sd]?|reject(?:s|ed)?|block(?:s|ing)?|detect(?:s|ed|ing)?|flag(?:s|ged|ging)?|scan(?:s|ning|ner)? for|look(?:s|ing)? (?:out )?for|watch(?:es|ing)? (?:out )?for|beware of|search(?:es|ing)? for|grep(?:s|ping)? for|disallow\w*|forbids?|prohibits?|treat(?:s|ed)?|den(?:y|ies))\b/i;
/** A ban right before what it bans. */
const BAN =
  /\b(?:never|do not|don['’]?t|must not|should not|shouldn['’]?t|cannot|avoid|instead of|rather than|not)\s+(?:(?!until|unless|before|without|forget|fail|hesitate|skip|omit|neglect)[\w'’-]+[,:]?\s+){0,5}[\s"'`“‘(*_]*$/i;
const BAN_INTRO = /\b(?:never|do not|don['’]?t|avoid|must not)\b[^.!?:：]{0,400}[:：]/i;
/** What is said right after a passage that is condemned. */
const CONDEMNED =
  /^["'`”’)*_,]*\s*(?:[^.!?\n]{0,60}\b)?(?:(?:is|are|was|were|looks?|counts?|would|will|can|could|may|must|should)\b[^.!?\n]{0,60}?\b(?:attack\w*|injections?|dangerous|destructive|hostile|malicious|suspicious|red flags?|unsafe|wipe|delete everything|destroy|flagged|rejected|refused|reported|ignored|untrusted|data|never|not be (?:run|followed|obeyed|trusted))|(?:wipes|destroys|erases|deletes everything))\b/i;
/** Words that turn a quotation back into an order, or a ban into its opposite. */
const ORDER =
  /\b(?:obey|comply|never (?:forget|fail|hesitate|refuse|skip)|(?:do not|don['’]?t) (?:forget|fail|hesitate|refuse|skip)|you must|(?:then|now|and|please|always|first|instead|simply|just) (?:run|execute|obey|follow|type|paste|do)|take (?:it|this|that) (?:literally|seriously)|do as|do what|applies to you)\b/i;
/** A verb between the judgement and the passage asks for the deed after all. */
const ACTION =
  /\b(?:run|runs|running|execute|type|paste|enter|call|invoke|issue|start|launch|apply|(?:use|using)(?!\s*[:：]?\s*$))\b/i;

/** Who may quote: `text` in signs, code and blocks; `command` only in a line of prose, for a block of code is there to be run. */
export type Quotable = "text" | "command" | "never";

/** Whether a passage is quoted, in signs or in code, by somebody who warns of it. */
export function isQuotedWarning(raw: string, start: number, end: number, quotable: Quotable): boolean {
  if (quotable === "never" || (quotable === "command" && isFenced(raw, start))) return false;
  const line = lineOf(raw, start, end);
  if (!isQuoted(line) && !isBlockQuoted(raw, start)) return false;
  const judges = quotable === "text" ? [CONDEMNING, ATTACK, REFUSAL] : [CONDEMNING, REFUSAL];
  return warnsBefore(line.before, judges) || condemnsAfter(line.after) || warnsAbove(raw, start, line.before, judges);
}

/**
 * Whether a passage is named in a sentence about what others may try ("texts that tell the model to ignore …"), not said
 * to the reader: the words right before make it part of that sentence.
 */
export function isReported(raw: string, start: number, end: number): boolean {
  const { before } = lineOf(raw, start, end);
  const sentence = before.slice(Math.max(...[".", "!", "?"].map((mark) => before.lastIndexOf(mark))) + 1);
  if (ORDER.test(sentence)) return false;
  if (/\b(?:never|not|don['’]?t|cannot|can['’]?t)[\s*_"'`“]*$/i.test(sentence)) return true;
  return SUBORDINATE.test(sentence) && (ATTACK.test(sentence) || REPORTING.test(sentence));
}

const SUBORDINATE =
  /\b(?:to|that|which|like|as|may|might|could|can|would|models?|agents?|assistants?|llms?|it|them|text|say|says|saying)[\s*_"'`“‘]*$/i;
const REPORTING =
  /\b(?:attempts?|tr(?:y|ies|ying)|tells?|telling|asks?|asking|claims?|claiming|convinc\w*|trick\w*|persuad\w*|refus\w*|resist\w*|detect\w*|flag\w*|reject\w*)\b/i;

interface Line {
  readonly before: string;
  readonly after: string;
}

/** Characters of a line that are looked at on either side of a passage. */
const CONTEXT_MAX = 4_000;

function lineOf(raw: string, start: number, end: number): Line {
  const stop = raw.indexOf("\n", end);
  const from = Math.max(raw.lastIndexOf("\n", start - 1) + 1, start - CONTEXT_MAX);
  return {
    before: raw.slice(from, start),
    after: raw.slice(end, Math.min(stop < 0 ? raw.length : stop, end + CONTEXT_MAX)),
  };
}

const SENTENCE_ENDS = new RegExp(`(?<=[.!?])(?=\\s)|(?<=[${FULL_STOPS}])`);

function warnsBefore(before: string, judges: readonly RegExp[]): boolean {
  const sentence = before.split(SENTENCE_ENDS).at(-1) ?? "";
  return !ORDER.test(sentence) && (BAN.test(sentence) || judges.some((judge) => judgesLast(sentence, judge)));
}

/** Whether a text judges what follows it: no verb after the judgement asks for the deed. */
function judgesLast(text: string, judge: RegExp): boolean {
  const found = judge.exec(text);
  return found !== null && !ACTION.test(text.slice(found.index + found[0].length));
}

const condemnsAfter = (after: string): boolean => CONDEMNED.test(after) && !ORDER.test(after);

/** Lines looked back over for the one that introduces a list, a table or a block. */
const LINES_BACK = 30;

/** The item of a list, a table or a block is governed by the line that introduces all of it. */
function warnsAbove(raw: string, start: number, before: string, judges: readonly RegExp[]): boolean {
  const fenced = isFenced(raw, start);
  const top = fenced ? raw.lastIndexOf("```", start) : start - before.length;
  const above = raw
    .slice(0, top)
    .split("\n")
    .slice(-LINES_BACK - 1, -1);
  const intro = above.findLast((line) => line.trim() !== "" && !IN_LIST.test(line)) ?? "";
  const leads = /[:：]\s*$|^\s*#/.test(intro.replace(/(?<![*_])[*_]+\s*$/, ""));
  if (!leads || !(IN_LIST.test(before) || fenced) || ORDER.test(intro)) return false;
  return BAN_INTRO.test(intro) || judges.some((judge) => judgesLast(intro, judge));
}

const IN_LIST = /^\s*(?:[-*+•>|]|\d+[.)]|```|~~~)/;

const isFenced = (raw: string, start: number): boolean => raw.slice(0, start).split(/^[ \t]*```/m).length % 2 === 0;

/** Inside a fence or a block quote. */
const isBlockQuoted = (raw: string, start: number): boolean =>
  isFenced(raw, start) || /^\s*>/.test(raw.slice(raw.lastIndexOf("\n", start - 1) + 1, start + 1));

const PAIRS: readonly (readonly [open: RegExp, close: RegExp])[] = [
  [/"/g, /"/g],
  [/`/g, /`/g],
  [/“|„/g, /”|“/g],
  [/«/g, /»/g],
  [/‘/g, /’/g],
  [/(?<=^|[\s(])'(?=\S)/g, /(?<=\S)'(?=[\s).,;:!?]|$)/g],
];

/** Whether a quotation begun on this line before the passage ends on it after. */
function isQuoted({ before, after }: Line): boolean {
  return PAIRS.some(([open, close]) => isOpen(before, open, close) && after.search(close) >= 0);
}

function isOpen(before: string, open: RegExp, close: RegExp): boolean {
  if (open.source === close.source) return (before.match(open)?.length ?? 0) % 2 === 1;
  return lastOf(before, open) > lastOf(before, close);
}

const lastOf = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].at(-1)?.index ?? -1;
