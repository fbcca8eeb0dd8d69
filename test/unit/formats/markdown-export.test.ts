import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { TransferRecord } from "../../../src/core/schema/keeping/transfer.ts";
import { MARKDOWN_LAYOUTS } from "../../../src/formats/markdown/write.ts";
import type { ReadRecord } from "../../../src/formats/reader.ts";
import { readBack, written } from "./exported.ts";
import type { Memory } from "./support.ts";

/** Only against a hang: nothing here is about time. */
setDefaultTimeout(60_000);

/** As the server stores it: null is the same as nothing, but where nothing would be inferred. */
const stored = (record: ReadRecord): unknown =>
  JSON.parse(
    JSON.stringify(TransferRecord.parse(record), (key, value) =>
      value === null && !["title", "ts_valid_start", "ts_valid_end"].includes(key) ? undefined : value,
    ),
  );
const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

const uuid = fc.uuid();
const instant = fc
  .date({ min: new Date("1990-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const optional = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
/** Lines that a file has a meaning for, and that YAML and HTML have one for. */
const awkward = fc.constantFrom(
  "---",
  "...",
  "## A heading",
  "\\## escaped",
  "\\\\## twice",
  "# Title",
  "<!-- cairn",
  "-->",
  "\\<!-- cairn",
  "<!-- x",
  "```",
  "```json",
  "~~~",
  "cairn: 1",
  "id: x",
  "- item",
  "",
  "  indented  ",
  "a: b: c",
  "{{x}}",
  "+++",
  "\u2028",
  "\r",
  "\t",
  "%%",
);
const line = fc.oneof(
  { weight: 2, arbitrary: awkward },
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const wellFormed = (text: string): string => text.replaceAll("\0", "").toWellFormed();
const text = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => wellFormed(lines.join("\n")));
const content = text.map((one) => `${one} and ten characters`.trim());
const contentFirst = text.map((one) => `ten characters and ${one}`.trim());
const name = fc
  .oneof(fc.constantFrom("payments", "Payments", "con", "a/b", "memories", "without-project", "..", "日本"), text)
  .map((one) => one.slice(0, 100).toWellFormed().trim() || "x");
const json = fc
  .dictionary(
    fc.string({ unit: "grapheme", maxLength: 12 }).filter((key) => key !== "__proto__"),
    fc.jsonValue(),
    { maxKeys: 4, noNullPrototype: true },
  )
  .map((value): Record<string, unknown> => JSON.parse(JSON.stringify(value)));

const memory: fc.Arbitrary<Memory> = fc
  .record({
    id: uuid,
    content: fc.oneof(content, contentFirst),
    title: fc.option(text, { nil: null }),
    memory_type: fc.constantFrom("fact", "decision", "rule"),
    weight: fc.constantFrom(0, 0.1, 0.85, 1),
    agent_id: name,
    fleet_id: fc.option(name, { nil: null }),
    visibility: fc.constantFrom("scope_team", "scope_agent", "scope_org"),
    source_uri: optional(text),
    run_id: optional(name),
    metadata: fc.oneof(
      json,
      fc.array(text.map((one) => one.slice(0, 40).toWellFormed())).map((tags) => ({ tags })),
      fc.constant(null),
    ),
    system_metadata: optional(json),
    entity_links: optional(fc.array(fc.record({ entity_id: uuid, role: fc.constant("subject") }), { maxLength: 2 })),
    created_at: instant,
    expires_at: fc.option(instant, { nil: null }),
    predicate: optional(text),
    object_value: optional(text),
    ts_valid_start: fc.option(instant, { nil: null }),
    ts_valid_end: fc.option(instant, { nil: null }),
    status: fc.constantFrom("active", "outdated", "archived"),
    recall_count: fc.integer({ min: 1, max: 1_000 }),
    supersedes_id: optional(uuid),
    checked_at: optional(instant),
  })
  .map((one) => JSON.parse(JSON.stringify(one)));

const document: fc.Arbitrary<ReadRecord> = fc
  .record({
    record: fc.constantFrom("document", "keystone", "skill"),
    fleet_id: optional(name),
    collection: name,
    doc_id: name,
    data: fc.oneof(
      json,
      fc.record({ title: text, content: text }),
      fc.record({ content: text.map((one) => one.trim()), weight: fc.nat() }),
    ),
    created_at: instant,
    updated_at: instant,
  })
  .map((one) => JSON.parse(JSON.stringify(one)));

const withRecord = (one: object): Memory => ({ ...one, record: "memory" }) as Memory;

describe.each(MARKDOWN_LAYOUTS)("one file a %s:", (layout) => {
  test("memories are read back as they were, oldest first", async () => {
    const some = fc.uniqueArray(memory, { maxLength: 6, selector: ({ id }) => id });
    await fc.assert(
      fc.asyncProperty(some, async (made) => {
        const memories = made.map(withRecord);
        const back = await readBack(await written(memories, layout));
        expect(back.map(stored).sort(byText)).toEqual(memories.map(stored).sort(byText));
        const times = back.map((record) => ("created_at" in record ? (record.created_at ?? "") : ""));
        expect(times).toEqual([...times].sort());
      }),
      { numRuns: 300 },
    );
  });

  test("a name of several lines is read back, one of them a blank alone", async () => {
    const agent_id = "The team\n---\nof the whole of the harbour\n \n---\n\n# Title";
    const one = {
      id: crypto.randomUUID(),
      content: "Ships dock on Monday.",
      agent_id,
      created_at: "2026-01-01T00:00:00.000Z",
    };
    const [back] = await readBack(await written([withRecord(one)], layout));
    expect(back).toMatchObject({ agent_id });
  });

  test("documents, rules and skills are read back as they were", async () => {
    const some = fc.uniqueArray(document, { maxLength: 5, selector: (one) => JSON.stringify(one).length });
    await fc.assert(
      fc.asyncProperty(some, async (documents) => {
        const back = await readBack(await written(documents, layout));
        expect(back.map(stored).sort(byText)).toEqual(documents.map(stored).sort(byText));
      }),
      { numRuns: 200 },
    );
  });
});
