import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { Document, DocumentWritten } from "../../../src/core/schema/document.ts";
import { BulkResult, Memory, MemoryDetail } from "../../../src/core/schema/memory.ts";
import type { Client } from "../../support/api/client.ts";
import type { Server } from "../server.ts";
import { aFolder, checkData, cleanUp, count, openData, spawnServer, startAndKill, untilSettled } from "../server.ts";

const HANG_GUARD_MS = 120_000;
const WRITERS = 6;
const ITEMS = 20;

afterAll(cleanUp);

const address = (id: string) => [`/api/v1/memories/${id}`, { query: { tenant_id: "default" } }] as const;

/** What a client knows: acknowledged rows and removals, and bulk attempts that were never answered. */
interface Knowledge {
  readonly written: Map<string, string>;
  readonly documents: Map<string, string>;
  readonly removed: Set<string>;
  readonly unanswered: Map<string, readonly string[]>;
}

const nothingYet = (): Knowledge => ({
  written: new Map(),
  documents: new Map(),
  removed: new Set(),
  unanswered: new Map(),
});
let serial = 0;
const statement = (): string => `Statement ${++serial} of ${performance.now()} must not get lost.`;

async function writeOne(client: Client, known: Knowledge): Promise<void> {
  const content = statement();
  const body = { tenant_id: "default", content, run_id: "storm" };
  const { id } = await client.ok(Memory, "POST", "/api/v1/memories", { body });
  known.written.set(id, content);
}

async function writeMany(client: Client, known: Knowledge): Promise<void> {
  const attempt = `attempt-${++serial}`;
  const contents = Array.from({ length: ITEMS }, statement);
  known.unanswered.set(attempt, contents);
  const { results } = await bulk(client, attempt, contents);
  for (const { id, index } of results) known.written.set(id ?? "", contents[index] ?? "");
  known.unanswered.delete(attempt);
}

const bulk = (client: Client, attempt: string, contents: readonly string[]): Promise<BulkResult> =>
  client.ok(BulkResult, "POST", "/api/v1/memories/bulk", {
    headers: { "X-Bulk-Attempt-Id": attempt },
    body: { tenant_id: "default", items: contents.map((content) => ({ content })) },
  });

/** Until it is answered, a change may or may not have happened: the row is then known by neither text. */
async function changeOne(client: Client, known: Knowledge): Promise<void> {
  const [id] = known.written.keys();
  if (id === undefined) return;
  known.written.delete(id);
  const content = statement();
  const [path, options] = address(id);
  await client.ok(Memory, "PATCH", path, { ...options, body: { content } });
  known.written.set(id, content);
}

async function writeDocument(client: Client, known: Knowledge): Promise<void> {
  const doc_id = `doc-${serial % 10}`;
  known.documents.delete(doc_id);
  const summary = statement();
  const body = {
    tenant_id: "default",
    collection: "notes",
    doc_id,
    data: serial % 3 === 0 ? { summary } : { text: summary },
  };
  await client.ok(DocumentWritten, "POST", "/api/v1/documents", { body });
  known.documents.set(doc_id, summary);
}

async function removeOne(client: Client, known: Knowledge): Promise<void> {
  const [id] = known.written.keys();
  if (id === undefined) return;
  known.written.delete(id);
  await client.call("DELETE", ...address(id));
  known.removed.add(id);
}

/** Writes and removes until the server is gone. Whatever was in flight then is known to nobody. */
async function storm(client: Client, known: Knowledge, writer: number): Promise<void> {
  try {
    for (let i = writer; ; i++) {
      if (i % 5 === 0) await writeMany(client, known);
      else if (i % 7 === 0) await removeOne(client, known);
      else if (i % 3 === 0) await changeOne(client, known);
      else if (i % 4 === 0 && writer === 0) await writeDocument(client, known);
      else await writeOne(client, known);
    }
  } catch (error) {
    // Only a lost connection ends a storm: any reply that is a refusal is a failure of the test.
    if (String(error).includes("was refused")) throw error;
  }
}

async function checkKnown({ client }: Server, known: Knowledge): Promise<void> {
  for (const [id, content] of known.written) {
    expect((await client.ok(MemoryDetail, "GET", ...address(id))).content).toBe(content);
  }
  for (const [doc_id, summary] of known.documents) {
    const query = { tenant_id: "default", collection: "notes" };
    const { data } = await client.ok(Document, "GET", `/api/v1/documents/${doc_id}`, { query });
    expect(Object.values(data)).toEqual([summary]);
  }
  for (const id of known.removed) expect((await client.call("GET", ...address(id))).status).toBe(404);
  // A batch is stored whole or not at all: its retry finds either every item or none.
  for (const [attempt, contents] of known.unanswered) {
    const { results } = await bulk(client, attempt, contents);
    expect(new Set(results.map(({ status }) => status)).size).toBe(1);
    for (const { id, index } of results) known.written.set(id ?? "", contents[index] ?? "");
  }
  known.unanswered.clear();
}

test(
  "whatever was answered survives kill -9 at any moment, and all indexes agree afterwards",
  async () => {
    const killPoints = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 4, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(killPoints, async (pauses) => {
        const folder = aFolder();
        const known = nothingYet();
        for (const pause of pauses) {
          const server = await spawnServer({ folder: folder });
          await checkKnown(server, known);
          const writers = Array.from({ length: WRITERS }, (_, i) => storm(server.client, known, i));
          await Bun.sleep(pause);
          await server.kill();
          await Promise.all(writers);
          checkData(folder);
        }
        const server = await spawnServer({ folder: folder });
        await checkKnown(server, known);
        expect(known.written.size).toBeGreaterThan(ITEMS); // A storm that wrote nothing would prove nothing.
        await untilSettled(server);
        expect(await server.terminate()).toBe(0);
        checkData(folder);
      }),
      { numRuns: 1, endOnFailure: true },
    );
  },
  HANG_GUARD_MS,
);

test(
  "a first start that is killed at any moment leaves a folder that starts",
  async () => {
    const folder = aFolder();
    // From before the first line runs to after it serves: the file is made somewhere in between.
    const pauses = fc.sample(fc.integer({ min: 50, max: 400 }), { numRuns: 4, seed: 7 });
    for (const [i, pause] of pauses.entries()) {
      const fresh = join(folder, String(i));
      await startAndKill(fresh, pause);
      const server = await spawnServer({ folder: fresh });
      await writeOne(server.client, nothingYet());
      expect(await server.terminate()).toBe(0);
      checkData(fresh);
    }
  },
  HANG_GUARD_MS,
);

test(
  "rows whose vectors were still to come when the process was killed get them after the restart, from the real model",
  async () => {
    const folder = aFolder();
    const contents = Array.from({ length: 100 }, (_, i) => `Fact ${i}: the depot in sector ${i * 7} opens at dawn.`);
    const first = await spawnServer({ folder: folder, embedder: "onnx" });
    const { results, created } = await bulk(first.client, "before-the-crash", contents);
    await first.kill();
    expect(created).toBe(contents.length);
    const db = openData(folder);
    // Else the kill came too late, and the test would prove nothing.
    expect(count(db, "jobs")).toBeGreaterThan(0);
    expect(count(db, "memories where embedded_by is null")).toBeGreaterThan(0);
    db.close();
    checkData(folder);

    const second = await spawnServer({ folder: folder, embedder: "onnx" });
    await untilSettled(second);
    for (const { id, index } of results) {
      const read = await second.client.ok(MemoryDetail, "GET", ...address(id ?? ""));
      expect([read.content, read.metadata, read.embedding_stats?.dimensions]).toEqual([contents[index], null, 384]);
    }
    expect(await second.terminate()).toBe(0);
    checkData(folder);
  },
  HANG_GUARD_MS,
);
