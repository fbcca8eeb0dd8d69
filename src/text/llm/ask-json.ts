import type { z } from "zod";
import type { Llm, LlmRequest } from "../../core/ports/llm.ts";
import { readJson } from "./read-answer.ts";

export interface Question<T> {
  readonly system: string;
  readonly prompt: string;
  readonly max_tokens: number;
  /** The only answer that counts. */
  readonly answer: z.ZodType<T>;
  readonly limit_ms: number;
}

/** Same words in, same words out, as far as a model can. */
const COLD = 0;

/**
 * A model's answer in JSON, checked against its schema. Null for whatever else comes of it, late, broken or odd, and when
 * the signal fires: whoever asks has an answer of its own and keeps it.
 */
export async function askJson<T>(llm: Llm, question: Question<T>, signal: AbortSignal): Promise<T | null> {
  const { system, prompt, max_tokens, answer, limit_ms } = question;
  const request: LlmRequest = { system, prompt, max_tokens, temperature: COLD, json: true };
  const within = AbortSignal.any([signal, AbortSignal.timeout(limit_ms)]);
  const text = await llm.complete(request, { signal: within }).catch(() => null);
  return text === null ? null : (answer.safeParse(readJson(text)).data ?? null);
}
