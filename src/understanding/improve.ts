import { z } from "zod";
import { preview } from "../kernel/text.ts";
import { askJson } from "../language/ask.ts";
import { factsMissing } from "../language/facts.ts";
import { lineOf, tagsOf } from "../language/fields.ts";
import { asData, dataRule } from "../language/prompt.ts";
import type { Llm } from "../ports/llm.ts";
import { DEPRECATED_TYPES, MEMORY_TYPES, RESERVED_TYPES } from "../schema/memory.ts";

const TITLE_CHARACTERS = 80;
const TAGS_MAX = 5;
/** Characters of the memory that the model reads. */
const CONTENT_CHARACTERS = 4_000;
const ANSWER_TOKENS = 200;
const IMPROVE_LIMIT_MS = 15_000;

const TYPES = MEMORY_TYPES.filter((type) => !RESERVED_TYPES.includes(type) && !DEPRECATED_TYPES.includes(type));

const Improvement = z.strictObject({
  title: lineOf(TITLE_CHARACTERS),
  memory_type: z.enum(TYPES),
  tags: tagsOf(TAGS_MAX),
});
/** What a language model would call a memory. */
export type Improvement = z.infer<typeof Improvement>;

const SYSTEM = [
  "You file one memory of a team: a title, a type and tags.",
  dataRule("memory"),
  `title: what it says in at most ${TITLE_CHARACTERS} characters on one line, with names and numbers as written there.`,
  "memory_type: decision (something was chosen), preference (someone likes or wants it so), task (someone has to do it), plan (steps to come), episode (something that happened), action (something the writer did), else fact.",
  `tags: at most ${TAGS_MAX}, each one to three lower-case words joined by hyphens, on what it is about.`,
  'Answer with one JSON object and nothing else: {"title": text, "memory_type": text, "tags": [text]}',
].join("\n");

/**
 * Title, type and tags from a language model, to stand in for those that rules inferred, never for a caller's own. Null
 * when there is no answer in time, or a title with a number or a name of code that the memory does not have.
 */
export async function improveWithLlm(llm: Llm, content: string, signal: AbortSignal): Promise<Improvement | null> {
  const read = preview(content, CONTENT_CHARACTERS);
  const question = {
    system: SYSTEM,
    prompt: `${asData("memory", [read])}\n\nFile it.`,
    max_tokens: ANSWER_TOKENS,
    answer: Improvement,
    limit_ms: IMPROVE_LIMIT_MS,
  };
  const found = await askJson(llm, question, signal);
  return found !== null && factsMissing(found.title, read).length === 0 ? found : null;
}
