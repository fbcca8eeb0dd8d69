import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/core/kernel/json.ts";
import { canonicalJson, findJsonFault, isJsonObject, mergeTop } from "../../src/core/kernel/json.ts";
import { nastyJson } from "./nasty.ts";

/** Only against a hang: nothing here is about time. */
setDefaultTimeout(60_000);

/** Values as they come out of JSON.parse, but for -0: JSON.stringify writes it as 0. */
const value = fc.jsonValue({ noUnicodeString: false }).map((json): JsonValue => JSON.parse(JSON.stringify(json)));
const object = fc.dictionary(fc.string(), value, { noNullPrototype: true }).map((json): JsonObject => ({ ...json }));

/** The same value with the keys of every object in another order. */
function shuffled(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(shuffled);
  if (!isJsonObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json)
      .reverse()
      .map(([key, member]) => [key, shuffled(member)]),
  );
}

test("canonical text reads back as the value it was made from", () => {
  fc.assert(fc.property(value, (json) => expect(JSON.parse(canonicalJson(json))).toEqual(json)));
});

test("the order of keys changes nothing in canonical text", () => {
  fc.assert(fc.property(value, (json) => expect(canonicalJson(shuffled(json))).toBe(canonicalJson(json))));
});

test("values that differ have canonical texts that differ", () => {
  fc.assert(
    fc.property(value, value, (one, other) => {
      expect(canonicalJson(one) === canonicalJson(other)).toBe(Bun.deepEquals(one, other, true));
    }),
  );
});

test("a merge takes each key from the patch, else from the base", () => {
  fc.assert(
    fc.property(object, object, (base, patch) => {
      const merged = mergeTop(base, patch);
      expect(Object.keys(merged).sort()).toEqual([...new Set([...Object.keys(base), ...Object.keys(patch)])].sort());
      for (const key of Object.keys(merged)) {
        expect(merged[key]).toEqual(Object.hasOwn(patch, key) ? patch[key] : base[key]);
      }
    }),
  );
});

test("merging twice, or an empty patch, changes nothing more", () => {
  fc.assert(
    fc.property(object, object, (base, patch) => {
      const merged = mergeTop(base, patch);
      expect(mergeTop(merged, patch)).toEqual(merged);
      expect(mergeTop(base, {})).toEqual(base);
      expect(mergeTop(null, patch)).toEqual(patch);
    }),
  );
});

test("patches of distinct keys may come in any order", () => {
  fc.assert(
    fc.property(object, object, object, (base, one, other) => {
      const distinct = Object.fromEntries(Object.entries(other).filter(([key]) => !Object.hasOwn(one, key)));
      expect(mergeTop(mergeTop(base, one), distinct)).toEqual(mergeTop(mergeTop(base, distinct), one));
    }),
  );
});

test("what passes the check of a body is stored and read back unchanged", () => {
  const anything = fc.oneof(
    value,
    nastyJson.map((text): JsonValue => JSON.parse(text)),
  );
  fc.assert(
    fc.property(anything, fc.constantFrom(0, 1, 2, 3, 64), (json, maxDepth) => {
      const fault = findJsonFault(json, maxDepth);
      expect(fault !== null).toBe(depthOf(json) > maxDepth || holdsTrouble(json));
      if (fault !== null) return;
      const readBack: JsonValue = JSON.parse(Buffer.from(JSON.stringify(json)).toString());
      expect(canonicalJson(readBack)).toBe(canonicalJson(json)); // As text: JSON has no -0.
    }),
    { numRuns: 500 },
  );
});

const isNested = (json: JsonValue): json is JsonValue[] | JsonObject => typeof json === "object" && json !== null;
const membersOf = (json: JsonValue): readonly JsonValue[] => (isNested(json) ? Object.values(json) : []);

/** Levels of objects and arrays around the deepest value. */
const depthOf = (json: JsonValue): number => (isNested(json) ? 1 + Math.max(0, ...membersOf(json).map(depthOf)) : 0);

/** Anything that UTF-8, JSON or an object of JavaScript cannot carry as it is. */
function holdsTrouble(json: JsonValue): boolean {
  const keys = isJsonObject(json) ? Object.keys(json) : [];
  const texts = typeof json === "string" ? [json] : keys;
  return (
    keys.includes("__proto__") ||
    texts.some((text) => text.includes("\0") || !text.isWellFormed()) ||
    (typeof json === "number" && !Number.isFinite(json)) ||
    membersOf(json).some(holdsTrouble)
  );
}
