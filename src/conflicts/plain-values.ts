import type { TextSpan } from "../core/ports/finding.ts";
import { readValues } from "../text/values/read.ts";
import { relate } from "../text/values/relate.ts";
import type { Value } from "../text/values/value.ts";

/** Share of the words of both texts, values left out, that must be the same. */
const SAME_WORDS_MIN = 0.8;
/** Words that tell of a change, which the newer text may have beside those of the older one. */
const OF_CHANGE = new Set("now currently today already instead longer anymore".split(" "));

/** Kinds of values that may name what is spoken of, and count at the end of both texts alone: "room 5 is closed". */
const MAY_NAME: ReadonlySet<Value["kind"]> = new Set(["version", "number"]);

/**
 * What clashes where two texts say the same in nearly the same words with another value ("port 8080", "port 9090 now"): null where
 * they do not. It is what is left of the detector while no model can be asked.
 */
export function clashByValue(
  older: string,
  newer: string,
  [older_ms, newer_ms]: readonly [number, number],
): { readonly older: TextSpan; readonly newer: TextSpan } | null {
  const [one, other] = [read(older, older_ms), read(newer, newer_ms)];
  const all = new Set([...one.words, ...other.words]);
  const shared = [...one.words].filter((word) => other.words.has(word)).length;
  if (shared === 0 || shared < SAME_WORDS_MIN * all.size || one.values.length !== other.values.length) return null;
  const differing = one.values.flatMap((value, i) => {
    const second = other.values[i];
    return second && relate(value, second) === "equal" ? [] : [[value, second] as const];
  });
  const [only, further] = differing;
  if (!only?.[1] || further || relate(only[0], only[1]) !== "clash") return null;
  const isAtEnd = only[0] === one.last && only[1] === other.last;
  return !MAY_NAME.has(only[0].kind) || isAtEnd ? { older: spanOf(only[0]), newer: spanOf(only[1]) } : null;
}

const spanOf = ({ start, end }: Value): TextSpan => ({ start, end });

/** The values of a text, the one that it ends with, and the words that belong to none. */
function read(text: string, reference_ms: number) {
  const { tokens, values } = readValues(text, reference_ms);
  const isInValue = (index: number) => values.some(({ from, to }) => index >= from && index < to);
  const said = tokens.flatMap((token, index) =>
    token.kind === "mark" || OF_CHANGE.has(token.lower) ? [] : [{ ...token, index }],
  );
  const end = said.at(-1)?.index ?? -1;
  return {
    values,
    last: values.find(({ from, to, counted = [] }) => end >= from && end < to + counted.length) ?? null,
    words: new Set(said.flatMap(({ index, stem }) => (isInValue(index) ? [] : [stem]))),
  };
}
