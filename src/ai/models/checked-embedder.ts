import { AppError } from "../../core/kernel/errors.ts";
import { unlessAborted } from "../../core/kernel/unless-aborted.ts";
import type { Embedder } from "../../core/ports/embedder.ts";

/** How far the squared length of a unit vector may be from one: rounding, never another scale. */
const LENGTH_TOLERANCE = 0.01;

/**
 * Holds an embedder to what its port promises: a caller waits no longer than its signal, and gets one unit vector a text
 * or an error. A vector of another length, or of no length, would otherwise be stored and spoil every search that meets it.
 */
export function checkedEmbedder(inner: Embedder): Embedder {
  return {
    ...inner,
    async embed(texts, options) {
      options.signal?.throwIfAborted();
      const work = inner.embed(texts, options);
      const vectors = await (options.signal ? unlessAborted(work, options.signal) : work);
      if (!Array.isArray(vectors) || vectors.length !== texts.length) throw unsound();
      if (!vectors.every((vector) => isUnit(vector, inner.dimensions))) throw unsound();
      return vectors;
    },
  };
}

function isUnit(vector: unknown, dimensions: number): boolean {
  if (!(vector instanceof Float32Array) || vector.length !== dimensions) return false;
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Math.abs(squares - 1) < LENGTH_TOLERANCE;
}

const unsound = (): AppError =>
  new AppError("UNAVAILABLE", "The model did not answer with one unit vector for each text.");
