import { CLUE } from "../../text/clues.ts";
import type { DateMention } from "../../text/dates/relations.ts";

/** What is known of a text before its type. */
export interface TypeContext {
  readonly mentions: readonly DateMention[];
  /** The moment of writing, in epoch milliseconds. */
  readonly reference: number;
  /** What `cluesOf` found in the text. */
  readonly clues: number;
}

/** Somebody asks for it in so many words. */
const ASKED_FOR =
  /\b(?:remember to|(?:don['’]t|do not) forget to|remind (?:me|us|him|her|them|[A-Z]\w+) (?:to|about|of|that)|follow up (?:with|on)|(?:is|was|been|gets?|are) assigned to|action items?|please (?:\w+ly )?(?:send|call|review|fix|update|check|book|schedule|prepare|write|order|contact|ask|email|add|remove|finish|submit|confirm|sign|pay|renew|buy|bring|look into|make sure))\b/i;

/** A person who has to do something: never the reader of a manual, and never a thing. */
const SOMEONE =
  "(?:[Ii]|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[Ss]omeone|[Ss]omebody|[A-ZÀ-Ý][a-zß-ÿ]+(?<!s)(?: [A-ZÀ-Ý][a-zß-ÿ]+)?|[Tt]he team|(?:[Mm]y|[Oo]ur|[Tt]he) (?:\\w+ )?(?:manager|assistant|colleague|lawyer|accountant|doctor|team))";
const OBLIGED = new RegExp(
  `(?:^|[^\\w])${SOMEONE}(?: still| also| really| now| just)? (?:needs? to|must|ha(?:s|ve) to|(?:has |have )?got to|should|ought to)(?: still| also| really)? (?!(?:be|have|not|know|never|always|feel)\\b)\\w+`,
);
/** Words that begin a sentence with a capital and are nobody's name. */
const NOBODY =
  /^(?:Code|Everyone|Anyone|Nobody|Everything|It|This|That|There|You|Data|Staff|One|Each|Every|Any|Text|Access|Content|Traffic|Production|Software|Equipment)\b/;

const ORDERED =
  /^(?:send|call|email|write|review|fix|update|schedule|book|buy|order|prepare|finish|submit|file|renew|pay|investigate|implement|contact|ask|migrate|upgrade|document|deploy|release|publish|draft|translate|replace|repair|remove|add|check|test|clean up|set up|follow up|pick up)\s/i;
/** Orders that are tasks even without a date; others may be instructions. */
const ORDERED_ONCE =
  /^(?:fix|investigate|implement|finish|submit|renew|buy|book|schedule|draft|follow up|pick up|prepare)\s/i;
/** What holds whenever something happens is a rule, not a task. */
const CONDITIONAL = /\b(?:if|when|whenever|unless|always|never|every|each|before (?:you|each|every)|in case|once)\b/i;
const DEADLINE =
  /\b(?:due|deadline|asap|as soon as possible|today|tonight|tomorrow|this (?:week|month|afternoon)|(?:before|by) (?:the end|noon|then|[A-Z]\w|\d)|next (?:week|month))\b/;
const PASSIVE_DUTY =
  /\b(?:must|needs? to|ha(?:s|ve) to|should|is to) be (?!(?:able|at|in|a|an|the|more|less|kept|rotated)\b)\w+/;

/** Whether the first sentence gives somebody something to do. */
export function isTask(body: string, { mentions, clues }: TypeContext): boolean {
  if ((clues & CLUE.asked) !== 0 && ASKED_FOR.test(body)) return true;
  const [sentence = ""] = /^[^.!?\n]*/.exec(body) ?? [];
  const isOrder = ORDERED.test(sentence);
  if (!isOrder && (clues & CLUE.obliged) === 0) return false;
  if (CONDITIONAL.test(sentence)) return false;
  const isDue =
    DEADLINE.test(sentence) || mentions.some(({ relation }) => relation === "until" || relation === "before");
  if (isOrder) return isDue || ORDERED_ONCE.test(sentence);
  if (isDue && PASSIVE_DUTY.test(sentence)) return true;
  return OBLIGED.test(sentence) && !NOBODY.test(sentence);
}
