import { DAY_MS } from "../../core/kernel/clock.ts";
import type { MemoryType } from "../../core/schema/memory.ts";
import { CLUE } from "../../text/clues.ts";
import { tenseDirectionOf } from "../../text/dates/tense.ts";
import { QUESTION_MARKS } from "../../text/sentence-marks.ts";
import type { TypeContext } from "./task.ts";
import { isTask } from "./task.ts";

/** The types that a text may be given; deprecated and reserved ones never are. */
export type InferredType = Extract<
  MemoryType,
  "fact" | "episode" | "decision" | "preference" | "task" | "plan" | "action"
>;

/** Characters of a text that are read for what it is: its first sentences say so. */
export const READ_WITHIN = 600;

/** "Anna: ..." */
const LABEL = /^[^\s\d:][^\s:]{0,30}(?: [^\s:]{1,30}){0,2}:\s+/;
const MARKED =
  /^[\s#>*+_[\]xX-]*(decision|decided|to-?do|task|action item|plan|roadmap|preference|fact|event|episode)\b[*_\s]*(?::|\s[-–—]\s)/i;
const MARKED_TYPES: Readonly<Record<string, InferredType>> = {
  decision: "decision",
  decided: "decision",
  todo: "task",
  "to-do": "task",
  task: "task",
  "action item": "task",
  plan: "plan",
  roadmap: "plan",
  preference: "preference",
  fact: "fact",
  event: "episode",
  episode: "episode",
};
const ASKS = new RegExp(`^[^.!\\n。！]{0,300}[${QUESTION_MARKS}]`);

/** Wording of a type: a text must hold such words at all (bits of `CLUE`), and match `says` and not `denies`. */
interface Wording {
  readonly needs: number;
  readonly says: RegExp;
  readonly denies: RegExp;
}

const speaks = ({ needs, says, denies }: Wording, text: string, clues: number): boolean =>
  (clues & needs) !== 0 && says.test(text) && !denies.test(text);

const ADVERBS = "(?: \\w+ly| just| all| both| also| then| now| still| already| really| ever| yet| quite| even){0,4}";
const NEGATED = `(?:not|n['’]t|never|no|yet to|cannot|without|hardly|nobody)${ADVERBS}`;

const DECIDED: Wording = {
  needs: CLUE.decided,
  says: /\b(?:decided (?:to|on|that|against|not|in favou?r)|chose(?:n to)?|opted (?:for|to|out)|settled on|agreed (?:to|on|that|upon)|resolved to|picked|voted (?:to|for|against)|(?:was|were|been|is) (?:decided|agreed|approved|chosen|greenlit)|(?:has|have|had)(?: \w+ly| now| also)? approved|(?:board|council|committee|management|manager|director|boss|client|customer|ceo|cto|cfo|i|we|she|he|they) approved|decision (?:is|was) (?:to|that|not)|made the decision|going with|let['’]?s go with|we(?:['’]ll| will| are going to) (?:use|adopt|switch to|go with|stick (?:with|to)|stay with|keep|drop|standardi[sz]e on|replace))\b/i,
  denies: new RegExp(
    `\\b${NEGATED} (?:decided?|agreed?|approved?|chosen?|chose|settled?|voted?|picked?)\\b|\\b(?:before|until|once|when|if) (?:we|they|it is|it['’]s) (?:decided?|agreed?|approved?|chosen?)\\b|\\bcard(?:s)? (?:was|were|is) chosen\\b`,
    "i",
  ),
};

const PREFERRED: Wording = {
  needs: CLUE.preferred,
  says: /\b(?:prefers|(?:i|we|they)(?: \w+ly)? prefer|would rather|['’]d rather|(?<!\b(?:\d+|got|gets|many|of|with|the|more) )(?:likes|loves|dislikes|hates|enjoys|detests|adores)(?! (?:and|on|from|of|per|count)\b)|(?:i|we|they)(?: really| also| just| do| don['’]t| do not)* (?:like|love|enjoy|hate|dislike)|favou?rite|always wants|can['’]t stand|(?:is|am|are)(?: not)? (?:a (?:big )?fan of|fond of|keen on))\b/i,
  denies: /\bno (?:one|body) (?:likes|prefers)\b|\bfavou?rites (?:bar|menu|folder)\b/i,
};

const PLANNED: Wording = {
  needs: CLUE.planned,
  says: /\b(?:plan(?:s|ning)? (?:on \w+ing|to (?!the |a |an |our |my |be\b))|(?:is|are|am) planning\b|['’](?:m|re|s) planning\b|planned for\b|intend(?:s|ing)? to\b|(?:aim|hop)(?:s|es?|ing) to\b|(?:(?:is|are|am)|['’](?:m|re|s)) going to (?!the |a |an |my |our |his |her |their |be\b|[A-Z])\w+|(?:I|i|We|we)(?:['’]ll| will) (?!be\b|have\b|never\b|always\b|not\b)\w+|(?:is|are|been) scheduled (?:for|on|to)\b|[Rr]oadmap\b|(?:[Tt]he|[Oo]ur|[Mm]y|[Cc]urrent) plan is\b|[Mm]ilestones?(?: are\b| is\b|:)|[Nn]ext steps?(?: are\b| is\b|:))/,
  denies: new RegExp(
    `\\b${NEGATED} (?:plans?|planning|planned|intend(?:s|ing)?|aim(?:s|ing)?|going) (?:to|on|for)\\b|\\b(?:was|were) (?:going|planning|planned) to\\b|\\bif (?:i|we) will\\b`,
    "i",
  ),
};

const DONE_VERB =
  "(?:ran|executed|deployed|fixed|restarted|updated|created|deleted|removed|added|installed|configured|migrated|merged|pushed|reverted|rolled back|upgraded|refactored|implemented|tested|renamed|cleaned up|rebooted|patched|enabled|disabled|rotated|backed up|restored|published|completed|finished|performed|built|generated|uploaded|downloaded|imported|exported|submitted|filed|emailed|called|booked|ordered|sent|wrote|bought|paid|scheduled|cancell?ed|opened|closed)";
/** What somebody did, told by who did it: with "I" or "we", or with no subject at all but an object. */
const ACTED = new RegExp(
  `^(?:(?:i|we)(?:['’]ve| have)?(?: just| also| already| then| now| successfully| manually)* ${DONE_VERB}\\b|(?:successfully |manually |just |already )?${DONE_VERB} (?:(?:the|a|an|our|my|all|both|it|some|every|new|up|out|version)\\b|v?\\d|\\w+ (?:to|in|on|from|for|with|into|of)\\b))`,
  "i",
);

const HAPPENED =
  /\b(?:happened|occurred|took place|met (?:with|up with)|visited|attended|celebrated|crashed|went (?:down|to|on|out|camping|hiking|swimming|shopping|live)|broke down|launched|arrived|(?:an|the|another|major|brief) (?:outage|incident)|had (?:lunch|dinner|breakfast|coffee|a (?:call|meeting|chat|great|good|long|party|fight|baby))|got (?:married|engaged|promoted|fired|hired|sick|hurt|robbed|lost)|passed away|moved (?:in|out)|talked (?:to|with|about)|spoke (?:to|with)|discussed|announced)\b/i;
/** What is so again and again is no event. */
const HABIT =
  /\b(?:whenever|every|each|always|usually|often|never|sometimes|tends?|used to|if|on (?:mon|tues|wednes|thurs|fri|satur|sun)days)\b/i;
/** What an event brought about is told as a fact. */
const EFFECT = /\b(?:used up|caused|because of|due to|owing to|thanks to|by) (?:the|an?) \w*\s?(?:outage|incident)\b/i;
/** Days that a date of an event may span; a year or a quarter only says when something began to be so. */
const EVENT_DAYS_MAX = 8;

/** What a text is, by the words of its first sentences; a plain fact where nothing tells otherwise. */
export function typeOf(content: string, context: TypeContext): InferredType {
  const { clues } = context;
  const text = content.slice(0, READ_WITHIN);
  const marked = MARKED.exec(text)?.[1];
  if (marked !== undefined) return MARKED_TYPES[marked.toLowerCase()] ?? "fact";
  const body = text.replace(LABEL, "");
  if (ASKS.test(body)) return "fact";
  if (speaks(DECIDED, body, clues)) return "decision";
  if (isTask(body, context)) return "task";
  if (speaks(PREFERRED, body, clues)) return "preference";
  if (speaks(PLANNED, body, clues)) return "plan";
  if (ACTED.test(body)) return "action";
  return isEvent(body, context) ? "episode" : "fact";
}

function isEvent(body: string, { mentions, reference, clues }: TypeContext): boolean {
  const [told = ""] = /^[^!?\n]{0,300}/.exec(body) ?? [];
  const mayHappen = (clues & CLUE.happened) !== 0 && HAPPENED.test(told);
  if (mayHappen) return tenseDirectionOf(told) !== "future" && !HABIT.test(told) && !EFFECT.test(told);
  const isDated = mentions.some(
    ({ relation, named }) =>
      (relation === "at" || relation === "range") &&
      named.start <= reference &&
      named.end - named.start <= EVENT_DAYS_MAX * DAY_MS,
  );
  return isDated && tenseDirectionOf(told) === "past" && !HABIT.test(told) && !EFFECT.test(told);
}
