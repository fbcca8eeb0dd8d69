import { STOP_WORDS, termsOf } from "../text/words/terms.ts";
import { verbOf } from "./wording/verbs.ts";

/** Words of work itself: every run has them, whatever it is about. */
const WORK_WORDS: ReadonlySet<string> = new Set(
  `task ticket case issue job work run start begin finish complete done close fix resolve pass fail test check verify
  confirm ok okay success successful successfully good fine ready need want try ask make get give take put use see look find
  show go come let keep thank hello hi morning today yesterday tomorrow week day hour minute second first last new old next
  time step everything something nothing anything thing way lot bit also still yet again back please note update status
  result report help know think say tell working started finished completed closed resolved fixed passed failed
  pull request merge review approve assign description change branch code commit question requirement line small moment
  local locally ci regression part far side case point place thing problem trouble care attention idea room detail sure`.split(
    /\s+/,
  ),
);

/** Characters of a word below which it is no name of anything. */
const WORD_MIN = 2;

/** The form under which the forms of a word are one: the base of a verb, the singular of a noun. */
export function rootOf(word: string): string {
  const verb = verbOf(word);
  if (verb) return verb.base;
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && word.endsWith("s") && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

/** The words of a text that say what it is about, by their roots: no grammar, no words of work itself, no numbers. */
export function significantRoots(text: string): Set<string> {
  const roots = termsOf(text)
    .filter((word) => word.length >= WORD_MIN && !STOP_WORDS.has(word) && !/\p{N}/u.test(word))
    .map(rootOf);
  return new Set(roots.filter((root) => !WORK_WORDS.has(root)));
}

/** How much a word tells: nothing where all texts have it, most where one has it. */
export interface Rarity {
  /** Natural logarithm of how rare it is; 0 for a word of every text, and for one of none. */
  of(word: string): number;
  /** Texts that have the word. */
  holders(word: string): number;
  /** A set of words of these texts, ready to be compared often. */
  weigh(bag: ReadonlySet<string>): WeighedBag;
}

/** A set of words with what each weighs, its rarity squared. */
export interface WeighedBag {
  /** Numbers of the words, ascending. */
  readonly words: Int32Array;
  readonly weights: Float64Array;
  /** Sum of the weights. */
  readonly total: number;
}

/** Texts of other subjects taken to exist besides those at hand, so that few texts of one subject still have significant terms. */
const OTHER_TEXTS = 20;

/** Inverse document frequency over sets of words. */
export function rarityOf(bags: readonly ReadonlySet<string>[]): Rarity {
  const holders = new Map<string, number>();
  for (const bag of bags) for (const word of bag) holders.set(word, (holders.get(word) ?? 0) + 1);
  const all = bags.length + OTHER_TEXTS;
  const known = new Map(
    [...holders].map(([word, count], number) => [word, { number, rarity: Math.log((all + 1) / (count + 1)) }] as const),
  );
  return {
    of: (word) => known.get(word)?.rarity ?? 0,
    holders: (word) => holders.get(word) ?? 0,
    weigh: (bag) => {
      const words = [...bag].flatMap((word) => known.get(word) ?? []).sort((a, b) => a.number - b.number);
      const weights = Float64Array.from(words, ({ rarity }) => rarity ** 2);
      return {
        words: Int32Array.from(words, ({ number }) => number),
        weights,
        total: weights.reduce((sum, weight) => sum + weight, 0),
      };
    },
  };
}

/** Cosine of two sets of words, each word weighing its rarity squared; 0 when one is empty. */
export function sharedWords(a: WeighedBag, b: WeighedBag): number {
  const norm = Math.sqrt(a.total * b.total);
  let shared = 0;
  for (let i = 0, j = 0; i < a.words.length && j < b.words.length; ) {
    const [x = 0, y = 0] = [a.words[i], b.words[j]];
    if (x === y) shared += a.weights[i] ?? 0;
    if (x <= y) i++;
    if (y <= x) j++;
  }
  return norm === 0 ? 0 : shared / norm;
}

/** The texts that no earlier one says already in much the same words. */
export function distinctBy<T>(items: readonly T[], textOf: (item: T) => string, sameFrom: number): T[] {
  const bags = items.map((item) => significantRoots(textOf(item)));
  const rarity = rarityOf(bags);
  const kept: { readonly item: T; readonly bag: WeighedBag }[] = [];
  for (const [i, item] of items.entries()) {
    const bag = rarity.weigh(bags[i] ?? new Set());
    if (bag.words.length === 0 || kept.some((other) => sharedWords(bag, other.bag) >= sameFrom)) continue;
    kept.push({ item, bag });
  }
  return kept.map(({ item }) => item);
}
