import { afterAll, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { insertJobs } from "../../src/storage/jobs/queue.ts";
import { connect } from "../../src/storage/sqlite/engine/connection.ts";
import { vectorExtensionPath } from "../../src/storage/sqlite/engine/vector-extension.ts";
import { migrations } from "../../src/storage/sqlite/migrations/all.ts";
import { migrate } from "../../src/storage/sqlite/migrations/migrate.ts";
import { within } from "../../src/storage/sqlite/units/run.ts";
import { SPACE, TENANT } from "../support/builders.ts";

const db = connect(null, vectorExtensionPath(tmpdir()));
migrate(db.writeConnection, migrations(SPACE));
afterAll(() => db.close());

test("whether a job waits already is asked of its kind, not of all that waits", () => {
  const asked: string[] = [];
  const query = db.writeConnection.query.bind(db.writeConnection);
  db.writeConnection.query = (sql: string) => {
    if (sql.startsWith("select")) asked.push(sql);
    return query(sql);
  };
  within(db, TENANT, (work) => insertJobs(work, [{ kind: "review_skills", payload: { tenant_id: TENANT } }], 0));
  expect(asked).toHaveLength(1);
  const plan = query<{ detail: string }, []>(`explain query plan ${asked[0]}`).all();
  expect(plan.map(({ detail }) => detail).join("\n")).toContain("SEARCH jobs USING INDEX jobs_by_kind");
});
