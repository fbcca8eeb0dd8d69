import { describe, expect, test } from "bun:test";
import { asks, speakerOf, speaksOfTime } from "../../../src/search/row-traits.ts";

describe("the speaker of a row", () => {
  test.each([
    ["Anna: I moved to Lisbon.", "anna"],
    ["Dr. Karl Lund: Take two a day.", "dr. karl lund"],
    ["Karl Lund: Take two a day.", "karl lund"],
    ["user_2: hello there", "user_2"],
    ["Zoë O'Neil: hello", "zoë o'neil"],
  ])("of '%s' is '%s'", (content, speaker) => {
    expect(speakerOf(content)).toBe(speaker);
  });

  test.each([
    "The deploy was moved to Tuesday.",
    "https://example.org: a site",
    "Remember the following four words: a, b, c, d",
    "10:30 is lunch",
    `${"x".repeat(90)}: too long for a name`,
    "Anna:no space",
  ])("is nobody in '%s'", (content) => {
    expect(speakerOf(content)).toBe("");
  });
});

describe("a row asks", () => {
  test.each(["Anna: Where were you?", "Where were you? ", 'He said "where?"', "Where? [image: a beach at noon]"])(
    "in '%s'",
    (content) => {
      expect(asks(content)).toBe(true);
    },
  );

  test.each(["Where? At home.", "I asked where.", "", "What a day!"])("nothing in '%s'", (content) => {
    expect(asks(content)).toBe(false);
  });
});

describe("a row speaks of a time", () => {
  test.each(["We met yesterday.", "Due on the 3rd.", "In 2019 it rained.", "See you next spring.", "It was MONDAY."])(
    "in '%s'",
    (content) => {
      expect(speaksOfTime(content)).toBe(true);
    },
  );

  test.each(["April: Hello.", "The weekly standards.", "Room 20193.", "Anna likes tea."])(
    "but not in '%s'",
    (content) => {
      expect(speaksOfTime(content)).toBe(false);
    },
  );
});

test("a long row without an end is read in no time", () => {
  const started = performance.now();
  const rows = ["a ", "a.", "[", "?", "(1"].map((unit) => unit.repeat(5_000));
  for (const read of [speakerOf, asks, speaksOfTime]) for (const row of rows) read(row);
  expect(performance.now() - started).toBeLessThan(1_000);
});
