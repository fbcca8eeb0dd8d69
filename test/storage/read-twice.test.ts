import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { silentLogger } from "../../src/core/kernel/log.ts";
import { searchableText } from "../../src/documents/searchable.ts";
import { storagePolicies } from "../../src/startup/storage-policies.ts";
import { signCode } from "../../src/storage/common/sign-code.ts";
import { connect } from "../../src/storage/sqlite/engine/connection.ts";
import { vectorExtensionPath } from "../../src/storage/sqlite/engine/vector-extension.ts";
import { migrations } from "../../src/storage/sqlite/migrations/all.ts";
import { migrate } from "../../src/storage/sqlite/migrations/migrate.ts";
import { openSqlite } from "../../src/storage/sqlite/open.ts";
import { nearestCodes } from "../../src/storage/sqlite/vectors/vectors.ts";
import { aBatch, anEntry, aRow, aVector, DIMENSIONS, SPACE, TENANT } from "../support/builders.ts";
import { fakeClock } from "../support/clock.ts";

const PAIR = { ...SPACE, secondary_center: new Float32Array(DIMENSIONS) };

test("a row is found by what either reader makes of it, with the cosines of both", async () => {
  const storage = openSqlite({
    folder: null,
    clock: fakeClock(),
    log: silentLogger,
    space: PAIR,
    textOf: searchableText,
    policies: storagePolicies,
    cacheDir: tmpdir(),
  });
  const entry = (content: string, own: number, second: number | null) => {
    const { memory, vectors, ...rest } = anEntry(aRow({ content }), aVector(own));
    return { ...rest, memory, vectors: vectors && { ...vectors, secondary: second === null ? null : aVector(second) } };
  };
  const entries = [
    entry("near to the first", 10, 180),
    entry("near to the second", 180, 10),
    entry("read once", 20, null),
  ];
  const far = Array.from({ length: 20 }, (_, i) => entry(`far ${i}`, 170 + i, 180 + i));
  await storage.memories.insert(aBatch([...entries, ...far]));
  const { hits } = await storage.memories.hits({
    filter: { tenant_id: TENANT },
    vector: { embedder_id: SPACE.id, values: aVector(0), secondary: aVector(0) },
    words: [],
    pool: 3,
  });
  await storage.close();
  const cosines = new Map(hits.map(({ memory, vec_sim, secondary_sim }) => [memory.content, [vec_sim, secondary_sim]]));
  expect([...cosines.keys()].sort()).toEqual(entries.map(({ memory }) => memory.content).sort());
  const near = Math.cos(Math.PI / 18);
  expect(cosines.get("near to the first")).toEqual([expect.closeTo(near, 5), expect.closeTo(-1, 5)]);
  expect(cosines.get("near to the second")).toEqual([expect.closeTo(-1, 5), expect.closeTo(near, 5)]);
  expect(cosines.get("read once")).toEqual([expect.closeTo(Math.cos(Math.PI / 9), 5), null]);
});

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
  const near = nearestCodes(db, SPACE, { filter: { tenant_id: TENANT }, pool: 3 }, { values: aVector(0) });
  expect(near).toEqual([2, 3, 1]);
});
