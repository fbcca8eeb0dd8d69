import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import type { JsonValue } from "../../src/core/kernel/json.ts";
import { measureJson } from "../../src/core/kernel/json-measure.ts";
import { inexactNumbers } from "../../src/core/kernel/json-numbers.ts";
import { JsonRecord } from "../../src/core/schema/common.ts";
import { nastyJson } from "./nasty.ts";

/** Only against a hang: nothing here is about time. */
setDefaultTimeout(60_000);

const membersOf = (json: JsonValue): readonly JsonValue[] =>
  typeof json === "object" && json !== null ? Object.values(json) : [];
const valuesOf = (json: JsonValue): number => membersOf(json).reduce((sum: number, one) => sum + valuesOf(one), 1);
const depthOf = (json: JsonValue): number =>
  typeof json === "object" && json !== null ? 1 + Math.max(0, ...membersOf(json).map(depthOf)) : 0;

const text = fc.tuple(fc.jsonValue({ noUnicodeString: false, maxDepth: 6 }), fc.constantFrom(0, 1, "\t")).map(
  // As it comes out of JSON.parse: two equal keys would count twice in the text and once in the value.
  ([json, space]) => JSON.stringify(json, null, space),
);

test("the measure of a text is that of the value which JSON.parse makes of it, however it is spaced", () => {
  fc.assert(
    fc.property(text, (json) => {
      const value: JsonValue = JSON.parse(json);
      expect(measureJson(json)).toMatchObject({ values: valuesOf(value), depth: depthOf(value) });
    }),
    { numRuns: 1_000 },
  );
});

test("a text that is no JSON is measured without harm", () => {
  const broken = fc.oneof(
    fc.string(),
    nastyJson,
    fc.tuple(text, fc.nat()).map(([json, index]) => json.slice(0, index % (json.length + 1))),
  );
  fc.assert(
    fc.property(broken, (json) => {
      expect(measureJson(json).values).toBeGreaterThanOrEqual(0);
      expect(inexactNumbers(json)).toBeArray();
    }),
    { numRuns: 1_000 },
  );
});

/** A double without an exponent. */
const PLAIN = { useGrouping: false, maximumFractionDigits: 0 } as const;

/** The value at a path, its numbers kept as they are written. */
function writtenAt(json: string, path: readonly (string | number)[]): string | undefined {
  const seen: JsonValue = JSON.parse(json.replaceAll(/-?\d+/g, (digits) => `"${digits}"`));
  const found = path.reduce<JsonValue | undefined>((at, step) => at && Reflect.get(Object(at), step), seen);
  return typeof found === "string" ? found : undefined;
}

test("a whole number is refused exactly when it would be given back as another, and told where it is", () => {
  const few = fc
    .tuple(fc.bigInt(0n, 10n ** 19n), fc.nat({ max: 280 }))
    .map(([digits, zeros]) => digits * 10n ** BigInt(zeros));
  const doubles = fc
    .double({ min: 2 ** 50, max: 1e300, noNaN: true })
    .map((one) => BigInt(one.toLocaleString("en", PLAIN)));
  const large = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n });
  const whole = fc.oneof(fc.bigInt(), large, fc.bigInt(0n, 10n ** 30n), few, doubles);
  const shape = fc.constantFrom("[#]", '{"a":#}', '{"a":[1,{"b":"x,]}","c":#}]}', '[[],{"a":{ }} , [ # ]]');
  fc.assert(
    fc.property(whole, shape, (number, where) => {
      const json = where.replace("#", String(number));
      // A double that is written without an exponent comes back as the same digits or not at all.
      const isKept = BigInt(Number(number).toLocaleString("en", PLAIN)) === number;
      const faults = inexactNumbers(json);
      expect(faults.map(({ path }) => writtenAt(json, path))).toEqual(isKept ? [] : [String(number)]);
    }),
    { numRuns: 1_000 },
  );
});

test("every number that JSON.stringify writes is kept", () => {
  const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.maxSafeInteger());
  fc.assert(fc.property(number, (one) => expect(inexactNumbers(JSON.stringify([one]))).toEqual([])));
});

test("a caller's own members are taken as they are, without a copy of them", () => {
  const json = fc.jsonValue().map((one): JsonValue => JSON.parse(JSON.stringify(one)));
  const record = fc.dictionary(fc.string(), json);
  fc.assert(fc.property(record, (one) => expect(JsonRecord.parse(one)).toBe(one)));
  const other = fc.oneof(fc.array(json), fc.string(), fc.double(), fc.boolean(), fc.constant(null));
  fc.assert(fc.property(other, (one) => expect(JsonRecord.safeParse(one).success).toBeFalse()));
});
