import type { JsonObject } from "../../../core/kernel/json.ts";
import { addedTo, headersAddedTo } from "../../setup/part.ts";
import { SHARED_COMMAND } from "../../setup/wish.ts";

/**
 * What an entry in the files of a repository holds besides what a set-up writes into them: whoever wrote the repository chose it, and
 * it decides what runs on this machine, and where memories go.
 */
export function projectEntryFaults(entry: JsonObject, words: readonly string[]): string[] {
  const own = words.indexOf("mcp");
  const start = words.slice(0, own).join(" ");
  const besides = [...addedTo(entry), ...headersAddedTo(entry), ...argumentsAdded(words.slice(own + 1))];
  return [
    ...(own === -1 || start === SHARED_COMMAND ? [] : [`it starts ${start}, and not ${SHARED_COMMAND}.`]),
    ...(besides.length === 0 ? [] : [`no set-up wrote ${besides.join(", ")} into it.`]),
  ];
}

/** The address of the server that the arguments of an entry name. */
export const urlsIn = (words: readonly string[]): string[] =>
  words.flatMap((word, at) => (words[at - 1] === "--url" ? [word] : []));

/** Flags of a set-up for what others read, each with a value. */
const FLAGS = ["--url", "--project"];

const argumentsAdded = (words: readonly string[]): string[] =>
  words.filter((word, at) => !FLAGS.includes(word) && !FLAGS.includes(words[at - 1] ?? ""));
