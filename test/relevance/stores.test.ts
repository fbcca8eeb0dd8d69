import { expect, test } from "bun:test";
import { PROMPTS, STORES } from "./stores.ts";

test.each(STORES.map((one) => [one.store.name, one] as const))(
  "the store %s names notes in their order, and no pair twice",
  (_, { store, retirements: { pairs, traps } }) => {
    const refs = store.memories.map(({ ref }) => ref);
    expect(new Set(store.memories.map(({ text }) => text)).size).toBe(refs.length);
    const times = store.memories.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
    const named = [...pairs, ...traps];
    for (const { older, newer } of named) {
      expect(refs).toEqual(expect.arrayContaining([older, newer]));
      expect(refs.indexOf(older)).toBeLessThan(refs.indexOf(newer));
    }
    expect(new Set(named.map(({ older, newer }) => `${older} ${newer}`)).size).toBe(named.length);
  },
);

test("the stores hold more than a hundred sure changes of whole notes, and traps enough", () => {
  const sure = STORES.flatMap(({ retirements }) => retirements.pairs).filter(
    ({ extent, sure, also }) => extent === "whole" && sure && !also,
  );
  expect(sure.length).toBeGreaterThan(100);
  expect(STORES.flatMap(({ retirements }) => retirements.traps).length).toBeGreaterThan(150);
});

test("prompts name notes of their store, and none where nothing bears on them", () => {
  const refs = new Set(STORES.flatMap(({ store }) => store.memories.map(({ ref }) => ref)));
  expect(PROMPTS.length).toBe(120);
  for (const { group, relevant, helpful, kind } of PROMPTS) {
    const named = [...relevant, ...helpful];
    expect(new Set(named).size).toBe(named.length);
    for (const ref of named) expect([refs.has(ref), ref.split("/")[0]]).toEqual([true, group]);
    if (kind === "generic" || kind === "offtopic") expect(named).toEqual([]);
  }
});
