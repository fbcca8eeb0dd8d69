import type { LlmFailure } from "./failure.ts";
import { isLasting } from "./failure.ts";

export interface GateLimits {
  /** Requests under way at once; one more is refused rather than queued. */
  readonly calls_max: number;
  /** Failures in a row after which the model is left alone. */
  readonly failures_max: number;
  /** For how long, in milliseconds. */
  readonly pause_ms: number;
}

export interface Gate {
  /** Runs the work, or says at once why not. `stop` fires when the gate closes. */
  pass(work: (stop: AbortSignal) => Promise<string | LlmFailure>): Promise<string | LlmFailure>;
  close(): void;
}

/** Keeps a slow or broken model from slowing everything that asks it. `elapsed` counts milliseconds from any moment. */
export function createGate({ calls_max, failures_max, pause_ms }: GateLimits, elapsed: () => number): Gate {
  const calls = new Set<AbortController>();
  let failures = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let closed = false;

  function learn(outcome: string | LlmFailure): void {
    if (typeof outcome === "string") {
      failures = 0;
      return;
    }
    if (!isLasting(outcome)) return;
    failures++;
    // The count stays: after a pause, one more failure is enough for the next.
    const wait = failures >= failures_max ? pause_ms : 0;
    pausedUntil = Math.max(pausedUntil, elapsed() + Math.max(wait, Math.min(outcome.wait_ms ?? 0, pause_ms)));
  }

  return {
    async pass(work) {
      if (closed) return { reason: "stopped" };
      if (elapsed() < pausedUntil) return { reason: "paused" };
      if (calls.size >= calls_max) return { reason: "busy" };
      const call = new AbortController();
      calls.add(call);
      try {
        const outcome = await work(call.signal);
        learn(outcome);
        return outcome;
      } finally {
        calls.delete(call);
      }
    },
    close() {
      closed = true;
      for (const call of calls) call.abort();
    },
  };
}
