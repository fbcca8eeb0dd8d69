import type { Llm } from "../../core/ports/llm.ts";
import { openAiLlm } from "./openai.ts";

export interface LlmOptions {
  readonly llm_base_url?: string | undefined;
  readonly llm_model?: string | undefined;
  readonly llm_api_key?: string | undefined;
}

/** The language model that was configured; null without one. Nothing is sent before the first question. */
export function openLlm({ llm_base_url, llm_model, llm_api_key }: LlmOptions): Llm | null {
  if (llm_base_url === undefined || llm_model === undefined) return null;
  return openAiLlm({ base_url: llm_base_url, model: llm_model, api_key: llm_api_key });
}
