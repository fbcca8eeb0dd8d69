import { describe, expect, test } from "bun:test";
import { significantTerms, termsOf } from "../../src/text/words/terms.ts";
import { LANGUAGES, NEWCOMERS, TOLD, WORLDS } from "./sets.ts";

describe.each(WORLDS.map((world) => [world.name, world] as const))("the world %s", (name, world) => {
  const refs = world.memories.map(({ ref }) => ref);

  test("tells each row once, in the order of time", () => {
    expect(new Set(refs).size).toBe(refs.length);
    expect(new Set(world.memories.map(({ text }) => text)).size).toBe(refs.length);
    const times = world.memories.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
  });

  test("asks eighty questions that rows answer and twenty that none does, each once", () => {
    const questions = [...world.queries, ...world.unanswerable].map(({ query }) => query);
    expect([world.queries.length, world.unanswerable.length]).toEqual([80, 20]);
    expect(new Set(questions).size).toBe(questions.length);
    for (const { gold } of world.queries) expect(refs).toEqual(expect.arrayContaining(gold));
    for (const { group } of [...world.memories, ...world.queries, ...world.unanswerable]) expect(group).toBe(name);
  });
});

test.each(NEWCOMERS.map((newcomer) => [newcomer.name, newcomer] as const))(
  "%s asks twenty questions, each of one of the fifteen notes",
  (_, { notes, questions }) => {
    expect([notes.length, questions.length]).toEqual([15, 20]);
    expect(new Set(questions.map(({ note }) => note)).size).toBe(notes.length);
    for (const { note } of questions) expect(note).toBeLessThan(notes.length);
  },
);

describe.each(LANGUAGES.map((language) => [language]))("the hundred in %s", (language) => {
  const pairs = TOLD.map(({ [language]: pair, paraphrased }) => ({ ...pair, paraphrased }));

  test("tells each memory and asks each question once, half of them paraphrased", () => {
    expect(new Set(pairs.map(({ memory }) => memory)).size).toBe(100);
    expect(new Set(pairs.map(({ question }) => question)).size).toBe(100);
    expect(pairs.filter(({ paraphrased }) => paraphrased)).toHaveLength(50);
  });

  test("shares significant terms with a memory in a question that is no paraphrase, and only then", () => {
    for (const { memory, question, paraphrased } of pairs) {
      const words = new Set(termsOf(memory));
      const shared = significantTerms(question).filter((word) => words.has(word));
      // Japanese endings are everywhere.
      const isTold = shared.some((word) => !paraphrased || !/\p{sc=Hira}/u.test(word));
      expect({ question, paraphrased: !isTold }).toEqual({ question, paraphrased });
    }
  });
});
