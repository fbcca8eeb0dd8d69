import { beginningAndEnd } from "../../../src/core/kernel/text.ts";
import { tellingTerms } from "../../../src/text/words/terms.ts";
import { partsOfPrompt } from "./quoted-output.ts";

/** Questions that a prompt is searched by, at most, the prompt itself among them. */
const NEEDS_MAX = 6;
/** Characters of the prompt itself that are searched by: its beginning and its end, where what is asked stands. */
const HEAD = 700;
const TAIL = 300;
/** Characters of a prompt that are looked at for its needs. */
const READ_HEAD = 4_000;
const READ_TAIL = 2_000;
/** Characters of a part that are searched by. */
const PART_MAX = 300;
/** Telling words of a sentence that stands for a need of its own; others join the one before. */
const TELLING_MIN = 3;
/** Where a sentence ends: unlike in prose, the next one often begins with a small letter. */
const ENDS = /(?<=[.!?;…])\s+|(?<=[.!?…][)"'»”])\s+|(?<=[。！？；।])|\n\s*(?:[-*•]\s+)?/u;
/** Shorter prompts have one need. */
const LONG = 160;

/** Names of code: a path, a file, a call, an identifier of several words, a number of a ticket, a flag. */
const CODE =
  /(?<![\w/.@-])(?:(?:[\w.@-]+\/)+[\w.@-]*\w|[\w-]+\.(?:[a-z]{1,5}|[a-z]\w{1,4})(?![\w.])|[A-Za-z][a-z\d]*(?:[A-Z][a-z\d]+)+|\w+(?:_\w+)+|[A-Z][A-Z\d]*-\d+|--[a-z][\w-]+)(?:\(\))?/g;

/**
 * The questions that a prompt to an agent holds, the whole of it first: what its sentences, the faults of pasted output, and the
 * names of code in it ask for. Bodies of code, frames of stacks and lines of logs that tell no fault ask nothing.
 */
export function needsOf(prompt: string): string[] {
  const text = beginningAndEnd(prompt.trim(), READ_HEAD, READ_TAIL);
  if (text.length <= LONG) return [text];
  const { prose, faults } = partsOfPrompt(text);
  const sentences = sentencesIn(prose);
  const names = [...new Set(text.match(CODE))].join(" ");
  const parts = [...(sentences.length + faults.length > 1 ? [...faults, ...sentences] : []), ...(names ? [names] : [])];
  const whole = beginningAndEnd([prose, ...faults].filter(Boolean).join("\n") || text, HEAD, TAIL);
  return [...new Set([whole, ...mostTelling(parts, NEEDS_MAX - 1)])];
}

function sentencesIn(prose: string): string[] {
  const sentences: string[] = [];
  for (const piece of prose
    .split(ENDS)
    .map((piece) => piece.trim())
    .filter(Boolean)) {
    const before = sentences.at(-1);
    const isShort = tellingTerms(piece).telling.length < TELLING_MIN;
    if (isShort && before !== undefined) sentences.splice(-1, 1, `${before} ${piece}`);
    else sentences.push(piece);
  }
  return sentences;
}

/** So many parts, those with the most telling words, in their order. */
function mostTelling(parts: readonly string[], most: number): string[] {
  const weighed = parts.map((part, at) => ({
    part: part.slice(0, PART_MAX).toWellFormed(),
    at,
    words: tellingTerms(part).telling.length,
  }));
  const chosen = weighed.toSorted((a, b) => b.words - a.words || a.at - b.at).slice(0, most);
  return chosen.toSorted((a, b) => a.at - b.at).map(({ part }) => part);
}
