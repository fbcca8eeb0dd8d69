import { describe, expect, test } from "bun:test";
import type { WeighedWord } from "../../../src/core/ports/hits.ts";
import { readQuestion } from "../../../src/search/question.ts";
import { decisiveWords } from "../../../src/search/words/decisive.ts";
import { asAsked } from "../../../src/search/words/equals.ts";
import { isForm } from "../../../src/text/words/letters.ts";

/** Those of some rows that a query must mean, by the words that storage would tell it of. */
function found(query: string, contents: readonly string[]) {
  const question = readQuestion(query, 0);
  const held = (content: string, word: string) => content.toLowerCase().split(/\W+/).includes(word);
  const counted = question.terms.map((word): WeighedWord => {
    const rows = contents.filter((content) => held(content, word)).length;
    return { word, rows, weight: rows === 0 ? 0 : 7 - rows };
  });
  const { words } = asAsked({ words: counted, hits: [] }, question);
  const decisive = decisiveWords(words, question);
  const bitsIn = (content: string) =>
    words.reduce((bits, { word }, i) => (held(content, word) ? bits | (1 << i) : bits), 0);
  return decisive === 0 ? [] : contents.filter((content) => (bitsIn(content) & decisive) === decisive);
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
    expect(found(query, [...others, meant])).toEqual([meant]);
  });

  test("by an ordinary word in a short question", () => {
    expect(found("what was the factor", ["The factor is 3.", "The house is old."])).toEqual(["The factor is 3."]);
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
    expect(found(query, contents)).toEqual([]);
  });
});

test.each([
  ["Zorveken", false, "tells no language"],
  ["wo sind die Zorveken", true, "is in German"],
])("a row that holds but a form is meant by %p: %p, as it %s", (query, isMeant) => {
  const question = readQuestion(query, 0);
  const counted = question.terms.map(
    (word): WeighedWord => (isForm(word) ? { word, rows: 1, weight: 6 } : { word, rows: 0, weight: 0 }),
  );
  const { words } = asAsked({ words: counted, hits: [] }, question);
  expect(decisiveWords(words, question) !== 0).toBe(isMeant);
});
