import { afterAll, expect, test } from "bun:test";
import { z } from "zod";
import { BulkResult, Memory, MemoryDetail } from "../../../src/core/schema/memory.ts";
import { MemoryPage } from "../../../src/core/schema/memory-query.ts";
import { Counters, Status } from "../../../src/core/schema/system.ts";
import type { CallOptions, Client } from "../../support/api/client.ts";
import { createClient } from "../../support/api/client.ts";
import { temporaryFolder } from "../../support/app.ts";
import { openApp } from "../../support/in-process.ts";

const CALLERS = 100;
const HANG_GUARD_MS = 180_000;
const CONTENT = "Everybody learned of the outage in the same instant.";

const folder = temporaryFolder();
// Over a real socket and a real file: nothing may be serialised by the test itself.
const { app, settle } = await openApp({ folder: folder.path });
const { url } = app.listen();
const client: Client = createClient((path, init) => fetch(`${url}${path}`, init));
afterAll(async () => {
  await app.stop();
  folder.remove();
});

const all = <T>(call: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: CALLERS }, (_, i) => call(i)));
const post = (path: string, options: CallOptions) => client.call("POST", path, options);
const Duplicate = z.object({ error: z.object({ code: z.string(), details: z.object({ existing_id: z.string() }) }) });
const memoryCount = async () => (await client.ok(Counters, "GET", "/api/v1/stats")).memory_count;

for (const run_id of [null, "one run"]) {
  test(
    `of ${CALLERS} equal writes at once one is stored and the others name it (run: ${run_id})`,
    async () => {
      const before = await memoryCount();
      const body = { tenant_id: "default", content: `${CONTENT} ${run_id}`, run_id };
      const replies = await all(() => post("/api/v1/memories", { body }));
      const [created, ...others] = replies.filter(({ status }) => status === 201);
      expect(others).toEqual([]);
      const { id } = Memory.parse(created?.body);
      const refused = replies.filter((reply) => reply !== created);
      expect(refused.map(({ status }) => status)).toEqual(Array(CALLERS - 1).fill(409));
      const named = refused.map(({ body: refusal }) => Duplicate.parse(refusal).error);
      expect(new Set(named.map(({ code, details }) => `${code} ${details.existing_id}`))).toEqual(
        new Set([`DUPLICATE_MEMORY ${id}`]),
      );
      expect(await memoryCount()).toBe(before + 1);
    },
    HANG_GUARD_MS,
  );
}

test(
  "equal bulk attempts at once store each item once, whatever each caller is told of it",
  async () => {
    const before = await memoryCount();
    const items = Array.from({ length: 10 }, (_, i) => ({ content: `Item ${i} of the batch that everyone sends.` }));
    const options = { headers: { "X-Bulk-Attempt-Id": "everyone" }, body: { tenant_id: "default", items } };
    const results = (await all(() => post("/api/v1/memories/bulk", options))).map(({ body }) => BulkResult.parse(body));
    expect(results.filter(({ created }) => created === items.length).length).toBe(1);
    expect(results.filter(({ duplicates }) => duplicates === items.length).length).toBe(CALLERS - 1);
    for (const index of items.keys()) {
      expect(new Set(results.map((result) => result.results[index]?.id)).size).toBe(1);
    }
    expect(await memoryCount()).toBe(before + items.length);
  },
  HANG_GUARD_MS,
);

test(
  "equal requests with one Idempotency-Key at once get one and the same reply",
  async () => {
    const body = { tenant_id: "default", content: `${CONTENT} They all hold the same key.` };
    const replies = await all(() => post("/api/v1/memories", { body, headers: { "Idempotency-Key": "the key" } }));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(({ body: reply }) => Memory.parse(reply).id)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers.get("Idempotency-Replayed") === "true").length).toBe(CALLERS - 1);
  },
  HANG_GUARD_MS,
);

test(
  "patches of distinct metadata keys at once keep every key",
  async () => {
    const body = { tenant_id: "default", content: "A row that everyone has something to say about." };
    const { id } = await client.ok(Memory, "POST", "/api/v1/memories", { body });
    const query = { tenant_id: "default" };
    const path = `/api/v1/memories/${id}`;
    const replies = await all((i) => client.call("PATCH", path, { query, body: { metadata: { [`key ${i}`]: i } } }));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const { metadata } = await client.ok(MemoryDetail, "GET", path, { query });
    expect(metadata).toEqual(Object.fromEntries(Array.from({ length: CALLERS }, (_, i) => [`key ${i}`, i])));
  },
  HANG_GUARD_MS,
);

test(
  "reads, searches, writes and removals at once all succeed, and leave no work undone",
  async () => {
    const written = await all((i) =>
      client.ok(Memory, "POST", "/api/v1/memories", {
        body: { tenant_id: "default", content: `Row ${i} for the crowd to read, find and remove.` },
      }),
    );
    const query = { tenant_id: "default" };
    const search = { body: { tenant_id: "default", query: "a row for the crowd", caller_agent_id: "ann" } };
    const mixed = await all((i) => {
      const path = `/api/v1/memories/${written[i]?.id}`;
      const calls = [
        () => client.call("DELETE", path, { query }),
        () => client.call("GET", path, { query }),
        () => client.call("PATCH", path, { query, body: { weight: 0.9 } }),
        () => post("/api/v1/search", search),
        () => post("/api/v1/recall", search),
      ];
      return calls[i % calls.length]?.() ?? expect.unreachable();
    });
    expect(mixed.filter(({ status }) => status >= 300)).toEqual([]);
    await settle();
    expect((await client.ok(Status, "GET", "/api/v1/status")).jobs).toMatchObject({ due: 0, failing: 0 });
    const { items } = await client.ok(MemoryPage, "GET", "/api/v1/memories", { query: { limit: 500 } });
    expect(items.filter(({ metadata }) => metadata?.embedding_pending === true)).toEqual([]);
  },
  HANG_GUARD_MS,
);
