import { FULL_STOPS } from "../../core/kernel/text.ts";

/** Which of several dates a sentence means: one gone by, one to come, or the nearest. */
export type TenseDirection = "past" | "future" | "near";

/** What is to come, whatever else is said beside it. */
const SURELY_AHEAD = /\b(?:will|won['’]t|shall|gonna|tomorrow|['’]ll)\b/i;
/** What is to come, unless it only was to. */
const AHEAD =
  /\b(?:going to|remember to|don['’]t forget|todo|needs? to|has to|have to|(?:am|is|are) to|to be|(?:expires|expiry|expire)|(?:am|is|are|['’](?:m|re|s)) (?:\w+ly |not |now |still |all )?(?:\w{2,}ing\b|planned|scheduled|due|slated|set|expected|supposed|meant)|plan(?:s|ning|ned)? (?:to|on|for)|scheduled (?:to|for|on)|(?:the|a|an|our|its|their|this|that|any|all) (?:planned|scheduled|upcoming|coming|expected)|intends? to|aims? to|hopes? to|wants? to|promises? to)\b|^\W*(?:\w+ )?(?:plan(?:ned)?|todo|goal|target|roadmap|deadline|due|next(?: steps?)?|upcoming|scheduled|milestones?)\s*[:–—-]/i;
/** What is to come where nothing in the sentence is told as gone by. */
const PLANNED =
  /\b(?:planned|scheduled|due|deadline|next|upcoming|must|should|expected|milestones?|roadmap|todo|postponed|rescheduled|deferred|slated)\b/i;
/** What was to come, of which nobody knows whether it came. */
const WAS_AHEAD =
  /\b(?:was|were|wasn['’]t|weren['’]t|been|had)(?: (?:not|originally|first|initially|once|all|only|still|already|\w+ly)){0,2} (?:planned|scheduled|due|slated|set|expected|supposed|meant|going|to|to be|planning)\b|\b(?:decided|agreed|wanted|intended|hoped|aimed|promised|committed|proposed|asked|expected|voted|chose) to\b|\b(?:planned|scheduled) (?:the|an?|our|my|his|her|its|their|this|that)\b|\b(?:i|we|he|she|they) planned (?!for|to)/i;
/** A reason, and no date: "due to rain". What is due to happen is. */
const REASON =
  /\bdue to\b(?!\s+(?:be|start|begin|end|open|launch|ship|arrive|finish|close|go|expire|land|happen|take|move|return|leave|retire|join|release|renew)\b)/gi;
/** Words that end like verbs and are none, and what states how things are: "the shared disk", "is closed". */
const NO_VERB =
  /\b(?:need|speed|feed|seed|based|located|allowed|supposed|indeed|hundred|embed|shed|sled|bleed|breed|weed|greed|proceed|exceed|succeed|naked|sacred|wicked|shared|distributed|embedded|dedicated|managed|limited|unlimited|united|advanced|related|required|detailed|unused|so-called|planned|scheduled|expected|postponed|rescheduled|deferred)\b|\b(?:am|is|are|be|being|gets?|stays?|remains?|keeps?|a|an|the|our|my|his|its|their|this|that|each|every|any|all|not) (?:(?:not|now|still|also|all|\w+ly) )?\w{2,}ed\b/gi;
const BEHIND =
  /\b(?:was|were|wasn['’]t|weren['’]t|did|didn['’]t|had|been|went|met|got|made|took|came|saw|said|told|gave|left|found|bought|began|became|kept|held|ran|won|lost|sent|wrote|spent|built|fell|rose|grew|broke|chose|drove|flew|paid|sold|thought|taught|caught|brought|felt|stood|spoke|threw|knew|swapped|ago|yesterday|last|since|\w{2,}ed)\b/i;

/** Reads the tense of some words; null where they tell none. */
function tenseOf(words: string): "past" | "future" | "unsure" | null {
  const told = words.replace(REASON, " ");
  if (SURELY_AHEAD.test(told)) return "future";
  if (WAS_AHEAD.test(told)) return "unsure";
  if (AHEAD.test(told)) return "future";
  const isPast = BEHIND.test(told.replace(NO_VERB, " "));
  if (PLANNED.test(told)) return isPast ? "unsure" : "future";
  return isPast ? "past" : null;
}

/** Reads the tense of a sentence by keyword. */
export function tenseDirectionOf(sentence: string): TenseDirection {
  const told = tenseOf(sentence);
  return told === null || told === "unsure" ? "near" : told;
}

/** What was put off is on the day that it was moved to. */
const MOVED_TO =
  /\b(?:move[ds]?|postponed?|pushed|pushes|reschedul(?:ed?|es)|delayed|deferred|shifted|slipped|slips|brought)\b[^.!?\n]{0,40}\b(?:to|until|till|into)\s+(?:the\s+)?(?:(?:early|mid|late|end of)[\s-]+)?$/i;
const JOINTS = "[,;:()–—]|\\s-\\s|\\b(?:and|but|which|who|that|because|so|while|whereas|then)\\b";
const JOINT_BEFORE = new RegExp(`^.*(?:${JOINTS})`, "is");
const JOINT_AFTER = new RegExp(JOINTS, "i");
/** Words that alone make no clause of what stands beside a date: "in early spring", "back then in May". */
const SMALL = /\b(?:in|on|at|by|from|to|of|the|a|an|this|that|early|late|mid|end|back|around|about|only|just)\b|\W+/gi;

/**
 * Which of several dates a text means by the one at `span`: the clause that it stands in tells, and where that is but the date,
 * the sentence. Null where neither does.
 */
export function tenseAt(text: string, { start, end }: { start: number; end: number }): "past" | "future" | null {
  const sentence = sentenceAround(text, start, end);
  const before = lastSentence(text.slice(Math.max(0, start - SENTENCE_WITHIN), start));
  if (MOVED_TO.test(before)) return "future";
  const behind = firstSentence(text.slice(end, end + SENTENCE_WITHIN));
  const [ahead, after] = [before.replace(JOINT_BEFORE, ""), behind.split(JOINT_AFTER, 1)[0] ?? ""];
  const own = tenseOf(ahead + text.slice(start, end) + after);
  const isBare = `${ahead} ${after}`.replace(SMALL, "") === "";
  const told = own === null && (isBare || LABELLED.test(before)) ? tenseOf(sentence) : own;
  return told === "unsure" ? null : told;
}

/** "Roadmap: ..." says of all behind it that it is to come. */
const LABELLED =
  /^\W*(?:\w+ )?(?:plan(?:ned)?|todo|goal|target|roadmap|deadline|due|next(?: steps?)?|upcoming|milestones?)\s*:/i;

/** Characters looked at on either side of a place for the sentence around it. */
const SENTENCE_WITHIN = 200;

const ENDS = [". ", "! ", "? ", "\n", ...FULL_STOPS];

/** The point behind the number of a day, which ends no sentence: "am 3. und 4. Mai". */
const DAY_POINT = /(?<!\d)(\d{1,2})\.(?= (?:\p{Ll}|(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)))/gu;
const withoutDayPoints = (text: string): string => text.replace(DAY_POINT, "$1:");

function lastSentence(before: string): string {
  const plain = withoutDayPoints(before);
  return before.slice(1 + Math.max(...ENDS.map((end) => plain.lastIndexOf(end))));
}

const FIRST_END = new RegExp(`[.!?](?:\\s|$)|[\\n${FULL_STOPS}]`);

function firstSentence(after: string): string {
  const to = withoutDayPoints(after).search(FIRST_END);
  return to < 0 ? after : after.slice(0, to + 1);
}

/** The sentence around a stretch of text, as far as points and line breaks tell. */
export const sentenceAround = (text: string, start: number, end: number): string =>
  lastSentence(text.slice(Math.max(0, start - SENTENCE_WITHIN), start)) +
  text.slice(start, end) +
  firstSentence(text.slice(end, end + SENTENCE_WITHIN));
