import { afterAll, expect, test } from "bun:test";
import { z } from "zod";
import { ImportResult } from "../../../src/core/schema/keeping/import.ts";
import type { Client } from "../../support/api/client.ts";
import { aBatch, anEntry, aRow } from "../../support/builders.ts";
import type { InProcess } from "../../support/in-process.ts";
import { openApp } from "../../support/in-process.ts";
import { openPostgresApp } from "../../support/postgres/app.ts";

const Lines = z.array(z.looseObject({ record: z.string() }));
/** Records that a request may bring. */
const AT_A_TIME = 200;
/** More than an export reads at a time. */
const ROWS = 210;
type Lines = z.infer<typeof Lines>;

const [here, there, ofSqlite] = [await openPostgresApp(), await openPostgresApp(), await openApp()];
afterAll(async () => {
  for (const { app } of [here, there, ofSqlite]) await app.stop();
});

/** Names of entities that nobody entered follow from the texts, which are read again. */
const exported = async (client: Client, query: Record<string, string> = {}): Promise<Lines> => {
  const lines = await client.ok(Lines, "GET", "/api/v1/export", { query });
  return lines.slice(1, -1).map((line) => ({ ...line, checked_at: undefined }));
};
const importAll = async (client: Client, records: Lines, more: object = {}) => {
  const results: ImportResult["results"] = [];
  for (let i = 0; i < records.length; i += AT_A_TIME) {
    // Homes of agents come from a source that is trusted alone.
    const body = { records: records.slice(i, i + AT_A_TIME), trust_source: true, ...more };
    results.push(...(await client.ok(ImportResult, "POST", "/api/v1/import", { body })).results);
  }
  return Object.fromEntries(
    [...Map.groupBy(results, ({ outcome }) => outcome)].map(([name, { length }]) => [name, length]),
  );
};

async function fill({ app, client }: InProcess) {
  const post = (path: string, body: object) => client.ok(z.looseObject({ id: z.string() }), "POST", path, { body });
  await client.call("PUT", "/api/v1/settings", { body: { memories: { deleted_grace_days: 9 } } });
  const names = { aliases: ["the lamp service"], attributes: { port: 7 } };
  const lamp = await post("/api/v1/entities/upsert", {
    entity_type: "technology",
    canonical_name: "Lampwright",
    ...names,
  });
  const desk = await post("/api/v1/entities/upsert", { entity_type: "organization", canonical_name: "Harbour Desk" });
  await post("/api/v1/relations/upsert", {
    from_entity_id: lamp.id,
    relation_type: "owned_by",
    to_entity_id: desk.id,
  });
  await post("/api/v1/documents", { collection: "plans", doc_id: "launch", data: { summary: "Launch plan", day: 4 } });
  await app.services.storage.memories.insert(aBatch(Array.from({ length: ROWS }, () => anEntry(aRow()))));
  await post("/api/v1/memories", { content: "Lampwright listens on port 7.", run_id: "r", metadata: { b: 1, a: [] } });
  await post("/api/v1/memories", {
    content: "The deploy window is Friday.",
    fleet_id: "quay",
    entity_links: [{ entity_id: desk.id, role: "about" }],
  });
}

test("an export of a database is taken in by another, by SQLite, and from there again", async () => {
  await fill(here);
  const lines = await exported(here.client);
  expect(lines.length).toBeGreaterThan(ROWS + 6);
  const all = { created: lines.length };
  expect(await importAll(there.client, lines, { dry_run: true })).toEqual(all);
  expect(await exported(there.client)).toEqual([]);
  expect(await importAll(there.client, lines)).toEqual(all);
  expect(await exported(there.client)).toEqual(lines);
  expect(await importAll(there.client, lines)).toEqual({ exists: lines.length });

  expect(await importAll(ofSqlite.client, lines)).toEqual(all);
  expect(await exported(ofSqlite.client)).toEqual(lines);
  const ofFleet = { fleet_id: "quay" };
  expect(await exported(ofSqlite.client, ofFleet)).toEqual(await exported(there.client, ofFleet));
});

test("an export that is left early makes room for others", async () => {
  const { transfer } = here.app.services.storage;
  for (let i = 0; i < 6; i++) {
    for await (const part of transfer.records({ tenant_id: "default" })) {
      expect(part.length).toBeGreaterThan(0);
      break;
    }
  }
  const begin = () => transfer.records({ tenant_id: "default" })[Symbol.asyncIterator]();
  const going = Array.from({ length: 4 }, begin);
  for (const one of going) await one.next();
  await expect(begin().next()).rejects.toThrow("4 exports go on already");
  transfer.close();
  await expect(
    (async () => {
      for (;;) if ((await going[0]?.next())?.done) break;
    })(),
  ).rejects.toThrow("broken off");
});

test("of records that are the same, the first is stored, though all are stored together", async () => {
  const records = Array.from({ length: 20 }, (_, i) => ({
    record: "memory",
    id: crypto.randomUUID(),
    agent_id: "ada",
    content: `Buoy ${i} was painted in week ${i * 3}.`,
    created_at: "2025-01-01T00:00:00.000Z",
  }));
  const entity = { record: "entity", entity_type: "technology", canonical_name: "Winch" };
  const again = [...records.slice(0, 5), { ...records[0], record: "memory", id: crypto.randomUUID() }];
  expect(await importAll(there.client, [entity, entity, ...records, ...again])).toEqual({
    created: 21,
    exists: 6,
    duplicate: 1,
  });
});
