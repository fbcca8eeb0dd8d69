import { openAiLlm } from "../../src/ai/llm/openai.ts";
import type { Llm } from "../../src/core/ports/llm.ts";
import { hangs, says, saysJson, scriptedLlm, sends, status } from "./scripted-llm.ts";

/** A scripted server and a model that asks it, for tests of what is made of its answers. */
export function toldLlm() {
  const server = scriptedLlm();
  const limits = { backoff_ms: 1, failures_max: 1_000 };
  const llm: Llm = openAiLlm({ base_url: server.url, model: "some-model", limits });
  return { server, llm };
}

export const patience = (): AbortSignal => new AbortController().signal;

/** Answers of which no caller may make anything. */
export const ODD_ANSWERS = [
  ["nothing", says("")],
  ["prose", says("I would say that they do.")],
  ["JSON with prose around it", says('Sure: {"title":"x"}')],
  ["half of a JSON object", says('{"title":')],
  ["an empty object", saysJson({})],
  ["a list", saysJson([])],
  ["null", saysJson(null)],
  ["a page", sends("<html></html>", "text/html")],
  ["401", status(401)],
  ["429 for long", status(429, { "Retry-After": "3600" })],
  ["500 again and again", status(500)],
] as const;

/** A caller who gives up while the model is still silent. */
export const SILENT = { line: hangs, signal: (): AbortSignal => AbortSignal.timeout(50) } as const;
