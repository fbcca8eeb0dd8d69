import { expect, test } from "bun:test";
import { mem0 } from "../../../../src/formats/foreign/mem0.ts";
import { CHANGED_AT, readAll, sourceOf } from "../../../support/memory-source.ts";
import { MEM0, MEM0_LINES, OPENMEMORY } from "./samples.ts";

test("memories keep author, run, dates, categories and metadata, and come in the order of time", async () => {
  const { memories, faults } = await readAll(mem0, sourceOf({ "export.json": MEM0 }));
  expect(faults).toEqual([]);
  expect(memories).toMatchObject([
    { content: "Moved to Porto in January", agent_id: "planner", run_id: "r1", created_at: "2026-01-02T10:00:00.000Z" },
    {
      content: "Prefers window seats on long flights",
      agent_id: "ana",
      created_at: "2026-02-03T18:00:00.123Z",
      expires_at: "2027-01-01T00:00:00.000Z",
      tags: ["travel"],
      metadata: {
        source: "chat",
        imported_from: { format: "mem0", id: "8f1a", user_id: "ana", updated_at: "2026-02-04T10:00:00.123456-08:00" },
      },
    },
  ]);
});

test("JSON lines are sorted where they are not, and a plain list is read as well", async () => {
  const fromLines = await readAll(mem0, sourceOf({ "export.jsonl": MEM0_LINES }));
  expect(fromLines.memories.map(({ content }) => content)).toEqual([
    "Sold the cello to a friend",
    "Plays the cello on Sundays",
  ]);
  const list = `[${MEM0_LINES.trim().split("\n").join(",")}]`;
  expect((await readAll(mem0, sourceOf({ "export.json": list }))).memories).toEqual(fromLines.memories);
});

test("JSON lines in order are handed on while they are read", async () => {
  const sorted = MEM0_LINES.trim().split("\n").reverse().join("\n");
  let given = 0;
  const { files } = sourceOf({ "export.jsonl": sorted });
  const source = {
    name: "source",
    files: files.map((file) => ({
      ...file,
      async *lines() {
        for await (const line of file.lines()) {
          given++;
          yield line;
        }
      },
    })),
  };
  const lines = mem0.read(source)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toMatchObject({ place: { line: 1 } });
  const before = given;
  expect((await lines.next()).value).toMatchObject({ place: { line: 2 } });
  expect(given).toBe(before + 1);
});

test("what does not fit is a fault with its line; the rest is read", async () => {
  const text = [...MEM0_LINES.trim().split("\n"), "{not json", '{"id":"3"}', '{"id":"4","memory":"short"}', "7"].join(
    "\n",
  );
  const { memories, faults } = await readAll(mem0, sourceOf({ "export.jsonl": text }));
  expect(memories.length).toBe(2);
  expect(faults).toEqual([
    expect.stringMatching(/^export\.jsonl:3: It is not JSON/),
    "export.jsonl:4: It has no `memory`.",
    "export.jsonl:5: Its text has 5 characters; a memory has at least 10.",
    expect.stringMatching(/^export\.jsonl:6: .*expected object/),
  ]);
});

test("the backup of OpenMemory: names of apps and categories, states, nothing that was deleted", async () => {
  const { memories, faults } = await readAll(mem0, sourceOf({ "memories.json": OPENMEMORY }));
  expect(faults).toEqual([]);
  expect(memories).toMatchObject([
    { content: "Used to drink coffee", status: "archived" },
    { content: "Does not eat peanuts", agent_id: "cursor", tags: ["food"], status: null },
  ]);
});

test("relations of graph memory become statements and edges between entities", async () => {
  const graph = {
    results: [],
    relations: [{ source: "ana", relationship: "works_at", target: "bakery" }, { source: 1 }],
  };
  const { records, faults } = await readAll(mem0, sourceOf({ "all.json": JSON.stringify(graph) }));
  expect(faults).toEqual([expect.stringMatching(/^all\.json:2: relations: source/)]);
  expect(records.map(({ record }) => record)).toEqual(["entity", "entity", "relation", "memory"]);
  const [from, to, edge, statement] = records;
  expect(statement).toMatchObject({ content: "ana works at bakery", created_at: CHANGED_AT });
  expect(edge).toMatchObject({
    relation_type: "works_at",
    from_entity_id: from && "id" in from ? from.id : null,
    to_entity_id: to && "id" in to ? to.id : null,
    evidence_memory_id: statement && "id" in statement ? statement.id : null,
  });
});
