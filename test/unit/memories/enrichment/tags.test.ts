import { describe, expect, test } from "bun:test";
import { tagsOf } from "../../../../src/memories/enrichment/tags.ts";

describe("tags", () => {
  test.each([
    [
      "The text's own come first, then its subjects: the disk of a server. #Field_Notes #ops",
      ["field-notes", "ops", "infrastructure"],
    ],
    ["The rollout to the EU region broke the database.", ["deployment", "infrastructure", "database", "eu"]],
    ["The AWS bill and the API key.", ["api", "aws"]],
    ["The customer in Osaka wants invoices in yen.", ["customer", "billing"]],
    ["Nothing in particular was said.", []],
    ["NOTE: I AM NOT OK", []],
    ["Issue #12 and a/b#c are no tags.", []],
  ])("of '%s'", (text, expected) => {
    expect(tagsOf(text)).toEqual(expected);
  });

  test("are five at most, each once", () => {
    const tags = tagsOf("#a1 #b2 #c3 #d4 #e5 #f6 #a1 deploy database API");
    expect(tags).toEqual(["a1", "b2", "c3", "d4", "e5"]);
  });

  test("of a longer text are also the words it keeps repeating", () => {
    const text = `${"The lighthouse keeper counts gannets. ".repeat(6)} That is all there is to it.`;
    expect(tagsOf(text)).toContain("lighthouse");
    expect(tagsOf(text)).not.toContain("the");
  });
});
