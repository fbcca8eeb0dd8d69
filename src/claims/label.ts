import type { Clause } from "./clauses.ts";
import type { Token } from "./lexer.ts";
import { PRONOUNS } from "./lexicon/words.ts";

/** Words of a label such as "Correction:" or "Mei:". */
const LABEL_MAX = 4;
const NOTES =
  /^(?:correction|update|updated|note|notes|fyi|reminder|edit|info|heads|news|decision|decided|fact|ps|todo|tldr|status|memo|addendum|erratum)$/;
const OPENERS =
  /^(?:actually|scratch|that|no|wait|oops|sorry|ok|okay|well|so|hey|hi|btw|by|the|way|fyi|update|correction|turns|out|in|fact|good|to|know|quick|small|thing|just|please|remember|for|record|as|of|now|today|from|on|update|heads|up|note|anyway|also)$/;

/** Where a clause begins behind a label that is no part of it: a note's heading, or the name of who speaks. */
export function labelEnd(tokens: readonly Token[], { from, to }: Clause): number {
  for (let at = from; at < Math.min(to - 1, from + LABEL_MAX); at++) {
    const mark = tokens[at + 1]?.text;
    if (mark === ":" && isLabel(tokens, from, at + 1)) return at + 2;
    if (mark === "," && tokens.slice(from, at + 1).every(({ lower }) => OPENERS.test(lower))) return at + 2;
    if (tokens[at]?.kind !== "word") break;
  }
  return from;
}

function isLabel(tokens: readonly Token[], from: number, colon: number): boolean {
  const words = tokens.slice(from, colon);
  if (words.every(({ lower }) => NOTES.test(lower) || OPENERS.test(lower))) return true;
  const next = tokens[colon + 1]?.lower ?? "";
  const isSpeaker = words.length <= 2 && words.every(({ capital }) => capital);
  return isSpeaker && PRONOUNS.has(next) && /^(?:i|we|you|it|that|my)$/.test(next);
}
