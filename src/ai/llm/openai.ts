import { readBounded } from "../../core/kernel/text.ts";
import { unlessAborted } from "../../core/kernel/unless-aborted.ts";
import type { Llm, LlmRequest } from "../../core/ports/llm.ts";
import type { LlmFailure } from "./failure.ts";
import { failureOf, isPassing, toError } from "./failure.ts";
import type { GateLimits } from "./gate.ts";
import { createGate } from "./gate.ts";
import { bodiesOf, chatAddress, readAnswer } from "./wire.ts";

export interface LlmLimits extends GateLimits {
  /** One request, up to the last byte of its answer. */
  readonly request_ms: number;
  /** One question with all its repetitions and the pauses between. */
  readonly total_ms: number;
  readonly retries: number;
  /** First pause before a repetition; each further one is four times as long. */
  readonly backoff_ms: number;
  /** A server that asks for a longer pause is not asked again for this question. */
  readonly wait_max_ms: number;
  readonly answer_bytes_max: number;
}

export const LLM_LIMITS: LlmLimits = {
  calls_max: 4,
  failures_max: 3,
  pause_ms: 30_000,
  request_ms: 60_000,
  total_ms: 90_000,
  retries: 2,
  backoff_ms: 250,
  wait_max_ms: 5_000,
  answer_bytes_max: 1024 * 1024,
};

export interface OpenAiOptions {
  /** With or without `/v1` at its end. */
  readonly base_url: string;
  readonly model: string;
  readonly api_key?: string | undefined;
  readonly limits?: Partial<LlmLimits>;
  /** Milliseconds since any fixed moment. */
  readonly elapsed?: () => number;
}

/** A model behind any endpoint that completes chats as OpenAI's does: Ollama, vLLM, LM Studio and others. */
export function openAiLlm({ elapsed = () => performance.now(), ...options }: OpenAiOptions): Llm {
  const limits = { ...LLM_LIMITS, ...options.limits };
  const gate = createGate(limits, elapsed);
  const ask = createAsker(options, limits);
  return {
    provider: "openai-compatible",
    model: options.model,
    async complete(request, { signal }) {
      signal.throwIfAborted();
      const outcome = await gate.pass((stop) => {
        const within = AbortSignal.any([signal, stop, AbortSignal.timeout(limits.total_ms)]);
        return withRetries(() => ask(request, within), limits, within);
      });
      if (typeof outcome === "string") return outcome;
      signal.throwIfAborted();
      throw toError(outcome);
    },
    close: () => gate.close(),
  };
}

type Outcome = string | LlmFailure;

async function withRetries(ask: () => Promise<Outcome>, limits: LlmLimits, signal: AbortSignal): Promise<Outcome> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await ask();
    if (typeof outcome === "string" || !isPassing(outcome) || attempt >= limits.retries) return outcome;
    const pause = outcome.wait_ms ?? limits.backoff_ms * 4 ** attempt;
    if (pause > limits.wait_max_ms) return outcome;
    await unlessAborted(Bun.sleep(pause), signal).catch(() => {});
    if (signal.aborted) return givenUp(signal);
  }
}

/** Asks once, in the words that the server was found to understand. */
function createAsker({ base_url, model, api_key }: OpenAiOptions, limits: LlmLimits) {
  const address = chatAddress(base_url);
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json",
    ...(api_key === undefined ? {} : { Authorization: `Bearer ${api_key}` }),
  };
  let understood = 0;

  async function send(body: string, signal: AbortSignal): Promise<Outcome> {
    const within = AbortSignal.any([signal, AbortSignal.timeout(limits.request_ms)]);
    try {
      const response = await fetch(address, { method: "POST", headers, body, redirect: "manual", signal: within });
      if (response.status !== 200) {
        await response.body?.cancel();
        return failureOf(response, address);
      }
      const text = await readBounded(response, limits.answer_bytes_max);
      return text === null ? { reason: "too_large" } : readAnswer(text);
    } catch (cause) {
      return within.aborted ? givenUp(within) : { reason: "unreachable", cause };
    }
  }

  return async (request: LlmRequest, signal: AbortSignal): Promise<Outcome> => {
    let outcome: Outcome = { reason: "declined" };
    for (const { dialect, body } of bodiesOf(model, request, understood)) {
      outcome = await send(body, signal);
      if (typeof outcome === "string") understood = dialect;
      if (typeof outcome === "string" || outcome.reason !== "declined") return outcome;
    }
    return outcome;
  };
}

const givenUp = ({ reason }: AbortSignal): LlmFailure => ({
  reason: reason instanceof DOMException && reason.name === "TimeoutError" ? "timeout" : "stopped",
});
