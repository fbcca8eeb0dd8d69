import type { Token } from "../words/tokenize.ts";
import { boundBefore } from "./bound.ts";
import { type NumberRead, readNumber } from "./number.ts";
import { readPer } from "./per.ts";
import { amountKey, type ValueMatch, type ValueReader } from "./value.ts";

const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ["$", "usd"],
  ["€", "eur"],
  ["£", "gbp"],
  ["¥", "jpy"],
  ["₹", "inr"],
  ["₩", "krw"],
  ["₽", "rub"],
  ["฿", "thb"],
]);
/** Codes of ISO 4217 and what the currencies are called. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    usd: "usd dollar dollars buck bucks",
    eur: "eur euro euros",
    gbp: "gbp quid sterling",
    jpy: "jpy yen",
    inr: "inr rupee rupees",
    chf: "chf franc francs",
    sek: "sek",
    nok: "nok",
    dkk: "dkk",
    krona: "krona kronor kroner krone kr",
    pln: "pln zloty zlotys",
    czk: "czk koruna",
    cad: "cad",
    aud: "aud",
    cny: "cny yuan rmb",
    brl: "brl reais",
    try: "lira",
    krw: "krw won",
    zar: "zar rand",
    mxn: "mxn peso pesos",
    pound: "pound pounds",
    cent: "cent cents",
  }).flatMap(([code, names]) => names.split(" ").map((name) => [name, code] as const)),
);
/** Behind a currency a small m means millions. */
const SMALL_MILLION = 1e6;

/** Amounts of money: `$1,150.50`, `35,000 dollars`, `EUR 20k`, `12 € per month`. */
export const readMoney: ValueReader = (tokens, index) => {
  const code = symbolAt(tokens, index);
  if (code !== undefined) {
    const number = readNumber(tokens, index + 1);
    return number && toReading(tokens, index, code, withSmallMillion(tokens, number));
  }
  const number = readNumber(tokens, index);
  if (number === null) return null;
  const hyphen = tokens[number.to]?.text === "-" ? 1 : 0;
  const behind = symbolAt(tokens, number.to + hyphen);
  return behind === undefined ? null : toReading(tokens, index, behind, { ...number, to: number.to + hyphen + 1 });
};

/** Whether a word or sign names a currency. */
export const isCurrency = (word: string): boolean => WORDS.has(word) || SYMBOLS.has(word);

const symbolAt = (tokens: readonly Token[], index: number): string | undefined => {
  const token = tokens[index];
  if (token === undefined) return undefined;
  // "won" is the past of "win" unless a number stands before it.
  if (token.lower === "won" && tokens[index - 1]?.kind !== "number") return undefined;
  // A sign of another currency stands for itself.
  return SYMBOLS.get(token.text) ?? WORDS.get(token.lower) ?? (/^\p{Sc}$/u.test(token.text) ? token.text : undefined);
};

function withSmallMillion(tokens: readonly Token[], number: NumberRead): NumberRead {
  const next = tokens[number.to];
  if (next?.text !== "m" || !next.glued) return number;
  return { amount: number.amount * SMALL_MILLION, to: number.to + 1 };
}

function toReading(tokens: readonly Token[], index: number, code: string, number: NumberRead): ValueMatch {
  const to = symbolAt(tokens, number.to) === code ? number.to + 1 : number.to;
  const per = readPer(tokens, to);
  return {
    value: {
      kind: "money",
      key: `${amountKey(number.amount)} ${code}${per ? `/${per.per}` : ""}`,
      amount: number.amount,
      dimension: code,
      bound: boundBefore(tokens, index),
      ...(per ? { per: per.per } : {}),
    },
    to: per?.to ?? to,
  };
}
