import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MemoryPage, MemoryPageView } from "../../../src/core/schema/memory-query.ts";
import { RecallReplies, SearchReplies } from "../../../src/core/schema/retrieval.ts";
import { openApiDocument } from "../../../src/http/openapi/document.ts";
import { operations } from "../../../src/http/routes/all.ts";
import { MEMORIES, memoriesApi, RECALL, SEARCH } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { refusalOf } from "../../support/credentials.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);

// None contradicts another, so that all stay live.
const contents = [
  "Deploys go out every Tuesday after the standup, as the team agreed in spring.",
  "Anna writes the release notes before deploys go out to customers in Europe.",
  "The dashboard in the kitchen shows how long it takes until deploys go out.",
  "Whoever is on call watches the error rate for an hour when deploys go out.",
  "Deploys go out through the pipeline that lives in the infra repository.",
];
const query = "when do deploys go out?";

beforeAll(async () => {
  for (const content of contents) await api.write({ content, agent_id: "ada" });
  // Their vectors may come after the replies, and change what is found.
  await app.settle();
});

const search = (body: Record<string, unknown>, address: Record<string, string> = {}) =>
  client.ok(SearchReplies, "POST", SEARCH, { query: address, body: { query, ...body } });
const recall = (body: Record<string, unknown>) =>
  client.ok(RecallReplies, "POST", RECALL, { body: { query, ...body } });
const bytesOf = (value: unknown): number => JSON.stringify(value).length;
const keysOf = (items: readonly object[]): string[] => [...new Set(items.flatMap((item) => Object.keys(item)))].sort();

const COMPACT = ["content", "created_at", "id", "score", "why"];

describe("a compact view", () => {
  test("of a search is a small multiple of its contents, where the full one is many times as long", async () => {
    const full = await search({});
    const compact = await search({ view: "compact" });
    expect(compact.items).toHaveLength(5);
    expect(bytesOf(compact)).toBeLessThan(5 * bytesOf(contents));
    expect(bytesOf(compact) * 3).toBeLessThan(bytesOf(full));
  });

  test("has id, content, date, score and why of each hit in the order of the full one, and usage once", async () => {
    const full = await api.search(query);
    const compact = await search({ view: "compact" });
    expect(keysOf(compact.items)).toEqual(COMPACT);
    expect(compact.items).toEqual(
      full.items.map(({ id, content, created_at, score }) => ({
        id,
        content,
        created_at,
        score,
        why: expect.stringMatching(/\w/),
      })),
    );
    expect(compact).toMatchObject({ usage: full.items[0]?.usage });
  });

  test("is told in the address as in the body, which goes before it", async () => {
    expect(keysOf((await search({}, { view: "compact" })).items)).toEqual(COMPACT);
    expect(keysOf((await search({ fields: ["id"] }, { view: "compact" })).items)).toEqual(["id"]);
    expect(keysOf((await search({ view: "full" }, { view: "compact" })).items)).toContain("metadata");
  });

  test("of a recall has its memories once", async () => {
    const compact = await recall({ view: "compact" });
    expect([keysOf(compact.memories), compact.items, compact.memory_count]).toEqual([COMPACT, undefined, 5]);
    expect(compact.summary).not.toBe("");
    expect((await recall({ view: "compact", items_alias: true })).items).toEqual(compact.memories);
  });

  test("of a list has no score, for nothing was ranked, and walks on by the same cursor", async () => {
    const list = (address: Record<string, string | number>) =>
      client.ok(MemoryPageView, "GET", MEMORIES, { query: { view: "compact", limit: 3, ...address } });
    const first = await list({});
    const second = await list({ cursor: first.next_cursor ?? "" });
    const items = [...first.items, ...second.items];
    expect(keysOf(items)).toEqual(["content", "created_at", "id"]);
    expect(items.map(({ content }) => content)).toEqual(contents.toReversed());
    expect(first.usage.memories_stored).toBe(5);
  });

  test("of nothing found still tells the usage", async () => {
    const none = await client.ok(MemoryPageView, "GET", MEMORIES, { query: { view: "compact", written_by: "nobody" } });
    expect([none.items, none.usage.memories_stored]).toEqual([[], 5]);
    const whole = await client.call("GET", MEMORIES, { query: { written_by: "nobody" } });
    expect(whole.body).toEqual({ items: [], next_cursor: null });
  });
});

describe("chosen fields", () => {
  test("are the only ones shown, with commas, repeated, or in a list", async () => {
    const wanted = ["agent_id", "title"];
    for (const address of ["fields=agent_id,title", "fields=agent_id&fields=title", "fields=agent_id,%20title"]) {
      const { items } = await client.ok(MemoryPageView, "GET", `${MEMORIES}?${address}`);
      expect(keysOf(items)).toEqual(wanted);
    }
    for (const fields of [wanted, "agent_id,title"]) expect(keysOf((await search({ fields })).items)).toEqual(wanted);
  });

  test.each([
    ["contnet", "content"],
    ["create_at", "created_at"],
  ])("that do not exist are refused, with the nearest that does: %s", async (wrong, near) => {
    for (const fields of [[wrong], ["id", wrong], `id,${wrong}`]) {
      const reply = await client.refused("POST", SEARCH, { body: { query, fields } });
      expect(refusalOf(reply)).toEqual([422, "INVALID_ARGUMENTS"]);
      expect(reply.body.error.message).toContain(`'${near}'`);
    }
    const listed = await client.refused("GET", MEMORIES, { query: { fields: wrong } });
    expect([listed.status, listed.body.error.message]).toEqual([422, expect.stringContaining(`'${near}'`)]);
  });

  test.each([[[]], [""], [7], [{}], ["id,"]])("%j is refused", async (fields) => {
    expect((await client.refused("POST", RECALL, { body: { query, fields } })).status).toBe(422);
  });
});

test("without a choice every reply is whole, with usage in each memory", async () => {
  const page = await client.ok(MemoryPage, "GET", MEMORIES);
  expect(page.items.every(({ usage }) => usage?.memories_stored === 5)).toBe(true);
  const reply = await recall({});
  expect(reply.items).toEqual(reply.memories);
});

test("the document names both choices wherever they are taken", () => {
  const { paths, components } = openApiDocument(operations);
  for (const operation of [paths[SEARCH]?.post, paths[RECALL]?.post, paths[MEMORIES]?.get])
    expect(operation?.parameters?.map(({ name }) => name)).toEqual(expect.arrayContaining(["view", "fields"]));
  for (const name of ["SearchRequest", "RecallRequest"])
    expect(Object.keys(components.schemas[name]?.properties ?? {})).toEqual(expect.arrayContaining(["view", "fields"]));
});
