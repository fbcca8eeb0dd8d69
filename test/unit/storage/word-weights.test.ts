import { expect, test } from "bun:test";
import { asRead, weighWords } from "../../../src/storage/common/word-weights.ts";
import { FORM_MARK } from "../../../src/text/words/letters.ts";

const FORM = `passphras${FORM_MARK}`;

test("a lone word with a slip counts whole, whatever forms are looked up beside it", () => {
  const words = ["pasphrase", FORM].map((word) => ({ word, rows: word === FORM ? 0 : 3, weight: 2 }));
  const [read] = asRead(words, new Map([["pasphrase", "passphrase"]]));
  expect(read?.weight).toBe(2);
});

test("a rare form takes no weight from a common word that was written", () => {
  const common = { word: "server", rows: 900 };
  const [beside] = weighWords([common, { word: FORM, rows: 1 }], 1_000);
  const [alone] = weighWords([common], 1_000);
  expect(beside).toEqual(alone);
  expect(weighWords([common, { word: "rare", rows: 1 }], 1_000)[0]?.weight).toBe(0);
});
