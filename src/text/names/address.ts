import { GREETINGS, OPENERS } from "./lexicon.ts";
import type { Word } from "./words.ts";

/** Names of more words are not called out. */
const CALLED_WORDS_MAX = 2;

/** A text as names are read of it. */
export interface NamedText {
  readonly text: string;
  /** A turn of a conversation: a name between commas is most often addressed. */
  readonly turn: boolean;
}

/**
 * Whether the name of words `from` to `to` is addressed, not spoken of: "Hey John", "Thanks, Mel!", "that is great, Anna!".
 * Whoever is greeted by a statement is not what it is about.
 */
export function isAddressed(
  words: readonly Word[],
  { from, to }: { from: number; to: number },
  { text, turn }: NamedText,
): boolean {
  const first = words[from];
  const last = words[to - 1];
  if (!first || !last || to - from > CALLED_WORDS_MAX || last.possessive) return false;
  const before = words[from - 1];
  const after = text.slice(last.end, last.end + 2);
  if (!before || first.gap === "sentence") return turn && to - from === 1 && isCalled(after, words[to]);
  if (GREETINGS.has(before.lower)) return /^(?:$|[!?.,\n]|\s?[—–-]|\s?\p{Extended_Pictographic})/u.test(after);
  const afterComma = /^,\s*$/.test(text.slice(before.end, first.start)) && !isNamed(before);
  return afterComma && (/^[!?]/.test(after) || (turn && /^(?:[.,]|$)/.test(after)));
}

/** At the start of a turn: "Caroline, that is", but not "Caroline, Anna and I". */
const isCalled = (after: string, next: Word | undefined): boolean =>
  /^[,!?]/.test(after) && (next?.capital !== true || next.lower === "i");

/** After another name, a comma makes a list and addresses nobody. */
const isNamed = ({ capital, lower }: Word): boolean => capital && !OPENERS.has(lower);
