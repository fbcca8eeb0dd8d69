import { expect, setDefaultTimeout, test } from "bun:test";
import { quoted, quotedJson, quotedText } from "../../../src/core/kernel/quoting/quote.ts";
import { escapedJson } from "../../../src/core/kernel/quoting/unseen.ts";

/** Against a hang alone. */
setDefaultTimeout(180_000);

/** What an expression may go through again and again. */
const REPEATED = [
  ..."<[&\n\r#* >{",
  "\u200b",
  "a\u200b",
  "\u{e0041}",
  "❤\ufe0f\u200d",
  "क\u200d",
  "\u2800",
  "<é",
  "&#0",
  "&#x0",
  "Human",
  "Human:\n",
  "\n Human",
  "***",
  "- [2026-01-01, ",
  "<|im_",
  "<system ",
  "</",
  "ссссс<",
  "\\u003c",
];
const SHORT = 10_000;
/** What takes the square of its length takes so many times as long again. */
const TIMES = 16;

const all = (text: string) => [quoted(text), quotedText(text), escapedJson(JSON.stringify(text)), quotedJson([text])];

function quickest(run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const startedAt = performance.now();
    run();
    best = Math.min(best, performance.now() - startedAt);
  }
  return best;
}

test.each(REPEATED.map((unit) => [unit]))("%p again and again takes as long as it is", (unit) => {
  const short = unit.repeat(SHORT / unit.length);
  const long = unit.repeat((SHORT / unit.length) * TIMES);
  // The shortest takes less than a clock tells for sure.
  expect(quickest(() => all(long))).toBeLessThan(
    5 *
      TIMES *
      Math.max(
        quickest(() => all(short)),
        0.2,
      ),
  );
});

test("names that differ in nothing that is seen are told apart in linear time", () => {
  const named = (many: number) =>
    Object.fromEntries(
      Array.from({ length: many }, (_, i) => [
        `a${[...i.toString(2)].map((bit) => (bit === "0" ? "\u200b" : "\u2060")).join("")}`,
        i,
      ]),
    );
  const [few, many] = [named(2_000), named(32_000)];
  expect(Object.keys(quotedJson(many) as object)).toHaveLength(32_000);
  expect(quickest(() => quotedJson(many))).toBeLessThan(
    5 *
      16 *
      Math.max(
        quickest(() => quotedJson(few)),
        1,
      ),
  );
});
