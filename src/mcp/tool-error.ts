import { sentence } from "../core/kernel/text.ts";

/** A refusal of the product, in the words and with the code of its error envelope. */
export class ToolError extends Error {
  override readonly name = "ToolError";

  constructor(
    readonly code: string,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(sentence(message));
  }
}
