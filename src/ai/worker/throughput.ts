/** How fast the model works, learnt from the slices that came back. */
export interface Throughput {
  /** A slice of so many tokens was sent. */
  sent(tokens: number): void;
  /** It came back. */
  returned(): void;
  /** Milliseconds that so many tokens would take; 0 until the first slice is back. */
  timeOf(tokens: number): number;
}

/** Weight of the newest slice: a change of throughput shows after a few. */
const NEWEST = 0.2;

/** Measures tokens a millisecond, newest slices weighing most, and estimates how long further tokens will take. */
export function createThroughput(elapsed: () => number): Throughput {
  let perToken: number | null = null;
  let slice = { tokens: 0, sentAt: 0 };
  return {
    sent(tokens) {
      slice = { tokens, sentAt: elapsed() };
    },
    returned() {
      if (slice.tokens === 0) return;
      const newest = (elapsed() - slice.sentAt) / slice.tokens;
      perToken = perToken === null ? newest : (1 - NEWEST) * perToken + NEWEST * newest;
    },
    timeOf: (tokens) => tokens * (perToken ?? 0),
  };
}
