import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../support/api/client.ts";
import { DOCUMENTS, docIdsOf, documentPath, documentsApi, withKey } from "../../support/api/documents.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = documentsApi(client);

const SECRET = "The pelican lands at noon";
const agent = (trust: number, fields: object = {}): Promise<Client> =>
  withKey(client, { agent_id: `agent-${trust}`, fleet_id: "red", trust, ...fields });
const aBody = (doc_id: string, fields: object = {}) => ({
  tenant_id: TENANT,
  collection: "shared",
  doc_id,
  data: { a: 1 },
  ...fields,
});

beforeAll(async () => {
  await api.put("shared", "secret", { summary: SECRET, kind: "plan" }, { fleet_id: "red" });
  await api.put("alone", "x", {}, { fleet_id: "blue" });
});

test("a key that only reads deletes no document", async () => {
  const reader = await withKey(client, { trust: 0 });
  const query = { tenant_id: TENANT, collection: "shared" };
  const { body } = await reader.refused("DELETE", documentPath("secret"), { query });
  expect(body.error.code).toBe("AGENT_TRUST_TOO_LOW");
  expect((await api.get("shared", "secret")).doc_id).toBe("secret");
});

describe("collections", () => {
  test("come by name with their sizes, system collections too", async () => {
    const rule = { doc_id: "be-kind", title: "Kind", content: "Be kind.", scope: "tenant", weight: "low" };
    await client.call("POST", "/api/v1/keystones", { body: { tenant_id: TENANT, ...rule } });
    for (const name of ["Zoo", "_about", "ähre", "zoo"]) {
      if (name.startsWith("_")) continue;
      await api.put(name, "one", {}, { fleet_id: "red" });
    }
    await api.put("zoo", "two", {});
    const { collections, count } = await api.collections();
    expect(collections).toEqual([
      { name: "Zoo", count: 1 },
      { name: "_keystones", count: 1 },
      { name: "alone", count: 1 },
      { name: "shared", count: 1 },
      { name: "zoo", count: 2 },
      { name: "ähre", count: 1 },
    ]);
    expect(count).toBe(collections.length);
  });

  test("of a fleet count its documents alone", async () => {
    const { collections } = await api.collections({ fleet_id: "blue" });
    expect(collections).toEqual([{ name: "alone", count: 1 }]);
    expect(await api.collections({ fleet_id: "green" })).toEqual({ collections: [], count: 0 });
  });

  test("vanish with their last document", async () => {
    await api.put("brief", "one", {});
    await api.remove("brief", "one");
    expect((await api.collections()).collections.map(({ name }) => name)).not.toContain("brief");
  });
});

describe("the rules' collection", () => {
  test("is read, listed, queried and never written through documents", async () => {
    const rule = { doc_id: "read-me", title: "Read", content: "Read me.", scope: "tenant", weight: 7 };
    await client.call("POST", "/api/v1/keystones", { body: { tenant_id: TENANT, ...rule } });
    expect(await api.get("_keystones", "read-me")).toMatchObject({ data: { title: "Read", weight: 7 } });
    expect(docIdsOf(await api.list("_keystones"))).toContain("read-me");
    expect(docIdsOf(await api.query("_keystones", { weight: 7 }))).toEqual(["read-me"]);
    const body = aBody("read-me", { collection: "_keystones" });
    expect((await client.refused("POST", DOCUMENTS, { body })).status).toBe(422);
    const query = { tenant_id: TENANT, collection: "_keystones" };
    expect((await client.refused("DELETE", documentPath("read-me"), { query })).status).toBe(422);
    expect((await api.get("_keystones", "read-me")).data.title).toBe("Read");
  });
});

/** Every operation, as somebody of another tenant would try it. */
const ATTEMPTS = (tenant_id: string): readonly (readonly [string, string, object])[] => [
  ["POST", DOCUMENTS, { body: { ...aBody("secret"), tenant_id } }],
  ["GET", DOCUMENTS, { query: { tenant_id, collection: "shared" } }],
  ["GET", documentPath("secret"), { query: { tenant_id, collection: "shared" } }],
  ["DELETE", documentPath("secret"), { query: { tenant_id, collection: "shared" } }],
  ["GET", `${DOCUMENTS}/collections`, { query: { tenant_id } }],
  ["POST", `${DOCUMENTS}/search`, { body: { tenant_id, query: SECRET } }],
  ["POST", `${DOCUMENTS}/query`, { body: { tenant_id, collection: "shared", where: { kind: "plan" } } }],
];

describe("another tenant", () => {
  test.each(ATTEMPTS(TENANT).map(([method, path], i) => [method, path, i] as const))(
    "that names ours is refused with 403: %s %s",
    async (method, path, i) => {
      const other = await withKey(client, { tenant_id: "acme" });
      const { status, body } = await other.refused(method, path, ATTEMPTS(TENANT)[i]?.[2]);
      expect([status, body.error.code]).toEqual([403, "TENANT_MISMATCH"]);
      expect(JSON.stringify(body)).not.toContain("pelican");
    },
  );

  test("finds nothing of ours under its own name, and may have a document of the same key", async () => {
    const other = await withKey(client, { tenant_id: "acme" });
    const theirs = documentsApi(other, "acme");
    const { id } = await api.get("shared", "secret");
    for (const doc_id of ["secret", id]) {
      const query = { tenant_id: "acme", collection: "shared" };
      for (const method of ["GET", "DELETE"])
        expect((await other.refused(method, documentPath(doc_id), { query })).status).toBe(404);
    }
    expect(await theirs.list("shared")).toEqual([]);
    expect(await theirs.query("shared", { kind: "plan" })).toEqual([]);
    expect((await theirs.search(SECRET, { top_k: 50 })).results).toEqual([]);
    expect(await theirs.collections()).toEqual({ collections: [], count: 0 });
    await theirs.put("shared", "secret", { summary: "Our own pelican" });
    expect((await theirs.search("pelican")).count).toBe(1);
    expect((await api.get("shared", "secret")).data.summary).toBe(SECRET);
    expect(docIdsOf((await api.search("pelican", { collection: "shared" })).results)).toEqual(["secret"]);
  });
});

describe("a key of an agent", () => {
  test("of trust 0 reads but does not write", async () => {
    const restricted = await agent(0);
    const { status, body } = await restricted.refused("POST", DOCUMENTS, { body: aBody("zero") });
    expect([status, body.error.code]).toEqual([403, "AGENT_TRUST_TOO_LOW"]);
    expect((await documentsApi(restricted).get("shared", "secret")).data.summary).toBe(SECRET);
    expect(docIdsOf(await api.list("shared"))).not.toContain("zero");
  });

  test("writes into its own fleet unless told, and into others with trust 3", async () => {
    const standard = await agent(1);
    expect((await documentsApi(standard).put("fleets", "own", {})).fleet_id).toBe("red");
    const foreign = aBody("foreign", { collection: "fleets", fleet_id: "blue" });
    const { status, body } = await standard.refused("POST", DOCUMENTS, { body: foreign });
    expect([status, body.error.code]).toEqual([403, "FLEET_SCOPE_FORBIDDEN"]);
    expect((await (await agent(2)).refused("POST", DOCUMENTS, { body: foreign })).status).toBe(403);
    expect((await (await agent(3)).call("POST", DOCUMENTS, { body: foreign })).status).toBe(200);
    expect((await api.get("fleets", "foreign")).fleet_id).toBe("blue");
  });

  test("does not take over a document of another fleet without trust 3", async () => {
    await api.put("fleets", "theirs", { kept: true }, { fleet_id: "blue" });
    const standard = await agent(1);
    const body = aBody("theirs", { collection: "fleets" });
    const refused = await standard.refused("POST", DOCUMENTS, { body });
    expect([refused.status, refused.body.error.code]).toEqual([403, "FLEET_SCOPE_FORBIDDEN"]);
    expect(await api.get("fleets", "theirs")).toMatchObject({ fleet_id: "blue", data: { kept: true } });
    expect((await (await agent(3)).call("POST", DOCUMENTS, { body })).status).toBe(200);
  });

  test("speaks for itself alone", async () => {
    const standard = await agent(1);
    const { status, body } = await standard.refused("POST", DOCUMENTS, { body: aBody("x", { agent_id: "another" }) });
    expect([status, body.error.code]).toEqual([403, "AGENT_IDENTITY_MISMATCH"]);
    const own = await standard.call("POST", DOCUMENTS, { body: aBody("x", { agent_id: "agent-1" }) });
    expect(own.status).toBe(200);
  });

  test.each([0, 1, 2])("of trust %d does not delete, not even its own", async (trust) => {
    await api.put("kept", "one", {}, { fleet_id: "red" });
    const query = { tenant_id: TENANT, collection: "kept" };
    for (const doc_id of ["one", "absent"]) {
      const { status, body } = await (await agent(trust)).refused("DELETE", documentPath(doc_id), { query });
      expect([status, body.error.code]).toEqual([403, "AGENT_TRUST_TOO_LOW"]);
    }
    expect(await api.list("kept")).toHaveLength(1);
  });

  test("of trust 3 deletes", async () => {
    await api.put("doomed", "one", {});
    expect((await documentsApi(await agent(3)).remove("doomed", "one")).status).toBe(204);
    expect(await api.list("doomed")).toEqual([]);
  });
});

test("an unknown key is refused everywhere with 401", async () => {
  const stranger = client.as({ "X-API-Key": `mc_${"0".repeat(43)}` });
  for (const [method, path, options] of ATTEMPTS(TENANT))
    expect((await stranger.refused(method, path, options)).status).toBe(401);
});
