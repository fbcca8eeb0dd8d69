import { significantRoots } from "../significant-terms.ts";
import { capitalised, imperativeOf } from "./imperative.ts";
import { isForm, verbOf } from "./verbs.ts";

/** What stands before what is wanted: greetings, tickets, and the words that say that work begins. */
const LEADS: readonly RegExp[] = [
  /^(?:good morning|hi all|hi|hello|ok|okay|so|now|today|first|next up|again)\b[,!:]?\s+/i,
  /^(?:(?:taking|took|picked up|picking up|handling|working on|got|grabbed|opened|starting|started)\s+)?\[?(?:[A-Z][A-Z0-9]{1,9}-\d+|#\d+)\]?(?:\s+came in)?\s*[:,\u2013\u2014-]?\s+/u,
  /^(?:(?:started|starting|new|my|the|today['\u2019]s|next|picked up|picking up|working on|took|beginning|began|opened)\s+(?:the\s+|a\s+)?)?(?:task|goal|aim|ticket|case|request|job|objective|assignment|issue|plan)\b(?:\s+#?\w*\d[\w-]*)?(?:\s+(?:for|of) (?:today|tonight|this week|the day))?\s*(?::|,|\s[-\u2013\u2014]|\bis to\b|\bwas to\b|\bis\b)\s+/iu,
  /^(?:working on|started on|starting|picking up|picked up|taking care of|handling|doing)\s+/i,
  /^to\s+(?=\p{Ll})/u,
];

/** "Asked to", "need to", "the plan is to": what follows is what was wanted. */
const WANTED =
  /\b(?:ask(?:ed|s)?(?: me| us)?(?: by [\p{L}-]+)?|needs?|needed|wants?|wanted|have|has|had|going|plan(?:s|ned|ning)?(?: is)?|trying|tried|aim(?:s|ing)?(?: is)?|supposed|required|told|requested|assigned|about|time|order|duty is|job is)(?: me| us)? to\s+(?:\p{L}+ly\s+)?(\p{Ll}+)\b(.*)$/isu;
/** What may follow "to" and is nothing to do. */
const NO_VERB = /^(?:be|the|a|an|this|that|it|my|our|his|her|their|me|us|them|have|see|know)$/i;
/** "Broker 9 is to be removed": what has to be done to what stands before it. */
const TO_BE_DONE =
  /^(.{3,80}?)(?<!\s)\s+(?:is|are|has|have|had|needs?|must|should|ought|was|were|will have|can)\s+(?:now\s+)?(?:to\s+)?be\s+(?:\p{L}+ly\s+)?(\p{L}+)\b(.*)$/isu;
/** Where the subject of a sentence ends. */
const FINITE = /(?<!\s)\s+(?:is|are|was|were|has|have|had)\b.*$/su;
/** Where reasons, references and afterthoughts begin. */
const END =
  /(?<!\s)\s*(?:(?<!\b\p{Lu})\.(?=\s|$)|[;!?](?=\s|$)|\(|,\s|\s[-\u2013\u2014]\s|\b(?:because|since|so that|before|after|which|while|whereas|in order|so (?=the|we|it|they)|as (?=it|the|we|they|this))\b).*$/su;
/** Lead words of a sentence are taken off so many times. */
const LEAD_ROUNDS = 2;

/** What a sentence says is to be achieved, as an instruction; null when it says no such thing. */
export function intentOf(sentence: string): string | null {
  const bare = withoutLeads(sentence);
  const after = /^(?:[^:]{3,80}:|[^:,]{3,40},)\s+(.+)$/su.exec(bare)?.[1];
  const found = [after && instruction(after), wanted(bare), instruction(bare), toBeDone(bare), firstPerson(bare)];
  return found.find((text) => typeof text === "string" && significantRoots(text).size > 0) ?? null;
}

/** The sentence without greetings, the ticket, and the words that only say that work begins. */
export function withoutLeads(sentence: string): string {
  let rest = sentence.trim();
  for (let round = 0; round < LEAD_ROUNDS; round++) {
    for (const lead of LEADS) {
      const shorter = rest.replace(lead, "");
      if (significantRoots(shorter).size > 0) rest = shorter;
    }
  }
  return rest;
}

/** The part up to where reasons begin. */
export function clipped(text: string): string {
  const short = text.replace(END, "").trim();
  return significantRoots(short).size > 0 ? short : text;
}

const instruction = (text: string): string | null => {
  const action = imperativeOf(text);
  return action === null ? null : clipped(action);
};

function wanted(sentence: string): string | null {
  const [, verb = "", rest = ""] = WANTED.exec(sentence) ?? [];
  return verb === "" || NO_VERB.test(verb) ? null : clipped(capitalised(`${verb}${rest}`));
}

function toBeDone(sentence: string): string | null {
  const [, object = "", verb = "", rest = ""] = TO_BE_DONE.exec(sentence) ?? [];
  const known = verbOf(verb.toLowerCase());
  if (!known?.forms.has("participle")) return null;
  const subject = clipped(object.replace(FINITE, ""));
  const inside = subject.replace(/^\p{Lu}(?=\p{Ll}*\s)/u, (letter) => letter.toLowerCase());
  return capitalised(`${known.base} ${inside} ${rest.trim().replace(END, "")}`.trim());
}

/** "I publish the app". */
function firstPerson(sentence: string): string | null {
  const [, verb = "", rest = ""] =
    /^(?:i|we)(?:['\u2019]ll| will| am going to)?\s+(\p{Ll}+)\b(.*)$/isu.exec(sentence) ?? [];
  return isForm(verb.toLowerCase(), "base") ? clipped(capitalised(`${verb}${rest}`)) : null;
}
