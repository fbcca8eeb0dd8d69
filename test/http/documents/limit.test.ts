import { afterAll, beforeAll, expect, test } from "bun:test";
import { z } from "zod";
import { Bounds } from "../../../src/core/schema/observing/bounds.ts";
import { DOCUMENTS, docIdsOf, documentPath, documentsApi } from "../../support/api/documents.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";
import { GATEWAY, viaGateway } from "../../support/credentials.ts";

// A tenant's documents have a bound in number, so that with that of each one's size they have one in sum.

const LIMIT = 3;
const app = await startApp({ flags: [GATEWAY, `--documents-limit=${LIMIT}`] });
afterAll(() => app.stop());
const { client } = app;
const api = documentsApi(client);
const FULL = { code: "PLAN_LIMIT_READ_ONLY", details: { documents_limit: LIMIT } };

const refusedOf = async (path: string, body: object) => {
  const { status, body: told } = await client.refused("POST", path, { body: { tenant_id: TENANT, ...body } });
  expect(status).toBe(403);
  return told.error;
};

beforeAll(async () => {
  for (const name of ["one", "two", "three"]) await api.put("notes", name, { text: name });
});

test("one more is refused, and nothing of it is stored", async () => {
  const error = await refusedOf(DOCUMENTS, { collection: "others", doc_id: "four", data: { text: "four" } });
  expect(error).toMatchObject(FULL);
  expect(error.message).toContain("CAIRN_DOCUMENTS_LIMIT");
  expect(await api.list("others")).toEqual([]);
  expect((await client.ok(Bounds, "GET", "/api/v1/limits")).documents).toEqual({ limit: LIMIT, used: LIMIT });
});

test("those that are there are written again", async () => {
  await api.put("notes", "two", { text: "another two" });
  expect((await api.get("notes", "two")).data).toEqual({ text: "another two" });
});

test("rules and skills are documents, too", async () => {
  const rule = { doc_id: "be-kind", title: "Kind", content: "Be kind.", scope: "tenant", weight: "low" };
  expect(await refusedOf("/api/v1/keystones", rule)).toMatchObject(FULL);
  const data = { name: "sweep", description: "Sweep the yard.", content: "# Sweep\nSweep the yard every day." };
  expect(await refusedOf(DOCUMENTS, { collection: "skills", doc_id: "sweep", data })).toMatchObject(FULL);
});

test("an import takes no more than there is room for, and finds what is there", async () => {
  await api.remove("notes", "three");
  const record = (doc_id: string) => ({
    record: "document",
    collection: "notes",
    doc_id,
    data: { text: doc_id },
  });
  const records = ["one", "five", "six"].map(record);
  const Results = z.object({ results: z.array(z.object({ outcome: z.string(), error: z.string().nullable() })) });
  const body = { tenant_id: TENANT, records, trust_source: true };
  const { results } = await client.ok(Results, "POST", "/api/v1/import", { body });
  expect(results.map(({ outcome }) => outcome)).toEqual(["exists", "created", "refused"]);
  expect(results[2]?.error).toContain("as many documents as it may");
  expect(docIdsOf(await api.list("notes")).toSorted()).toEqual(["five", "one", "two"]);
});

test("what is deleted makes room, and another tenant has its own", async () => {
  const query = { tenant_id: TENANT, collection: "notes" };
  expect((await client.call("DELETE", documentPath("five"), { query })).status).toBe(204);
  await api.put("notes", "seven", { text: "seven" });
  await documentsApi(client.as(viaGateway("acme")), "acme").put("notes", "one", { text: "one" });
});
