import { canonical } from "../lexicon/synonyms.ts";
import { GENERIC, NEGATIONS, PREPOSITIONS } from "../lexicon/words.ts";
import type { Value } from "../values/value.ts";
import { stem } from "../words/stem.ts";
import { STOP_WORDS } from "../words/terms.ts";
import type { Frame } from "./frame.ts";
import type { Token } from "./lexer.ts";

export type Zone = "subject" | "verb" | "complement";

/** A word that tells what a clause is about. */
export interface ContentWord {
  readonly index: number;
  /** Equal for the forms and synonyms of a word. */
  readonly key: string;
  readonly zone: Zone;
  /** The preposition that it hangs on; empty for none. */
  readonly preposition: string;
  /** Written as a name: a capital where no sentence begins, or a digit. */
  readonly named: boolean;
}

/** The words of a frame that carry its topic. Those of dates, units and numbers are left to the values. */
export function contentWords(tokens: readonly Token[], frame: Frame, values: readonly Value[]): ContentWord[] {
  const taken = takenBy(values);
  const ranges = [
    ["subject", frame.subject],
    ["verb", frame.verbs],
    ["complement", frame.complement],
  ] as const;
  return ranges.flatMap(([zone, range]) => {
    let preposition = "";
    const words: ContentWord[] = [];
    for (let index = range.from; index < range.to; index++) {
      const token = tokens[index];
      if (token === undefined || taken.has(index)) continue;
      preposition = prepositionAt(token, preposition);
      if (!isContent(tokens, index, token)) continue;
      const named = isNamed(tokens, index, frame.clause.from);
      words.push(...keysOf(token).map((key) => ({ index, key, zone, preposition, named })));
    }
    return words;
  });
}

/** The noun that is counted stays a word. */
function takenBy(values: readonly Value[]): ReadonlySet<number> {
  const taken = new Set<number>();
  for (const { from, to } of values) for (let index = from; index < to; index++) taken.add(index);
  return taken;
}

function prepositionAt(token: Token, before: string): string {
  if (PREPOSITIONS.has(token.lower)) return token.lower;
  return token.kind === "mark" && token.text !== "-" ? "" : before;
}

/** The key of a word; those of its parts for an identifier of several words. */
function keysOf(token: Token): string[] {
  const isPlain = token.text === token.lower && !token.text.includes("_");
  if (isPlain || token.kind !== "word" || !/[_\p{Ll}]\p{Lu}|_/u.test(token.text)) return [canonical(token.stem)];
  const parts = token.text.split(/_+|(?<=\p{Ll})(?=\p{Lu})/u).filter((part) => part !== "");
  return parts.map((part) => canonical(stem(part.toLowerCase())));
}

const isContent = (tokens: readonly Token[], index: number, token: Token): boolean =>
  (token.kind === "word" || token.kind === "url") &&
  (!STOP_WORDS.has(token.lower) || isPartOfName(tokens, index)) &&
  !GENERIC.has(token.stem) &&
  !NEGATIONS.has(token.lower) &&
  !PREPOSITIONS.has(token.lower);

/** Neither the "us" of "us-east" nor "US" is a pronoun. */
const isPartOfName = (tokens: readonly Token[], index: number): boolean => {
  const text = tokens[index]?.text ?? "";
  if (text.length > 1 && text === text.toUpperCase()) return true;
  return tokens[index + 1]?.text === "-" && tokens[index + 1]?.glued === true && tokens[index + 2]?.glued === true;
};

function isNamed(tokens: readonly Token[], index: number, start: number): boolean {
  const token = tokens[index];
  if (token === undefined) return false;
  if (/\d/.test(token.text) || /^\p{Lu}{2,}$/u.test(token.text)) return true;
  return token.capital && (index > start || token.possessive || tokens[index + 1]?.capital === true);
}
