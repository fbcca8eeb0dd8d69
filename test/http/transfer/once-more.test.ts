import { afterAll, expect, test } from "bun:test";
import { z } from "zod";
import { batchesOf } from "../../../src/cli/transfer/batches.ts";
import { runImport } from "../../../src/cli/transfer/run-import.ts";
import { ImportResult } from "../../../src/core/schema/keeping/import.ts";
import type { ReadLine, ReadRecord } from "../../../src/formats/reader.ts";
import { openApp } from "../../support/in-process.ts";

const Lines = z.array(z.looseObject({ record: z.string() }));
const { app, client, settle } = await openApp({ flags: ["--memories-limit=260"] });
afterAll(() => app.stop());

const silent = { begin: () => {}, show: () => {}, end: () => {} };
const sourceOf = (records: readonly ReadRecord[]) => ({
  name: `a source of ${records.length}`,
  total: records.length,
  async *read(): AsyncIterable<ReadLine> {
    for (const [i, record] of records.entries()) yield { place: { file: "source", line: i + 1 }, record };
  },
});
const bring = (records: readonly ReadRecord[], dry_run = false) =>
  runImport(
    { call: app.call, tenant_id: "default" },
    sourceOf(records),
    { dry_run, trust_source: false, agent_id: null, fleet_id: null },
    silent,
  );

const row = (i: number): ReadRecord => ({
  record: "memory",
  id: `0197a000-0000-7000-8000-${String(i).padStart(12, "0")}`,
  content: `Row ${i} of the ledger of the harbour.`,
  created_at: "2025-01-01T00:00:00Z",
});
const finding: ReadRecord = {
  record: "finding",
  newer_id: `0197a000-0000-7000-8000-${String(201).padStart(12, "0")}`,
  older_id: `0197a000-0000-7000-8000-${String(1).padStart(12, "0")}`,
  status: "outdated",
  rule: "judge",
  confidence: 0.9,
  newer_start: 0,
  newer_end: 3,
  older_start: 0,
  older_end: 3,
  created_at: "2025-01-02T00:00:00Z",
};

test("a dry run of several requests tells what an import does", async () => {
  const records = [...Array.from({ length: 210 }, (_, i) => row(i)), finding];
  const told = await bring(records, true);
  expect(told.refusals).toEqual([]);
  const done = await bring(records);
  expect(done.counts).toEqual(told.counts);
});

test("what was refused is sent again by the next run, and told again", async () => {
  const records = Array.from({ length: 300 }, (_, i) => row(i));
  const first = await bring(records);
  expect(first.counts).toMatchObject({ exists: 210, created: 50, refused: 40 });
  const second = await bring(records);
  expect(second).toMatchObject({ resumed_from: 200, counts: { exists: 60, refused: 40 } });
});

test("a request never holds more values than a server takes", async () => {
  const large: ReadRecord = { record: "document", collection: "c", doc_id: "d", data: { list: Array(30_000).fill(1) } };
  const sizes: number[] = [];
  for await (const { records } of batchesOf(sourceOf([large, large, large]).read(), 0, () => {}))
    sizes.push(records.length);
  expect(sizes).toEqual([1, 1, 1]);
});

test("a status that a finding set is what it was again where that finding falls, compared or not", async () => {
  const [older, newer] = [row(1), row(201)];
  const { app, client } = await openApp();
  const records = [
    { ...older, status: "outdated", former_status: "active", checked_at: null },
    { ...newer, checked_at: null },
    finding,
  ];
  const { results } = await client.ok(ImportResult, "POST", "/api/v1/import", { body: { records } });
  expect(results.map(({ outcome }) => outcome)).toEqual(["created", "created", "created"]);
  await client.call("DELETE", `/api/v1/memories/${results[1]?.id}`);
  const { status } = await client.ok(
    z.looseObject({ status: z.string() }),
    "GET",
    `/api/v1/memories/${results[0]?.id}`,
  );
  expect(status).toBe("active");
  await app.stop();
});

test("two tenants of one server take the same export, relations and all", async () => {
  const one = await openApp({ flags: ["--gateway-secret=a-secret-of-the-gateway"] });
  const as = (tenant: string) =>
    one.client.as({ "X-Tenant-ID": tenant, "X-Gateway-Secret": "a-secret-of-the-gateway", "X-Org-Role": "admin" });
  const entity = (name: string): ReadRecord => ({ record: "entity", entity_type: "technology", canonical_name: name });
  const relation: ReadRecord = {
    record: "relation",
    id: crypto.randomUUID(),
    from_entity_id: crypto.randomUUID(),
    from_name: "Lampwright",
    relation_type: "runs_on",
    to_entity_id: crypto.randomUUID(),
    to_name: "Postgres",
    weight: 1,
    created_at: "2025-01-01",
    updated_at: "2025-01-01",
  };
  const records = [entity("Lampwright"), entity("Postgres"), relation, row(7)];
  for (const tenant of ["north", "south", "south"]) {
    const { results } = await as(tenant).ok(ImportResult, "POST", "/api/v1/import", { body: { records } });
    expect(results.map(({ error }) => error)).toEqual([null, null, null, null]);
  }
  for (const tenant of ["north", "south"]) {
    const lines = await as(tenant).ok(Lines, "GET", "/api/v1/export");
    expect(lines.at(-1)).toMatchObject({ counts: { entity: 2, relation: 1, memory: 1 } });
  }
  await one.app.stop();
});

test("what an import stores is in the audit log", async () => {
  const body = { records: [{ record: "document", collection: "plans", doc_id: "audited", data: { a: 1 } }] };
  await client.ok(ImportResult, "POST", "/api/v1/import", { body });
  const { body: log } = await client.call("GET", "/api/v1/audit-log", { query: { target_id: "plans/audited" } });
  expect(JSON.stringify(log)).toContain("document.import");
  await settle();
});

test("what cannot be stored fails alone, and no chain of memories is taken on trust", async () => {
  const { app, client } = await openApp();
  const id = crypto.randomUUID();
  const bad = '{"record":"memory","content":"A key that is reserved.","metadata":{"__proto__":{"a":1}}}';
  const own = `{"record":"memory","id":"${id}","content":"I supersede myself entirely.","supersedes_id":"${id}"}`;
  const skill = '{"record":"document","collection":"skills","doc_id":"a","data":{"name":1}}';
  const reply = await client.call("POST", "/api/v1/import", { raw: `{"records":[${bad},${own},${skill}]}` });
  const { results } = ImportResult.parse(reply.body);
  expect(results.map(({ outcome }) => outcome)).toEqual(["refused", "created", "refused"]);
  const { body } = await client.call("GET", "/api/v1/integrity");
  expect(JSON.stringify(body)).not.toContain('"ok":false');
  await app.stop();
});

test("the same notes of two projects are stored in each, once, whichever comes first", async () => {
  const { app, client } = await openApp();
  const records = [row(0), row(1)];
  const into = async (fleet_id: string | null) => {
    const body: object = { records, fleet_id };
    const { results } = await client.ok(ImportResult, "POST", "/api/v1/import", { body });
    return results.map(({ outcome, id }) => [outcome, id]);
  };
  const ids = new Set<string | null | undefined>();
  for (const fleet_id of ["quay", "pier", null]) {
    const stored = await into(fleet_id);
    expect(stored.map(([outcome]) => outcome)).toEqual(["created", "created"]);
    expect(await into(fleet_id)).toEqual(stored.map(([, id = null]) => ["exists", id]));
    for (const [, id] of stored) ids.add(id);
  }
  expect(ids.size).toBe(6);
  const placed = { records: [{ ...row(0), fleet_id: "dock" }] };
  const { results } = await client.ok(ImportResult, "POST", "/api/v1/import", { body: placed });
  expect(results).toMatchObject([{ outcome: "different", fleet_id: "quay", error: "it is in project quay here" }]);
  await app.stop();
});

test("what is for every fleet already stays so where that is asked for, and what lies beside is told", async () => {
  const { app, client } = await openApp();
  const into = async (fleet_id: string | null, more: object = { shared_stays: true }) => {
    const body: object = { records: [row(0)], fleet_id, ...more };
    return (await client.ok(ImportResult, "POST", "/api/v1/import", { body })).results;
  };
  const [{ id = null } = {}] = await into(null);
  expect(await into("quay")).toMatchObject([{ outcome: "different", id, fleet_id: null }]);
  const [beside] = await into("quay", {});
  expect(beside).toMatchObject({ outcome: "created", beside: { id, fleet_id: null } });
  expect(await into("quay")).toMatchObject([{ outcome: "exists", id: beside?.id, fleet_id: "quay" }]);
  await client.call("DELETE", `/api/v1/memories/${id}`);
  const [stored] = await into("pier");
  expect(stored).toMatchObject({ outcome: "created" });
  expect(stored).not.toHaveProperty("beside");
  await app.stop();
});
