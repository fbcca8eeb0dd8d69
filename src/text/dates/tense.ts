/** Which of several dates a sentence means: one gone by, one to come, or the nearest. */
export type TenseDirection = "past" | "future" | "near";

/** What is to come, whatever else the sentence says. */
const AHEAD =
  /\b(?:will|won['’]t|shall|going to|gonna|plan(?:s|ning)?(?: to| on| for)?|scheduled|due|deadline|upcoming|must|should|needs? to|has to|have to|(?:is|are) to|to be|remember to|don['’]t forget|todo|tomorrow|expir(?:es|y)|(?:moved|postponed|pushed|rescheduled|delayed|deferred|shifted)\b.{0,40}\bto|['’]ll)\b/i;
const BEHIND =
  /\b(?:was|were|did|didn['’]t|had|went|met|got|made|took|came|saw|said|told|gave|left|found|bought|began|became|kept|held|ran|won|lost|sent|wrote|spent|ago|yesterday|last|since|(?!(?:need|speed|feed|seed|based|located|allowed|supposed|indeed|hundred|embed)\b)\w{2,}ed)\b/i;

/** Reads the tense of a sentence by keyword. */
export function tenseDirectionOf(sentence: string): TenseDirection {
  if (AHEAD.test(sentence)) return "future";
  return BEHIND.test(sentence) ? "past" : "near";
}

/** Characters looked at on either side of a place for the sentence around it. */
const SENTENCE_WITHIN = 200;

/** The sentence around a stretch of text, as far as points and line breaks tell. */
export function sentenceAround(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - SENTENCE_WITHIN), start);
  const after = text.slice(end, end + SENTENCE_WITHIN);
  const from = Math.max(
    before.lastIndexOf(". "),
    before.lastIndexOf("! "),
    before.lastIndexOf("? "),
    before.lastIndexOf("\n"),
  );
  const to = after.search(/[.!?](?:\s|$)|\n/);
  return before.slice(from + 1) + text.slice(start, end) + (to < 0 ? after : after.slice(0, to + 1));
}
