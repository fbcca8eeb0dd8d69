import { expect, test } from "bun:test";
import { formsInQuestion, isWordedAnew } from "../../../src/text/languages/forms.ts";

test.each([
  ["We meet at the café.", false],
  ["The sensor reads 20 °C — it’s fine.", false],
  ["Die Kasse läuft.", true],
  ["發票由財務部門每月寄出。", true],
])("whether the index has %p under other words than before: %p", (text, isAnew) => {
  expect(isWordedAnew(text)).toBe(isAnew);
});

test.each(["საქართველოში", "বাংলাদেশের", "హైదరాబాదులో", "ኢትዮጵያ"])("%p has no forms of Latin languages", (word) => {
  expect(formsInQuestion(word, [word]).size).toBe(0);
});
