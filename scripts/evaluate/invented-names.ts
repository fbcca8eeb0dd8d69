import { MONTHS, WEEKDAYS } from "../../src/text/dates/names.ts";
import { GIVEN_NAMES } from "../../src/text/names/given-names.ts";
import type { Dice } from "../bench/text.ts";
import { createDice } from "../bench/text.ts";
import type { LabelledPair } from "./labelled-pairs.ts";

const ONSETS = "b br ch d dr f fl g gr h j k kr l m n p qu r s sk st t th tr v w z zh".split(" ");
const VOWELS = "a e i o u ae ei ia oa".split(" ");
const CODAS = ["", "", "l", "n", "r", "x", "k", "nd", "th", "ld"];

/** Words with a capital that name no one thing. */
const NO_NAME = new Set([...MONTHS, ...WEEKDAYS, "english", "german", "french", "spanish"]);
const CAPITAL = /(?<=[\p{L}\p{N},;)'"] )\p{Lu}\p{Ll}{2,}/gu;
const ANY_CAPITAL = /(?<![\p{L}\p{N}-])\p{Lu}\p{Ll}{2,}(?![\p{L}\p{N}])/gu;
/** Names of services and the like: small words with a hyphen. */
const HYPHENED = /(?<![\p{L}\p{N}-])\p{Ll}{3,}-\p{Ll}{2,}(?![\p{L}\p{N}-])/gu;

/**
 * The pair with every name that both texts share, and every given name, replaced by an invented one: the same for the same.
 * Names that only one text has may be what clashes, and stay.
 */
export function withInventedNames(pair: LabelledPair, seed: number): LabelledPair {
  const dice = createDice(seed);
  const names = namesOf(pair);
  const invented = new Map([...names].map((name) => [name, inventedLike(name, dice)] as const));
  const replaced = (text: string): string =>
    [...invented].reduce(
      (now, [name, other]) => now.replace(new RegExp(`(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])`, "gu"), other),
      text,
    );
  return { ...pair, older: replaced(pair.older), newer: replaced(pair.newer) };
}

function namesOf({ older, newer }: LabelledPair): ReadonlySet<string> {
  const found = (text: string, pattern: RegExp) => new Set(text.match(pattern) ?? []);
  const isShared = (name: string) => [older, newer].every((text) => text.includes(name));
  const inside = [...found(older, CAPITAL), ...found(newer, CAPITAL)].filter(isShared);
  const given = [...found(older, ANY_CAPITAL), ...found(newer, ANY_CAPITAL)].filter((name) =>
    GIVEN_NAMES.has(name.toLowerCase()),
  );
  const hyphened = [...found(older, HYPHENED)].filter(isShared);
  return new Set([...inside, ...given, ...hyphened].filter((name) => !NO_NAME.has(name.toLowerCase())));
}

function inventedLike(name: string, dice: Dice): string {
  if (name.includes("-"))
    return name
      .split("-")
      .map((part) => inventedWord(part.length, dice))
      .join("-");
  const word = inventedWord(name.length, dice);
  return word[0]?.toUpperCase() + word.slice(1);
}

/** A word that nobody has, about as long as another. */
function inventedWord(length: number, dice: Dice): string {
  const pick = (parts: readonly string[]) => parts[Math.floor(dice() * parts.length)] ?? "";
  let word = "";
  while (word.length < Math.min(length, 8) - 1) word += pick(ONSETS) + pick(VOWELS);
  return word + pick(CODAS);
}
