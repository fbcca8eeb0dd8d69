import { z } from "zod";
import type { JsonObject } from "../../core/kernel/json.ts";
import type { LlmRequest } from "../../core/ports/llm.ts";
import type { LlmFailure } from "./failure.ts";

/** A step of a path that names a version: `v1`, `v4`, `v1beta`. */
const VERSION = /^v\d+(?:[a-z]+\d*)?$/;

/** The address that completes chats: `/v1` goes between unless the base already names a version. */
export function chatAddress(baseUrl: string): string {
  const url = new URL(baseUrl);
  const steps = url.pathname.split("/").filter((step) => step !== "");
  if (!steps.some((step) => VERSION.test(step))) steps.push("v1");
  url.pathname = `/${[...steps, "chat", "completions"].join("/")}`;
  return url.href;
}

/**
 * The options of a request in every way that servers take them, tried in order when one is declined: LM Studio knows no
 * JSON mode of this name, and newer models of OpenAI neither `max_tokens` nor a temperature.
 */
const DIALECTS: readonly ((request: LlmRequest) => JsonObject)[] = [
  ({ max_tokens, temperature, json }) => ({
    max_tokens,
    temperature,
    ...(json ? { response_format: { type: "json_object" } } : {}),
  }),
  ({ max_tokens, temperature }) => ({ max_tokens, temperature }),
  ({ max_tokens }) => ({ max_completion_tokens: max_tokens }),
];

/** Bodies to try, from the dialect that answered last; `dialect` is what to remember when one is answered. */
export function bodiesOf(model: string, request: LlmRequest, from: number): { dialect: number; body: string }[] {
  const system = request.system === undefined ? [] : [{ role: "system", content: request.system }];
  const messages = [...system, { role: "user", content: request.prompt }];
  const bodies = DIALECTS.map((options, dialect) => ({
    dialect,
    body: JSON.stringify({ model, messages, stream: false, ...options(request) }),
  }));
  return bodies.slice(from).filter(({ body }, i, all) => body !== all[i - 1]?.body);
}

const Answer = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
});

/** The text of a completion. */
export function readAnswer(text: string): string | LlmFailure {
  const parsed = Answer.safeParse(parseJson(text));
  // Without the parser's complaint: it would carry what the model wrote into the log.
  if (!parsed.success) return { reason: "unreadable" };
  const content = parsed.data.choices[0]?.message.content ?? "";
  return content.trim() === "" ? { reason: "empty" } : content;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
