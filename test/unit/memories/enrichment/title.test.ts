import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { characterCount } from "../../../../src/core/kernel/text.ts";
import { TITLE_LENGTH, titleOf } from "../../../../src/memories/enrichment/title.ts";

const character = fc.constantFrom(..."aB9 .!?\n\t#*`-", "é", "🎉", "北", "\u0301", "\ud83d");

describe("the title", () => {
  test.each([
    ["Deploys go out every Tuesday. They never go out on Friday.", "Deploys go out every Tuesday"],
    ["Dr. Weber leads the study. It began in May.", "Dr. Weber leads the study"],
    ["We use v2.3 of the parser. It is fast.", "We use v2.3 of the parser"],
    ["# Release notes\n\nSearch is faster now.", "Release notes"],
    ["- **Anna** owns the build pipeline", "Anna owns the build pipeline"],
    ["> 1. Rotate the signing key", "Rotate the signing key"],
    ["Anna: Hey! Thanks. The invoice for March is wrong.", "The invoice for March is wrong"],
    ["Who owns the staging cluster?", "Who owns the staging cluster?"],
    ["```ts\nconst a = 1;\n```\nThe snippet above leaks memory.", "The snippet above leaks memory"],
    ["  The   spaces\tare many.  ", "The spaces are many"],
    ["Москва слезам не верит. Так говорят.", "Москва слезам не верит"],
    ["会議は来週の月曜日に延期されました。", "会議は来週の月曜日に延期されました。"],
  ])("of '%s' is '%s'", (content, title) => {
    expect(titleOf(content)).toBe(title);
  });

  test("is cut between words, with a sign that it was", () => {
    const title = titleOf(
      "The quarterly review of the northern warehouse found that a third of all pallets were mislabelled.",
    );
    expect(title).toBe("The quarterly review of the northern warehouse found that a third of all…");
  });

  test.each([
    ["发布时间改到周五。服务器在东京机房。", "发布时间改到周五。"],
    ["リリースは金曜日です。サーバーは東京にあります。", "リリースは金曜日です。"],
    ["सर्वर दिल्ली में है। बैकअप हर रात चलता है।", "सर्वर दिल्ली में है।"],
    ["هل انتقل الخادم إلى دبي؟ نعم، انتقل يوم الجمعة.", "هل انتقل الخادم إلى دبي؟"],
    [
      "Der Vertrag gilt bis 31. Dezember und nicht länger. Danach ist er neu.",
      "Der Vertrag gilt bis 31. Dezember und nicht länger",
    ],
  ])("of '%s' ends at its first full stop", (text, expected) => {
    expect(titleOf(text)).toBe(expected);
  });

  test("of small talk alone is the small talk", () => {
    expect(titleOf("Hey Kit! Nice to meet you!")).toBe("Hey Kit!");
  });

  test.each([
    '{"a":1,"b":[2,3]}',
    "```\nx = 1\n```",
    "------------",
    "1234567890 0987654321",
    "https://example.org/a/very/long/path",
    "0x7f3a22b1c0ffee0x7f3a22b1c0ffee0x7f3a22b1c0ffee0x7f3a",
    "🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉",
    "| a | b |\n|---|---|",
  ])("of what holds no words is none: %s", (content) => {
    expect(titleOf(content)).toBeNull();
  });

  test("is short, one line, trimmed and well-formed, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: character, maxLength: 300 }), fc.lorem({ maxCount: 60 })), (content) => {
        const title = titleOf(content);
        if (title === null) return;
        expect(characterCount(title)).toBeLessThanOrEqual(TITLE_LENGTH);
        expect(title).toBe(title.trim());
        expect(title).not.toBe("");
        expect(title).not.toContain("\n");
        if (content.isWellFormed()) expect(title.isWellFormed()).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
