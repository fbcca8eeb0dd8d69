import { afterAll, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { silentLogger } from "../../src/core/kernel/log.ts";
import type { Storage } from "../../src/core/ports/storage.ts";
import { searchableText } from "../../src/documents/searchable.ts";
import { storagePolicies } from "../../src/startup/storage-policies.ts";
import { openSqlite } from "../../src/storage/sqlite/open.ts";
import { temporaryFolder } from "../support/app.ts";
import { ACTOR, aBatch, anEntry, aRow, aVector, SPACE, TENANT } from "../support/builders.ts";
import { fakeClock } from "../support/clock.ts";
import { asked } from "./subject.ts";

const folder = temporaryFolder();
afterAll(folder.remove);

const open = (vector_extension: boolean, path = folder.path): Storage =>
  openSqlite({
    folder: path,
    clock: fakeClock(),
    log: silentLogger,
    space: SPACE,
    textOf: searchableText,
    policies: storagePolicies,
    vector_extension,
    cacheDir: tmpdir(),
  });

/** What the nearest rows and documents are, and whether every index is whole. */
async function answers(storage: Storage) {
  const filter = { tenant_id: TENANT };
  const { hits } = await storage.memories.hits({ filter, vector: asked(aVector(0)), words: [], pool: 7 });
  const documents = await storage.documents.hits({
    tenant_id: TENANT,
    words: [],
    vector: asked(aVector(0)),
    pool: 5,
  });
  const { checks } = await storage.indexes.inspect(null, () => {});
  return {
    rows: hits.map(({ memory, vec_sim }) => [memory.id, vec_sim]).sort(),
    documents: documents.hits.map(({ document, vec_sim }) => [document.doc_id, vec_sim]).sort(),
    // Nothing reads these rows for what they claim.
    faults: checks.filter(({ ok, name }) => !ok && name !== "reading"),
  };
}

async function seed(storage: Storage): Promise<void> {
  const rows = Array.from({ length: 30 }, () => aRow());
  await storage.memories.insert(aBatch(rows.map((row, i) => anEntry(row, aVector(i * 6)))));
  await storage.memories.remove({ tenant_id: TENANT, ids: [rows[3]?.id ?? ""] }, ACTOR, 1);
  for (let i = 0; i < 8; i++)
    await storage.documents.upsert(
      { tenant_id: TENANT, collection: i % 2 === 0 ? "even" : "odd", doc_id: `document ${i}` },
      ACTOR,
      () => ({
        fleet_id: null,
        data: { text: `Text ${i}` },
        searchable: { summary: `Text ${i}`, text: "" },
        vector: aVector(i * 20),
        embedded_by: SPACE.id,
        action: "document.put",
        jobsFor: () => [],
      }),
    );
}

test("a folder made without sqlite-vec answers the same with it, and keeps what is written then", async () => {
  const plain = open(false);
  await seed(plain);
  const before = await answers(plain);
  expect(before.rows.length).toBe(7);
  expect(before.documents.length).toBe(5);
  expect(before.faults).toEqual([]);
  await plain.close();
  const again = open(false);
  expect(await answers(again)).toEqual(before);
  await again.close();

  const extended = open(true);
  expect(await answers(extended)).toEqual(before);
  const added = aRow();
  await extended.memories.insert(aBatch([anEntry(added, aVector(0))]));
  expect((await answers(extended)).rows.map(([id]) => id)).toContain(added.id);
  await extended.close();

  expect(() => open(false)).toThrow("sqlite-vec");
  const last = open(true);
  expect((await answers(last)).rows.map(([id]) => id)).toContain(added.id);
  await last.close();
});

test("an empty folder that was made without the extension is opened with it", async () => {
  const empty = temporaryFolder();
  await open(false, empty.path).close();
  const storage = open(true, empty.path);
  await seed(storage);
  expect((await answers(storage)).rows).toHaveLength(7);
  await storage.close();
  empty.remove();
});
