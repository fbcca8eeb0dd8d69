import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { Collections, Document, DocumentFindings, DocumentWritten } from "../../../src/core/schema/document.ts";
import { Keystone, KeystoneRemoved } from "../../../src/core/schema/keystone.ts";
import { ClientFault, pluginCall, pythonClient, railStore } from "../../support/api/published-clients.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const plugin = pluginCall(client);
const tenant_id = TENANT;

/** The document tool of the plugin: it names the agent in a write and nowhere else. */
const doc = {
  write: (collection: string, doc_id: string, data: Record<string, unknown>) =>
    plugin("POST", "/documents", {
      body: { tenant_id, collection, doc_id, data, fleet_id: "claw", agent_id: "main-7f3a" },
    }),
  at: (doc_id: string) => `/documents/${encodeURIComponent(doc_id)}`,
};

describe("the Python client", () => {
  const python = pythonClient(client);

  test.each(["plain", "a/b?c", "ü 100% #1", "search", "collections "])("reads the document %p", async (doc_id) => {
    await doc.write("odd names", doc_id, { last_seq: 7 });
    expect(await python.getDocument(doc_id, "odd names")).toMatchObject({ doc_id, data: { last_seq: 7 } });
  });

  test("is told that a document is missing", async () => {
    const fault = await python.getDocument("nothing", "odd names").catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(ClientFault);
    expect(fault).toMatchObject({ kind: "not found", status: 404, message: expect.any(String) });
  });
});

describe("keystones", () => {
  const rule = (doc_id: string, fields: Record<string, unknown>) =>
    client.ok(Keystone, "POST", "/api/v1/keystones", {
      body: { tenant_id, doc_id, title: `Rule ${doc_id}`, content: `Obey ${doc_id}.`, scope: "tenant", ...fields },
    });

  test("reach caura-rail and the plugin with whole numbers as weights, each reader its own", async () => {
    await rule("everyone", { weight: "low" });
    await rule("ops", { weight: "high", scope: "fleet", fleet_id: "ops" });
    await rule("mine", { weight: 70, scope: "agent", fleet_id: "ops", agent_id: "rail" });
    const rules = await railStore(client, { agent_id: "rail", fleet_id: "ops" }).keystones();
    expect(rules.map(({ doc_id, data }) => [doc_id, data.weight])).toEqual([
      ["ops", 100],
      ["mine", 70],
      ["everyone", 25],
    ]);
    const others = await railStore(client, { agent_id: "other" }).keystones();
    expect(others.map(({ doc_id }) => doc_id)).toEqual(["everyone"]);
    const query = { tenant_id, fleet_id: "ops", agent_id: "rail" };
    const seen = z.array(Keystone).parse(await plugin("GET", "/memclaw/keystones", { query }));
    expect(seen.map(({ data }) => data.weight)).toEqual([100, 70, 25]);
    const gone = await client.ok(KeystoneRemoved, "DELETE", "/api/v1/keystones/mine", { query: { tenant_id } });
    expect(gone).toEqual({ deleted: true, doc_id: "mine" });
  });
});

describe("the OpenClaw plugin", () => {
  test("writes, reads, queries, searches, lists and deletes documents", async () => {
    const data = { name: "Deploy", kind: "howto", summary: "How to deploy the billing service on a Friday." };
    const written = DocumentWritten.parse(await doc.write("notes", "how/to", data));
    expect(written).toMatchObject({ doc_id: "how/to", fleet_id: "claw", data, indexed: true });
    const query = { tenant_id, collection: "notes" };
    expect(Document.parse(await plugin("GET", doc.at("how/to"), { query }))).toMatchObject({ id: written.id, data });
    const asked = { ...query, where: { kind: "howto" }, fleet_id: "claw" };
    const queried = await plugin("POST", "/documents/query", { body: asked });
    expect(z.array(Document).parse(queried)).toHaveLength(1);
    const everything = await plugin("POST", "/documents/query", { body: { ...query, where: {} } });
    expect(z.array(Document).parse(everything)).toHaveLength(1);
    const search = { tenant_id, query: "deploy billing", top_k: 5 };
    const { results, items } = DocumentFindings.parse(await plugin("POST", "/documents/search", { body: search }));
    expect(results[0]).toMatchObject({ collection: "notes", doc_id: "how/to" });
    expect(items).toEqual(results);
    const { collections } = Collections.parse(await plugin("GET", "/documents/collections", { query: { tenant_id } }));
    expect(collections).toContainEqual({ name: "notes", count: 1 });
    expect(await plugin("DELETE", doc.at("how/to"), { query })).toEqual({ ok: true });
    expect(plugin("GET", doc.at("how/to"), { query })).rejects.toThrow("Caura API 404");
  });
});
