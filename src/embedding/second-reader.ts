import type { Embedder } from "../core/ports/embedder.ts";

/** A reader beside the first; null without one, and once it could not be loaded: texts then go by the first alone. */
export const usable = (reader: Embedder | null): Embedder | null =>
  reader?.state().phase === "failed" ? null : reader;
