import { expect, test } from "bun:test";
import { deduplicate } from "../../../src/search/deduplicate.ts";
import type { RankedHit } from "../../../src/search/rank.ts";

// Safe: what leaves out doubles looks at these members alone.
const hit = (id: string, content: string, created_at: number): RankedHit =>
  ({ hit: { memory: { id, content, created_at } } }) as unknown as RankedHit;
const idsOf = (hits: readonly RankedHit[]) => hits.map(({ hit: { memory } }) => memory.id);

test("of hits that say the same, word for word, the newest is kept, wherever it stands", () => {
  const found = [
    hit("a", "Tea.", 1),
    hit("b", "Milk.", 5),
    hit("c", "Tea.", 3),
    hit("d", "Tea.", 2),
    hit("e", "tea.", 1),
  ];
  const { hits, sameAs } = deduplicate(found);
  expect(idsOf(hits)).toEqual(["b", "c", "e"]);
  expect([...sameAs]).toEqual([
    ["a", "c"],
    ["d", "c"],
  ]);
});

test("of two of one moment it is the later id, in either order", () => {
  const [one, other] = [hit("a", "Tea.", 1), hit("b", "Tea.", 1)];
  for (const found of [
    [one, other],
    [other, one],
  ]) {
    const { hits, sameAs } = deduplicate(found);
    expect([idsOf(hits), [...sameAs]]).toEqual([["b"], [["a", "b"]]]);
  }
});

test("where none says what another does, all are kept", () => {
  const found = [hit("a", "Tea.", 1), hit("b", "Milk.", 1)];
  const { hits, sameAs } = deduplicate(found);
  expect([hits, [...sameAs]]).toEqual([found, []]);
});
