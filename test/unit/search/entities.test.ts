import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { MatchedEntity } from "../../../src/core/ports/entity-store.ts";
import type { Hit } from "../../../src/core/ports/hits.ts";
import { entityEvidence, entityWeight, NO_ENTITIES } from "../../../src/search/entities.ts";
import { queryNames } from "../../../src/text/names/name-key.ts";
import { significantTerms } from "../../../src/text/words/terms.ts";
import { aRow } from "../../support/builders.ts";

const WORDS = ["anna", "golden", "gate"].map((word) => ({ word, weight: 5, rows: 3 }));
const TOTAL = 10_000;

const entity = (id: string, key: string, fields: Partial<MatchedEntity> = {}): MatchedEntity => ({
  id,
  entity_type: "person",
  key,
  asked: [key],
  rows: 10,
  ...fields,
});
const hitOf = (ids: readonly string[], own_words = 0): Hit => ({
  memory: aRow({ entity_links: ids.map((entity_id) => ({ entity_id, role: "mentioned" })) }),
  vec_sim: null,
  context_sim: null,
  own_words,
  near_words: 0,
  opens_run: false,
  legs: ["keyword"],
});
const names = queryNames("Anna at the Golden Gate");
const evidence = (...matched: MatchedEntity[]) => entityEvidence({ matched, related: [], total: TOTAL, names }, WORDS);
const namedIn = (hit: Hit, of = evidence(entity("a", "anna")), speaker = ""): number =>
  entityWeight(hit, speaker, of).named;

describe("what a row names of the query counts", () => {
  test("the more, the rarer it is, and nothing where everything names it", () => {
    const worth = (rows: number) => namedIn(hitOf(["a"]), evidence(entity("a", "anna", { rows })));
    expect(worth(1)).toBeGreaterThan(worth(100));
    expect(worth(100)).toBeGreaterThan(0);
    expect(worth(TOTAL / 5)).toBe(0);
  });

  test("the more, the more of it there is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 1_000 }), (count, rows) => {
        const ids = Array.from({ length: count }, (_, i) => `id ${i}`);
        const all = evidence(...ids.map((id) => entity(id, id, { rows })));
        expect(namedIn(hitOf(ids), all)).toBeGreaterThan(namedIn(hitOf(ids.slice(1)), all));
      }),
    );
  });

  test("little where the words of the name are counted already, more where they are a phrase, all under another name", () => {
    const one = evidence(entity("a", "anna"));
    const phrase = evidence(entity("a", "goldengate"));
    expect(namedIn(hitOf(["a"], 0b001), one)).toBeGreaterThan(0);
    expect(namedIn(hitOf(["a"], 0b110), phrase)).toBeGreaterThan(namedIn(hitOf(["a"], 0b001), one));
    expect(namedIn(hitOf(["a"], 0b010), phrase)).toBeGreaterThan(namedIn(hitOf(["a"], 0b110), phrase));
    expect(namedIn(hitOf(["a"]), one)).toBeGreaterThan(namedIn(hitOf(["a"], 0b110), phrase));
  });

  test.each([
    ["Martha on art", "martha", 0b01],
    ["Art of O'Brien", "obrien", 0b110],
    ["Project Atlas project", "atlas", 0b10],
    ["A plan in C++", "c++", 0b10],
  ])("in %s, by the words that name %s", (query, key, bits) => {
    const words = significantTerms(query).map((word) => ({ word, weight: 5, rows: 3 }));
    const matched = [entity("a", key)];
    const of = entityEvidence({ matched, related: [], total: TOTAL, names: queryNames(query) }, words);
    expect(of.named.get("a")?.words).toBe(bits);
  });

  test("not when it only says who speaks", () => {
    expect(namedIn(hitOf(["a"]), evidence(entity("a", "anna")), "anna")).toBe(0);
    expect(namedIn(hitOf(["a"]), evidence(entity("a", "anna")), "bob")).toBeGreaterThan(0);
  });

  test("not when it is something else, or the query names nothing", () => {
    expect(namedIn(hitOf(["b"]))).toBe(0);
    expect(namedIn(hitOf(["a"]), NO_ENTITIES)).toBe(0);
  });
});

test("what is related counts by how close it is, once, and not where it is named itself", () => {
  const related = [
    { id: "near", of: "a", weight: 1 },
    { id: "far", of: "a", weight: 0.5 },
    { id: "b", of: "a", weight: 1 },
  ];
  const matched = [entity("a", "anna"), entity("b", "bob")];
  const of = entityEvidence({ matched, related, total: TOTAL, names }, WORDS);
  const worth = (...ids: string[]) => entityWeight(hitOf(ids), "", of).related;
  expect(worth("near")).toBeGreaterThan(worth("far"));
  expect(worth("near", "far")).toBe(worth("near"));
  expect(worth("far")).toBeGreaterThan(0);
  expect(worth("b")).toBe(0);
  expect(worth("a")).toBe(0);
});
