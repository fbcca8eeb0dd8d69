import { z } from "zod";
import { toTimestamp } from "../core/kernel/clock.ts";
import type { JsonObject } from "../core/kernel/json.ts";
import { preview } from "../core/kernel/text.ts";
import type { Llm } from "../core/ports/llm.ts";
import { askJson } from "../text/llm/ask-json.ts";
import { asData, dataRule } from "../text/llm/prompt-data.ts";
import type { ReadMemory } from "./pair.ts";

/** What a language model makes of two statements. */
export interface LlmVerdict {
  /** They cannot both hold now. Only ever true of one subject. */
  readonly contradicts: boolean;
  /** `update`: the newer one replaces the older; `conflict`: they clash and neither follows the other in time. */
  readonly kind: "update" | "conflict" | "none";
  /** 0 to 1, the model's own estimate. */
  readonly confidence: number;
}

/** Characters of each statement that the model reads. */
const STATEMENT_CHARACTERS = 500;
const JUDGE_LIMIT_MS = 10_000;
const ANSWER_TOKENS = 200;
const SUBJECT_MAX = 300;

const SYSTEM = [
  "You compare two statements from the memory of a team. Do they contradict each other?",
  dataRule("older", "newer"),
  "They contradict only if they speak of the same subject and cannot both be true now.",
  "They do not contradict when one adds detail, when a thing can have several such values at once, when they hold for different places, versions, times or conditions, when two things only share a name, when one is a plan, a wish or a question, or when both tell of the same event.",
  "kind is update when the newer one says that something changed or corrects the older one, conflict when they clash without a change in time, else none.",
  "If you are not sure, answer none with a low confidence.",
  'Answer with one JSON object and nothing else: {"subject_older": text, "subject_newer": text, "same_subject": true or false, "kind": "update", "conflict" or "none", "contradicts": true or false, "confidence": number from 0 to 1}',
].join("\n");

const Answer = z
  .strictObject({
    subject_older: z.string().max(SUBJECT_MAX),
    subject_newer: z.string().max(SUBJECT_MAX),
    same_subject: z.boolean(),
    kind: z.enum(["update", "conflict", "none"]),
    contradicts: z.boolean(),
    confidence: z.number().min(0).max(1),
  })
  // An answer at odds with itself is no answer.
  .refine(({ contradicts, same_subject, kind }) => contradicts === (kind !== "none") && (same_subject || !contradicts));

type DatedMemory = Pick<ReadMemory, "memory" | "at_ms">;

/**
 * A language model's opinion of a pair that the local judge is unsure of; null, which means abstain, when there
 * is no answer in time or anything is odd about it.
 */
export async function judgeWithLlm(
  llm: Llm,
  older: DatedMemory,
  newer: DatedMemory,
  signal: AbortSignal,
): Promise<LlmVerdict | null> {
  const prompt = [asData("older", [shown(older)]), asData("newer", [shown(newer)]), "Do they contradict?"].join("\n\n");
  const question = {
    system: SYSTEM,
    prompt,
    max_tokens: ANSWER_TOKENS,
    answer: Answer,
    limit_ms: JUDGE_LIMIT_MS,
  };
  const answer = await askJson(llm, question, signal);
  if (answer === null) return null;
  const { contradicts, kind, confidence } = answer;
  return { contradicts, kind, confidence };
}

const shown = ({ memory, at_ms }: DatedMemory): JsonObject => ({
  date: toTimestamp(at_ms).slice(0, 10),
  text: preview(memory.content, STATEMENT_CHARACTERS),
});
