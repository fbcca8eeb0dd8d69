import { afterAll, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { connect } from "../../src/storage/sqlite/engine/connection.ts";
import { vectorExtensionPath } from "../../src/storage/sqlite/engine/vector-extension.ts";
import { insertJobs } from "../../src/storage/sqlite/jobs/jobs.ts";
import { migrations } from "../../src/storage/sqlite/migrations/all.ts";
import { migrate } from "../../src/storage/sqlite/migrations/migrate.ts";
import { SPACE, TENANT } from "../support/builders.ts";

const db = connect(null, vectorExtensionPath(tmpdir()));
migrate(db.writeConnection, migrations(SPACE));
afterAll(() => db.close());

test("whether a job waits already is asked of its kind, not of all that waits", () => {
  const prepared: string[] = [];
  const prepare = db.writeConnection.prepare.bind(db.writeConnection);
  db.writeConnection.prepare = (...[sql, ...more]: Parameters<typeof prepare>) => {
    prepared.push(sql);
    return prepare(sql, ...more);
  };
  insertJobs(db, [{ kind: "review_skills", payload: { tenant_id: TENANT } }], 0);
  const asked = prepared.filter((sql) => sql.startsWith("select"));
  expect(asked).toHaveLength(1);
  const plan = db.writeConnection.query<{ detail: string }, []>(`explain query plan ${asked[0]}`).all();
  expect(plan.map(({ detail }) => detail).join("\n")).toContain("SEARCH jobs USING INDEX jobs_by_kind");
});
