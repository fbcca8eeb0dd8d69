import { readAs } from "./confusables.ts";
import { OPENERS, readOf, SIGNS } from "./reading.ts";

/** Names of marks that a harness, a model's own format or we set around what a model is told. */
const NAMES = [
  "cairn",
  "system[-_ .]*(?:reminder|prompt|message|instruction|notification|note|warning|override)",
  "(?:user|assistant|human|developer|model)[-_ .]*(?:turn|message|prompt|query|input|instruction)",
  "function[-_ .]*(?:call|result|response)",
  "tool[-_ .]*(?:call|use|result|response|output)",
  "(?:start|end|begin)[-_ .▁]*of[-_ .▁]*(?:turn|text|sentence|image)",
  "im[-_ ]*(?:start|end)",
  "command-(?:name|message|args|contents)",
  "(?:local-command|bash)-(?:input|std|caveat)",
  "environment[-_ ](?:context|details)",
  "task-notification",
  "persisted-output",
  "(?:hook|session|project)[-_ ]context",
  "user-prompt-submit-hook",
  "turn[-_ ]aborted",
  "user[-_ ](?:shell[-_ ]command|info|rules)(?!\\w)",
  "(?:always[-_ ]applied|agent[-_ ]requestable)[-_ ]",
  "additional[-_ ]data(?!\\w)",
  "(?:attached|open[-_ ]and[-_ ]recently[-_ ]viewed)[-_ ]files",
  "ide[-_ ](?:selection|opened|diagnostics)",
  "(?:permissions|collaboration|personality|state)[-_ ](?:instructions|mode|spec|snapshot)",
  "(?:antml|invoke|parameter|think(?:ing)?|system|assistant|human|instructions?|sys|bos|eos)(?!\\w)",
  // Tokens of a model's format: whatever stands between two bars.
  "\\|\\s*(?:[^\\s|<>]{1,40}\\||im_|(?:start|end)_|eot|eom)",
].join("|");
const TAG = new RegExp(`^\\s*(?:/\\s*)?(?:[\\w-]{1,20}:)?(?:${NAMES})`);
/** On one line nothing of what is quoted needs its tags: the end of any, comments and instructions are marks as well. */
const STRICT_TAG = new RegExp(`^\\s*[/!?]|^\\s*(?:cairn|system|user|assistant|human|tool|function)|${TAG.source}`);
const BRACKET = /^\s*(?:\/\s*)?(?:inst|system_prompt|tool_(?:calls?|results?|content)|available_tools)\s*\]/;

/** What cards of ours begin with. */
const CARD_MARK = /^\d{4}-\d\d-\d\d, /;
const BRACKETS = /^[[［]$/;
/** Quotation marks of many languages: on a line they stand for a bracket, in a whole text they are what they are. */
const GUILLEMETS = /^«+$/;
/** Characters after an opener that are looked at as they are. */
const RAW_MAX = 64;

export interface Defusing {
  /** Whether the text is shown on a line among others of ours. */
  readonly isLine: boolean;
}

/** A text in which no mark begins: its bracket is a round one. Code of several lines keeps its tags and brackets. */
export const defused = (text: string, how: Defusing): string =>
  text.replace(OPENERS, (opener, at: number) =>
    opensMark(text, opener, at, how) ? opener.replace(SIGNS, "(") : opener,
  );

/** Where what begins the marks of a text stands. */
export const marksOf = (text: string, how: Defusing): { readonly at: number; readonly opener: string }[] =>
  [...text.matchAll(OPENERS)]
    .map(({ 0: opener, index: at }) => ({ at, opener }))
    .filter(({ at, opener }) => opensMark(text, opener, at, how));

function opensMark(text: string, opener: string, at: number, { isLine }: Defusing): boolean {
  const from = at + opener.length;
  const raw = text.slice(from, from + RAW_MAX);
  if (BRACKETS.test(opener)) return isBracketMark(text, from, raw) || (isLine && CARD_MARK.test(raw));
  if (!isLine && GUILLEMETS.test(opener)) return false;
  const read = readOf(text, from);
  return isLine ? STRICT_TAG.test(read) : TAG.test(read) && !isCode(text, at, raw);
}

/** Lower-case ones are an index or a link of somebody's code. */
const isBracketMark = (text: string, from: number, raw: string): boolean =>
  !/^[\s/]*[a-z]/.test(raw) && BRACKET.test(readOf(text, from));

/** A parameter of a type, as in `Promise<ToolResult>`, or a comparison, as in `i <tool_calls.length`. */
const isCode = (text: string, at: number, raw: string): boolean =>
  (/[\w)]/.test(text.charAt(at - 1)) && TYPE.test(raw)) || COMPARED.test(raw);

const TYPE = /^[A-Z][A-Za-z0-9]*[a-z0-9](?![-_\w])/;
const COMPARED = /^\s?[A-Za-z_]\w*(?:\s*[.;,)[(+*&?!]| [-/|=<>?]+ )/;

/** The beginning of a line that names who speaks, as transcripts that models were trained on have it. */
const TURN =
  /^([^\S\n\r\u2028\u2029]*(?:[*_#]{1,6}[^\S\n\r\u2028\u2029]*)?)(\p{L}[\p{L}\p{M}]{2,15})(?=[^\S\n\r\u2028\u2029]*[*_]{0,3}[^\S\n\r\u2028\u2029]*[:\uff1a\ufe13\ufe55\ua789\u2236\u02d0\u0589])/gmu;
const SPEAKERS = ["human", "assistant", "system", "user"];
/** A line that begins as a card of ours does, behind whatever looks like the sign of a list. */
const CARD =
  /^(?!> )(?=[^\p{L}\n\r\u2028\u2029[\uff3b]*[[\uff3b]\d{4}-\d\d-\d\d, [^\n\r\u2028\u2029]*?[0-9a-f]{8}-[0-9a-f]{4}-)/gmu;

/** A text of several lines of which none begins as somebody's turn or as a line of ours does: such a line is shown as quoted. */
export const withoutTurns = (text: string): string =>
  text
    .replace(TURN, (whole, _lead: string, word: string) => (isSpeaker(word) ? `> ${whole}` : whole))
    .replace(CARD, "> ");

const isSpeaker = (word: string): boolean =>
  !/^[a-z]+$/.test(word) && SPEAKERS.includes([...word].map(readAs).join(""));
