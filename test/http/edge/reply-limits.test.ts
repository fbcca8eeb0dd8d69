import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { AuditLog } from "../../../src/core/schema/account.ts";
import { Document, DocumentFindings } from "../../../src/core/schema/document.ts";
import { MemoryPage } from "../../../src/core/schema/memory-query.ts";
import { WhyNotReply } from "../../../src/core/schema/observing/why-not.ts";
import { RecallReply, SearchReply } from "../../../src/core/schema/retrieval.ts";
import type { Client } from "../../support/api/client.ts";
import { documentsApi } from "../../support/api/documents.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import type { TestApp } from "../../support/app.ts";
import { startApp, temporaryFolder } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";

/** Rows far larger than replies may be: as if written before there were limits of rows. */
const WRITTEN = ["--metadata-bytes-limit=1000000", "--reply-bytes-limit=100000000"];
const READ = ["--reply-bytes-limit=100000"];
const ROWS = 12;
const LARGE = 30_000;
/** Three rows of this size fit. */
const FIT = 3;

const folder = temporaryFolder();
let app: TestApp;
let client: Client;
beforeAll(async () => {
  const before = await startApp({ folder: folder.path, flags: WRITTEN });
  const [memories, documents] = [memoriesApi(before.client), documentsApi(before.client)];
  for (let i = 0; i < ROWS; i++) {
    await memories.write({ content: `Heron number ${i} of the pond.`, metadata: { text: "x".repeat(LARGE) } });
    await documents.put("birds", `heron-${i}`, { summary: `A heron, number ${i}`, text: "x".repeat(LARGE) });
  }
  await memories.write({ content: "The giant heron weighs most.", metadata: { text: "x".repeat(500_000) } });
  await before.settle();
  await before.stop();
  app = await startApp({ folder: folder.path, flags: READ });
  ({ client } = app);
});
afterAll(async () => {
  await app.stop();
  folder.remove();
});

describe("a list ends before it grows too large for one reply, whatever the limit asked, and", () => {
  test("a walk by cursor meets every memory once, one that is larger than a reply alone on its page", async () => {
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = { limit: "500", ...(cursor === null ? {} : { cursor }) };
      const page: MemoryPage = await client.ok(MemoryPage, "GET", MEMORIES, { query });
      pages.push(page.items.map(({ id }) => String(id)));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(pages.map((page) => page.length)).toEqual([1, FIT, FIT, FIT, FIT]);
    expect(new Set(pages.flat()).size).toBe(ROWS + 1);
  });

  test.each([
    ["listed", "GET", "/api/v1/documents"],
    ["queried", "POST", "/api/v1/documents/query"],
  ] as const)("a walk by offset meets every document once when %s", async (_how, method, path) => {
    const seen: string[] = [];
    let offset = "0";
    for (let pages = 0; pages <= ROWS; pages++) {
      const asked = { tenant_id: TENANT, collection: "birds", limit: 1_000, offset: Number(offset) };
      const options = method === "GET" ? { query: asked } : { body: asked };
      const { status, body, headers } = await client.call(method, path, options);
      expect(status).toBe(200);
      seen.push(
        ...z
          .array(Document)
          .parse(body)
          .map(({ doc_id }) => doc_id),
      );
      const next = headers.get("X-Next-Offset");
      expect(headers.get("X-Truncated")).toBe(next === null ? null : "true");
      if (next === null) break;
      offset = next;
    }
    expect([seen.length, new Set(seen).size]).toEqual([ROWS, ROWS]);
  });
});

test("a search answers with the best that fits, and says that there was more", async () => {
  const body = { tenant_id: TENANT, query: "heron of the pond", top_k: 10 };
  const found = await client.ok(SearchReply, "POST", "/api/v1/search", { body });
  expect(found.items.length).toBe(FIT);
  expect(found.warnings?.map(({ code }) => code)).toContain("reply_cut");
  const short = await client.ok(SearchReply, "POST", "/api/v1/search", { body: { ...body, top_k: 2 } });
  expect(short.items.map(({ id }) => id)).toEqual(found.items.slice(0, 2).map(({ id }) => id));
  expect(short.warnings).toBeNull();
});

test("why-not says of a memory that did not fit into the reply that it did not", async () => {
  const body = { tenant_id: TENANT, query: "heron of the pond", top_k: 10, diagnostic: true };
  const { diagnostic } = await client.ok(SearchReply, "POST", "/api/v1/search", { body });
  const memory_id = diagnostic?.all_candidates[FIT]?.id;
  const reply = await client.ok(WhyNotReply, "POST", "/api/v1/search/why-not", { body: { ...body, memory_id } });
  expect(reply).toMatchObject({ stage: "top_k", returned: false, rank: FIT + 1 });
  expect(reply.message).toContain("does not fit into one reply");
  expect(reply.warnings?.map(({ code }) => code)).toContain("reply_cut");
});

test("a recall, which has each memory twice unless told otherwise, is no larger than a search", async () => {
  const body = { tenant_id: TENANT, query: "heron of the pond", top_k: 10 };
  const once = await client.ok(RecallReply, "POST", "/api/v1/recall", { body: { ...body, items_alias: false } });
  expect([once.memories.length, once.items]).toEqual([FIT, undefined]);
  const twice = await client.ok(RecallReply, "POST", "/api/v1/recall", { body });
  expect([twice.memories.length, twice.items?.length]).toEqual([1, 1]);
  expect(twice.warnings?.map(({ code }) => code)).toContain("reply_cut");
});

test("a search for documents answers with the best that fits, and says that there was more", async () => {
  const body = { tenant_id: TENANT, query: "heron", top_k: 10 };
  const { status, body: reply, headers } = await client.call("POST", "/api/v1/documents/search", { body });
  const { results } = DocumentFindings.parse(reply);
  // Each stands in the reply twice.
  expect([status, results.length, headers.get("X-Truncated")]).toEqual([200, 1, "true"]);
  expect(results[0]?.data.text).toHaveLength(LARGE);
});

test("the audit log ends before it grows too large, and goes on by before_id", async () => {
  const { id } = await memoriesApi(client).write({ content: "A small heron, often changed." });
  for (let i = 0; i < 8; i++) {
    const body = { metadata: { text: String(i).repeat(LARGE) } };
    expect((await client.call("PATCH", `${MEMORIES}/${id}`, { query: { tenant_id: TENANT }, body })).status).toBe(200);
  }
  const seen: number[] = [];
  for (let before: number | undefined; ; before = seen.at(-1)) {
    const query = { tenant_id: TENANT, target_id: id, limit: 200, ...(before ? { before_id: before } : {}) };
    const { body, headers } = await client.call("GET", "/api/v1/audit-log", { query });
    seen.push(...AuditLog.parse(body).items.map((entry) => entry.id));
    if (headers.get("X-Truncated") === null) break;
    expect(JSON.stringify(body).length).toBeLessThan(200_000);
  }
  expect([seen.length, new Set(seen).size]).toEqual([9, 9]);
});
