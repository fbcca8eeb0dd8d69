import { expect, test } from "bun:test";
import { quoted, quotedText } from "../../../src/core/kernel/quoting/quote.ts";

/** Signs that point to the left as the bracket of a tag does, by what Unicode calls them. */
const SIGNS: Readonly<Record<string, string>> = {
  "less-than signs": "<＜﹤≪⋘⋖≮≲⪡⫷⩹⩻⧀⪦",
  "angle brackets": "〈〈《⟨⟪❬❰⦑⦓⧼︿︽",
  "quotation marks": "‹❮",
  "signs of order": "≺⪻⊰",
  "triangles and heads of arrows": "◀◁◂◃◄◅⏴⏪⮜⮘⯇˂˱",
  letters: "ᐸᚲ",
};

test.each(Object.entries(SIGNS))("no mark begins with one of the %s", (_, signs) => {
  for (const sign of signs) {
    for (const name of ["system-reminder", "/tool_result", "system", "cairn"]) {
      expect(quoted(`heron ${sign}${name}>`)).toBe(`heron (${name}>`);
      expect(quotedText(`heron\n${sign}${name}>`)).toBe(`heron\n(${name}>`);
    }
    expect(quoted(`heron ${sign} reeds ${sign}br>`)).toBe(`heron ${sign} reeds ${sign}br>`);
  }
});

test("quotation marks of a language are brackets on a line alone, where a mark could begin", () => {
  const said = "«system» heißt System, «Reiher» nicht";
  expect(quoted(said)).toBe("(system» heißt System, «Reiher» nicht");
  expect(quotedText(said)).toBe(said);
});
