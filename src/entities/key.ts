import { STOP_WORDS } from "../kernel/words.ts";
import { LEGAL_FORMS } from "./lexicon.ts";

/** Words of a name that its key is made of at most. */
const KEY_WORDS_MAX = 12;
/** Names of a query are looked for in its first words, this many at a time at most. */
const QUERY_WORDS_MAX = 64;
const QUERY_NAME_WORDS_MAX = 6;

const ASCII = /^[\p{ASCII}]*$/u;
/** Signs belong to the shortest names only: "C++", "F#". */
const TOKEN = /(?<![\p{L}\p{N}])\p{L}{1,2}[+#]+|#?[\p{L}\p{N}]+/gu;
const ARTICLES = new Set(["the", "a", "an"]);
const FORMS_OF_ADDRESS = new Set(["mr", "mrs", "ms", "miss", "dr", "prof", "professor"]);

/** Lower-case words of a text without accents, possessive endings and apostrophes. */
export function nameWords(text: string): string[] {
  const plain = ASCII.test(text) ? text : text.normalize("NFKD").replace(/\p{M}+/gu, "");
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
export const nameKey = (name: string): string => keyOfWords(nameWords(name));

function keyOfWords(words: readonly string[]): string {
  let from = 0;
  let to = Math.min(words.length, KEY_WORDS_MAX);
  const isLeft = (i: number, drop: ReadonlySet<string>) => to - from > 1 && drop.has(words[i] ?? "");
  while (isLeft(from, ARTICLES) || isLeft(from, FORMS_OF_ADDRESS)) from++;
  while (isLeft(to - 1, LEGAL_FORMS)) to--;
  if (isLeft(from, PROJECT)) from++;
  if (isLeft(to - 1, PROJECT)) to--;
  const kept = words.slice(from, to);
  // Without its points a version would equal another one: 1.12 and 11.2.
  if (!kept.some((word) => /\p{N}/u.test(word))) return kept.join("");
  return kept.map((word) => (kept.length > 1 ? word.replace(/^v(?=\p{N})/u, "") : word)).join(" ");
}
const PROJECT = new Set(["project"]);

/** The keys of all names that a query may hold, each once: its words, alone and together, no stop word at either end. */
export function queryKeys(query: string): string[] {
  const words = nameWords(query).slice(0, QUERY_WORDS_MAX);
  const keys = new Set<string>();
  for (let from = 0; from < words.length; from++) {
    if (STOP_WORDS.has(words[from] ?? "")) continue;
    for (let to = from + 1; to <= Math.min(words.length, from + QUERY_NAME_WORDS_MAX); to++) {
      if (STOP_WORDS.has(words[to - 1] ?? "")) continue;
      keys.add(keyOfWords(words.slice(from, to)));
    }
  }
  return [...keys];
}
