import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { ImportResult } from "../../../src/core/schema/keeping/import.ts";
import { MemoryPage } from "../../../src/core/schema/memory-query.ts";
import type { Client } from "../../support/api/client.ts";
import type { InProcess } from "../../support/in-process.ts";
import { openApp } from "../../support/in-process.ts";

const Line = z.looseObject({ record: z.string() });
const Lines = z.array(Line);
const Found = z.object({ items: z.array(z.object({ id: z.string(), content: z.string(), status: z.string() })) });

const there = await openApp();
const here = await openApp();
afterAll(async () => {
  await there.app.stop();
  await here.app.stop();
});

const exported = (client: Client, query: Record<string, string> = {}) =>
  client.ok(Lines, "GET", "/api/v1/export", { query });
const importAll = async (client: Client, records: readonly z.infer<typeof Line>[], more: object = {}) => {
  const results: ImportResult["results"] = [];
  for (let i = 0; i < records.length; i += 7) {
    const body = { trust_source: true, records: records.slice(i, i + 7), ...more };
    results.push(...(await client.ok(ImportResult, "POST", "/api/v1/import", { body })).results);
  }
  return results;
};
const inner = (lines: readonly z.infer<typeof Line>[]) => lines.slice(1, -1);
const counted = (results: ImportResult["results"]) =>
  Object.fromEntries([...Map.groupBy(results, ({ outcome }) => outcome)].map(([name, some]) => [name, some.length]));

async function fill({ client, settle }: InProcess) {
  const write = (body: object) => client.ok(z.looseObject({ id: z.string() }), "POST", "/api/v1/memories", { body });
  await client.ok(z.looseObject({}), "PUT", "/api/v1/settings", { body: { memories: { deleted_grace_days: 9 } } });
  const lamp = await client.ok(z.object({ id: z.string() }), "POST", "/api/v1/entities/upsert", {
    body: {
      entity_type: "technology",
      canonical_name: "Lampwright",
      aliases: ["the lamp service"],
      attributes: { port: 7 },
    },
  });
  const desk = await client.ok(z.object({ id: z.string() }), "POST", "/api/v1/entities/upsert", {
    body: { entity_type: "organization", canonical_name: "Harbour Desk", fleet_id: "quay" },
  });
  await client.ok(z.looseObject({}), "POST", "/api/v1/relations/upsert", {
    body: { from_entity_id: lamp.id, relation_type: "owned_by", to_entity_id: desk.id },
  });
  await client.ok(z.looseObject({}), "POST", "/api/v1/documents", {
    body: { collection: "plans", doc_id: "launch", data: { summary: "Launch plan of the quay", day: "Friday" } },
  });
  await client.ok(z.looseObject({}), "POST", "/api/v1/keystones", {
    body: {
      doc_id: "no-secrets",
      title: "No secrets",
      content: "Never write a password down.",
      scope: "tenant",
      weight: "high",
    },
  });
  const triple = { subject_entity_id: lamp.id, predicate: "runs_in" };
  await write({
    content: "Lampwright runs in region eu-west-1.",
    ...triple,
    object_value: "eu-west-1",
    agent_id: "ada",
  });
  await settle();
  await write({
    content: "Lampwright runs in region us-east-2.",
    ...triple,
    object_value: "us-east-2",
    agent_id: "ada",
  });
  for (let i = 0; i < 20; i++)
    await write({
      content: `Ledger note ${i}: the crane on pier ${i % 5} was greased by the night shift.`,
      agent_id: i % 2 ? "ada" : "bo",
      ...(i % 3 === 0 ? { fleet_id: "quay" } : {}),
      run_id: `run-${i % 4}`,
      metadata: { i },
      tags: ["crane"],
    });
  const gone = await write({ content: "This one is deleted before anything is exported." });
  await client.call("DELETE", `/api/v1/memories/${gone.id}`);
  await settle();
}

beforeAll(() => fill(there));

describe("an export", () => {
  test("taken in elsewhere gives the same exports, searches and counts", async () => {
    const lines = await exported(there.client);
    expect(lines[0]).toMatchObject({ record: "export", format: 1, tenant_id: "default" });
    expect(lines.at(-1)).toMatchObject({
      record: "end",
      counts: { memory: 22, finding: 1, keystone: 1, document: 1, relation: 1 },
    });
    expect(JSON.stringify(lines)).not.toContain("deleted before anything");
    const results = await importAll(here.client, inner(lines));
    expect(results.filter(({ outcome }) => outcome !== "created")).toEqual([]);
    await here.settle();
    const again = await exported(here.client);
    const unordered = (some: typeof lines) =>
      some
        .filter(({ record }) => record !== "agent")
        .map((line) => JSON.stringify(line))
        .sort();
    expect(unordered(inner(again))).toEqual(unordered(inner(lines)));
    for (const query of [
      "crane on pier 3",
      "which region does Lampwright run in?",
      "greased by the night shift",
      "Harbour Desk",
    ]) {
      const [one, other] = await Promise.all(
        [there, here].map(({ client }) => client.ok(Found, "POST", "/api/v1/search", { body: { query, top_k: 10 } })),
      );
      expect(other).toEqual(one ?? expect.unreachable());
    }
  });

  test("taken in twice changes nothing", async () => {
    const lines = inner(await exported(there.client));
    const before = await exported(here.client);
    expect(counted(await importAll(here.client, lines))).toEqual({ exists: lines.length });
    expect(inner(await exported(here.client))).toEqual(inner(before));
  });

  test("holds what was named of it", async () => {
    const memories = async (query: Record<string, string>) =>
      (await exported(there.client, query)).filter(({ record }) => record === "memory");
    expect(await memories({ agent_id: "bo" })).toHaveLength(10);
    expect(await memories({ created_before: "2001-01-01" })).toHaveLength(0);
    const all = await memories({});
    const ofQuay = all.filter(({ fleet_id }) => fleet_id === "quay");
    expect(ofQuay.length).toBeWithin(1, all.length);
    expect(await memories({ fleet_id: "quay" })).toEqual(ofQuay);
    const [first] = all;
    expect(await memories({ created_after: String(first?.created_at) })).toHaveLength(22);
  });
});

describe("an import", () => {
  test("keeps dates, reads relative ones from their day, and compares in the order of events", async () => {
    const { client, settle, app } = await openApp();
    const told = [
      { content: "The Bramble service runs in region eu-west-1.", created_at: "2024-03-01T10:00:00Z" },
      { content: "Tomorrow the Bramble audit begins.", created_at: "2024-03-04T10:00:00Z" },
    ];
    await importAll(
      client,
      told.map((one) => ({ record: "memory", ...one })),
    );
    await settle();
    const { items } = await client.ok(MemoryPage, "GET", "/api/v1/memories", {
      query: { sort: "created_at", order: "desc" },
    });
    expect(items.map(({ created_at }) => created_at)).toEqual(["2024-03-04T10:00:00.000Z", "2024-03-01T10:00:00.000Z"]);
    expect(items[0]?.ts_valid_start).toStartWith("2024-03-05");
    await app.stop();
  });

  test("tells of each record what became of it, and a bad one fails alone", async () => {
    const records = [
      { record: "memory", content: "A gull sat on the harbour light all morning." },
      { record: "memory", content: "A gull sat on the harbour light all morning." },
      { record: "memory", content: "short" },
      { record: "gull" },
      { record: "document", collection: "_keystones", doc_id: "x", data: {} },
      { record: "keystone", collection: "_keystones", doc_id: "x", data: { title: 3 } },
      {
        record: "relation",
        id: crypto.randomUUID(),
        from_entity_id: crypto.randomUUID(),
        to_entity_id: crypto.randomUUID(),
        relation_type: "x",
        weight: 1,
        created_at: "2024-01-01",
        updated_at: "2024-01-01",
      },
      { record: "settings", tree: { nonsense: 1 } },
    ];
    const results = await importAll(here.client, records);
    expect(results.map(({ outcome }) => outcome)).toEqual([
      "created",
      "exists",
      "refused",
      "refused",
      "refused",
      "refused",
      "refused",
      "refused",
    ]);
    for (const { error } of results.slice(2)) expect(error?.length).toBeGreaterThan(5);
  });

  test("as a dry run tells the same and stores nothing", async () => {
    const before = inner(await exported(here.client));
    const records = [{ record: "memory", content: "Only looked at, never stored, says the dry run." }];
    expect(await importAll(here.client, records, { dry_run: true })).toMatchObject([{ outcome: "created" }]);
    expect(inner(await exported(here.client))).toEqual(before);
  });

  test("remembers how far its source is stored", async () => {
    const query = { source: "ledger.jsonl" };
    expect(await here.client.ok(z.unknown(), "GET", "/api/v1/import", { query })).toEqual({
      position: 0,
      updated_at: null,
    });
    await importAll(here.client, [{ record: "memory", content: "Row one of a ledger that goes on." }], {
      ...query,
      position: 1,
    });
    expect(await here.client.ok(z.unknown(), "GET", "/api/v1/import", { query })).toMatchObject({ position: 1 });
  });

  test("leaves what was deleted here deleted", async () => {
    const [made] = await importAll(here.client, [
      { record: "memory", content: "The tide table of May was thrown away." },
    ]);
    await here.client.call("DELETE", `/api/v1/memories/${made?.id}`);
    const again = await importAll(here.client, [
      { record: "memory", id: made?.id, content: "The tide table of May was thrown away." },
    ]);
    expect(again).toMatchObject([{ outcome: "deleted" }]);
  });
});
