import { describe, expect, test } from "bun:test";
import { readJson, withoutReasoning } from "../../../../src/text/llm/read-answer.ts";

describe("an answer", () => {
  test.each([
    ["Tuesday.", "Tuesday."],
    ["  Tuesday.\n", "Tuesday."],
    ["<think>Monday?\nNo.</think>\n\nTuesday.", "Tuesday."],
    ["<thinking>Monday?</thinking>Tuesday.", "Tuesday."],
    ["<think>Monday? No, it was", ""],
    ["Write <think>so</think> in HTML.", "Write <think>so</think> in HTML."],
  ])("of %j is %j", (text, expected) => {
    expect(withoutReasoning(text)).toBe(expected);
  });
});

describe("JSON", () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    [' {"a":1}\n', { a: 1 }],
    ['```json\n{"a":1}\n```', { a: 1 }],
    ['```\n{"a":1}```', { a: 1 }],
    ['<think>{"a":2}</think>{"a":1}', { a: 1 }],
  ])("of %j is read", (text, expected) => {
    expect(readJson(text)).toEqual(expected);
  });

  test.each(["", "{", 'Here you are: {"a":1}', '{"a":1} I hope this helps.', "```json\n{}\n```\n```json\n{}\n```"])(
    "is not guessed from %j",
    (text) => {
      expect(readJson(text)).toBeUndefined();
    },
  );
});
