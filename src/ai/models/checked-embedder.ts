import { AppError } from "../../core/kernel/errors.ts";
import { unlessAborted } from "../../core/kernel/unless-aborted.ts";
import type { Embedder } from "../../core/ports/embedder.ts";

/** How far the squared length of a unit vector may be from one: rounding, never another scale. */
const LENGTH_TOLERANCE = 0.01;

/**
 * Holds an embedder to what its port promises: a caller waits no longer than its signal, and gets one vector a text,
 * of unit length or silent, or an error. A vector of another length would otherwise be stored and spoil every search
 * that meets it.
 */
export function checkedEmbedder(inner: Embedder): Embedder {
  const inTime = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
    signal ? unlessAborted(work, signal) : work;
  const isSound = (vector: unknown) => isUnit(vector, inner.dimensions);
  return {
    ...inner,
    async embed(texts, options) {
      options.signal?.throwIfAborted();
      const vectors = await inTime(inner.embed(texts, options), options.signal);
      if (!Array.isArray(vectors) || vectors.length !== texts.length || !vectors.every(isSound)) throw unsound();
      return vectors;
    },
    async embedTurns(conversations, options) {
      options.signal?.throwIfAborted();
      const answers = await inTime(inner.embedTurns(conversations, options), options.signal);
      const found = answers.flat();
      const counts = conversations.map(({ turns }) => turns.length);
      if (answers.map(({ length }) => length).join() !== counts.join()) throw unsound();
      if (!found.every(({ own, context }) => isSound(own) && isSound(context))) throw unsound();
      return answers;
    },
  };
}

function isUnit(vector: unknown, dimensions: number): boolean {
  if (!(vector instanceof Float32Array) || vector.length !== dimensions) return false;
  let squares = 0;
  for (const value of vector) squares += value * value;
  return squares === 0 || Math.abs(squares - 1) < LENGTH_TOLERANCE;
}

const unsound = (): AppError =>
  new AppError("UNAVAILABLE", "The model did not answer with one unit vector for each text.");
