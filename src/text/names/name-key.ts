import { normalized } from "../../core/kernel/text.ts";
import { spelled } from "../words/letters.ts";
import { STOP_WORDS } from "../words/terms.ts";
import { namesWithin } from "../words/unspaced-scripts.ts";

/** Words of a name that its key is made of at most. */
const KEY_WORDS_MAX = 12;
/** Names of a query are looked for in its first words, this many at a time at most. */
const QUERY_WORDS_MAX = 64;
const QUERY_NAME_WORDS_MAX = 6;
/** Names looked for within words that no spaces part. */
const NAMES_WITHIN_MAX = 400;

const ASCII = /^[\p{ASCII}]*$/u;
/** Signs belong to the shortest names only: "C++", "F#". */
const TOKEN = /(?<![\p{L}\p{N}])\p{L}{1,2}[+#]+|#?[\p{L}\p{N}]+/gu;
const ARTICLES = new Set(["the", "a", "an"]);
/** The same company with or without. */
const LEGAL_FORMS = new Set("inc incorporated corp corporation ltd limited llc llp plc gmbh ag".split(" "));
const FORMS_OF_ADDRESS = new Set(["mr", "mrs", "ms", "miss", "dr", "prof", "professor"]);

/** Lower-case words of a text without accents, possessive endings and apostrophes. */
export function nameWords(text: string): string[] {
  const plain = ASCII.test(text) ? text : normalized(text, "NFKD").replace(/\p{M}+/gu, "");
  return (
    plain
      .toLowerCase()
      .replace(/['’]s(?![\p{L}\p{N}])/gu, "")
      .replace(/['’]/g, "")
      .match(TOKEN) ?? []
  );
}

/**
 * What is equal for every way to write a name: without case, accents, articles, forms of address, legal forms, the word
 * "project" and, unless it has digits, the space between its words. Empty when the text has no letters or digits.
 */
export const nameKey = (name: string): string => joined(meantWords(nameWords(name)));

/** The words of a name that its key is made of. */
function meantWords(words: readonly string[]): string[] {
  let from = 0;
  let to = Math.min(words.length, KEY_WORDS_MAX);
  const isLeft = (i: number, drop: ReadonlySet<string>) => to - from > 1 && drop.has(words[i] ?? "");
  while (isLeft(from, ARTICLES) || isLeft(from, FORMS_OF_ADDRESS)) from++;
  while (isLeft(to - 1, LEGAL_FORMS)) to--;
  if (isLeft(from, PROJECT)) from++;
  if (isLeft(to - 1, PROJECT)) to--;
  return words.slice(from, to);
}
const PROJECT = new Set(["project"]);

function joined(kept: readonly string[]): string {
  // Without its points a version would equal another one: 1.12 and 11.2.
  if (!kept.some((word) => /\p{N}/u.test(word))) return kept.join("");
  return kept.map((word) => (kept.length > 1 ? word.replace(/^v(?=\p{N})/u, "") : word)).join(" ");
}

/**
 * The keys of all names that a query may hold, each once, with the words that it was made of, as they are looked up: those of
 * the query, alone and together, no stop word at either end; and in scripts without spaces, any letters that stand together.
 */
export function queryNames(query: string): Map<string, readonly string[]> {
  const words = nameWords(query).slice(0, QUERY_WORDS_MAX);
  const names = new Map<string, readonly string[]>();
  for (let from = 0; from < words.length; from++) {
    if (STOP_WORDS.has(words[from] ?? "")) continue;
    for (let to = from + 1; to <= Math.min(words.length, from + QUERY_NAME_WORDS_MAX); to++) {
      if (STOP_WORDS.has(words[to - 1] ?? "")) continue;
      const meant = meantWords(words.slice(from, to));
      const key = joined(meant);
      names.set(key, [...(names.get(key) ?? []), ...meant.map(spelled)]);
    }
  }
  for (const name of words.flatMap(namesWithin).slice(0, NAMES_WITHIN_MAX))
    if (!names.has(name)) names.set(name, [spelled(name)]);
  return names;
}
