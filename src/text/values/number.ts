import type { Token } from "../words/tokenize.ts";

const SMALL = `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen`.split(/\s+/);
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const UNITS: ReadonlyMap<string, number> = new Map([
  ...SMALL.map((word, i) => [word, i] as const),
  ...TENS.map((word, i) => [word, (i + 2) * 10] as const),
]);
const SCALES: ReadonlyMap<string, number> = new Map([
  ["hundred", 1e2],
  ["thousand", 1e3],
  ["million", 1e6],
  ["billion", 1e9],
  ["trillion", 1e12],
  ["dozen", 12],
]);
/** Letters behind digits; a small m is a metre, a minute or a million, and is left to the units. */
const LETTERS: ReadonlyMap<string, number> = new Map([
  ["k", 1e3],
  ["K", 1e3],
  ["M", 1e6],
  ["mn", 1e6],
  ["mio", 1e6],
  ["bn", 1e9],
  ["B", 1e9],
]);
const HUNDRED = 100;
const PAIRS: ReadonlyMap<string, number> = new Map([
  ["couple", 2],
  ["pair", 2],
  ["dozen", 12],
]);
/** "one" before these is a pronoun or "a certain". */
const NOT_COUNTED_AFTER_ONE = /^(?:of|day|another|time|must|should|can|is|was|who|that)$/;
const BEFORE_PRONOUN_ONE = /^(?:this|that|the|which|no|every|any|another|each|new|old|only|first|last|other|good)$/;

/** A number and the token after it. */
export interface NumberRead {
  readonly amount: number;
  readonly to: number;
}

/** Reads a number in digits or words at a token: `84k`, `1.2 million`, `twenty-five`, `a dozen`, `one and a half`. */
export function readNumber(tokens: readonly Token[], index: number): NumberRead | null {
  const found = readDigits(tokens, index) ?? readWords(tokens, index) ?? readPair(tokens, index);
  if (found === null) return null;
  return isPhrase(tokens, found.to, ["and", "a", "half"]) ? { amount: found.amount + 0.5, to: found.to + 3 } : found;
}

const isPhrase = (tokens: readonly Token[], index: number, words: readonly string[]): boolean =>
  words.every((word, i) => tokens[index + i]?.lower === word);

function readDigits(tokens: readonly Token[], index: number): NumberRead | null {
  const token = tokens[index];
  if (token?.kind !== "number") return null;
  const amount = Number(token.text.replace(/[,'\u2019]/g, "").replace("−", "-"));
  const next = tokens[index + 1];
  const letter = next?.glued ? LETTERS.get(next.text) : undefined;
  if (letter !== undefined) return { amount: amount * letter, to: index + 2 };
  const scale = SCALES.get(next?.lower ?? "");
  return scale === undefined ? { amount, to: index + 1 } : { amount: amount * scale, to: index + 2 };
}

/** Words such as "two hundred and fifty thousand": each scale multiplies what stands before it. */
function readWords(tokens: readonly Token[], index: number): NumberRead | null {
  let sum: Sum = { total: 0, current: 0 };
  let to = index;
  for (let i = index; i < tokens.length; i++) {
    const word = tokens[i]?.lower ?? "";
    const next = tokens[i + 1]?.lower ?? "";
    if (to > index && isJoint(word, next, sum)) continue;
    const added = addWord(sum, word, to > index);
    if (added === null) break;
    sum = added;
    to = i + 1;
    if (isClosed(word, next)) break;
  }
  return to === index || isPronoun(tokens, index, to) ? null : { amount: sum.total + sum.current, to };
}

/** What was read so far: whole thousands, and the rest that a scale may still multiply. */
interface Sum {
  readonly total: number;
  readonly current: number;
}

function addWord({ total, current }: Sum, word: string, isInside: boolean): Sum | null {
  const unit = UNITS.get(word);
  if (unit !== undefined) return { total, current: current + unit };
  const scale = SCALES.get(word);
  if (scale === undefined || !isInside) return null;
  return scale >= 1e3 ? { total: total + current * scale, current: 0 } : { total, current: current * scale };
}

/** The hyphen of "twenty-five", the "and" of "hundred and five". */
const isJoint = (word: string, next: string, { total, current }: Sum): boolean => {
  if (!UNITS.has(next)) return false;
  const rest = (total + current) % HUNDRED;
  return word === "-" ? rest >= 20 && rest % 10 === 0 : word === "and" && rest === 0 && total + current >= HUNDRED;
};

/** "two, three": a number below twenty takes no further one. */
const isClosed = (word: string, next: string): boolean => (UNITS.get(word) ?? 20) < 20 && UNITS.has(next);

function isPronoun(tokens: readonly Token[], index: number, to: number): boolean {
  if (tokens[index]?.lower !== "one" || to > index + 1) return false;
  const next = tokens[to];
  return (
    next === undefined ||
    next.kind === "mark" ||
    NOT_COUNTED_AFTER_ONE.test(next.lower) ||
    BEFORE_PRONOUN_ONE.test(tokens[index - 1]?.lower ?? "")
  );
}

/** "a dozen", "a couple of", "half a dozen", "a hundred". */
function readPair(tokens: readonly Token[], index: number): NumberRead | null {
  if (isPhrase(tokens, index, ["half", "a", "dozen"])) return { amount: 6, to: index + 3 };
  if (tokens[index]?.lower !== "a" && tokens[index]?.lower !== "an") return null;
  const word = tokens[index + 1]?.lower ?? "";
  const amount = PAIRS.get(word) ?? SCALES.get(word);
  if (amount === undefined) return null;
  return { amount, to: tokens[index + 2]?.lower === "of" ? index + 3 : index + 2 };
}
