/** Tokens that one pass of the network reads, padding included: more leave the processor's cache, and are read slower. */
export const BATCH_MAX_TOKENS = 256;
/** Tokens that could be read in the time that a pass takes beside its tokens (2 ms): more padding is dearer than a pass. */
const PADDING_MAX_TOKENS = 20;

/** Indexes of the shortest to the longest: rows of like length share a batch with little padding. */
export const byLength = (lengths: readonly number[]): number[] =>
  lengths.map((_, index) => index).sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b);

/**
 * Groups rows, shortest first, so that no batch holds more than `maxTokens` after padding to its longest row, nor much padding.
 * A row longer than the bound gets a batch of its own.
 */
export function planBatches(lengths: readonly number[], maxTokens: number): number[][] {
  const batches: number[][] = [];
  let open: number[] = [];
  for (const index of byLength(lengths)) {
    const length = lengths[index] ?? 0;
    const padding = open.reduce((sum, other) => sum + length - (lengths[other] ?? 0), 0);
    if (open.length > 0 && (length * (open.length + 1) > maxTokens || padding > PADDING_MAX_TOKENS)) {
      batches.push(open);
      open = [];
    }
    open.push(index);
  }
  return open.length > 0 ? [...batches, open] : batches;
}

const BYTES_PER_TOKEN = 4.5;
const SPECIAL_TOKENS = 2;

/** Rough count of a text's tokens without tokenising it, never above the model's limit. */
export const estimateTokens = (text: string, maxTokens: number): number =>
  Math.min(maxTokens, Math.ceil(Buffer.byteLength(text, "utf8") / BYTES_PER_TOKEN) + SPECIAL_TOKENS);
