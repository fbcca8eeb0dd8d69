import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storagePolicies } from "../../../src/startup/storage-policies.ts";
import { retentionStore } from "../../../src/storage/keeping/retention.ts";
import type { Engine } from "../../../src/storage/sqlite/engine/connection.ts";
import { connect, NOTHING_AROUND } from "../../../src/storage/sqlite/engine/connection.ts";
import { groupCommits } from "../../../src/storage/sqlite/engine/group-commit.ts";
import { vectorExtensionPath } from "../../../src/storage/sqlite/engine/vector-extension.ts";
import { damageOf } from "../../../src/storage/sqlite/integrity/pages.ts";
import { sqliteLeftRoom } from "../../../src/storage/sqlite/keeping/left-room.ts";
import { documentsReadOnce } from "../../../src/storage/sqlite/migrations/after-0.1.0/documents-read-once.ts";
import { migrations } from "../../../src/storage/sqlite/migrations/all.ts";
import { migrate } from "../../../src/storage/sqlite/migrations/migrate.ts";
import { openSqlite } from "../../../src/storage/sqlite/open.ts";
import { sqliteRunner } from "../../../src/storage/sqlite/units/run.ts";
import { vectorBlob } from "../../../src/storage/sqlite/vectors/blob.ts";
import { temporaryFolder } from "../../support/app.ts";
import { ACTOR, aVector, SPACE, TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { aChange } from "../contract/documents.ts";
import { optionsOf } from "../engines.ts";

const STEPS = migrations(SPACE);

/** A file of documents that two models read, brought to the newest shape. */
function upgraded(documents: number): Engine {
  const grouped = groupCommits(connect(null, vectorExtensionPath(tmpdir())), NOTHING_AROUND, () => performance.now());
  const engine = Object.assign(grouped, { policies: storagePolicies, space: SPACE });
  const db = engine.writeConnection;
  migrate(db, STEPS.slice(0, STEPS.indexOf(documentsReadOnce)));
  const vector = vectorBlob(aVector(0));
  for (let seq = 1; seq <= documents; seq++) {
    db.query(
      `insert into documents (tenant_id, id, collection, doc_id, data, created_at, updated_at, summary, embedded_by, paraphrased_by, approval)
       values ('acme', ?, 'notes', ?, '{"summary":"A heron"}', '1', '2', 'heron. A heron', 'first', 'second', '{"way":"x"}')`,
    ).run(`id-${seq}`, `heron-${seq}`);
    db.query("insert into document_vectors (seq, embedder_id, vector) values (?, 'first', ?)").run(seq, vector);
    db.query("insert into document_paraphrases values (?, 'second', ?, ?)").run(seq, vector, vector);
  }
  migrate(db, STEPS);
  return engine;
}

test("what a second model made of documents goes a few rows at a time, and with its document", async () => {
  const engine = upgraded(8);
  const db = engine.writeConnection;
  const left = () => db.query("select seq from document_paraphrases order by seq").values().flat();
  expect(left()).toHaveLength(8);
  db.exec("delete from document_vectors where seq = 2; delete from documents where seq = 2");
  expect(left()).toEqual([1, 3, 4, 5, 6, 7, 8]);
  const { removeSpent } = retentionStore(
    sqliteRunner(engine, () => {}),
    sqliteLeftRoom(engine),
  );
  expect([await removeSpent(0, 4), await removeSpent(0, 4), await removeSpent(0, 4)]).toEqual([4, 3, 0]);
  expect(left()).toEqual([]);
  engine.close();
});

test("a document that two models read is not written anew", () => {
  const engine = upgraded(1);
  const db = engine.writeConnection;
  expect(db.query("select * from documents").all()).toEqual([
    {
      seq: 1,
      id: "id-1",
      tenant_id: "acme",
      fleet_id: null,
      collection: "notes",
      doc_id: "heron-1",
      data: '{"summary":"A heron"}',
      created_at: "1",
      updated_at: "2",
      summary: "heron. A heron",
      embedded_by: "first",
      // Unread.
      paraphrased_by: "second",
      approval: '{"way":"x"}',
    },
  ]);
  expect(db.query("select embedder_id from document_vectors").values()).toEqual([["first"]]);
  engine.close();
});

test("a document of a file that two models read, and one of a new file, have no member that nothing reads", async () => {
  const storage = openSqlite(optionsOf(null, fakeClock(), storagePolicies));
  const key = { tenant_id: TENANT, collection: "notes", doc_id: "heron" };
  const { after } = await storage.documents.upsert(key, ACTOR, () => aChange({ summary: "A heron" }));
  expect(Object.keys(after)).not.toContain("paraphrased_by");
  expect(await storage.documents.get(key)).toEqual(after);
  await storage.close();
});

test("what a second model made of documents can be lost of a damaged file of before", () => {
  const folder = temporaryFolder();
  const path = join(folder.path, "cairn.db");
  const db = new Database(path);
  db.exec("create table document_paraphrases (seq integer primary key, summary blob) strict");
  db.exec("insert into document_paraphrases values (1, randomblob(100))");
  const pages = db.query<{ page: number; size: number }, []>(
    "select (select rootpage from sqlite_schema) as page, page_size as size from pragma_page_size",
  );
  const { page, size } = pages.get() ?? expect.unreachable();
  db.close();
  const bytes = readFileSync(path);
  bytes.fill(0xff, (page - 1) * size, (page - 1) * size + 100);
  writeFileSync(path, bytes);
  const damaged = new Database(path, { readonly: true });
  expect(damageOf(damaged, "document_paraphrases")).toMatchObject([{ table: "document_paraphrases", derived: true }]);
  damaged.close();
  folder.remove();
});
