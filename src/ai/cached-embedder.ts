import { unlessAborted } from "../kernel/unless-aborted.ts";
import type { Embedder, EmbedPriority } from "../ports/embedder.ts";
import { createLru } from "./lru.ts";

/** Longer questions are rare, seldom asked twice, and would make the cache's size in bytes unpredictable. */
const CACHED_TEXT_MAX_CHARACTERS = 2_000;

/** Remembers the vectors of questions, and lets callers that ask the same at once share one computation. */
export function cachedEmbedder(inner: Embedder, maxEntries: number): Embedder {
  const vectors = createLru<string, Float32Array>(maxEntries);
  const flights = new Map<string, Promise<Float32Array>>();

  const compute = async (text: string, priority: EmbedPriority): Promise<Float32Array> => {
    // Without the caller's signal: others may come to wait for the same vector.
    const [vector] = await inner.embed([text], { role: "query", priority });
    if (!vector) throw new Error("The embedder returned no vector for a text.");
    if (text.length <= CACHED_TEXT_MAX_CHARACTERS) vectors.set(text, vector);
    return vector;
  };
  const share = (text: string, priority: EmbedPriority): Promise<Float32Array> => {
    // A question wanted now must not wait behind the same one in the slower lane.
    const key = `${priority}:${text}`;
    const flight = flights.get(key) ?? compute(text, priority).finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
  // A copy, so that no caller can change what the next one gets.
  const lookUp = async (text: string, priority: EmbedPriority): Promise<Float32Array> =>
    (vectors.get(text) ?? (await share(text, priority))).slice();

  return {
    ...inner,
    async embed(texts, options) {
      if (options.role !== "query") return inner.embed(texts, options);
      options.signal?.throwIfAborted();
      const found = Promise.all(texts.map((text) => lookUp(text, options.priority)));
      return options.signal ? unlessAborted(found, options.signal) : found;
    },
  };
}
