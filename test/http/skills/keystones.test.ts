import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { z } from "zod";
import { AuditLog } from "../../../src/core/schema/account.ts";
import { Keystone } from "../../../src/core/schema/keystone.ts";
import type { CallOptions, Client } from "../../support/api/client.ts";
import { docIdsOf, documentsApi, withKey } from "../../support/api/documents.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const KEYSTONES = "/api/v1/keystones";
const ALIAS = "/api/v1/memclaw/keystones";

type Fields = Readonly<Record<string, unknown>>;
const aRule = (doc_id: string, fields: Fields = {}): Fields => ({
  tenant_id: TENANT,
  doc_id,
  title: "Ask first",
  content: "Ask before you delete anything.",
  scope: "tenant",
  weight: "med",
  ...fields,
});
const write = (fields: Fields, by: Client = client) => by.ok(Keystone, "POST", KEYSTONES, { body: fields });
const list = (query: CallOptions["query"] = {}, by: Client = client) =>
  by.ok(z.array(Keystone), "GET", KEYSTONES, { query: { tenant_id: TENANT, ...query } });
const remove = (doc_id: string, by: Client = client) =>
  by.call("DELETE", `${KEYSTONES}/${doc_id}`, { query: { tenant_id: TENANT } });
const documents = documentsApi(client);
beforeEach(async () => {
  for (const { doc_id } of await documents.list("_keystones", { limit: 1_000 })) await remove(doc_id);
});

describe("a write", () => {
  test("answers 200 with the rule as a document", async () => {
    const { status, body } = await client.call("POST", KEYSTONES, { body: aRule("a.b_c-1", { author_user_id: "u1" }) });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(String),
      tenant_id: TENANT,
      fleet_id: null,
      collection: "_keystones",
      doc_id: "a.b_c-1",
      data: {
        title: "Ask first",
        content: "Ask before you delete anything.",
        weight: 50,
        scope: "tenant",
        author_user_id: "u1",
        set_by: "person",
        author: "owner",
        set_over: "http",
      },
      created_at: expect.any(String),
      updated_at: expect.any(String),
      version: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
  });

  test("replaces the rule of the same doc_id, scope, fleet and agent included", async () => {
    const first = await write(aRule("one", { scope: "agent", fleet_id: "red", agent_id: "ann", author_user_id: "u1" }));
    expect(first).toMatchObject({ fleet_id: "red", data: { scope: "agent", agent_id: "ann" } });
    const second = await write(aRule("one", { title: "Now for all" }));
    expect(second).toMatchObject({ id: first.id, created_at: first.created_at, fleet_id: null });
    expect(second.data).toEqual({
      title: "Now for all",
      content: "Ask before you delete anything.",
      weight: 50,
      scope: "tenant",
      set_by: "person",
      author: "owner",
      set_over: "http",
    });
    expect(docIdsOf(await list())).toEqual(["one"]);
  });

  test.each<readonly [string | number, number]>([
    ["low", 25],
    ["med", 50],
    ["high", 100],
    [0, 0],
    [73, 73],
    [100, 100],
  ])("of weight %p is served with the whole number %d", async (weight, served) => {
    expect((await write(aRule("weighed", { weight }))).data.weight).toBe(served);
    expect((await list())[0]?.data.weight).toBe(served);
  });

  test.each(["k", "0", "a".repeat(100)])("takes the doc_id %s", async (doc_id) => {
    expect((await write(aRule(doc_id))).doc_id).toBe(doc_id);
    expect((await remove(doc_id)).body).toEqual({ deleted: true, doc_id });
  });

  test("with an Idempotency-Key is done once, and a replay says so", async () => {
    const headers = { "Idempotency-Key": "rule" };
    const first = await client.call("POST", KEYSTONES, { body: aRule("one"), headers });
    await write(aRule("one", { title: "Changed since" }));
    const again = await client.call("POST", KEYSTONES, { body: aRule("one"), headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await list())[0]?.data.title).toBe("Changed since");
    const other = await client.refused("POST", KEYSTONES, { body: aRule("two"), headers });
    expect(other.status).toBe(422);
  });
});

describe("a write is refused with 422, and nothing is stored, for", () => {
  test.each<readonly [string, Fields, string]>([
    ["a capital in doc_id", { doc_id: "Rule" }, "doc_id"],
    ["a doc_id that starts with a dot", { doc_id: ".rule" }, "doc_id"],
    ["a slash in doc_id", { doc_id: "a/b" }, "doc_id"],
    ["a line break after doc_id", { doc_id: "rule\n" }, "doc_id"],
    ["a doc_id of 101", { doc_id: "a".repeat(101) }, "doc_id"],
    ["an empty doc_id", { doc_id: "" }, "doc_id"],
    ["a blank title", { title: " " }, "title"],
    ["no content", { content: undefined }, "content"],
    ["an empty content", { content: "" }, "content"],
    ["an unknown scope", { scope: "team" }, "scope"],
    ["no scope", { scope: undefined }, "scope"],
    ["an unknown weight", { weight: "heavy" }, "weight"],
    ["half a weight", { weight: 1.5 }, "weight"],
    ["a weight of -1", { weight: -1 }, "weight"],
    ["a weight of 101", { weight: 101 }, "weight"],
    ["no weight", { weight: undefined }, "weight"],
    ["a fleet beside scope tenant", { fleet_id: "red" }, "fleet_id"],
    ["an agent beside scope tenant", { agent_id: "ann" }, "agent_id"],
    ["scope fleet without a fleet", { scope: "fleet" }, "fleet_id"],
    ["an agent beside scope fleet", { scope: "fleet", fleet_id: "red", agent_id: "ann" }, "agent_id"],
    ["scope agent without a fleet", { scope: "agent", agent_id: "ann" }, "fleet_id"],
    ["scope agent without an agent", { scope: "agent", fleet_id: "red" }, "agent_id"],
    ["an empty author", { author_user_id: "" }, "author_user_id"],
  ])("%s", async (_, fields, name) => {
    const { status, body } = await client.refused("POST", KEYSTONES, { body: aRule("rule", fields) });
    expect([status, body.error.code]).toEqual([422, "INVALID_ARGUMENTS"]);
    expect(body.detail[0]).toMatchObject({ loc: ["body", name] });
    expect(await list()).toEqual([]);
  });
});

describe("the list", () => {
  const names = async (query: CallOptions["query"] = {}, by: Client = client) =>
    (await list(query, by)).map(({ doc_id }) => doc_id).sort();

  test("joins the tenant's rules, the fleet's and the agent's", async () => {
    await write(aRule("all"));
    for (const fleet_id of ["red", "blue"]) {
      await write(aRule(`fleet-${fleet_id}`, { scope: "fleet", fleet_id }));
      for (const agent_id of ["ann", "bob"])
        await write(aRule(`${agent_id}-${fleet_id}`, { scope: "agent", fleet_id, agent_id }));
    }
    expect(await names()).toEqual(["all"]);
    expect(await names({ fleet_id: "red" })).toEqual(["all", "fleet-red"]);
    expect(await names({ fleet_id: "red", agent_id: "ann" })).toEqual(["all", "ann-red", "fleet-red"]);
    expect(await names({ agent_id: "ann" })).toEqual(["all"]);
    expect(await names({ fleet_id: "green", agent_id: "ann" })).toEqual(["all"]);
    const ann = await withKey(client, { agent_id: "ann", fleet_id: "blue", trust: 0 });
    expect(await names({}, ann)).toEqual(["all", "ann-blue", "fleet-blue"]);
    expect(await names({ fleet_id: "red", agent_id: "bob" }, ann)).toEqual(["all", "bob-red", "fleet-red"]);
  });

  test("brings the heaviest first, then the last change, then doc_id", async () => {
    for (const [doc_id, weight] of Object.entries({ light: "low", older: 60, younger: 60, heavy: "high" })) {
      await write(aRule(doc_id, { weight }));
      await Bun.sleep(2);
    }
    expect(docIdsOf(await list())).toEqual(["heavy", "younger", "older", "light"]);
    await write(aRule("older", { weight: 60 }));
    expect(docIdsOf(await list())).toEqual(["heavy", "older", "younger", "light"]);
  });

  test("serves 50 at most and says when there are more", async () => {
    for (let i = 0; i < 51; i++) await write(aRule(`r${i}`, { weight: i }));
    const query = { tenant_id: TENANT };
    const full = await client.call("GET", KEYSTONES, { query });
    expect(full.headers.get("x-truncated")).toBe("true");
    expect(docIdsOf(z.array(Keystone).parse(full.body))).toEqual(Array.from({ length: 50 }, (_, i) => `r${50 - i}`));
    const wrapped = await client.call("GET", KEYSTONES, { query: { ...query, envelope: true } });
    expect(wrapped.body).toMatchObject({ count: 50 });
    expect(wrapped.headers.get("x-truncated")).toBe("true");
    await remove("r0");
    expect((await client.call("GET", KEYSTONES, { query })).headers.get("x-truncated")).toBeNull();
  });

  test("is a bare array, wrapped with envelope=true, and the same under its old path", async () => {
    const rule = await write(aRule("one"));
    for (const path of [KEYSTONES, ALIAS]) {
      const bare = await client.call("GET", path, { query: { tenant_id: TENANT } });
      expect([bare.status, bare.body]).toEqual([200, [rule]]);
      const wrapped = await client.call("GET", path, { query: { tenant_id: TENANT, envelope: true } });
      expect(wrapped.body).toEqual({ count: 1, items: [rule] });
      const asked = await client.call("GET", path, { query: { tenant_id: TENANT, envelope: false } });
      expect(asked.body).toEqual([rule]);
    }
  });

  test("needs a yes that is one", async () => {
    const query = { tenant_id: TENANT, envelope: "maybe" };
    expect((await client.refused("GET", KEYSTONES, { query })).status).toBe(422);
  });
});

test("another tenant neither reads, replaces nor deletes our rules", async () => {
  await write(aRule("ours"));
  const other = await withKey(client, { tenant_id: "acme" });
  const query = { tenant_id: "acme" };
  expect((await other.refused("GET", KEYSTONES, { query: { tenant_id: TENANT } })).status).toBe(403);
  expect((await other.refused("POST", KEYSTONES, { body: aRule("ours") })).status).toBe(403);
  expect(await list(query, other)).toEqual([]);
  expect((await other.refused("DELETE", `${KEYSTONES}/ours`, { query })).status).toBe(404);
  await write(aRule("ours", { tenant_id: "acme", title: "Theirs" }), other);
  expect((await list())[0]?.data.title).toBe("Ask first");
});

test("every change leaves an audit row that names the agent", async () => {
  const by = await withKey(client, { agent_id: "ann", fleet_id: "red", trust: 2 });
  await write(aRule("audited"), by);
  await write(aRule("audited", { weight: "high" }), by);
  await remove("audited", by);
  const query = { target_id: "_keystones/audited" };
  const { items } = await client.ok(AuditLog, "GET", "/api/v1/audit-log", { query });
  expect(items.map(({ action }) => action)).toEqual(["keystone.delete", "keystone.update", "keystone.create"]);
  for (const { agent_id } of items) expect(agent_id).toBe("ann");
  expect(items[0]?.before).toEqual(items[1]?.after ?? null);
});
