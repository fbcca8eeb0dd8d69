import type { Clock } from "./clock.ts";
import { toTimestamp } from "./clock.ts";

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** One wide line per event. Never pass contents, queries or keys: lines are made to be kept and shared. */
export interface Logger {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields & { cause?: string }): void;
}

/** JSON lines for machines; `write` receives each line with its newline. */
export function jsonLogger(clock: Clock, write: (line: string) => void): Logger {
  const at = (level: string) => (event: string, fields?: LogFields) =>
    write(`${JSON.stringify({ at: toTimestamp(clock.now()), level, event, ...fields })}\n`);
  return { info: at("info"), warn: at("warn"), error: at("error") };
}

export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };

/** The chain of causes of an error as one line for the log, without the values that SQL or JSON may have carried. */
export function describeCause(error: unknown): string {
  const parts: string[] = [];
  for (let cause = error; cause instanceof Error && parts.length < 5; cause = cause.cause) {
    parts.push(`${cause.name}: ${cause.message.split("\n", 1)[0]}`);
  }
  return parts.join(" <- ") || String(error);
}
