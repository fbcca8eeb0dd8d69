import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "../../../src/core/kernel/log.ts";
import { searchableText } from "../../../src/documents/searchable.ts";
import { storagePolicies } from "../../../src/startup/storage-policies.ts";
import { signCode } from "../../../src/storage/common/sign-code.ts";
import { connect } from "../../../src/storage/sqlite/engine/connection.ts";
import { vectorExtensionPath } from "../../../src/storage/sqlite/engine/vector-extension.ts";
import { migrations } from "../../../src/storage/sqlite/migrations/all.ts";
import { migrate } from "../../../src/storage/sqlite/migrations/migrate.ts";
import { openSqlite } from "../../../src/storage/sqlite/open.ts";
import { nearestCodes } from "../../../src/storage/sqlite/vectors/vectors.ts";
import { temporaryFolder } from "../../support/app.ts";
import { aBatch, anEntry, aRow, aVector, SPACE, TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";

/** The place of the step that made room for the second vectors. */
const READ_TWICE = 18;

test("the codes of a file of before are found as they were", () => {
  const steps = migrations(SPACE);
  const db = connect(null, vectorExtensionPath(tmpdir()));
  migrate(db.writeConnection, steps.slice(0, READ_TWICE));
  const put = db.writeConnection.query(
    "insert into memory_codes (space, seq, author, audience, kind, code) values (?, ?, 1, 1, 0, vec_bit(?))",
  );
  for (const [i, degrees] of [90, 5, 45].entries())
    put.run(`${SPACE.id}/${TENANT}`, i + 1, signCode(aVector(degrees), SPACE.center));
  migrate(db.writeConnection, steps);
  const near = nearestCodes(db, SPACE, { filter: { tenant_id: TENANT }, pool: 3 }, aVector(0));
  expect(near).toEqual([2, 3, 1]);
});

test("what a second model made of a row goes when the row is read anew", async () => {
  const folder = temporaryFolder();
  const options = {
    folder: folder.path,
    clock: fakeClock(),
    log: silentLogger,
    space: SPACE,
    textOf: searchableText,
    policies: storagePolicies,
    cacheDir: tmpdir(),
  };
  const before = openSqlite(options);
  const row = aRow({ content: "read by a pair" });
  await before.memories.insert(aBatch([anEntry(row, aVector(90))]));
  await before.close();
  const file = new Database(join(folder.path, "cairn.db"));
  file.exec(
    "update memories set embedded_by = 'pair'; update memory_vectors set embedder_id = 'pair', second = vector",
  );
  file.close();

  const after = openSqlite(options);
  const near = async () => {
    const vector = { embedder_id: SPACE.id, values: aVector(0) };
    const { hits } = await after.memories.hits({ filter: { tenant_id: TENANT }, vector, words: ["pair"], pool: 3 });
    return hits.map(({ vec_sim }) => vec_sim);
  };
  expect(await near()).toEqual([null]);
  const { id, content_hash } = row;
  await after.memories.fillVectors(TENANT, [{ id, content_hash, vectors: { own: aVector(0), context: null } }]);
  expect(await near()).toEqual([1]);
  await after.close();
  const read = new Database(join(folder.path, "cairn.db"), { readonly: true });
  expect(read.query("select embedder_id, second from memory_vectors").values()).toEqual([[SPACE.id, null]]);
  read.close();
  folder.remove();
});
