import type { Services } from "../core/ports/context.ts";

/** How often the log tells how many memories wait for their vectors. */
const TOLD_EVERY_MS = 10_000;
/** Fewer are embedded in a moment, and told only as the end of more. */
const ROWS_MIN = 1_000;

/** Tells in the log, every few seconds, how far the embedding of many memories is, and once that all have their vectors. */
export function createEmbeddingLog(services: Services): () => Promise<void> {
  let toldAt = Number.NEGATIVE_INFINITY;
  /** The fewest told of since there were many: what stays, as the model refuses it, is told once. */
  let fewest = 0;
  return async () => {
    // After a change of model the storage is another one.
    const { storage, pace, log, clock } = services;
    const now = clock.now();
    if (now - toldAt < TOLD_EVERY_MS && now >= toldAt) return;
    toldAt = now;
    const rows_left = await storage.memories.countAllPending();
    if (rows_left < ROWS_MIN && rows_left >= fewest) return;
    fewest = rows_left;
    const rate = pace.embedding.perSecond();
    const per_second = rate && Math.round(rate);
    log.info("embedding", { rows_left, per_second, seconds_left: rate && Math.ceil(rows_left / rate) });
    // The last rows are told as they end, however soon that is.
    if (rows_left < ROWS_MIN) toldAt = Number.NEGATIVE_INFINITY;
  };
}
