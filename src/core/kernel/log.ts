import type { Clock } from "./clock.ts";
import { toTimestamp } from "./clock.ts";
import { escapedJson } from "./quoting/unseen.ts";

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** One wide line per event. Never pass contents, queries or keys: lines are made to be kept and shared. */
export interface Logger {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields & { cause?: string }): void;
}

/** From the chattiest on. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const nothing = (): void => {};

/** JSON lines of this level and above for machines; `write` receives each line with its newline. */
export function jsonLogger(clock: Clock, write: (line: string) => void, least: LogLevel = "debug"): Logger {
  const lineOf = (level: LogLevel) => (event: string, fields?: LogFields) =>
    write(`${escapedJson(JSON.stringify({ at: toTimestamp(clock.now()), level, event, ...fields }))}\n`);
  const from = (level: LogLevel) => (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least) ? nothing : lineOf(level));
  return { debug: from("debug"), info: from("info"), warn: from("warn"), error: from("error") };
}

export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** The chain of causes of an error as one line for the log, without the values that SQL or JSON may have carried. */
export function describeCause(error: unknown): string {
  const parts: string[] = [];
  for (let cause = error; cause instanceof Error && parts.length < 5; cause = cause.cause) {
    parts.push(`${cause.name}: ${cause.message.split("\n", 1)[0]}`);
  }
  return parts.join(" <- ") || String(error);
}
