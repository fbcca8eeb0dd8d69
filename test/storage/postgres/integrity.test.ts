import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { IndexesRebuilt, IntegrityReport } from "../../../src/core/schema/integrity.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import type { PostgresApp } from "../../support/postgres/app.ts";
import { openPostgresApp } from "../../support/postgres/app.ts";

let opened: PostgresApp;
beforeAll(async () => {
  opened = await openPostgresApp();
  const { client, settle } = opened;
  const api = memoriesApi(client);
  await client.call("POST", "/api/v1/entities/upsert", {
    body: { entity_type: "technology", canonical_name: "Lampwright" },
  });
  await api.bulk(Array.from({ length: 12 }, (_, i) => ({ content: `Lampwright keeps log ${i} of the ferry.` })));
  const { id } = await api.write({ content: "The pilot boat is orange." });
  await api.write({ content: "Only the night crew reads this.", visibility: "scope_agent", agent_id: "ada" });
  const document = { collection: "runbooks", doc_id: "ferry", data: { summary: "Night ferry", pier: 4 } };
  await client.call("POST", "/api/v1/documents", { body: document });
  await settle();
  await client.call("DELETE", `/api/v1/memories/${id}`, { query: { tenant_id: "default" } });
  await settle();
});
afterAll(() => opened.app.stop());

/** How many faults each check finds. */
const faultsOf = async (tenant: string | null = null): Promise<ReadonlyMap<string, number>> => {
  const { checks } = await opened.app.services.storage.indexes.inspect(tenant, () => {});
  return new Map(checks.map(({ name, faults }) => [name, faults]));
};
const failing = async (tenant: string | null = null): Promise<string[]> =>
  [...(await faultsOf(tenant))].flatMap(([name, faults]) => (faults > 0 ? [name] : []));
const rebuild = () => opened.client.ok(IndexesRebuilt, "POST", "/api/v1/integrity/rebuild");

test("a sound database has every check, and none fails", async () => {
  expect(await failing()).toEqual([]);
  const { checks, damaged } = await opened.client.ok(IntegrityReport, "GET", "/api/v1/integrity");
  expect(checks.map(({ name }) => name)).toEqual([
    "memory keywords",
    "keyword counts",
    "memory vectors",
    "memory vector index",
    "document keywords",
    "document vectors",
    "document vector index",
    "other model",
    "entities",
    "detector",
    "reading",
    "document members",
    "usage",
  ]);
  expect(damaged).toEqual([]);
});

describe("what is broken by hand is found, and one rebuild mends", () => {
  test.each([
    ["memory keywords", "update memory_words set tokens = tokens[2:] where seq = 3"],
    ["memory keywords", "delete from memory_words where seq = 4"],
    ["memory keywords", "insert into memory_words select tenant_id, 9999, audience, tokens from memory_words limit 1"],
    ["keyword counts", "update word_rows set stored = stored + 3 where word = 'ferri'"],
    ["keyword counts", "delete from word_rows where word = 'log'"],
    ["memory vectors", "delete from memory_vectors where seq = 5"],
    ["memory vectors", "update memories set embedded_by = 'another' where seq = 10"],
    ["memory vector index", "delete from memory_codes where seq = 6"],
    ["memory vector index", "update memory_codes set audience = 9999 where seq = 7"],
    [
      "memory vector index",
      "insert into b_memory_codes select tenant_id, 9999, embedder_id, author, audience, kind, code from memory_codes limit 1",
    ],
    ["document keywords", "delete from document_words"],
    ["document vectors", "delete from document_vectors"],
    ["document vector index", "delete from document_codes"],
    ["document members", "update document_members set number = 5 where name = 'pier'"],
    ["entities", "update entity_audiences set links = links + 1"],
    ["entities", "delete from memory_entities where memory_seq = 8"],
    ["usage", "update tenant_usage set memories_stored = 1"],
    ["usage", "update audience_rows set stored = stored + 1"],
  ])("%s (%s)", async (name, statement) => {
    const before = await faultsOf();
    await opened.rows(statement);
    const after = await faultsOf();
    expect(after.get(name)).toBeGreaterThan(before.get(name) ?? 0);
  });

  test("all of it at once", async () => {
    const { memories, report } = await rebuild();
    expect(memories).toBe(14);
    // What a text names and its vectors, jobs make anew.
    const late = ["reading", "memory vectors", "document vectors"];
    expect(report.checks.filter(({ ok, name }) => !ok && !late.includes(name))).toEqual([]);
    await opened.settle();
    expect(await failing()).toEqual([]);
  });
});

test("searches find the same after a rebuild as before", async () => {
  const search = async () =>
    (await memoriesApi(opened.client).search("Which log has number 7?")).items.map(({ id }) => id);
  const before = await search();
  expect(before.length).toBeGreaterThan(3);
  await rebuild();
  await opened.settle();
  expect(await search()).toEqual(before);
});

test("one tenant is told of its own rows alone", async () => {
  await opened.rows("update tenant_usage set memories_stored = memories_stored + 1 where tenant_id = 'default'");
  expect(await failing("another")).toEqual([]);
  expect(await failing("default")).toEqual(["usage"]);
  await rebuild();
});
