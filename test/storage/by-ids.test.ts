import { afterAll, beforeAll, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import type { Connections } from "../../src/storage/sqlite/connection.ts";
import { connect } from "../../src/storage/sqlite/connection.ts";
import { vectorExtensionPath } from "../../src/storage/sqlite/extension.ts";
import { pendingMemories, removeMemories, touchRecalls } from "../../src/storage/sqlite/memories-change.ts";
import { listMemories } from "../../src/storage/sqlite/memories-read.ts";
import { migrate } from "../../src/storage/sqlite/migrate.ts";
import { migrations } from "../../src/storage/sqlite/migrations.ts";
import { ACTOR, SPACE, TENANT } from "../support/builders.ts";

// A tenant may have a million rows: what names its rows must not walk through all of them.

let at: Connections;
const prepared: string[] = [];
beforeAll(() => {
  at = connect(null, vectorExtensionPath(tmpdir()));
  migrate(at.writer, migrations(SPACE));
  const prepare = at.writer.prepare.bind(at.writer);
  at.writer.prepare = (...[sql, ...more]: Parameters<typeof prepare>) => {
    prepared.push(sql);
    return prepare(sql, ...more);
  };
});
afterAll(() => at.close());

const ids = ["a", "b", "c"];
const filter = { tenant_id: TENANT, ids };
const now = "2026-03-01T12:00:00.000Z";
const page = { filter, sort: "created_at", order: "desc", after: null, offset: 0, limit: 3 } as const;

test.each([
  ["a list", () => listMemories(at, page)],
  ["a removal", () => removeMemories(at, filter, { actor: ACTOR, now, nowMs: Date.parse(now) }, 3)],
  ["counting recalls", () => touchRecalls(at, TENANT, ids, now)],
  ["what waits for a vector", () => pendingMemories(at, TENANT, Array.from({ length: 100 }, String), SPACE.id)],
])("%s by ids looks up each id", (_, act) => {
  prepared.length = 0;
  act();
  const named = prepared.filter((sql) => sql.includes("json_each"));
  expect(named).not.toEqual([]);
  for (const sql of named) {
    const plan = at.writer.query<{ detail: string }, []>(`explain query plan ${sql}`).all();
    expect(plan.map(({ detail }) => detail).join("\n")).toMatch(/SEARCH memories USING .*\(id=\?\)/);
  }
});
