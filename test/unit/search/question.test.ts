import { describe, expect, test } from "bun:test";
import { readQuestion } from "../../../src/search/question.ts";

const read = (query: string) => readQuestion(query, Date.parse("2026-06-15T12:00:00Z"));

describe("the terms of a question", () => {
  test("are its significant terms, each once, in lower case and order", () => {
    expect(read("What did Anna say about the Deploy? The DEPLOY!").terms).toEqual(["anna", "say", "deploy"]);
  });

  test("are all its words when none is telling", () => {
    expect(read("What is it?").terms).toEqual(["what", "is", "it"]);
  });

  test("are split where rows are split: at everything that is no letter or digit", () => {
    expect(read("ZX-4471 node_modules user@host.example co-op").terms).toEqual([
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
    const { terms, equals } = read("Ｚürich мир 北京");
    expect(terms.filter((term) => !equals.has(term))).toEqual(["zürich", "мир", "北京"]);
    expect([...equals.values()]).toEqual(["мир", "zürich"]);
  });

  test("are at most thirty", () => {
    const words = Array.from({ length: 50 }, (_, i) => `word${i}`);
    expect(read(words.join(" ")).terms).toEqual(words.slice(0, 30));
  });

  test("of punctuation alone are none", () => {
    expect(read("?!… --").terms).toEqual([]);
  });
});

describe("a question asks for a time", () => {
  test.each(["When did it break?", "On which day is the fair?", "What time is lunch?", "How long did it take?"])(
    "when it says '%s'",
    (query) => {
      expect(read(query).asks_when).toBe(true);
    },
  );

  test.each(["Where is Anna?", "whenever it rains", "What did the timekeeper say?"])(
    "but not when it says '%s'",
    (query) => {
      expect(read(query).asks_when).toBe(false);
    },
  );
});

describe("a question asks for what is new", () => {
  test.each(["the latest release", "Catch me up on billing", "What's new?", "Show my recent decisions"])(
    "when it says '%s'",
    (query) => {
      expect(read(query).asks_recent).toBe(1);
    },
  );

  test("less when it only says that something was of late", () => {
    expect(read("What did Anna paint recently?").asks_recent).toBeWithin(0.1, 0.9);
  });

  test.each(["What happened recently in March?", "Where is Anna?", "the recentering of the map"])(
    "but not when it names a time, or says '%s'",
    (query) => {
      expect(read(query).asks_recent).toBe(0);
    },
  );
});
