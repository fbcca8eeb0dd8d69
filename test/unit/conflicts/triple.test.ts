import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { manyValuedPredicates, relateTriples, statedClaim } from "../../../src/conflicts/triple.ts";

const SUBJECT = "5f0c8a52-3c0f-4f57-9a51-6f6a4f4f0001";
const manyValued = manyValuedPredicates(["sponsored by"]);
const at_ms = Date.UTC(2026, 2, 4, 9);
const stated = (object_value: string | null, predicate: string | null = "value", subject = SUBJECT) => ({
  subject_entity_id: subject,
  predicate,
  object_value,
});
const relate = (one: ReturnType<typeof stated>, other: ReturnType<typeof stated>) =>
  relateTriples({ memory: one, at_ms }, { memory: other, at_ms }, manyValued);

describe("two objects of one attribute are the same", () => {
  test.each([
    ["Paris", "paris"],
    ["  Paris. ", "Paris"],
    ["the cellar", "cellar"],
    ["Braga, Portugal", "Braga"],
    ["true", "yes"],
    ["off", "disabled"],
    ["90 minutes", "1.5 hours"],
    ["1,500 euros", "€1500"],
    ["2 GB", "2048 MB"],
    ["4 March 2026", "2026-03-04"],
    ["today", "4 March 2026"],
    ["3 pm", "15:00"],
    ["every two weeks", "fortnightly"],
    ["v2.4.0", "v2.4"],
    ["twelve", "12"],
    ["25 %", "25%"],
    ["12 nodes", "twelve nodes"],
    ["84k users", "84,000 users"],
    ["about 5 GB", "5 GB"],
    ["at 3 pm", "15:00"],
    ["6 km", "5-7 km"],
    ["ﬁve", "five"],
  ])("%s and %s", (one, other) => {
    expect(relate(stated(one), stated(other))).toBe("same");
    expect(relate(stated(other), stated(one))).toBe("same");
  });
});

describe("two objects of one attribute clash", () => {
  test.each([
    ["Paris", "Berlin"],
    ["eu-west-1", "us-east-2"],
    ["90 minutes", "2 hours"],
    ["$1500", "€1500"],
    ["4 March 2026", "5 March 2026"],
    ["v2.4", "v2.5"],
    ["8080", "9090"],
    ["yes", "no"],
    ["Anna", "Anna-Lena"],
    ["Postgres", "MySQL"],
    ["10.0.0.1", "10.0.0.2"],
    ["+49 30 1234", "+49 30 1235"],
    ["", "Paris"],
    ["12345678", "12345679"],
    ["$1,250,000", "$1,250,004"],
    ["02:00", "14:00"],
    ["1 km", "5-7 km"],
    ["half past twelve pm", "half past twelve am"],
    ["123456789012345678", "123456789012345679"],
    ["007", "7"],
  ])("%s and %s", (one, other) => {
    expect(relate(stated(one), stated(other))).toBe("clash");
    expect(relate(stated(other), stated(one))).toBe("clash");
  });
});

test("a predicate is the same however it is written", () => {
  for (const name of ["lives in", "Lives_In", "lives-in", "livesIn", " lives  in "])
    expect(relate(stated("Paris", name), stated("Berlin", "lives_in"))).toBe("clash");
  expect(relate(stated("10.0.0.1", "IPAddress"), stated("10.0.0.2", "ip_address"))).toBe("clash");
  expect(relate(stated("80", "HTTPPort"), stated("81", "http_port"))).toBe("clash");
});

test("of a predicate that holds several values no two clash, whether it is known or named by the setting", () => {
  for (const name of ["speaks", "Speaks", "member of", "likes", "sponsored_by", "Sponsored By"])
    expect(relate(stated("a", name), stated("b", name))).toBe("same");
});

test("other predicates, and triples of which a part is missing, are not compared; other subjects are others", () => {
  expect(relate(stated("a", "owner"), stated("b", "region"))).toBe("unrelated");
  expect(relate(stated(null), stated("b"))).toBe("unrelated");
  expect(relate(stated("a", null), stated("b"))).toBe("unrelated");
  expect(relate(stated("a"), { ...stated("b"), subject_entity_id: null as never })).toBe("unrelated");
  expect(relate(stated("a"), stated("b", "value", "5f0c8a52-3c0f-4f57-9a51-6f6a4f4f0002"))).toBe("other_subject");
  expect(statedClaim(stated("a", "  "))).toBeNull();
});

test("a day that is told from another moment is another day", () => {
  const at = (object: string, day: number) => ({ memory: stated(object), at_ms: Date.UTC(2026, 2, day, 9) });
  expect(relateTriples(at("tomorrow", 1), at("2026-03-02", 5), manyValued)).toBe("same");
  expect(relateTriples(at("tomorrow", 1), at("tomorrow", 8), manyValued)).toBe("clash");
});

test("no object clashes with itself, whatever it holds, and the order of two makes no difference", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 80 }),
      fc.string({ unit: "grapheme", maxLength: 80 }),
      (one, other) => {
        expect(relate(stated(one), stated(one))).toBe("same");
        expect(relate(stated(one), stated(other))).toBe(relate(stated(other), stated(one)));
      },
    ),
  );
});
