import { describe, expect, test } from "bun:test";
import type { Hit, WeighedWord } from "../../../src/core/ports/hits.ts";
import { readQuestion } from "../../../src/search/question.ts";
import { decisiveHit } from "../../../src/search/words/decisive.ts";
import { aRow } from "../../support/builders.ts";

/** Hits of some rows, as storage tells them for a query of words that each of these rows holds or not. */
function found(query: string, contents: readonly string[]) {
  const question = readQuestion(query, 0);
  const held = (content: string, word: string) => content.toLowerCase().split(/\W+/).includes(word);
  const words = question.terms.map((word): WeighedWord => {
    const rows = contents.filter((content) => held(content, word)).length;
    return { word, rows, weight: rows === 0 ? 0 : 7 - rows };
  });
  const hits = contents.map(
    (content): Hit => ({
      memory: aRow({ content }),
      vec_sim: 0.5,
      secondary_sim: null,
      context_sim: null,
      own_words: words.reduce((bits, { word }, i) => (held(content, word) ? bits | (1 << i) : bits), 0),
      near_words: 0,
      opens_run: false,
      legs: ["vector"],
    }),
  );
  return decisiveHit(hits, words, question)?.memory.content ?? null;
}

describe("the row is meant", () => {
  test.each([
    ["tell me about the zorvek thing", "a word in lower case, among words that only ask"],
    ["Zorvek", "the word alone"],
    ["which plan mentions zorvek, please", "a word among others that more rows hold"],
    ["what plan does KA-5517 have", "a code whose parts other rows hold too"],
  ])("by %p: %s", (query) => {
    const meant = "The zorvek plan of KA-5517 is old.";
    const others = ["KA-9 has a plan.", "Our plan is 5517 days old.", "The report is a plan.", "Old plan, old house."];
    expect(found(query, [...others, meant])).toBe(meant);
  });

  test("by an ordinary word in a short question", () => {
    expect(found("what was the factor", ["The factor is 3.", "The house is old."])).toBe("The factor is 3.");
  });
});

describe("no row is meant", () => {
  test.each([
    ["where no row alone holds a word", "zorvek plan", ["Zorvek plan.", "Zorvek plans, the plan."]],
    ["where two rows hold one each", "zorvek or mabrin", ["Zorvek is old.", "Mabrin is new."]],
    ["where the rows lack another word", "zorvek pressure", ["Zorvek is old.", "The house is new."]],
    [
      "where the one lacks a name that the question gives",
      "does the zorvek of Anna work",
      ["Zorvek is old.", "Anna is new to work.", "Work with Anna."],
    ],
    [
      "by an ordinary word in a longer question",
      "which factor makes the house of the doctor cold",
      ["The factor of the budget.", "A cold house.", "The doctor makes a house cold.", "A doctor makes tea."],
    ],
  ])("%s", (_, query, contents) => {
    expect(found(query, contents)).toBeNull();
  });
});
