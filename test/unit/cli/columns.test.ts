import { describe, expect, test } from "bun:test";
import { toTable } from "../../../scripts/bench/tables.ts";
import { cutTo, padTo, widthOf } from "../../../src/cli/columns.ts";
import { tableLines } from "../../../src/cli/table.ts";

/** Texts with the columns that a terminal gives them. */
const WIDTHS: readonly (readonly [what: string, text: string, columns: number])[] = [
  ["ideographs", "会議は金曜日", 12],
  ["Hangul, whole and in parts", `회의${"회의".normalize("NFD")}`, 8],
  ["full and half width", "Ａｱ１1", 6],
  ["a family", "👩‍👩‍👧‍👦", 2],
  ["a flag and half of one", "🇩🇪🇫", 3],
  ["a skin tone", "👍🏽", 2],
  ["a heart in colour and in ink", "❤️❤", 3],
  ["marks", "e\u0301e\u0323\u0302", 2],
  ["what has no width", "a\u200b\u200d\ufeffb", 2],
  ["right to left", "שלום مرحبا", 10],
  ["vowel signs", "नि", 1],
];

describe("columns", () => {
  test.each(WIDTHS)("of %s", (_, text, columns) => {
    expect(widthOf(text)).toBe(columns);
    expect(widthOf(padTo(text, 20))).toBe(20);
    expect(padTo(text, 20)).toStartWith(text);
    expect(padTo(text, 20, { isRight: true })).toEndWith(text);
  });

  test.each(WIDTHS)("a cut leaves characters whole, within its columns: %s", (_, text) => {
    const long = text.repeat(20);
    const characters = Array.from(new Intl.Segmenter("und").segment(long), ({ segment }) => segment);
    for (let size = 1; size < 40; size++) {
      const cut = cutTo(long, size);
      expect(widthOf(cut)).toBeLessThanOrEqual(size);
      if (cut === long) continue;
      const kept = cut.replace(/…$/, "");
      const whole = characters.map((__, i) => characters.slice(0, i).join(""));
      expect(whole.map((start) => start.trimEnd())).toContain(kept);
    }
  });
});

test("the columns of a table stand below each other, whatever the language", () => {
  const rows = WIDTHS.map(([, text], i) => ({ text, number: String(i) }));
  const columns = [
    { title: "TEXT", value: (row: (typeof rows)[number]) => row.text },
    { title: "N", value: (row: (typeof rows)[number]) => `|${row.number}` },
  ];
  const [, ...lines] = tableLines(rows, columns, 80);
  expect(new Set(lines.map((line) => widthOf(line.slice(0, line.lastIndexOf("|"))))).size).toBe(1);
  const [, ...others] = toTable(
    ["text", "n"],
    WIDTHS.map(([, text], i) => [text, `|${i}`]),
  ).split("\n");
  expect(new Set(others.map((line) => widthOf(line.slice(0, line.lastIndexOf("|"))))).size).toBe(1);
});
