import { afterEach, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import type { EntityChange } from "../../src/core/ports/entity-store.ts";
import type { ReadScope } from "../../src/core/ports/memory-filter.ts";
import { storagePolicies } from "../../src/startup/storage-policies.ts";
import { changedBy } from "../../src/storage/common/changed-by.ts";
import { getEntity } from "../../src/storage/entities/read.ts";
import { upsertEntity } from "../../src/storage/entities/write.ts";
import type { Connections } from "../../src/storage/sqlite/engine/connection.ts";
import { connect } from "../../src/storage/sqlite/engine/connection.ts";
import { vectorExtensionPath } from "../../src/storage/sqlite/engine/vector-extension.ts";
import { migrations } from "../../src/storage/sqlite/migrations/all.ts";
import { entriesByFleet } from "../../src/storage/sqlite/migrations/entries-by-fleet.ts";
import { migrate } from "../../src/storage/sqlite/migrations/migrate.ts";
import { changing, looking } from "../../src/storage/sqlite/units/run.ts";
import { nameKey } from "../../src/text/names/name-key.ts";
import { ACTOR, SPACE, TENANT } from "../support/builders.ts";
import { fakeClock } from "../support/clock.ts";

let db: Connections;
afterEach(() => db.close());

const STEPS = migrations(SPACE);
const NOBODY = { tenant_id: TENANT, agent_id: null, fleets: [] };
const RED = { ...NOBODY, fleets: ["red"] };
const BLUE = { ...NOBODY, fleets: ["blue"] };
const CHIEF_OF_BLUE: ReadScope = { ...NOBODY, fleets: "all", home: "blue" };
const ANYBODY: ReadScope = { ...NOBODY, fleets: "all" };

const open = (steps = STEPS): void => {
  db = connect(null, vectorExtensionPath(tmpdir()));
  migrate(db.writeConnection, steps);
};
const page = (id: string, read_scope: ReadScope) =>
  looking(db, (work) => getEntity(work, { tenant_id: TENANT, id }, read_scope));

test("a file of before keeps what was entered, with other names and relations, for whom it was entered", () => {
  open(STEPS.slice(0, STEPS.indexOf(entriesByFleet)));
  const entity = (seq: number, fleet: string, byHand: number) =>
    db.writeConnection.exec(`insert into entities values (${seq}, 'id-${seq}', '${TENANT}', ${fleet}, 'event', 'Name ${seq}', 'name${seq}',
      '{"n":${seq}}', ${byHand}, '2026-01-0${seq}', '2026-02-0${seq}')`);
  entity(3, "'red'", 1);
  entity(5, "null", 1);
  entity(7, "null", 0);
  db.writeConnection.exec(`
    insert into entity_aliases values ('${TENANT}', 'other', 3, 0, 0, 'Other'), ('${TENANT}', 'another', 5, 0, 0, 'Another');
    insert into relations values (1, 'relation', '${TENANT}', 'red', 3, 'owns', 5, 0.5, null, '', '')`);
  migrate(db.writeConnection, STEPS);
  expect(page("id-3", RED)).toMatchObject({
    fleet_id: "red",
    canonical_name: "Name 3",
    attributes: { n: 3 },
    aliases: ["Other"],
    relations: [{ id: "relation", weight: 0.5 }],
    created_at: "2026-01-03",
    updated_at: "2026-02-03",
  });
  expect(page("id-3", BLUE)).toBeNull();
  expect(page("id-5", BLUE)).toMatchObject({ attributes: { n: 5 }, aliases: ["Another"], relations: [] });
  expect(page("id-7", ANYBODY)).toBeNull();
  expect(db.writeConnection.query("pragma foreign_key_check").all()).toEqual([]);
});

test("of several entries of a name a reader is told its own fleet's, else that of all, else the first", () => {
  open();
  const clock = fakeClock();
  const enter = (canonical_name: string, fields: Partial<EntityChange> = {}) => {
    const key = nameKey(canonical_name);
    const plain = { tenant_id: TENANT, fleet_id: null, home: null, attributes: null, aliases: [] };
    const change: EntityChange = { ...plain, entity_type: "concept", canonical_name, key, ...fields };
    const by = { ...changedBy(clock, ACTOR), guard: () => {} };
    const engine = { ...db, write: async <T>(body: () => T) => body(), policies: storagePolicies, space: SPACE };
    return changing(engine, TENANT, (work) => upsertEntity(work, change, by)).id;
  };
  const id = enter("Sea Gate", { fleet_id: "red" });
  const told = () =>
    [RED, BLUE, CHIEF_OF_BLUE, ANYBODY, NOBODY].map((read_scope) => page(id, read_scope)?.canonical_name ?? null);
  expect(told()).toEqual(["Sea Gate", null, "Sea Gate", "Sea Gate", null]);
  enter("SEA gate", { fleet_id: "blue" });
  expect(told()).toEqual(["Sea Gate", "SEA gate", "SEA gate", "Sea Gate", null]);
  enter("seagate");
  expect(told()).toEqual(["Sea Gate", "SEA gate", "SEA gate", "seagate", "seagate"]);
  enter("sea-gate", { home: "blue" });
  expect(told()).toEqual(["Sea Gate", "sea-gate", "sea-gate", "seagate", "seagate"]);
});
