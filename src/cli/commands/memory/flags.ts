import { Option } from "commander";
import { nearestWord } from "../../../core/kernel/text.ts";
import { VISIBILITIES } from "../../../core/schema/access.ts";
import { DEPRECATED_TYPES, MEMORY_STATUSES, MEMORY_TYPES, RESERVED_TYPES } from "../../../core/schema/memory.ts";
import { plainText } from "../../output.ts";
import { UsageError } from "../../usage.ts";

/** Types that somebody may give a memory. */
const WRITABLE = MEMORY_TYPES.filter((type) => ![...RESERVED_TYPES, ...DEPRECATED_TYPES].includes(type));
/** Statuses that somebody may give it; `cairn rm` deletes. */
const HELD = MEMORY_STATUSES.filter((status) => status !== "deleted");

/** A flag that takes one of some words, or with `...` several; what is none of them is a UsageError that names the nearest. */
export function oneOf(written: string, meaning: string, words: readonly string[]): Option {
  const option = new Option(written, meaning).choices(words);
  return option.argParser((word: string, before: unknown) => {
    if (words.includes(word)) return option.variadic ? [before ?? [], word].flat() : word;
    const near = nearestWord(word, words);
    const asked = near === null ? "" : ` Did you mean '${near}'?`;
    throw new UsageError(`${option.long} is ${words.join(", ")}; not '${plainText(word)}'.${asked}`);
  });
}

/** Flags that several commands have. */
export const flags = {
  type: (meaning: string) => oneOf("--type <type>", meaning, MEMORY_TYPES),
  newType: (meaning: string) => oneOf("--type <type>", meaning, WRITABLE),
  status: (meaning: string) => oneOf("--status <status>", meaning, MEMORY_STATUSES),
  newStatus: (meaning: string) => oneOf("--status <status>", meaning, HELD),
  visibility: (meaning: string) => oneOf("--visibility <scope>", meaning, VISIBILITIES),
};

/** What is looked for. Throws UsageError for nothing. */
export function queryOf(text: string): string {
  if (text.trim() !== "") return text;
  throw new UsageError('The query is empty: say what to look for, as in `cairn search "when do we release?"`.');
}

/** A whole number between bounds. Throws UsageError. */
export function countOf(
  flag: string,
  text: string | undefined,
  [least, most]: readonly [number, number],
): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (text.trim() !== "" && Number.isInteger(count) && count >= least && count <= most) return count;
  throw new UsageError(`${flag} is a whole number from ${least} to ${most}.`);
}

/** A number from 0 to 1. Throws UsageError. */
export function shareOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const share = Number(text);
  if (text.trim() !== "" && share >= 0 && share <= 1) return share;
  throw new UsageError(`${flag} is a number from 0 to 1.`);
}

/** The object that pairs `k=v` make; undefined for none. Throws UsageError. */
export function membersOf(pairs: readonly string[] | undefined): Record<string, string> | undefined {
  if (!pairs) return undefined;
  return Object.fromEntries(
    pairs.map((pair) => {
      const index = pair.indexOf("=");
      if (index < 1) throw new UsageError(`--metadata is written k=v, which '${pair}' is not.`);
      return [pair.slice(0, index), pair.slice(index + 1)];
    }),
  );
}
