import { AppError } from "../../core/kernel/errors.ts";
import { normalized } from "../../core/kernel/text.ts";
import type { CosineCalibration, Embedder } from "../../core/ports/embedder.ts";

const DIMENSIONS = 384;
const WORD_WEIGHT = 1;
/** Parts of words let "deploy" meet "deployed"; a word has several of them, so each counts little. */
const TRIGRAM_WEIGHT = 0.35;
/** Words this short are mostly grammar. */
const SHORT_WORD_LENGTH = 3;
const SHORT_WORD_WEIGHT = 0.3;
const TEXT_MAX_CHARACTERS = 8_192;
const EMPTY_FEATURE = "\u0000";

/** Measured on made-up questions and sentences that answer one of them each. */
const CALIBRATION: CosineCalibration = {
  unrelated_mean: 0.06,
  unrelated_deviation: 0.07,
  related_mean: 0.37,
  related_deviation: 0.17,
  row_unrelated_mean: 0.06,
  row_unrelated_deviation: 0.07,
  zero: 0.06,
  context_zero: 0.075,
  spread: 0.07,
};

/**
 * Embeds without a model: words and their three-letter parts, hashed into a vector. Deterministic and instant,
 * it finds shared words and word forms but knows no meaning.
 */
export function hashEmbedder(): Embedder {
  let isClosed = false;
  const vectorsOf = (texts: readonly string[], signal: AbortSignal | undefined): Float32Array[] => {
    signal?.throwIfAborted();
    if (isClosed) throw new AppError("UNAVAILABLE", "The embedder was shut down.");
    return texts.map(hashVector);
  };
  return {
    id: "hash-v1",
    dimensions: DIMENSIONS,
    calibration: CALIBRATION,
    // Features are as often negative as positive.
    center: new Float32Array(DIMENSIONS),
    state: () => ({ phase: "ready", ready_ms: 0 }),
    ready: async () => undefined,
    embed: async (texts, { signal }) => vectorsOf(texts, signal),
    // It knows no meaning that another turn could change: a turn's own vector is that of the turn alone.
    embedTurns: async (conversations, { signal }) =>
      conversations.map(({ before, turns }) => {
        const own = vectorsOf(turns, signal);
        const context = vectorsOf(
          turns.map((turn, i) => `${i === 0 ? before : turns[i - 1]}\n${turn}`),
          signal,
        );
        return own.flatMap((vector, i) => (context[i] ? [{ own: vector, context: context[i] }] : []));
      }),
    async close() {
      isClosed = true;
    },
  };
}

function hashVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const [feature, weight] of features(text)) {
    const hash = fnv1a(feature);
    const index = hash % DIMENSIONS;
    // The sign makes colliding features cancel out on average.
    vector[index] = (vector[index] ?? 0) + (hash & 0x40000000 ? weight : -weight);
  }
  return unit(vector);
}

/** Weight of every distinct feature; repetition adds ever less. */
function features(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const words =
    normalized(text.slice(0, TEXT_MAX_CHARACTERS), "NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weights = new Map<string, number>([[EMPTY_FEATURE, words.length === 0 ? 1 : 0]]);
  for (const [word, count] of counts) {
    const weight = (1 + Math.log(count)) * (word.length <= SHORT_WORD_LENGTH ? SHORT_WORD_WEIGHT : 1);
    add(weights, word, weight * WORD_WEIGHT);
    for (const part of trigrams(word)) add(weights, part, weight * TRIGRAM_WEIGHT);
  }
  return weights;
}

function add(weights: Map<string, number>, feature: string, weight: number): void {
  weights.set(feature, (weights.get(feature) ?? 0) + weight);
}

/** "cat" gives "<ca", "cat" and "at>": ends of words are marked, and never equal a whole word. */
function trigrams(word: string): string[] {
  const marked = `<${word}>`;
  return Array.from({ length: marked.length - 2 }, (_, index) => `#${marked.slice(index, index + 3)}`);
}

/** FNV-1a over UTF-16 units, with a final mix so that the low bits depend on every character. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function unit(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector);
  // Features that cancel out to nothing leave no direction; any fixed one will do.
  if (norm === 0) return vector.fill(0).with(0, 1);
  return vector.map((value) => value / norm);
}
