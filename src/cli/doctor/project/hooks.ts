import { basename } from "node:path";
import { isJsonObject } from "../../../core/kernel/json.ts";
import type { Machine } from "../../setup/harness.ts";
import type { HarnessName } from "../../setup/harnesses.ts";
import { HOOK_EVENTS } from "../../setup/part.ts";
import { hookCommand, SHARED_COMMAND } from "../../setup/wish.ts";

/** What hooks in the files of a repository are held against. */
export interface WrittenHooks {
  readonly name: HarnessName;
  readonly machine: Machine;
  /** How this program is started. */
  readonly self: readonly string[];
}

/**
 * Commands of hooks that look like ours, by what they call or by their words, and are none that a set-up writes: whoever wrote the
 * repository chose them, and the harness runs them with the rights of whoever opens it.
 */
export const strangeHooks = (hooks: unknown, written: WrittenHooks): string[] =>
  commandsIn(hooks).filter((command) => looksOurs(command) && !isWritten(command, written));

/** Every command in the lists of hooks, grouped or not. */
export function commandsIn(hooks: unknown): string[] {
  if (Array.isArray(hooks)) return hooks.flatMap(commandsIn);
  if (!isJsonObject(hooks)) return [];
  return Object.entries(hooks).flatMap(([name, value]) =>
    name === "command" && typeof value === "string" ? [value] : commandsIn(value),
  );
}

const OURS = new RegExp(` hook (${HOOK_EVENTS.join("|")})(?: (.*))? --harness [a-z]+`, "s");
/** Our name, alone or with more after it, as in `cairn.sh`. */
const NAMED_OURS = /^cairn(?:[.-].*)?$/i;

const looksOurs = (command: string): boolean =>
  OURS.test(command) || calledIn(command).some((name) => NAMED_OURS.test(name));

/** What ends one command of a line, and begins the next. */
const BETWEEN_COMMANDS = /[;&|\n`(){}]+/;
/** Words that only lead to what is called: variables, flags, programs that run another one. */
const LEADING =
  /^(?:\w+=.*|-.*|env|exec|nohup|sudo|time|command|source|\.|(?:.*\/)?(?:env|ba|da|z)?sh|(?:.*\/)?(?:node|bun|deno|python3?|ruby|perl))$/;

/** The names of what a line of a shell calls. */
const calledIn = (command: string): string[] =>
  command.split(BETWEEN_COMMANDS).flatMap((one) => {
    const words = one
      .trim()
      .split(/[\s'"<>]+/)
      .filter(Boolean);
    const called = words.find((word) => !LEADING.test(word));
    return called === undefined ? [] : [basename(called.replaceAll("\\", "/"))];
  });

/** Flags of a set-up, each with a value. */
const FLAGS: readonly string[] = ["--data", "--url", "--level"];

/** Whether a set-up would write these very words, so that nothing before, after or between them is anybody else's. */
function isWritten(command: string, { name, machine, self }: WrittenHooks): boolean {
  const event = HOOK_EVENTS.find((one) => one === OURS.exec(command)?.[1]);
  if (event === undefined) return false;
  const flags = wordsIn(OURS.exec(command)?.[2] ?? "");
  if (!flags.every((word, at) => at % 2 === 1 || FLAGS.includes(word))) return false;
  return [self, [SHARED_COMMAND]].some(
    (start) => hookCommand({ self: start, flags }, event, name, machine) === command,
  );
}

/** The words of a command, without their quotes. */
export const wordsIn = (command: string): string[] =>
  (command.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/, "$2"));
