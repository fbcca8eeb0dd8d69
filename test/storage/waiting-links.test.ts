import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { deleteOrphanedNames } from "../../src/storage/entities/delete-orphans.ts";
import type { Connections } from "../../src/storage/sqlite/engine/connection.ts";
import { connect } from "../../src/storage/sqlite/engine/connection.ts";
import { vectorExtensionPath } from "../../src/storage/sqlite/engine/vector-extension.ts";
import { migrations } from "../../src/storage/sqlite/migrations/all.ts";
import { migrate } from "../../src/storage/sqlite/migrations/migrate.ts";
import { waitingLinks } from "../../src/storage/sqlite/migrations/waiting-links.ts";
import { sqliteRunner } from "../../src/storage/sqlite/units/run.ts";
import { SPACE, TENANT } from "../support/builders.ts";
import { openPlanned } from "../support/plans.ts";

const STEPS = migrations(SPACE);

/** A store with a deleted memory that names two entities, and one live memory that names a third. */
function opened(upTo = STEPS.length): Connections {
  const db = connect(null, vectorExtensionPath(tmpdir()));
  migrate(db.writeConnection, STEPS.slice(0, upTo));
  db.writeConnection.exec(`
    insert into agents (tenant_id, agent_id, created_at, updated_at) values ('${TENANT}', 'ada', '', '');
    insert into audiences (tenant_id, kind, owner) values ('${TENANT}', 'scope_team', '');`);
  const put =
    db.writeConnection.query(`insert into memories (id, tenant_id, agent_id, author, audience, memory_type, content, weight,
      entity_links, content_hash, created_at, status, visibility, recall_count, deleted_at)
    values (?, '${TENANT}', 'ada', 1, 1, 'fact', '', 1, ?, '', '', 'active', 'scope_team', 0, ?)`);
  const links = (...ids: string[]) => JSON.stringify(ids.map((entity_id) => ({ entity_id, role: "about" })));
  put.run("gone", links("one", "two", "one"), "2026-01-01");
  put.run("kept", links("three"), null);
  return db;
}

const waiting = (db: Connections) =>
  db.writeConnection.query("select entity_id, memory_seq from waiting_links order by 1, 2").values();

test("entities that a file of before has deleted rows of wait for them", () => {
  const db = opened(STEPS.indexOf(waitingLinks));
  migrate(db.writeConnection, STEPS);
  expect(waiting(db)).toEqual([
    ["one", 1],
    ["two", 1],
  ]);
});

test("an entity waits while a row that names it is deleted, and not once that is back or erased", () => {
  const db = opened();
  db.writeConnection.exec("update memories set deleted_at = '2026-01-02' where id = 'kept'");
  expect(waiting(db)).toEqual([
    ["one", 1],
    ["three", 2],
    ["two", 1],
  ]);
  db.writeConnection.exec(
    "update memories set deleted_at = null where id = 'kept'; delete from memories where id = 'gone'",
  );
  expect(waiting(db)).toEqual([]);
});

test("the look for names that nothing holds walks through no memories, however many are deleted", async () => {
  const store = openPlanned();
  const plans = await store.plansOf(
    () =>
      deleteOrphanedNames(
        sqliteRunner(store.at, () => {}),
        0,
      ),
    "from entities e",
  );
  expect(plans).toHaveLength(1);
  expect(plans[0]?.split("\n").filter((step) => /\bSCAN\b/.test(step))).toEqual([]);
});
