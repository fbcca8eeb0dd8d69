import { createLru } from "../../core/kernel/lru.ts";
import { unlessAborted } from "../../core/kernel/unless-aborted.ts";
import type { Embedder, EmbedOptions, EmbedPriority } from "../../core/ports/embedder.ts";

/** Longer questions are rare, seldom asked twice, and would make the cache's size in bytes unpredictable. */
const CACHED_TEXT_MAX_CHARACTERS = 2_000;

/** One computation, and how many wait for it. */
interface Flight {
  readonly vector: Promise<Float32Array>;
  readonly nobodyWaits: AbortController;
  waiting: number;
}

/** Remembers the vectors of questions, and lets callers that ask the same at once share one computation. */
export function cachedEmbedder(inner: Embedder, maxEntries: number): Embedder {
  const vectors = createLru<string, Float32Array>(maxEntries);
  const flights = new Map<string, Flight>();

  const compute = async (text: string, options: EmbedOptions): Promise<Float32Array> => {
    const [vector] = await inner.embed([text], options);
    if (!vector) throw new Error("The embedder returned no vector for a text.");
    if (text.length <= CACHED_TEXT_MAX_CHARACTERS) vectors.set(text, vector);
    return vector;
  };
  const depart = (key: string, text: string, priority: EmbedPriority): Flight => {
    // Not the signal of one caller: others may come to wait for the same vector.
    const nobodyWaits = new AbortController();
    const vector = compute(text, { role: "query", priority, signal: nobodyWaits.signal });
    const flight = { vector, nobodyWaits, waiting: 0 };
    flights.set(key, flight);
    return flight;
  };
  const join = async (text: string, { priority, signal }: EmbedOptions): Promise<Float32Array> => {
    // A question wanted now must not wait behind the same one in the slower queue.
    const key = `${priority}:${text}`;
    const flight = flights.get(key) ?? depart(key, text, priority);
    flight.waiting++;
    try {
      return await (signal ? unlessAborted(flight.vector, signal) : flight.vector);
    } finally {
      flight.waiting--;
      if (flight.waiting === 0) {
        if (flights.get(key) === flight) flights.delete(key);
        // Else the model would work on for those who gave up, and keep those who still wait until they give up too.
        flight.nobodyWaits.abort();
      }
    }
  };

  return {
    ...inner,
    async embed(texts, options) {
      if (options.role !== "query") return inner.embed(texts, options);
      options.signal?.throwIfAborted();
      // Copies, so that no caller can change what the next one gets.
      return Promise.all(texts.map(async (text) => (vectors.get(text) ?? (await join(text, options))).slice()));
    },
  };
}
