import { describe, expect, test } from "bun:test";
import { letta } from "../../../../src/formats/foreign/letta.ts";
import { mcpMemory } from "../../../../src/formats/foreign/mcp-memory.ts";
import { CHANGED_AT, readAll, sourceOf } from "../../../support/memory-source.ts";
import { LETTA, MCP_MEMORY } from "./samples.ts";

describe("mcp-memory", () => {
  test("entities with their types, then relations, then observations that name their entity", async () => {
    const { records, faults } = await readAll(mcpMemory, sourceOf({ "memory.jsonl": MCP_MEMORY }));
    expect(faults).toEqual([]);
    expect(records.map(({ record }) => record)).toEqual(["entity", "entity", "relation", "memory", "memory", "memory"]);
    expect(records).toMatchObject([
      { canonical_name: "Ana Lima", entity_type: "person", entries: [{ attributes: { type: "person" } }] },
      { canonical_name: "Lima Bakery", entity_type: "organization" },
      { relation_type: "works_at" },
      { content: "Ana Lima: Speaks Portuguese", created_at: CHANGED_AT },
      { content: "Ana Lima: Likes tea" },
      { content: "Ana Lima works at Lima Bakery" },
    ]);
  });

  test("a broken line is a fault once; a name that no entity can have costs no statement", async () => {
    const long = "x".repeat(300);
    const text = [
      ...MCP_MEMORY.trim().split("\n"),
      "{",
      '{"type":"entity","observations":[]}',
      '{"type":"other"}',
      JSON.stringify({ type: "relation", from: long, to: "Ana Lima", relationType: "knows" }),
      JSON.stringify({ type: "relation", from: "Ana Lima", to: "Lima Bakery", relationType: "" }),
      JSON.stringify({ type: "entity", name: "☂", entityType: "sign", observations: ["Means that it rains"] }),
    ].join("\n");
    const { records, memories, faults } = await readAll(mcpMemory, sourceOf({ "memory.json": text }));
    expect(faults.map((fault) => fault.slice(0, "memory.json:4".length))).toEqual([
      "memory.json:4",
      "memory.json:5",
      "memory.json:6",
    ]);
    expect(records.filter(({ record }) => record !== "memory").length).toBe(3);
    expect(memories.map(({ content }) => content)).toContain(`${long} knows Ana Lima`);
    expect(memories.map(({ content }) => content)).toContain("☂: Means that it rains");
  });
});

describe("letta", () => {
  test("blocks that say something, with the agent that has them", async () => {
    const { memories, faults } = await readAll(letta, sourceOf({ "support.af": LETTA }));
    expect(faults).toEqual([]);
    expect(memories).toMatchObject([
      {
        content: "support, human: Name: Ana. Owns a bakery in Porto.",
        agent_id: "support",
        title: "human",
        metadata: { imported_from: { format: "letta", id: "block-0", label: "human" } },
      },
    ]);
  });

  test("a broken block is a fault with its number", async () => {
    const file = {
      agents: [{ block_ids: "x" }],
      blocks: [{ id: "b" }, { id: "c", label: "facts", value: "The office is in Faro." }],
    };
    const { memories, faults } = await readAll(letta, sourceOf({ "a.af": JSON.stringify(file) }));
    expect(memories.map(({ content }) => content)).toEqual(["facts: The office is in Faro."]);
    expect(faults).toEqual([expect.stringMatching(/^a\.af:1: blocks: value/)]);
  });
});
