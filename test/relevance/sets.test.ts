import { describe, expect, test } from "bun:test";
import { NEWCOMERS, WORLDS } from "./sets.ts";

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
