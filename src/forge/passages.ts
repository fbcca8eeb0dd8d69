import { splitSentences } from "../kernel/sentences.ts";
import { LIVE_STATUSES } from "../schema/memory.ts";
import { imperativeOf, isDone } from "./imperative.ts";
import { outcomesOf } from "./outcome.ts";
import { tellingRoots } from "./telling.ts";
import type { Trace } from "./traces.ts";

/** What a sentence of a run is: what was wanted, what was done, a warning, what went wrong, or only that it is over. */
export type PassageKind = "goal" | "deed" | "remark" | "caution" | "setback" | "closing";

/** One sentence of a run. */
export interface Passage {
  readonly run_id: string;
  /** The memory that it stands in. */
  readonly memory_id: string;
  /** Words as written, without what only says that the work is over. */
  readonly text: string;
  /** As an instruction; null where it is none. */
  readonly imperative: string | null;
  readonly kind: PassageKind;
  /** Where it stands in its run, from 0 to 1. */
  readonly at: number;
}

/** Sentences of one run that are read. */
const PASSAGES_MAX = 60;
/** Sentences longer than this, in characters, tell a story, not a step. */
const LENGTH_MAX = 400;
/** Telling words below which an ending is nothing but an ending. */
const CLOSING_ROOTS_MAX = 1;

const CAUTION =
  /\b(?:watch out|beware|be careful|careful|caution|make sure|be sure|don['\u2019]t forget|do not forget|remember to|gotcha|pitfall|never|must not|mustn['\u2019]t|otherwise|or else|important|warning|note that|keep in mind|lesson|only works (?:if|when|after)|do not|don['\u2019]t|avoid)\b/i;
/** How agents write what a run is to achieve. */
const GOAL_LEAD =
  /^(?:(?:started|starting|new|my|the|today['\u2019]s|next|picked up|picking up|working on|took|taking on|beginning|began|opened)\s+(?:the\s+|a\s+)?)?(?:task|goal|ticket|case|request|job|objective|todo|assignment|issue|work)\b(?:\s+[\p{L}]*[-#]?\d[\w-]*)?\s*(?::|is to|was to|\s[-\u2013\u2014]\s)\s*(?:to\s+)?/iu;
const ASKED =
  /^(?:i was |was |got |been )?(?:asked|requested|told|assigned|supposed|going|about|trying|need|needs|needed|have|had|want|wanted|planning|plan|starting|started|beginning|began)\s+(?:to|on|with)\s+(?:the\s+)?/i;
const DOING = /^(?:working on|started on|starting|picking up|picked up|taking care of|handling)\s+/i;
const REFERENCE =
  /^(?:\[?[A-Z][A-Z0-9]{1,9}-\d+\]?|#\d+|(?:case|ticket|issue)\s+#?[\w-]*\d[\w-]*)\s*[:\-\u2013\u2014,]\s*/iu;

/** The sentences of a run that still hold, in order, each with what it is. */
export function passagesOf({ run_id, rows }: Trace): Passage[] {
  const live = rows.filter(({ status }) => LIVE_STATUSES.includes(status));
  const sentences = live
    .flatMap(({ id, content }, row) =>
      splitSentences(content).map((text) => ({ text, memory_id: id, isFirst: row === 0 })),
    )
    .filter(({ text }) => text.length <= LENGTH_MAX)
    .slice(0, PASSAGES_MAX);
  const last = Math.max(1, sentences.length - 1);
  return sentences.map(({ text, memory_id, isFirst }, i) => ({
    run_id,
    memory_id,
    at: i / last,
    ...classified(text, isFirst),
  }));
}

function classified(sentence: string, isFirst: boolean): Pick<Passage, "text" | "imperative" | "kind"> {
  const text = withoutEnding(sentence);
  const goal = isFirst ? goalOf(text) : null;
  if (goal !== null) return { text: goal, imperative: imperativeOf(goal), kind: "goal" };
  if (CAUTION.test(sentence)) return { text, imperative: null, kind: "caution" };
  if (isClosing(sentence)) return { text: sentence, imperative: null, kind: "closing" };
  const imperative = imperativeOf(text);
  // The first thing that a run says, if it is no deed done, is why it was begun.
  if (isFirst && !isDone(text)) return { text, imperative, kind: "goal" };
  const isBad = outcomesOf(sentence).some(({ kind }) => kind === "setback" || kind === "end");
  if (isBad) return { text: sentence, imperative: null, kind: "setback" };
  return { text, imperative, kind: imperative === null ? "remark" : "deed" };
}

/** What a sentence says a run is to achieve, without the words around it; null when it does not say so. */
function goalOf(sentence: string): string | null {
  const bare = sentence.replace(REFERENCE, "");
  for (const lead of [GOAL_LEAD, ASKED, DOING]) {
    const rest = bare.replace(lead, "");
    if (rest !== bare && tellingRoots(rest).size > 0) return rest.replace(REFERENCE, "");
  }
  return bare === sentence || bare === "" ? null : bare;
}

function isClosing(sentence: string): boolean {
  const events = outcomesOf(sentence);
  return events.length > 0 && tellingRoots(sentence).size <= CLOSING_ROOTS_MAX;
}

/** Words of a last clause that may say no more than that the work is over. */
const ENDING_WORDS_MAX = 5;

/** The sentence without its last clauses that only say that the work is over: ", ticket closed", ". Done.". */
function withoutEnding(sentence: string): string {
  const [, rest = "", last = ""] = /^(.*\S)\s*[,;.]\s+([^,;]+)$/su.exec(sentence.trim()) ?? [];
  const isEnding = last.split(/\s+/).length <= ENDING_WORDS_MAX && isClosing(last) && imperativeOf(last) === null;
  return isEnding ? withoutEnding(rest) : sentence.trim();
}
