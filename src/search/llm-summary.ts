import type { JsonObject } from "../core/kernel/json.ts";
import { textFault } from "../core/kernel/json.ts";
import { preview } from "../core/kernel/text.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import { asData, dataRule } from "../text/llm/prompt-data.ts";
import { withoutReasoning } from "../text/llm/read-answer.ts";
import { dayOf } from "./summarise.ts";

/** What a summary is to be written from. */
export interface NarrationInput {
  readonly query: string;
  /** The day that "today" means to the query. */
  readonly today: string;
  /** Best first. */
  readonly memories: readonly StoredMemory[];
  readonly max_tokens: number;
}

/** Characters of one memory that the model reads. */
const MEMORY_CHARACTERS = 2_000;
/** Characters of all of them: with the rest about 7,000 tokens, which small local models hold; the lowest ranks give way. */
const MEMORIES_CHARACTERS = 24_000;
/** English words a token, less what the citations take. */
const WORDS_PER_TOKEN = 0.6;

/** System text and question for a model that is to write a summary of memories and of nothing else. */
export function narrationPrompt({ query, today, memories, max_tokens }: NarrationInput) {
  const system = [
    "You answer a question from the memories of an agent.",
    dataRule("question", "memories"),
    "Use only what the memories say. Add nothing from elsewhere and do not guess. Keep names, numbers and dates as written there.",
    "After each statement cite the memories it comes from by their id, as in [m1] or [m1, m3].",
    "Where memories disagree, say so and give the later date first. One whose status is conflicted is in dispute: say so.",
    "If the memories do not answer the question, say so in one sentence.",
    `Write plain sentences, no headings, no preamble, at most ${Math.floor(max_tokens * WORDS_PER_TOKEN)} words.`,
  ].join("\n");
  const prompt = [
    `Today is ${today}.`,
    asData("memories", readable(memories)),
    asData("question", [query]),
    "Answer the question from the memories.",
  ].join("\n\n");
  return { system, prompt };
}

function readable(memories: readonly StoredMemory[]): JsonObject[] {
  let left = MEMORIES_CHARACTERS;
  return memories.flatMap((memory, rank) => {
    const content = preview(memory.content, Math.min(left, MEMORY_CHARACTERS));
    left -= content.length;
    if (content === "") return [];
    const { memory_type: type, title, status } = memory;
    return [
      {
        id: `m${rank + 1}`,
        date: dayOf(memory),
        type,
        ...(title ? { title } : {}),
        ...(status === "active" ? {} : { status }),
        content,
      },
    ];
  });
}

/** A citation as the model was told to write it. */
const CITATION = /\[\s*(m\d{1,3}(?:\s*[,;]\s*m\d{1,3})*)\s*\]/g;
const LINK = /\b(?:https?:\/\/|www\.)[^\s<>"'`)\]]+/gi;
/** An answer longer than this many characters a token was not held to its length. */
const CHARACTERS_PER_TOKEN_MAX = 8;

/**
 * The summary that a model's answer is, its citations turned into memory ids; null for one that is empty, too long, cites
 * what was not given, or has a link that is in no memory: neither may come from anywhere else.
 */
export function readNarration(raw: string, { query, memories, max_tokens }: NarrationInput): string | null {
  const answer = withoutReasoning(raw);
  if (answer === "" || answer.length > max_tokens * CHARACTERS_PER_TOKEN_MAX || textFault(answer)) return null;
  const given = [query, ...memories.map(({ content }) => content)].join("\n").toLowerCase();
  const links = answer.match(LINK) ?? [];
  if (links.some((link) => !given.includes(link.toLowerCase().replace(/(?<![.,;:!?])[.,;:!?]+$/, "")))) return null;
  const cited = [...answer.matchAll(CITATION)].flatMap(([, ids = ""]) => namesIn(ids));
  const read = new Set(readable(memories).map(({ id }) => id));
  if (cited.some((name) => !read.has(name))) return null;
  return answer.replace(
    CITATION,
    (_, ids: string) =>
      `(${namesIn(ids)
        .map((name) => idOf(memories, name))
        .join(", ")})`,
  );
}

const namesIn = (ids: string): string[] => ids.split(/[\s,;]+/);

const idOf = (memories: readonly StoredMemory[], name: string): string | undefined =>
  memories[Number(name.slice(1)) - 1]?.id;
