import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { aStatement } from "../support/builders.ts";
import { openApp } from "../support/in-process.ts";
import type { TestClient } from "./clients.ts";
import { olderClient } from "./clients.ts";
import { legacyCalls } from "./legacy-client.ts";

const { app, settle } = await openApp();
const { url } = app.listen();
let client: TestClient;
beforeAll(async () => {
  client = await olderClient(`${url}/mcp/`);
});
afterAll(async () => {
  await client.close();
  await app.stop();
});
const tools = () => legacyCalls(client);
const idOf = ({ id }: Record<string, unknown>): string => String(id);
const write = async (given: Record<string, unknown> = {}) => tools().ask("write", { content: aStatement(), ...given });

describe("the older tools", () => {
  test("are listed on their own alone, each with its arguments and without an output schema", async () => {
    const names = async (query: string) => {
      const one = await olderClient(`${url}/mcp${query}`);
      const list = await one.list();
      await one.close();
      return list;
    };
    for (const query of ["", "?tools=all"])
      expect((await names(query)).filter(({ name }) => /^(caura|memclaw)_/.test(name))).toEqual([]);
    const listed = await names("?tools=legacy");
    expect(listed.map(({ name }) => name)).toEqual(
      "recall write manage list doc entity_get tune insights evolve stats keystones keystones_set"
        .split(" ")
        .map((name) => `caura_${name}`),
    );
    for (const { inputSchema, outputSchema } of listed)
      expect([inputSchema, outputSchema]).toMatchObject([{ type: "object" }, undefined]);
  });

  test("go by the prefix of either product", async () => {
    const { id, agent_id } = await legacyCalls(client, "memclaw").ask("write", { content: aStatement() });
    expect(await tools().ask("manage", { op: "read", memory_id: id })).toMatchObject({ id, agent_id: "mcp-agent" });
    expect(agent_id).toBe("mcp-agent");
  });

  test("guess at a name that none has, and at an argument or a value", async () => {
    await expect(client.call("caura_recal", { query: "x" })).rejects.toThrow(/'caura_recall'/);
    expect(await tools().refused("manage", { op: "reed", memory_id: "x" })).toMatchObject({
      code: "INVALID_ARGUMENTS",
      message: expect.stringContaining("did you mean 'read'"),
    });
    const { warning } = await tools().ask("recall", { query: "anything", topk: 3 });
    expect(warning).toContain("did you mean 'top_k'");
    expect(await tools().refused("recall")).toMatchObject({ message: "query is missing." });
  });

  test("take null for an argument that is left out", async () => {
    const memory = await write({ metadata: null, fleet_id: null, items: null, weight: null });
    expect(memory).toMatchObject({ fleet_id: null, agent_id: "mcp-agent", weight: 0.5 });
  });
});

describe("caura_write", () => {
  test("stores one memory with all its fields", async () => {
    const fields = {
      agent_id: "ada",
      fleet_id: "alpha",
      visibility: "scope_org",
      memory_type: "decision",
      weight: 0.9,
      source_uri: "https://example.org/a",
      run_id: "run-1",
      metadata: { ticket: 7 },
      status: "confirmed",
    };
    expect(await write({ ...fields, write_mode: "strong" })).toMatchObject(fields);
  });

  test("answers the same text again with success, and a reserved type with a refusal", async () => {
    const content = aStatement();
    const first = await write({ content, agent_id: "twice" });
    expect(await write({ content, agent_id: "twice" })).toEqual({
      status: "duplicate",
      existing_id: first.id,
      agent_id: "twice",
    });
    expect(await tools().refused("write", { content: aStatement(), memory_type: "rule" })).toMatchObject({
      code: "INVALID_ARGUMENTS",
      message: expect.stringContaining("reserved"),
    });
  });

  test("refuses a near-duplicate in strong mode as what it is", async () => {
    const content = "The staging database of the billing team lives in Frankfurt.";
    await write({ content, agent_id: "near" });
    const near = await tools().refused("write", { content: `${content}!`, agent_id: "near", write_mode: "strong" });
    expect(near).toMatchObject({ code: "DUPLICATE_MEMORY", details: { reason: "semantic_similarity" } });
  });

  test("stores items, each with what is said beside them, and tells which failed", async () => {
    const items = [{ content: aStatement() }, { content: "short" }, { content: aStatement(), run_id: "own" }];
    const { created, errors, results } = await tools().ask("write", { items, run_id: "all", agent_id: "bulk" });
    expect([created, errors]).toEqual([2, 1]);
    const [first, , third] = results as { id: string }[];
    expect(await tools().ask("manage", { op: "read", memory_id: first?.id })).toMatchObject({ run_id: "all" });
    expect(await tools().ask("manage", { op: "read", memory_id: third?.id })).toMatchObject({
      run_id: "own",
      agent_id: "bulk",
    });
    const many = Array.from({ length: 101 }, () => ({ content: aStatement() }));
    expect((await tools().refused("write", { items: many })).code).toBe("INVALID_ARGUMENTS");
    expect((await tools().refused("write", { items, content: aStatement() })).message).toContain("either content");
    expect((await tools().refused("write")).message).toContain("either content");
  });
});

describe("caura_recall", () => {
  beforeAll(async () => {
    await write({ content: "The lighthouse keeper orders lamp oil every March.", agent_id: "keeper" });
    const mine = "The lighthouse keeper privately dreams of a bakery.";
    await write({ content: mine, agent_id: "keeper", visibility: "scope_agent", memory_type: "preference" });
    await write({ content: "The lighthouse keeper of the north paints boats.", agent_id: "north", fleet_id: "north" });
    await settle();
  });
  const contents = ({ results }: Record<string, unknown>) =>
    (results as { content: string }[]).map(({ content }) => content);

  test("finds memories whole, and private ones for their author alone", async () => {
    const query = "lighthouse keeper";
    const { results } = await tools().ask("recall", { query, top_k: 20 });
    expect(results).toContainEqual(
      expect.objectContaining({ content: expect.stringContaining("lamp oil"), score: expect.any(Number) }),
    );
    expect(contents(await tools().ask("recall", { query, top_k: 20 })).join()).not.toContain("bakery");
    expect(contents(await tools().ask("recall", { query, agent_id: "keeper", top_k: 20 })).join()).toContain("bakery");
  });

  test("filters by author, type, status and fleet", async () => {
    const query = "lighthouse keeper";
    const by = async (given: Record<string, unknown>) =>
      contents(await tools().ask("recall", { query, agent_id: "keeper", top_k: 20, ...given }));
    expect((await by({ memory_type: "preference" })).every((text) => text.includes("bakery"))).toBe(true);
    expect((await by({ filter_agent_id: "keeper" })).length).toBe(2);
    expect(await by({ status: "archived" })).toEqual([]);
    const inNorth = contents(await tools().ask("recall", { query, agent_id: "north", fleet_ids: ["north"] }));
    expect(inNorth.join()).toContain("paints boats");
  });

  test("looks in the project that the client works in", async () => {
    const inProject = await olderClient(`${url}/mcp`, { "x-cairn-project": "north" });
    const { results } = await legacyCalls(inProject).ask("recall", { query: "paints boats", agent_id: "new-here" });
    expect(JSON.stringify(results)).toContain("paints boats");
    expect(await legacyCalls(inProject).ask("write", { content: aStatement() })).toMatchObject({ fleet_id: "north" });
    await inProject.close();
  });

  test("cuts top_k to 20 and says so, and refuses less than one", async () => {
    expect(await tools().ask("recall", { query: "lighthouse", top_k: 21 })).toMatchObject({
      warning: expect.stringContaining("cut to 20"),
    });
    expect(await tools().ask("recall", { query: "lighthouse", top_k: 20 })).not.toHaveProperty("warning");
    expect((await tools().refused("recall", { query: "lighthouse", top_k: 0 })).code).toBe("INVALID_ARGUMENTS");
  });

  test("adds a brief of what answers", async () => {
    const query = "When does the lighthouse keeper order lamp oil?";
    const { results, brief } = await tools().ask("recall", { query, include_brief: true });
    expect(brief).toMatchObject({ query, summary: expect.stringContaining("March"), memory_count: expect.any(Number) });
    expect(contents({ results })).toContain("The lighthouse keeper orders lamp oil every March.");
  });
});

describe("caura_manage", () => {
  test("reads, updates and moves a memory", async () => {
    const id = idOf(await write({ agent_id: "mcp-agent" }));
    const at = { memory_id: id };
    expect(await tools().ask("manage", { op: "update", ...at, title: "Plant", metadata: { a: 1 } })).toMatchObject({
      id,
      title: "Plant",
    });
    expect(await tools().told("manage", { op: "transition", ...at, status: "confirmed" })).toBe(
      `Memory ${id} status updated: active -> confirmed`,
    );
    const memory = await tools().ask("manage", { op: "read", ...at });
    expect(memory).toMatchObject({ id, title: "Plant", status: "confirmed", metadata: { a: 1 }, recall_count: 0 });
    expect(memory).not.toHaveProperty("embedding_preview");
    expect((await tools().refused("manage", { op: "update", ...at })).code).toBe("BAD_REQUEST");
  });

  test("deletes one and many", async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => idOf(await write())));
    expect(await tools().told("manage", { op: "delete", memory_id: ids[0] })).toBe(`Memory ${ids[0]} deleted.`);
    expect((await tools().refused("manage", { op: "read", memory_id: ids[0] })).code).toBe("NOT_FOUND");
    expect(await tools().ask("manage", { op: "bulk_delete", memory_ids: ids })).toEqual({ deleted: 2, requested: 3 });
    const many = Array.from({ length: 1_001 }, () => crypto.randomUUID());
    expect((await tools().refused("manage", { op: "bulk_delete", memory_ids: many })).code).toBe("INVALID_ARGUMENTS");
  });

  test("tells what a memory replaced and what replaced it", async () => {
    const fields = { agent_id: "line", write_mode: "fast" };
    const older = idOf(await write({ content: "The office of the line team has 14 desks.", ...fields }));
    const newer = idOf(await write({ content: "The office of the line team now has 20 desks.", ...fields }));
    await settle();
    const lineage = (memory_id: string) => tools().ask("manage", { op: "lineage", memory_id, agent_id: "line" });
    expect(await lineage(newer)).toMatchObject({
      this: { id: newer, supersedes_id: older },
      superseded_by: { id: older, content_preview: expect.stringContaining("14 desks") },
      supersessors: [],
    });
    expect(await lineage(older)).toMatchObject({
      this: { id: older, supersedes_id: null },
      superseded_by: null,
      supersessors: [{ id: newer }],
    });
  });

  test("names the argument that an op lacks, and refuses what is no id", async () => {
    expect((await tools().refused("manage", { op: "read" })).message).toBe("op=read requires 'memory_id'.");
    expect((await tools().refused("manage", { op: "bulk_delete" })).message).toBe(
      "op=bulk_delete requires 'memory_ids'.",
    );
    const id = idOf(await write());
    expect((await tools().refused("manage", { op: "transition", memory_id: id })).message).toContain("'status'");
    expect((await tools().refused("manage", { op: "read", memory_id: "x" })).code).toBe("INVALID_ARGUMENTS");
    for (const memory_id of ["../../status", "..", `${id}/status`])
      expect((await tools().refused("manage", { op: "read", memory_id })).code).toBe("INVALID_ARGUMENTS");
    const unknown = { op: "lineage", memory_id: crypto.randomUUID() };
    expect((await tools().refused("manage", unknown)).code).toBe("NOT_FOUND");
  });
});

describe("caura_list and caura_stats", () => {
  beforeAll(async () => {
    for (const weight of [0.1, 0.5, 0.9]) await write({ agent_id: "lister", fleet_id: "lists", weight });
    await write({ agent_id: "other", fleet_id: "lists", memory_type: "decision" });
  });

  test("cover one agent, a fleet or all", async () => {
    const count = async (given: Record<string, unknown>) => (await tools().ask("list", { ...given, limit: 50 })).count;
    expect(await count({ agent_id: "lister" })).toBe(3);
    expect(await count({ agent_id: "lister", scope: "fleet", fleet_id: "lists" })).toBe(4);
    expect(await count({ agent_id: "lister", scope: "all", fleet_id: "lists", written_by: "other" })).toBe(1);
    expect(await count({ agent_id: "lister", weight_min: 0.4, weight_max: 0.6 })).toBe(1);
    expect(await count({ scope: "all", memory_type: "decision", fleet_id: "lists" })).toBe(1);
    expect(await tools().ask("stats", { agent_id: "lister" })).toMatchObject({ total: 3, scope: "agent" });
    expect(await tools().ask("stats", { scope: "fleet", fleet_id: "lists" })).toMatchObject({
      total: 4,
      by_type: { decision: 1 },
    });
  });

  test("page through by cursor, and sort otherwise", async () => {
    const first = await tools().ask("list", { agent_id: "lister", limit: 2 });
    const cursor = String(first.next_cursor);
    expect(first).toMatchObject({ count: 2, scope: "agent", next_cursor: cursor });
    const rest = await tools().ask("list", { agent_id: "lister", limit: 2, cursor });
    expect(rest).toMatchObject({ count: 1, next_cursor: null });
    const { results } = await tools().ask("list", { agent_id: "lister", sort: "weight", order: "asc" });
    expect((results as { weight: number }[]).map(({ weight }) => weight)).toEqual([0.1, 0.5, 0.9]);
    const wrong = { agent_id: "lister", sort: "weight", cursor };
    expect((await tools().refused("list", wrong)).code).toBe("BAD_REQUEST");
    expect(await tools().ask("list", { limit: 51 })).toMatchObject({ warning: expect.stringContaining("cut to 50") });
  });

  test("show deleted rows where asked", async () => {
    const id = idOf(await write({ agent_id: "gone" }));
    await tools().told("manage", { op: "delete", memory_id: id, agent_id: "gone" });
    expect(await tools().ask("list", { agent_id: "gone" })).toMatchObject({ count: 0 });
    expect(await tools().ask("list", { agent_id: "gone", include_deleted: true })).toMatchObject({ results: [{ id }] });
    expect(await tools().ask("stats", { agent_id: "gone", include_deleted: true })).toMatchObject({
      total: 0,
      deleted: 1,
    });
  });
});
