import { nearestWord } from "../core/kernel/text.ts";

/** A start that cannot go on; the message says what to change. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly code: "CONFIG_INVALID" | "ADDRESS_IN_USE" | "USAGE";
  /** Whether it is a flag that is written wrongly. */
  readonly isOfFlags: boolean;

  constructor(
    message: string,
    {
      code = "CONFIG_INVALID",
      isOfFlags = false,
      cause,
    }: Partial<Pick<ConfigError, "code" | "isOfFlags" | "cause">> = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.isOfFlags = isOfFlags || code === "USAGE";
  }
}

/** `place` follows the word, where it is not plain where it was written. */
export function unknownWord(kind: string, word: string, known: readonly string[], place = ""): ConfigError {
  const near = nearestWord(word, known);
  const message = `Unknown ${kind} '${word}'${place}.${near ? ` Did you mean '${near}'?` : ""} See cairn help.`;
  return new ConfigError(message, { code: ["command", "flag"].includes(kind) ? "USAGE" : "CONFIG_INVALID" });
}
