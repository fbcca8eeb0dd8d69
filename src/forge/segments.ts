import { splitSentences } from "../text/words/sentences.ts";
import { actionsOf } from "./actions.ts";
import { outcomesOf } from "./outcome.ts";
import { isLastingOutcome } from "./signals.ts";
import { significantRoots } from "./significant-terms.ts";
import type { Trace } from "./traces.ts";
import { imperativeOf, isDone } from "./wording/imperative.ts";
import { clipped, intentOf, withoutLeads } from "./wording/intent.ts";

/**
 * What a part of a run is: what was wanted and why, something done, something seen, a warning, something that went wrong,
 * or only that it is over.
 */
export type SegmentKind = "goal" | "action" | "remark" | "caution" | "setback" | "closing";

/** A sentence of a run, or one of the actions that a sentence tells. */
export interface Segment {
  readonly run_id: string;
  /** The memory that it stands in. */
  readonly memory_id: string;
  /** Words as written, one space between them, without what only says that the work is over. */
  readonly text: string;
  /** As an instruction; null where it is none. */
  readonly imperative: string | null;
  readonly kind: SegmentKind;
  /** Where it stands in its run, from 0 to 1. */
  readonly position: number;
}

/** Sentences of one run that are read. */
const SENTENCES_MAX = 60;
/** Sentences longer than this, in characters, tell a story, not a step. */
const LENGTH_MAX = 400;
/** Significant terms below which an ending is nothing but an ending. */
const CLOSING_ROOTS_MAX = 1;

/** Significant terms with which a first sentence says what a run is about. */
const OPENING_ROOTS_MIN = 2;

const CAUTION =
  /\b(?:watch out|beware|careful|caution|make sure|(?<!to )be sure|don['\u2019]t forget|do not forget|remember to|gotcha|pitfall|never|must not|mustn['\u2019]t|otherwise|or else|important|warning:|note that|note to self|keep in mind|lesson|learned|only works (?:if|when|after)|do not|don['\u2019]t|avoid|easy to (?:forget|miss|overlook)|overlooked|forgot|forgotten|at first|turned out|matters?)\b/i;

/** What a run says that still holds, in order: warnings and setbacks by the sentence, actions one by one. */
export function segmentsOf({ run_id, rows }: Trace): Segment[] {
  const live = rows.filter(isLastingOutcome);
  const sentences = live
    .flatMap(({ id, content }, row) =>
      splitSentences(content).map((text) => ({ text: spaced(text), memory_id: id, row })),
    )
    .filter(({ text }) => text.length <= LENGTH_MAX)
    .slice(0, SENTENCES_MAX);
  // A greeting opens a conversation, not the work.
  const opening = sentences.findIndex(({ text, row }) => row === 0 && significantRoots(text).size >= OPENING_ROOTS_MIN);
  const last = Math.max(1, sentences.length - 1);
  return sentences.flatMap(({ memory_id, text }, i) =>
    classified(text, i === opening).map((segment, k, all) => ({
      run_id,
      memory_id,
      position: Math.min(1, (i + k / all.length) / last),
      ...segment,
    })),
  );
}

/** With one space wherever there is any: the patterns for actions try every way to read a run of spaces. */
const spaced = (sentence: string): string => sentence.replace(/\s+/g, " ");

type Classified = Pick<Segment, "text" | "imperative" | "kind">;

function classified(sentence: string, isOpening: boolean): Classified[] {
  const text = withoutEnding(sentence);
  const goal = isOpening ? goalOf(text) : null;
  if (goal) return [goal];
  if (isClosing(sentence)) return [{ text, imperative: null, kind: "closing" }];
  const whole: Classified[] = [];
  if (CAUTION.test(text)) whole.push({ text, imperative: null, kind: "caution" });
  else if (isBad(sentence)) whole.push({ text: sentence, imperative: null, kind: "setback" });
  return [...whole, ...actionsOf(text).flatMap(action)];
}

/** The first thing that a run says is why it was begun, unless it tells a action that is done. */
function goalOf(text: string): Classified | null {
  const isAction = isDone(text) && withoutLeads(text) === text;
  const intent = isAction ? null : intentOf(text);
  if (intent !== null) return { text: withoutLeads(text), imperative: intent, kind: "goal" };
  return isDone(text) ? null : { text: clipped(withoutLeads(text)), imperative: null, kind: "goal" };
}

function action(text: string): Classified[] {
  if (isBad(text) || isClosing(text) || CAUTION.test(text) || significantRoots(text).size === 0) return [];
  const imperative = imperativeOf(text);
  return [{ text, imperative, kind: imperative === null ? "remark" : "action" }];
}

const isBad = (text: string): boolean =>
  outcomesOf(text).some(({ kind, negated }) => (kind === "setback" || kind === "end") && !negated);

const REFERENCES = /\b[A-Z][A-Z0-9]{1,9}-\d+\b|#\d+/g;

function isClosing(sentence: string): boolean {
  const bare = sentence.replace(REFERENCES, "");
  return outcomesOf(bare).length > 0 && significantRoots(bare).size <= CLOSING_ROOTS_MAX;
}

/** Words of a last clause that may say no more than that the work is over. */
const ENDING_WORDS_MAX = 5;

/** The sentence without its last clauses that only say that the work is over: ", ticket closed", ". Done.". */
function withoutEnding(sentence: string): string {
  const [, rest = "", last = ""] = /^(.*\S)\s*[,;.]\s+([^,;]+)$/su.exec(sentence.trim()) ?? [];
  const isEnding = last.split(/\s+/).length <= ENDING_WORDS_MAX && isClosing(last) && imperativeOf(last) === null;
  return isEnding ? withoutEnding(rest) : sentence.trim();
}
