import { STOP_WORDS } from "../words/terms.ts";
import type { Token } from "../words/tokenize.ts";
import { boundBefore } from "./bound.ts";
import { readNumber } from "./number.ts";
import { readPer } from "./per.ts";
import { amountKey, type ValueReader } from "./value.ts";

/** Words between a number and what it counts: "9 small cold rooms". */
const COUNTED_MAX = 4;
const NO_NOUN =
  /^(?:instead|now|again|already|today|currently|left|right|later|earlier|soon|anymore|early|late|tall|long|wide|high|deep|old|younger|older|max|min|total|together|only|per)$/;
/** Singular forms that a count of more than one may end with. */
const PLURAL = /(?:[^s]s|people|children|men|women|feet|teeth|mice|staff|data|sheep|fish|kids)$/;

/** Bare numbers and numbers of things: `12 nodes`, `twenty-five seats`, `3`. */
export const readCount: ValueReader = (tokens, index) => {
  const number = readNumber(tokens, index);
  if (number === null || isPartOfWord(tokens, index)) return null;
  const counted = countedAt(tokens, number.to);
  const dimension = counted.at(-1) ?? "";
  const per = readPer(tokens, number.to + counted.length);
  const key = `${amountKey(number.amount)}${dimension && ` ${dimension}`}${per ? `/${per.per}` : ""}`;
  return {
    value: {
      kind: "number",
      key,
      amount: number.amount,
      dimension,
      bound: boundBefore(tokens, index),
      ...(counted.length > 0 ? { counted } : {}),
      ...(per ? { per: per.per } : {}),
    },
    to: number.to,
  };
};

/** Digits that touch letters after them are part of a name: `3D`, `2x4`. */
const isPartOfWord = (tokens: readonly Token[], index: number): boolean => {
  const next = tokens[index + 1];
  return (
    tokens[index]?.kind === "number" &&
    next?.glued === true &&
    next.kind === "word" &&
    !/^[kKMB]$/.test(next.text) &&
    !/^(?:mn|mio|bn|x)$/.test(next.text)
  );
};

/** Stems of the words behind a number, up to the first plural or the end of the phrase. */
function countedAt(tokens: readonly Token[], index: number): string[] {
  const counted: string[] = [];
  const start = tokens[index]?.lower === "of" ? index + 1 : index;
  for (let i = start; i < start + COUNTED_MAX; i++) {
    const token = tokens[i];
    if (token === undefined || token.kind !== "word" || STOP_WORDS.has(token.lower) || NO_NOUN.test(token.lower)) break;
    counted.push(token.stem);
    if (PLURAL.test(token.lower)) break;
  }
  return counted;
}
