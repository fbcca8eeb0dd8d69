import { afterAll, expect, test } from "bun:test";
import { nameId } from "../../../src/core/kernel/ids.ts";
import { ImportResult } from "../../../src/core/schema/keeping/import.ts";
import { openApp } from "../../support/in-process.ts";

const { app, client } = await openApp({ flags: ["--gateway-secret=a-secret-of-the-gateway"] });
afterAll(() => app.stop());

const as = (tenant: string) =>
  client.as({ "X-Tenant-ID": tenant, "X-Gateway-Secret": "a-secret-of-the-gateway", "X-Org-Role": "admin" });
const bring = async (tenant: string, records: readonly object[]) =>
  (await as(tenant).ok(ImportResult, "POST", "/api/v1/import", { body: { records } })).results;
/** A note as a folder of notes sends it: its id is made of its text. */
const note = (content: string) => ({
  record: "memory",
  id: nameId(["markdown", "notes.md", content, "1"]),
  content,
  created_at: "2025-01-01T00:00:00Z",
});

test("the id of a text tells nobody whether another tenant holds that text", async () => {
  const [held, free] = [
    note("The salary of the harbour master is 91,000."),
    note("The salary of the pilot is 72,000."),
  ];
  await bring("north", [held]);
  const [ofHeld, ofFree] = await bring("south", [held, free]);
  expect([ofHeld?.outcome, ofFree?.outcome]).toEqual(["created", "created"]);
  expect([ofHeld?.id === held.id, ofFree?.id === free.id]).toEqual([false, false]);
});

test("the id of a relation tells as little", async () => {
  const relation = {
    record: "relation",
    id: nameId(["graph", "Lampwright", "Postgres"]),
    from_entity_id: crypto.randomUUID(),
    from_name: "Lampwright",
    relation_type: "runs_on",
    to_entity_id: crypto.randomUUID(),
    to_name: "Postgres",
    weight: 1,
    created_at: "2025-01-01",
    updated_at: "2025-01-01",
  };
  const names = ["Lampwright", "Postgres"].map((canonical_name) => ({
    record: "entity",
    entity_type: "technology",
    canonical_name,
  }));
  const other = { ...relation, id: nameId(["graph", "Postgres", "Lampwright"]) };
  await bring("west", [...names, relation]);
  const turned = { from_name: other.to_name, to_name: other.from_name };
  await bring("south", [...names, relation, { ...other, ...turned }]);
  const { body } = await as("south").call("GET", "/api/v1/export");
  const text = JSON.stringify(body);
  expect(text).toContain("relation");
  for (const { id } of [relation, other]) expect(text).not.toContain(id);
});

test("what was imported is known again, by the id that its source gives and by the one that it has here", async () => {
  const once = note("The lighthouse at Skagen is painted in spring.");
  const [first] = await bring("east", [once]);
  if (!first?.id) throw new Error("Nothing was stored.");
  const again = await bring("east", [once, { ...once, id: first.id }]);
  expect(again.map(({ outcome, id }) => [outcome, id])).toEqual([
    ["exists", first.id],
    ["exists", first.id],
  ]);
});

test("what one tenant alone imports keeps the ids of its source", async () => {
  const alone = await openApp();
  const only = note("The tide table hangs beside the door.");
  const { results } = await alone.client.ok(ImportResult, "POST", "/api/v1/import", { body: { records: [only] } });
  expect(results.map(({ id }) => id)).toEqual([only.id]);
  await alone.app.stop();
});
