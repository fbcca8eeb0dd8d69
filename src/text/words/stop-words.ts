import type { Spoken } from "../languages/function-words.ts";
import { bare, functionWordIn, isLatin } from "../languages/function-words.ts";
import { isOrdinary } from "./ordinary-words.ts";

/** Pieces of Chinese and Japanese that only ask or join: particles, "what", "is it", and what stands after a number. */
const PIECES: ReadonlySet<string> = new Set(
  `的 了 吗 呢 吧 是 在 有 和 与 也 都 就 我 你 他 她 它 这 那 哪 谁 年 月 日 号 时 分 个 円 元
  什么 怎么 么时 时候 哪里 哪个 哪些 哪天 多少 我们 你们 他们 们的 是谁 谁是 是什 为什 几点 是否
  の は が を に で と も か へ や ね よ 何 です ます すか でし まし した して する いる ある ない とは には では
  どこ いつ だれ どう なぜ 何で 谁が 谁で いま てい って たか るか のは ので から まで こと もの うで`.split(/\s+/),
);

/** Function words of another language in Latin letters that tell a question from English with a foreign name or a code in it. */
const OTHER_LANGUAGE_MIN = 2;
/** One of them is longer than two letters or has an accent: "de" and "es" alone may be codes, "De La" a name; and no English. */
const LONGER = /...|\P{ASCII}/u;

/** What of a question speaks for a language. */
interface Held {
  readonly count: number;
  /** Those that decide: none of English. One that is a common word of English besides, as "die" and "van", counts half. */
  readonly deciding: number;
}
const ORDINARY_SHARE = 0.5;

function heldBy(words: readonly string[], english: ReadonlySet<string>): ReadonlyMap<Spoken, Held> {
  const held = new Map<Spoken, Held>();
  for (const word of words) {
    const languages = functionWordIn(bare(word));
    if (languages.length === 0) continue;
    const decides = LONGER.test(word) && !english.has(word);
    const by = decides ? (isOrdinary(word) ? ORDINARY_SHARE : 1) : 0;
    for (const language of languages) {
      const { count, deciding } = held.get(language) ?? { count: 0, deciding: 0 };
      held.set(language, { count: count + 1, deciding: deciding + by });
    }
  }
  return held;
}

/**
 * Tells the words that carry no subject from those that may, in the language of the question: the one that most of its
 * function words belong to. English where that is unsure, for then it most often is.
 */
export function stopWordTest(words: readonly string[], english: ReadonlySet<string>): (word: string) => boolean {
  const inEnglish = words.filter((word) => english.has(bare(word))).length;
  let found: Spoken | null = null;
  let most = 0;
  for (const [language, { count, deciding }] of heldBy(words, english)) {
    const others = Math.max(most, inEnglish, isLatin(language) ? OTHER_LANGUAGE_MIN - 1 : 0);
    if (deciding < 1 || count <= others) continue;
    found = language;
    most = count;
  }
  const own = found;
  return (word) => PIECES.has(word) || (own === null ? english.has(word) : functionWordIn(bare(word)).includes(own));
}
