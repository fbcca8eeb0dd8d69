import fc from "fast-check";
import type { JsonSchema, Named } from "../../src/http/openapi/schemas.ts";
import { resolve } from "../../src/http/openapi/schemas.ts";

/** Half of surrogate pairs included: any sequence of UTF-16 units a program can hold. */
const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 24 })
  .map((units) => String.fromCharCode(...units));

const KNOWN_TROUBLE = [
  "",
  " ",
  "\0",
  "before\0after",
  "\ud800",
  "low alone \udfff",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "undefined",
  "NaN",
  "-1",
  "1e999",
  "0x10",
  "9".repeat(400),
  "٣",
  "💥🧠 مرحبا 你好",
  "\u202e\u200b\ufeff",
  "' OR 1=1; --",
  '"); drop table memories',
  "AND OR NOT NEAR(a b, 3) * ^ : - ' ( )",
  "../../etc/passwd",
  "%00%2F%zz",
  "2026-02-30T25:61:61Z",
  "0000-00-00",
  "9999-12-31T23:59:59-23:59",
  "mc_0000000000000000000000000000000000000000000",
];

/** Texts that programs stumble over. */
export const nastyText = fc.oneof(
  fc.constantFrom(...KNOWN_TROUBLE),
  fc.string({ unit: "binary", maxLength: 40 }),
  anyUnits,
  fc.integer({ min: 100, max: 20_000 }).map((length) => "x".repeat(length)),
);

const nasty = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(
      "null",
      "true",
      "false",
      "-1",
      "-0",
      "0.5",
      "1e999",
      "-1e999",
      "1E400",
      "2e-999",
      `1${"0".repeat(40)}`,
    ),
    nastyText.map((text) => JSON.stringify(text)),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
    tie("object"),
  ),
  object: fc
    .array(fc.tuple(fc.oneof(nastyText, fc.constantFrom("a", "__proto__", "tenant_id", "metadata")), tie("value")), {
      maxLength: 4,
    })
    .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`),
}));

const nested = fc
  .tuple(fc.integer({ min: 60, max: 5_000 }), fc.constantFrom(["[", "]"], ['{"a":', "}"], ['[{"__proto__":', "}]"]))
  .map(([depth, [open = "", close = ""]]) => `${open.repeat(depth)}1${close.repeat(depth)}`);

/** The text of a JSON value of any kind: wrong types, numbers beyond doubles, deep nesting, reserved keys. */
export const nastyJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: nasty.value },
  { weight: 1, arbitrary: nested },
);

/** JSON texts that fit a schema well enough to pass it, most of the time. */
export function fitting(schema: JsonSchema, nouns: Named<JsonSchema>, depth = 0): fc.Arbitrary<string> {
  const { anyOf, enum: values, const: only, type, items, properties, required = [] } = resolve(schema, nouns);
  if (only !== undefined) return fc.constant(JSON.stringify(only));
  if (values) return fc.constantFrom(...values.map((value) => JSON.stringify(value)));
  if (anyOf) {
    const options = anyOf.map((option) => (isSchema(option) ? fitting(option, nouns, depth) : nasty.value));
    return fc.oneof(...options);
  }
  if (type === "array" && isSchema(items) && depth < 3) {
    const item = fitting(items, nouns, depth + 1);
    return fc.array(item, { minLength: 1, maxLength: 3 }).map((texts) => `[${texts.join(",")}]`);
  }
  if (type === "object" && properties) return fittingObject(fittingMembers(properties, nouns, depth), required);
  return fc.constantFrom(...scalars(resolve(schema, nouns)));
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null;

export type Properties = NonNullable<JsonSchema["properties"]>;

/** The text of an object with all required members and some of the others. */
export function fittingObject(
  members: Readonly<Record<string, fc.Arbitrary<string>>>,
  required: readonly string[],
): fc.Arbitrary<string> {
  const all = Object.entries(members).map(([name, value]) => {
    const member = value.map((text) => [memberText(name, text)]);
    return required.includes(name)
      ? member
      : fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: member });
  });
  return fc.tuple(...all).map((texts) => `{${texts.flat().join(",")}}`);
}

const memberText = (name: string, json: string): string => `${JSON.stringify(name)}:${json}`;

/** The object with one more member, which comes last and so replaces one of the same name. */
export const withMember = (object: string, name: string, json: string): string =>
  `${object.slice(0, -1)}${object === "{}" ? "" : ","}${memberText(name, json)}}`;

/** One arbitrary a property. The tenant is the one of a standalone server, or nothing else would ever be reached. */
export function fittingMembers(
  properties: Properties,
  nouns: Named<JsonSchema>,
  depth = 0,
): Record<string, fc.Arbitrary<string>> {
  const fits = (name: string, schema: JsonSchema): fc.Arbitrary<string> => {
    if (name === "tenant_id") return fc.constant('"default"');
    if (name === "items")
      return fc.array(bulkItem(nouns), { minLength: 1, maxLength: 3 }).map((all) => `[${all.join(",")}]`);
    return fitting(schema, nouns, depth + 1);
  };
  const members = Object.entries(properties).map(([name, schema]): [string, fc.Arbitrary<string>] => [
    name,
    fits(name, isSchema(schema) ? schema : {}),
  ]);
  return Object.fromEntries(members);
}

/** The items of a bulk write are checked one by one, so its schema does not tell what they look like: like single writes. */
function bulkItem(nouns: Named<JsonSchema>): fc.Arbitrary<string> {
  const members = fittingMembers(nouns.MemoryWrite?.properties ?? {}, nouns, 1);
  const whole = fittingObject(members, ["content"]);
  const fault = fc.tuple(fc.constantFrom(...Object.keys(members), "__proto__", "unheard_of"), nasty.value);
  return fc.oneof(
    whole,
    fc.tuple(whole, fault).map(([text, [name, json]]) => withMember(text, name, json)),
  );
}

/** Words for any text field: the last one also fits where only slugs do. */
export const WORDS = ["some text of a length that fits", "other text of a length that fits", "some-slug"] as const;

function scalars({ type, format, pattern, minLength = 0 }: JsonSchema): string[] {
  if (type === "integer") return ["1", "2", "7"];
  if (type === "number") return ["0", "0.25", "1"];
  if (type === "boolean") return ["true", "false"];
  if (type === "null") return ["null"];
  if (type === "object") return ["{}", '{"a":1}', '{"summary":"what it is about"}'];
  if (format === "uuid") return ['"0193e7a0-0000-7000-8000-000000000000"'];
  if (format === "date-time") return ['"2026-01-02T03:04:05Z"', '"2026-01-02"'];
  const fit = WORDS.map((word) => word.padEnd(minLength, ".")).filter((word) => new RegExp(pattern ?? "").test(word));
  return (fit.length > 0 ? fit : [""]).map((word) => JSON.stringify(word));
}

/** Bytes that are no text: broken UTF-8 of every kind, alone or inside something valid. */
const brokenUtf8 = fc.constantFrom([0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]);

/** What may be put on the wire in place of a JSON text: cut short, doubled, empty, or not text at all. */
export function mangled(json: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const bytes = json.map((text) => new TextEncoder().encode(text));
  return fc.oneof(
    fc.tuple(bytes, fc.double({ min: 0, max: 1, noNaN: true })).map(([all, index]) => all.slice(0, index * all.length)),
    fc
      .tuple(bytes, brokenUtf8)
      .map(([all, broken]) =>
        Uint8Array.from([...all.slice(0, all.length / 2), ...broken, ...all.slice(all.length / 2)]),
      ),
    bytes.map((all) => Uint8Array.from([...all, ...all])),
    fc.uint8Array({ maxLength: 30 }).map((all) => Uint8Array.from(all)),
    fc
      .constantFrom("", "   ", "\ufeff", "{", "nul", "{'a':1}", '{"a":1,}', "NaN")
      .map((text) => new TextEncoder().encode(text)),
  );
}
