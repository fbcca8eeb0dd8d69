import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import { createApp } from "../../../src/app.ts";
import { configOf } from "../../../src/config/load.ts";
import { silentLogger } from "../../../src/core/kernel/log.ts";
import { DocumentFindings } from "../../../src/core/schema/document.ts";
import { IndexesRebuilt, IntegrityReport } from "../../../src/core/schema/integrity.ts";
import { SearchReply } from "../../../src/core/schema/retrieval.ts";
import { vectorExtensionPath } from "../../../src/storage/sqlite/engine/vector-extension.ts";
import { isBinary, temporaryFolder } from "../../support/app.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
const TENANT = { tenant_id: "default" };
const CONTENT = "The payment service of Nordlicht GmbH retries a failed charge three times.";

const open = () =>
  createApp(configOf({ data: folder.path, cache: tmpdir(), port: 0, embedder: "hash" }), silentLogger, {
    embedder: hashEmbedder(),
  });
type App = Awaited<ReturnType<typeof open>>;

const check = async (app: App) => IntegrityReport.parse(await app.call("GET", "/api/v1/integrity"));
const faultsOf = ({ checks }: IntegrityReport) => checks.filter(({ ok }) => !ok).map(({ name }) => name);

async function found(app: App): Promise<{ memories: number; similarity: number | null; documents: number }> {
  const asked = { ...TENANT, query: "failed charge" };
  const { items } = SearchReply.parse(await app.call("POST", "/api/v1/search", asked));
  const { count } = DocumentFindings.parse(await app.call("POST", "/api/v1/documents/search", asked));
  return { memories: items.length, similarity: items[0]?.similarity ?? null, documents: count };
}

/** What a failing disk or a foreign program can do to what is derived from the rows. */
const DAMAGE: readonly (readonly [name: string, sql: string, fault: string])[] = [
  ["lost keywords", "delete from memory_words", "memory keywords"],
  ["words of no row", "insert into memory_words (rowid, title, content) values (999, '', 'ghost')", "memory keywords"],
  ["a lost vector", "delete from memory_vectors", "memory vectors"],
  [
    "a lost vector index",
    "delete from memory_codes where seq in (select seq from memory_codes)",
    "memory vector index",
  ],
  ["lost words of documents", "delete from document_words", "document keywords"],
  [
    "a lost index of documents",
    "delete from document_codes where seq in (select seq from document_codes)",
    "document vector index",
  ],
  ["lost members of documents", "delete from document_members", "document members"],
  ["a member of another value", "update document_members set value = 'other'", "document members"],
  ["a lost vector of a document", "delete from document_vectors", "document vectors"],
  ["a vector that no job will make", "update documents set embedded_by = null", "document vectors"],
  ["a memory that no job reads anew", "update memories set embedded_by = 'another'", "memory vectors"],
  ["a document that no job reads anew", "update documents set embedded_by = 'another'", "document vectors"],
  ["lost links to entities", "delete from memory_entities", "entities"],
  [
    "a link of no row",
    "insert into memory_entities (entity_seq, memory_seq, audience, role, direct) values (1, 999, 1, 'mentioned', 1)",
    "entities",
  ],
  ["a wrong count of links", "update entity_audiences set links = links + 1", "entities"],
  ["a lost count of links", "delete from entity_audiences", "entities"],
  ["a wrong counter", "update tenant_usage set memories_stored = 7", "usage"],
];

test("a healthy folder passes every check, and a rebuild changes nothing that is found", async () => {
  const app = await open();
  await app.call("POST", "/api/v1/memories", { ...TENANT, content: CONTENT });
  const document = { collection: "notes", doc_id: "charges", data: { summary: CONTENT } };
  await app.call("POST", "/api/v1/documents", { ...TENANT, ...document });
  await app.runner.drain();
  expect(faultsOf(await check(app))).toEqual([]);
  const before = await found(app);
  expect(before).toMatchObject({ memories: 1, documents: 1 });
  const rebuilt = IndexesRebuilt.parse(await app.call("POST", "/api/v1/integrity/rebuild"));
  expect(rebuilt).toMatchObject({ memories: 1, documents: 1, embeddings_queued: 0, report: { ok: true } });
  expect(await found(app)).toEqual(before);
  await app.stop();
});

for (const [name, sql, fault] of DAMAGE) {
  test(`${name} is named by the check and mended by a rebuild`, async () => {
    const db = new Database(join(folder.path, "cairn.db"));
    db.loadExtension(vectorExtensionPath(tmpdir()));
    db.exec(sql);
    db.close();
    const app = await open();
    expect(faultsOf(await check(app))).toContain(fault);
    await app.call("POST", "/api/v1/integrity/rebuild");
    await app.runner.drain();
    expect(faultsOf(await check(app))).toEqual([]);
    const { memories, similarity, documents } = await found(app);
    expect({ memories, documents }).toEqual({ memories: 1, documents: 1 });
    expect(similarity).not.toBeNull();
    await app.stop();
  });
}

test("the command names the faults, mends them, and says by its exit code whether all is well", async () => {
  const cairn = isBinary ? ["dist/cairn"] : [process.execPath, "src/main.ts"];
  const run = (command: string) => {
    const child = Bun.spawnSync([...cairn, command, `--data=${folder.path}`, "--embedder=hash"]);
    return { out: child.stdout.toString(), code: child.exitCode };
  };
  expect(run("check")).toMatchObject({ code: 0, out: expect.stringContaining("ok     memory keywords") });
  const db = new Database(join(folder.path, "cairn.db"));
  db.exec("delete from memory_words");
  db.close();
  expect(run("check")).toMatchObject({ code: 1, out: expect.stringContaining("FAULT  memory keywords") });
  expect(run("rebuild")).toMatchObject({ code: 0, out: expect.stringContaining("ok     memory keywords") });
});

test("the command ends by itself when a server with the real model has the folder", async () => {
  const cairn = isBinary ? ["dist/cairn"] : [process.execPath, "src/main.ts"];
  const data = `--data=${folder.path}`;
  const server = Bun.spawn([...cairn, "serve", data, "--port=0", "--ready-json", "--with-parent"], {
    stdout: "pipe",
    stderr: "ignore",
  });
  await server.stdout.getReader().read();
  const { exitCode, exitedDueToTimeout } = Bun.spawnSync([...cairn, "check", data], { timeout: 20_000 });
  server.kill();
  expect({ exitCode, exitedDueToTimeout }).toMatchObject({ exitCode: 0 });
});
