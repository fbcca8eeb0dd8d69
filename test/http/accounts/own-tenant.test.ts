import { afterAll, describe, expect, test } from "bun:test";
import { Memory } from "../../../src/core/schema/memory.ts";
import { openApiDocument } from "../../../src/http/openapi/document.ts";
import { resolve } from "../../../src/http/openapi/schemas.ts";
import { operations } from "../../../src/http/routes/all.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { aStatement, TENANT } from "../../support/builders.ts";
import { GATEWAY, refusalOf, viaGateway } from "../../support/credentials.ts";

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());
const { client } = app;

const document = openApiDocument(operations);
const documented = operations.map(({ id, method, path }) => ({
  id,
  described: document.paths[path]?.[method.toLowerCase()],
}));

test("the document asks for a tenant nowhere", () => {
  for (const { id, described } of documented) {
    for (const { name, required } of described?.parameters ?? [])
      if (name === "tenant_id") expect([id, required]).toEqual([id, false]);
    const body = described?.requestBody?.content["application/json"].schema ?? {};
    const { required = [] } = resolve(body, document.components.schemas);
    expect([id, required.filter((name) => name === "tenant_id" || name === "org_id")]).toEqual([id, []]);
  }
});

describe("without a tenant, the caller's own is meant", () => {
  const keystone = { doc_id: "rule", title: "A rule", content: "Ask first.", scope: "tenant", weight: "low" };
  const POSTS: readonly (readonly [path: string, body: Record<string, unknown>])[] = [
    [MEMORIES, { content: aStatement() }],
    [`${MEMORIES}/bulk`, { items: [{ content: aStatement() }] }],
    [`${MEMORIES}/bulk-delete`, { ids: [crypto.randomUUID()] }],
    ["/api/v1/search", { query: "the office plant" }],
    ["/api/v1/recall", { query: "the office plant" }],
    ["/api/v1/documents", { collection: "notes", doc_id: "one", data: { summary: "a note" } }],
    ["/api/v1/documents/search", { query: "note" }],
    ["/api/v1/documents/query", { collection: "notes" }],
    ["/api/v1/entities/upsert", { entity_type: "concept", canonical_name: "Thing" }],
    ["/api/v1/keystones", keystone],
    ["/api/v1/skills/installable", {}],
  ];

  test.each(POSTS)("POST %s", async (path, body) => {
    expect((await client.call("POST", path, { body })).status).toBeLessThan(300);
    const foreign = await client.refused("POST", path, { body: { ...body, tenant_id: "another" } });
    expect(refusalOf(foreign)).toEqual([403, "TENANT_MISMATCH"]);
  });

  test("reads, changes and deletes by query do too", async () => {
    const { id } = await client.ok(Memory, "POST", MEMORIES, { body: { content: aStatement() } });
    await client.call("POST", "/api/v1/documents", { body: { collection: "c", doc_id: "d", data: {} } });
    const calls: readonly (readonly [string, string, unknown?])[] = [
      ["GET", `${MEMORIES}/${id}`],
      ["GET", `${MEMORIES}/${id}/contradictions`],
      ["PATCH", `${MEMORIES}/${id}`, { weight: 0.1 }],
      ["PATCH", `${MEMORIES}/${id}/status`, { status: "confirmed" }],
      ["DELETE", `${MEMORIES}/${id}`],
      ["GET", "/api/v1/documents?collection=c"],
      ["GET", "/api/v1/documents/collections"],
      ["GET", "/api/v1/documents/d?collection=c"],
      ["DELETE", "/api/v1/documents/d?collection=c"],
      ["GET", "/api/v1/keystones"],
      ["DELETE", `${MEMORIES}?agent_id=nobody`],
    ];
    for (const [method, path, body] of calls) {
      const foreign = `${path}${path.includes("?") ? "&" : "?"}tenant_id=another`;
      expect([path, refusalOf(await client.refused(method, foreign, { body }))[1]]).toEqual([path, "TENANT_MISMATCH"]);
      const { status } = await client.call(method, path, { body });
      expect([path, status < 300]).toEqual([path, true]);
    }
  });

  test("and that is the tenant of the credential, whatever it is", async () => {
    const acme = client.as(viaGateway("acme"));
    const { tenant_id, id } = await acme.ok(Memory, "POST", MEMORIES, { body: { content: aStatement() } });
    expect(tenant_id).toBe("acme");
    expect((await acme.call("GET", `${MEMORIES}/${id}`)).status).toBe(200);
    expect(refusalOf(await client.refused("GET", `${MEMORIES}/${id}`))).toEqual([404, "NOT_FOUND"]);
    expect(await memoriesApi(acme, "acme").count()).toBe(1);
  });

  test("so a request is the same with it as without it under an Idempotency-Key", async () => {
    const content = aStatement();
    const headers = { "Idempotency-Key": "the same request" };
    const first = await client.call("POST", MEMORIES, { body: { content }, headers });
    const again = await client.call("POST", MEMORIES, { body: { tenant_id: TENANT, content }, headers });
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
  });
});
