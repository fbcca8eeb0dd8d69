import { describe, expect, test } from "bun:test";
import { nameKey, queryNames } from "../../../src/text/names/name-key.ts";

describe("two ways to write a name have one key", () => {
  test.each([
    ["Anna Keller", "anna keller"],
    ["the Blue Lagoon", "Blue Lagoon's"],
    ["Café Müller", "cafe muller"],
    ["Red Hat", "RedHat"],
    ["Coca-Cola", "Coca Cola"],
    ["Dr. Smith", "Smith"],
    ["Acme Corp.", "Acme Corporation"],
    ["Acme", "ACME Inc"],
    ["Project Falcon", "the Falcon project"],
    ["v2.3.1", "2.3.1"],
    ["O’Brien", "O'Brien"],
    ["ABC-123", "abc 123"],
  ])("%s and %s", (a, b) => expect(nameKey(a)).toBe(nameKey(b)));
});

describe("different names have different keys", () => {
  test.each([
    ["C", "C++"],
    ["C++", "C#"],
    ["1.12", "11.2"],
    ["ABC-123", "ABC-12"],
    ["PR #12", "#12"],
    ["Anna Keller", "Anna"],
    ["The", ""],
  ])("%s and %s", (a, b) => expect(nameKey(a)).not.toBe(nameKey(b)));
});

test("a text without letters and digits has an empty key", () => {
  expect(["", "...", "\u{1F600}"].map(nameKey)).toEqual(["", "", ""]);
});

test("a query may hold each of its words and phrases as a name, none that begins or ends with a stop word", () => {
  const keys = [...queryNames("What did Anna Keller say about the Bank of America?").keys()];
  expect(keys).toContain("anna");
  expect(keys).toContain("annakeller");
  expect(keys).toContain("bankofamerica");
  expect(keys).not.toContain("what");
  expect(keys).not.toContain("thebank");
  expect(keys).not.toContain("of");
});

test("a query of any length has a bounded number of keys", () => {
  const words = Array.from({ length: 2_000 }, (_, i) => `word${i}`);
  expect(queryNames(words.join(" ")).size).toBeLessThan(400);
});

test("a query without spaces may hold any letters that stand together as a name, and what stands beside them", () => {
  const names = queryNames("Redisと田中太郎の予定");
  expect(names.get(nameKey("田中太郎"))).toEqual(["田中太郎"]);
  expect([...names.keys()]).toContain("redis");
  expect([...names.keys()]).not.toContain("田");
  expect(queryNames("田中太郎".repeat(500)).size).toBeLessThan(800);
});
