import { describe, expect, test } from "bun:test";
import { readQuestion } from "../../../src/retrieval/question.ts";

describe("the terms of a question", () => {
  test("are its telling words, each once, in lower case and order", () => {
    expect(readQuestion("What did Anna say about the Deploy? The DEPLOY!").terms).toEqual(["anna", "say", "deploy"]);
  });

  test("are all its words when none is telling", () => {
    expect(readQuestion("What is it?").terms).toEqual(["what", "is", "it"]);
  });

  test("are split where rows are split: at everything that is no letter or digit", () => {
    expect(readQuestion("ZX-4471 node_modules user@host.example co-op").terms).toEqual([
      "zx",
      "4471",
      "node",
      "modules",
      "user",
      "host",
      "example",
      "co",
      "op",
    ]);
  });

  test("are read in any script, and in one form whatever way they are written", () => {
    expect(readQuestion("Ｚürich мир 北京").terms).toEqual(["zürich", "мир", "北京"]);
  });

  test("are at most thirty", () => {
    const words = Array.from({ length: 50 }, (_, i) => `word${i}`);
    expect(readQuestion(words.join(" ")).terms).toEqual(words.slice(0, 30));
  });

  test("of punctuation alone are none", () => {
    expect(readQuestion("?!… --").terms).toEqual([]);
  });
});

describe("a question asks for a time", () => {
  test.each(["When did it break?", "On which day is the fair?", "What time is lunch?", "How long did it take?"])(
    "when it says '%s'",
    (query) => {
      expect(readQuestion(query).asks_when).toBe(true);
    },
  );

  test.each(["Where is Anna?", "whenever it rains", "What did the timekeeper say?"])(
    "but not when it says '%s'",
    (query) => {
      expect(readQuestion(query).asks_when).toBe(false);
    },
  );
});

describe("a date in a question", () => {
  test.each([
    ["the release in June", { months: [5], year: null, day: null }],
    ["June 2025", { months: [5], year: 2025, day: null }],
    ["on June 7, 2025", { months: [5], year: 2025, day: 7 }],
    ["on the 7th of June", { months: [5], day: 7 }],
    ["on 21st December 1999", { months: [11], day: 21, year: 1999 }],
    ["between March and May", { months: [2, 4], day: null }],
    ["nothing about time", { months: [], year: null, day: null }],
  ])("'%s'", (query, expected) => {
    expect(readQuestion(query)).toMatchObject(expected);
  });

  test("may is a month only where it is written as one", () => {
    expect(readQuestion("May I see the plan?").months).toEqual([4]);
    expect(readQuestion("who may see the plan?").months).toEqual([]);
  });

  test("a year is no day of the month", () => {
    expect(readQuestion("June 2025").day).toBeNull();
  });
});
