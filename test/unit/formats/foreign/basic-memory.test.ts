import { expect, test } from "bun:test";
import { basicMemory } from "../../../../src/formats/foreign/basic-memory.ts";
import { observationOf, relationOf } from "../../../../src/formats/foreign/note-items.ts";
import { CHANGED_AT, readAll, sourceOf } from "../../../support/memory-source.ts";
import { NOTE } from "./samples.ts";

const PATH = "drinks/Coffee Brewing.md";

test("observations, relations and paragraphs say what note they are from", async () => {
  const { memories, faults } = await readAll(basicMemory, sourceOf({ [PATH]: NOTE }));
  expect(faults).toEqual([]);
  expect(memories.map(({ content }) => content)).toEqual([
    "Coffee Brewing: Pour over brings out subtle flavours (tested twice)",
    "Coffee Brewing: We use 60 g of coffee a litre",
    "Coffee Brewing relates to Coffee Bean Origins",
    "Coffee Brewing is served by Ana Lima",
    "Coffee Brewing: How the beans are brewed matters more than where they come from.",
    "Coffee Brewing, Observations: - [ ] buy filters\n- plain item without a category",
    "Coffee Brewing, Relations: - works best with [[Filters]] and hot water",
    "Coffee Brewing, Relations: ```\n- [method] this is code\n```",
  ]);
  expect(memories[0]).toMatchObject({
    title: "Coffee Brewing",
    tags: ["coffee", "brewing", "v60", "method"],
    created_at: "2026-01-10T09:00:00.000Z",
    metadata: {
      imported_from: { format: "basic-memory", id: "drinks/coffee-brewing", category: "method", type: "note" },
    },
  });
  expect(memories[1]?.memory_type).toBe("decision");
});

test("relations are edges between entities, too", async () => {
  const { records } = await readAll(basicMemory, sourceOf({ [PATH]: NOTE }));
  const names = records.flatMap((one) => (one.record === "entity" ? [one.canonical_name] : []));
  expect(new Set(names)).toEqual(new Set(["Coffee Brewing", "Coffee Bean Origins", "Ana Lima"]));
  expect(records.filter(({ record }) => record === "relation")).toMatchObject([
    { relation_type: "relates_to" },
    { relation_type: "is served by" },
  ]);
});

test("places are lines of the file, front matter counted", async () => {
  const seen: string[] = [];
  for await (const { place } of basicMemory.read(sourceOf({ [PATH]: NOTE })))
    seen.push(NOTE.split("\n")[place.line - 1] ?? "");
  expect(seen).toContain("- [decision] We use 60 g of coffee a litre");
  expect(seen).toContain("How the beans are brewed matters more than where they come from.");
});

test("a note without front matter has the name of its file and its date; front matter that is no YAML is a fault", async () => {
  const source = sourceOf({
    "Tea.md": "- [fact] Green tea steeps at 80 degrees\n",
    "Broken.md": "---\ntitle: [a\n---\n- [fact] It is read all the same\n",
  });
  const { memories, faults } = await readAll(basicMemory, source);
  expect(memories).toMatchObject([
    { content: "Broken: It is read all the same", created_at: CHANGED_AT },
    { content: "Tea: Green tea steeps at 80 degrees", created_at: CHANGED_AT, memory_type: "fact" },
  ]);
  expect(faults).toEqual([expect.stringMatching(/^Broken\.md:1: Its front matter is not YAML/)]);
});

test.each([
  ["- [idea] A thought #one", { category: "idea", text: "A thought", tags: ["one"] }],
  ["* [tech note] Uses #two tags (really)", { category: "tech note", text: "Uses #two tags (really)", tags: ["two"] }],
  ["- Only a tag #three", { category: null, text: "Only a tag", tags: ["three"] }],
  ["- [x] done #four", null],
  ["- [/] half done", null],
  ["- [00:01:11] said somebody", null],
  ["- [a link](#there)", null],
  ["- [[Link]]", null],
  ["not an item [idea] text", null],
])("observation: %s", (line, expected) => {
  expect(observationOf(line)).toEqual(expected);
});

test.each([
  ["- uses [[Tool]]", { type: "uses", target: "Tool" }],
  ["- uses [[folder/Tool#Part|shown]] (often)", { type: "uses", target: "Tool" }],
  ["- 'is part of' [[Whole]]", { type: "is part of", target: "Whole" }],
  ["- is part of [[Whole]]", null],
  ["- uses [[A]] and [[B]]", null],
  ["- [[A]]", null],
])("relation: %s", (line, expected) => {
  expect(relationOf(line)).toEqual(expected);
});
