import { z } from "zod";
import type { Called, CallInput, Invoke } from "../core/ports/mcp.ts";
import { ToolError } from "./tool-error.ts";

/** Runs an operation and gives its reply. Throws ToolError for a refusal. */
export type Ask = (operation: string, input: CallInput) => Promise<unknown>;

const Envelope = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).nullish(),
  }),
});

/** Asks through an Invoke, and throws ToolError where it refuses. */
export const askThrough =
  (invoke: Invoke): Ask =>
  async (operation, input) => {
    const called = await invoke(operation, input);
    if (called.status < 400) return called.body;
    throw refusalIn(called);
  };

/** The refusal that an operation answered with. */
export function refusalIn({ body }: Called): ToolError {
  const { code, message, details } = Envelope.parse(body).error;
  return new ToolError(code, message, details ?? {});
}
