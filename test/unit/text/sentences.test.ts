import { describe, expect, test } from "bun:test";
import { splitSentences } from "../../../src/text/words/sentences.ts";

describe("a text is split", () => {
  test("into its sentences, in order", () => {
    expect(splitSentences("The deploy failed. Anna rolled it back! Was it the disk?")).toEqual([
      "The deploy failed.",
      "Anna rolled it back!",
      "Was it the disk?",
    ]);
  });

  test("at line breaks as well", () => {
    expect(splitSentences("First line of a list\n\nSecond line of a list")).toEqual([
      "First line of a list",
      "Second line of a list",
    ]);
  });

  test("but not inside numbers", () => {
    expect(splitSentences("Version 2.27.0 costs 3.50 euros a month.")).toHaveLength(1);
  });

  test("and short fragments join the sentence before", () => {
    expect(splitSentences("The release is on Tuesday. Really. Yes!")).toEqual([
      "The release is on Tuesday. Really. Yes!",
    ]);
  });

  test("without losing a word", () => {
    const text = "One. Two three four five! Six?\nSeven… eight nine ten eleven twelve.";
    const words = (value: string) => value.match(/[\p{L}\d]+/gu);
    expect(words(splitSentences(text).join(" "))).toEqual(words(text));
  });

  test("and nothing comes of nothing", () => {
    expect(splitSentences("")).toEqual([]);
    expect(splitSentences(" \n\n ")).toEqual([]);
    expect(splitSentences("Ok.")).toEqual(["Ok."]);
  });
});
