import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { closeSync, cpSync, existsSync, openSync, readdirSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Document } from "../../src/core/schema/document.ts";
import { IntegrityReport } from "../../src/core/schema/integrity.ts";
import { Memory } from "../../src/core/schema/memory.ts";
import { MemoryPage } from "../../src/core/schema/memory-query.ts";
import { SearchReply } from "../../src/core/schema/retrieval.ts";
import { Health } from "../../src/core/schema/system.ts";
import { aFolder, cleanUp, runToEnd, spawnServer } from "../fault/server.ts";
import type { InProcess } from "../support/in-process.ts";
import { openApp } from "../support/in-process.ts";

afterAll(cleanUp);
const ROWS = 100;
const PAGE_BYTES = 4096;

const contentOf = (i: number) =>
  `Crane ${i} of the northern dock was inspected by Ada Lovelace on level ${i % 7}, and its brake number ${i * 31} holds.`;

/** A folder with rows of every kind, as a server left it. */
const filled: Promise<string> = (async () => {
  const folder = aFolder();
  const { app, client, settle } = await openApp({ folder });
  for (let i = 0; i < ROWS; i += 100) {
    const items = Array.from({ length: 100 }, (_, j) => ({ content: contentOf(i + j), agent_id: "ada" }));
    await client.call("POST", "/api/v1/memories/bulk", { body: { items } });
  }
  for (let i = 0; i < 30; i++) {
    const data = { summary: `Manual of crane ${i} and how its brake is replaced`, number: i };
    await client.call("POST", "/api/v1/documents", { body: { collection: "manuals", doc_id: `crane-${i}`, data } });
  }
  await settle();
  await app.stop();
  return folder;
})();

/** A copy of the folder in which a page of a tree is overwritten: one in the middle of those without children. */
async function damagedFolder(tree: string, how: "zeros" | "noise"): Promise<string> {
  const folder = aFolder();
  cpSync(await filled, folder, { recursive: true });
  const path = join(folder, "cairn.db");
  const db = new Database(path, { readonly: true });
  const pages = db
    .query<{ pageno: number }, [string]>("select pageno from dbstat where name = ? and pagetype = 'leaf' order by path")
    .all(tree);
  db.close();
  const page = pages[Math.floor(pages.length / 2)]?.pageno;
  if (page === undefined) throw new Error(`There is no tree ${tree}.`);
  const bytes = Buffer.alloc(PAGE_BYTES);
  if (how === "noise") bytes.fill("no such page");
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
  closeSync(file);
  return folder;
}

const rebuild = (folder: string) => runToEnd(["rebuild", "--data", folder, "--embedder", "hash"]);
const check = (folder: string) => runToEnd(["check", "--data", folder, "--embedder", "hash"]);

async function idsIn(folder: string): Promise<{ memories: number; documents: number; found: number }> {
  const { app, client, settle } = await openApp({ folder });
  await settle();
  const { items } = await client.ok(MemoryPage, "GET", "/api/v1/memories", { query: { limit: 500 } });
  const searched = await client.ok(SearchReply, "POST", "/api/v1/search", { body: { query: "crane brake inspected" } });
  let documents = 0;
  for (let i = 0; i < 30; i++) {
    const { status } = await client.call("GET", `/api/v1/documents/crane-${i}`, { query: { collection: "manuals" } });
    if (status === 200) documents++;
  }
  const report = await client.ok(IntegrityReport, "GET", "/api/v1/integrity");
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect((await client.ok(Health, "GET", "/api/v1/health")).status).toBe("ok");
  await client.ok(Memory, "POST", "/api/v1/memories", { body: { content: "A statement written after the mending." } });
  await app.stop();
  return { memories: items.length, documents, found: searched.items.length };
}

/** What can be made anew, or is an index: nothing of the rows is lost with it. */
const REPLACEABLE: readonly (readonly [tree: string, named: string, how: "zeros" | "noise"])[] = [
  ["memory_words_data", "table memory_words", "zeros"],
  ["memory_words_docsize", "table memory_words", "noise"],
  ["memory_entities", "table memory_entities", "zeros"],
  ["memories_by_time", "index memories_by_time of memories", "noise"],
  ["sqlite_autoindex_memories_1", "index sqlite_autoindex_memories_1 of memories", "zeros"],
  ["memory_codes_rowids", "table memory_codes", "zeros"],
  ["document_members", "table document_members", "noise"],
  ["memory_vectors", "table memory_vectors", "zeros"],
];

for (const [tree, named, how] of REPLACEABLE) {
  test(`a page of ${tree} filled with ${how} is named by the check, and a rebuild loses no row`, async () => {
    const folder = await damagedFolder(tree, how);
    const checked = await check(folder);
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain(named);
    const rebuilt = await rebuild(folder);
    expect(rebuilt).toMatchObject({ code: 0, stdout: expect.stringContaining(named) });
    expect(await idsIn(folder)).toEqual({ memories: ROWS, documents: 30, found: 5 });
  });
}

test("of damaged rows all that can be read are saved, the lost ones are listed, and the damaged file is kept", async () => {
  const folder = await damagedFolder("memories", "zeros");
  expect((await check(folder)).stdout).toContain("table memories");
  const { code, stdout } = await rebuild(folder);
  expect(code).toBe(0);
  const [, lost = "", ids = ""] = /LOST {3}(\d+) of memories: (.*)/.exec(stdout) ?? [];
  expect(Number(lost)).toBeGreaterThan(0);
  expect(ids.split(", ")).toHaveLength(Number(lost));
  const kept = readdirSync(folder).filter((name) => name.startsWith("cairn.db.damaged-") && !name.endsWith("wal"));
  expect(kept).toHaveLength(1);
  expect(statSync(join(folder, "cairn.db")).mode & 0o777).toBe(0o600);
  const { memories, documents } = await idsIn(folder);
  expect(memories).toBe(ROWS - Number(lost));
  expect(documents).toBe(30);
});

test("where the table that names all others is damaged a rebuild says so, and leaves the file as it is", async () => {
  const folder = await damagedFolder("sqlite_schema", "zeros");
  const file = join(folder, "cairn.db");
  const before = await Bun.file(file).bytes();
  const { code, stderr } = await rebuild(folder);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/cairn\.db that names its tables is damaged.*backup/)]);
  expect(stderr).not.toContain("cairn rebuild");
  expect(await Bun.file(file).bytes()).toEqual(before);
});

test("lost owners of memories are made anew from the memories themselves", async () => {
  for (const tree of ["agents", "audiences"]) {
    const folder = await damagedFolder(tree, "zeros");
    expect((await rebuild(folder)).stdout).toContain(`of ${tree}`);
    expect(await idsIn(folder)).toMatchObject({ memories: ROWS, documents: 30 });
  }
});

test("a rebuild of a sound folder leaves its data file where it is", async () => {
  const folder = aFolder();
  cpSync(await filled, folder, { recursive: true });
  expect((await rebuild(folder)).code).toBe(0);
  expect(readdirSync(folder).filter((name) => name.includes("damaged") || name.includes("salvaged"))).toEqual([]);
});

/** Reads a row of the damaged page, as any reader may. */
async function comeUpon({ client }: Pick<InProcess, "client">): Promise<void> {
  await client.call("GET", "/api/v1/memories", { query: { limit: 500, include_deleted: true } });
}

test("a server that came upon damaged rows is degraded and writes nothing, also after a restart, until they are mended", async () => {
  const folder = await damagedFolder("memories", "noise");
  const server = await spawnServer({ folder });
  await comeUpon(server);
  const isRefused = async ({ client }: Pick<InProcess, "client">) => {
    const { status, body } = await client.refused("POST", "/api/v1/memories", {
      body: { content: "Not to be written." },
    });
    expect(status).toBe(503);
    expect(body.error.message).toContain("cairn rebuild");
    const health = await client.ok(Health, "GET", "/api/v1/health");
    expect(health).toMatchObject({ status: "degraded", storage: "connected" });
    expect(health.platform_init_errors).toContain("data_file_damaged");
  };
  await isRefused(server);
  await server.client.ok(Document, "GET", "/api/v1/documents/crane-3", { query: { collection: "manuals" } });
  const { code, stderr } = await rebuild(folder);
  expect(code).toBe(1);
  expect(stderr).toContain("Stop the server");
  await server.terminate();
  expect(existsSync(join(folder, "cairn.damaged.json"))).toBe(true);
  const again = await openApp({ folder });
  await isRefused(again);
  await again.app.stop();
  expect((await rebuild(folder)).code).toBe(0);
  expect((await idsIn(folder)).memories).toBeGreaterThan(ROWS / 2);
});

test("a server with a damaged keyword index is degraded, names it, and goes on writing rows", async () => {
  const folder = await damagedFolder("memory_words_data", "zeros");
  const server = await openApp({ folder });
  const { checks, damaged } = await server.client.ok(IntegrityReport, "GET", "/api/v1/integrity");
  expect(checks.find(({ name }) => name === "data file")).toMatchObject({ ok: false });
  expect(damaged).toContainEqual(expect.objectContaining({ table: "memory_words", index: null, derived: true }));
  expect(await server.client.ok(Health, "GET", "/api/v1/health")).toMatchObject({ status: "degraded" });
  await server.client.ok(Document, "POST", "/api/v1/documents", {
    body: { collection: "manuals", doc_id: "new", data: { number: 1 } },
  });
  await server.app.stop();
});
