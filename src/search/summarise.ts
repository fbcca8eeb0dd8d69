import { preview, unaccented } from "../core/kernel/text.ts";
import { dot, unlessSilent } from "../core/kernel/vectors.ts";
import type { SearchCtx } from "../core/ports/context.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import { embedWithTimeout } from "../text/embed-with-timeout.ts";
import { formsInRow } from "../text/languages/forms.ts";
import { splitSentences } from "../text/words/sentences.ts";
import { termsOf } from "../text/words/terms.ts";
import type { SearchResults } from "./find.ts";
import type { Passage } from "./passages.ts";
import { CHARACTERS_PER_TOKEN, choosePassages } from "./passages.ts";
import type { Question } from "./question.ts";

/** Who writes a summary when no language model is configured: sentences of the memories themselves. */
export const EXTRACTIVE = { recall_provider: "local", recall_model: "extractive-v1" } as const;

/** Sentences that get a vector of their own; those after are the tail of the lowest ranks. */
const SENTENCES_MAX = 48;
/** What the rank of a sentence's memory counts beside the sentence's own likeness to the query (cosines spread by about .1). */
const RANK_SHARE = 0.05;

interface Sentence {
  readonly text: string;
  readonly memory: StoredMemory;
  /** 0 is the best memory. */
  readonly rank: number;
}

/** The sentences that answer the query, in order of rank and place, each with its date and memory id. */
export async function summarise(ctx: SearchCtx, findings: SearchResults, budgetTokens: number): Promise<string> {
  const sentences = findings.returned
    .flatMap(({ memory }, rank) => splitSentences(memory.content).map((text) => ({ text, memory, rank })))
    .slice(0, SENTENCES_MAX);
  const [first] = sentences;
  if (!first) return "No relevant context found.";
  const passages = await toPassages(ctx, findings, sentences);
  const budget = budgetTokens * CHARACTERS_PER_TOKEN;
  // Days and ids are of one length, so that every line takes as much beside its text, its end included.
  const beside = toLine("", first.memory).length + 1;
  const chosen = choosePassages(passages, budget, beside);
  const room = Math.max(CUT_MIN, budget - beside);
  return chosen
    .sort((a, b) => a - b)
    .flatMap((i) => sentences[i] ?? [])
    .map(({ text, memory }) => toLine(text.length <= room ? text : `${preview(text, room - 1)}…`, memory))
    .join("\n");
}

/** A sentence beyond the whole budget is cut to it, but never to fewer characters. */
const CUT_MIN = 80;

/** Whatever ends a line in the text of a sentence is a space: a summary has a line for each. */
const toLine = (text: string, memory: StoredMemory): string =>
  `[${dayOf(memory)}] ${text.replace(/[\s\u0085]+/g, " ")} (${memory.id})`;

/** The day a memory speaks of: from when it holds, else when it was written. */
export const dayOf = ({ ts_valid_start, created_at }: StoredMemory): string =>
  (ts_valid_start ?? created_at).slice(0, 10);

async function toPassages(ctx: SearchCtx, findings: SearchResults, sentences: readonly Sentence[]): Promise<Passage[]> {
  const texts = sentences.map(({ text }) => text);
  const options = { role: "passage", instead: "summary by words only" } as const;
  const { question, query_vector } = findings;
  const vectors = query_vector && (await embedWithTimeout(ctx, texts, options));
  const { unrelated_mean, related_mean } = ctx.embedder.calibration;
  const likeness = (text: string, vector: Float32Array | null): number => {
    if (query_vector && vector) return dot(vector, query_vector.values);
    const shared = sharedWords(question, text);
    // Beside sentences that the model has read, one with every word of the question is as near as what answers it.
    return vectors ? unrelated_mean + shared * (related_mean - unrelated_mean) : shared;
  };
  return sentences.map(({ text, rank }, i) => {
    const vector = unlessSilent(vectors?.[i]);
    return { text, vector, relevance: likeness(text, vector) - (RANK_SHARE * rank) / sentences.length };
  });
}

/** The share of the words of a question that a text holds, or a form of them. */
function sharedWords({ terms, equals }: Pick<Question, "terms" | "equals">, text: string): number {
  const own = new Set([...termsOf(text), ...formsInRow(text)].map(unaccented));
  const shared = terms.filter((term) => own.has(unaccented(term))).map((term) => equals.get(term) ?? term);
  return new Set(shared).size / (terms.length - equals.size || 1);
}
