import { describe, expect, test } from "bun:test";
import { normalized, unaccented } from "../../../src/core/kernel/text.ts";
import { NATIONAL_IDS } from "../../../src/text/national-ids.ts";
import { fold } from "../../../src/text/words/letters.ts";
import { joinSentences, splitSentences } from "../../../src/text/words/sentences.ts";

const LENGTH = 12_000;
const TIMES = 8;
/** Processor time that grows with the square of a length grows 64 times where the length grows 8 times. */
const GROWTH_MAX = 40;

function fastest(work: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return user + system;
  });
  return Math.max(1_000, Math.min(...times));
}

const filled = (part: string, length: number): string => part.repeat(length / part.length);
const MARKS = "\u0301\u0323";
const RUN = `a${MARKS.repeat(2_000)}`;

describe("time grows with the length of a text, and no faster:", () => {
  test.each([
    ["short sentences", (length: number) => splitSentences(filled("Ok. ", length))],
    ["short sentences that are joined", (length: number) => joinSentences(Array(length / 4).fill("Ok."))],
    ["closing brackets", (length: number) => splitSentences(`${filled("」", length)}x\nあ。`)],
    ["marks", (length: number) => fold(`a${filled(MARKS, length)}`)],
    ["marks that are taken off", (length: number) => unaccented(`a${filled(MARKS, length)}`)],
    ["signs that become marks", (length: number) => fold(`a${filled("\uff9e\u0301", length)}`)],
    ["numbers beside their names", (length: number) => idsIn(filled("BSN111222333", length))],
  ])("%s", (_, work) => {
    const short = fastest(() => work(LENGTH));
    expect(fastest(() => work(TIMES * LENGTH)) / short).toBeLessThan(GROWTH_MAX);
  });
});

const idsIn = (text: string): number => NATIONAL_IDS.reduce((sum, { regex }) => sum + text.split(regex).length, 0);

test("long runs of marks lose none, and what stands around them is normalised", () => {
  const text = `Ａｂｃ ${RUN} \u0065\u0301`;
  const found = normalized(text, "NFKC");
  expect(found.startsWith("Abc a")).toBeTrue();
  expect(found.endsWith(" é")).toBeTrue();
  expect(found.match(/\p{M}/gu)).toHaveLength(4_000);
  expect(unaccented(text)).toBe("Abc a e");
});

test("sentences are joined by their own ends, however short", () => {
  const sentences = ["これは東京です。", "「はい」", "そう。", "Yes.", "No."];
  expect(joinSentences(sentences)).toBe("これは東京です。「はい」そう。 Yes. No.");
  expect(joinSentences([])).toBe("");
});
