import type { SameName } from "./mention.ts";
import { nameKey } from "./name-key.ts";
import type { NameRun } from "./read-names.ts";

const BRACKETED = /^\s?\(([\p{L}\p{N}&.-]{2,12})\)/u;
const ALSO_KNOWN = /^,? (?:\(?(?:aka|a\.k\.a\.|also known as|or simply|known as|for short) )["“]?$/;

/** Where a text gives two names for one thing: "Site Reliability Engineering (SRE)", "Big Apple, also known as Gotham". */
export function readSameNames(runs: readonly NameRun[], text: string): SameName[] {
  return runs.flatMap((run, i) => {
    const last = run.words.at(-1);
    if (!last || !run.sure) return [];
    const [, short] = BRACKETED.exec(text.slice(last.end, last.end + 20)) ?? [];
    if (short !== undefined && areInitials(short, run)) return pair(short, run, text);
    const next = runs[i + 1];
    const nextStart = next?.words[0]?.start ?? 0;
    return next && ALSO_KNOWN.test(text.slice(last.end, nextStart)) ? pair(nameOf(next, text), run, text) : [];
  });
}

function nameOf({ words }: NameRun, text: string): string {
  const last = words.at(-1);
  return last ? text.slice(words[0]?.start ?? 0, last.start + last.text.length) : "";
}

function pair(alias: string, run: NameRun, text: string): SameName[] {
  const key = nameKey(nameOf(run, text));
  const alias_key = nameKey(alias);
  return key === "" || alias_key === "" || key === alias_key ? [] : [{ alias, alias_key, key }];
}

/** Whether a short name is made of the first letters of a long one, small words left out or not. */
function areInitials(short: string, { words }: NameRun): boolean {
  const letters = short
    .toLowerCase()
    .replace(/[^\p{L}]/gu, "")
    .replace(/s$/, "");
  const all = words.map(({ lower }) => lower.charAt(0)).join("");
  const great = words
    .filter(({ capital }) => capital)
    .map(({ lower }) => lower.charAt(0))
    .join("");
  return (
    letters.length > 1 &&
    (letters === all || letters === great || short.toLowerCase() === all || short.toLowerCase() === great)
  );
}
