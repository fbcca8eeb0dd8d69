import { afterAll, describe, expect, test } from "bun:test";
import { AuditLog } from "../../../src/core/schema/account.ts";
import type { Client } from "../../support/api/client.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { aMemory, aStatement, TENANT } from "../../support/builders.ts";
import { GATEWAY, holder, mint, refusalOf, viaGateway } from "../../support/credentials.ts";

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);

const AUDIT = "/api/v1/audit-log";
type Query = Readonly<Record<string, string | number>>;
const entries = async (query: Query = {}, as: Client = client) =>
  (await as.ok(AuditLog, "GET", AUDIT, { query })).items;
/** What happened to one target, oldest first, without its number and moment. */
const storyOf = async (target_id: string) =>
  (await entries({ target_id, limit: 200 })).reverse().map(({ action, before, after, reason }) => ({
    action,
    before,
    after,
    reason,
  }));
const at = (id: string): string => `${MEMORIES}/${id}`;
const query = { tenant_id: TENANT };
const hash = (): string => expect.stringMatching(/^[0-9a-f]{64}$/);

describe("the audit log keeps", () => {
  test("a write, each change with what was and what is, and the delete", async () => {
    const { id } = await api.write({ memory_type: "task" });
    const created = {
      action: "memory.create",
      before: null,
      after: { status: "active", content_hash: hash() },
      reason: null,
    };
    await client.call("PATCH", at(id), { query, body: { weight: 0.9, title: "A title" } });
    await client.call("PATCH", at(id), { query, body: { content: aStatement(), visibility: "scope_org" } });
    await client.call("PATCH", `${at(id)}/status`, { query, body: { status: "archived" } });
    await client.call("DELETE", at(id), { query });
    expect(await storyOf(id)).toEqual([
      created,
      {
        action: "memory.update",
        before: { weight: 0.7 },
        after: { weight: 0.9, fields: ["system_metadata", "title", "weight"] },
        reason: null,
      },
      {
        action: "memory.update",
        before: { content_hash: hash(), supersedes_id: null, visibility: "scope_team" },
        after: expect.objectContaining({ content_hash: hash(), supersedes_id: null, visibility: "scope_org" }),
        reason: null,
      },
      {
        action: "memory.status",
        before: { status: "active" },
        after: { status: "archived", fields: ["status", "system_metadata"] },
        reason: "set by the caller",
      },
      {
        action: "memory.delete",
        before: { status: "archived" },
        after: { status: "deleted", deleted_at: expect.any(String) },
        reason: null,
      },
    ]);
  });

  test("each row of a bulk write, of a delete by ids, by filter and by status", async () => {
    const items = Array.from({ length: 4 }, () => ({ content: aStatement(), memory_type: "plan" }));
    const { results } = await api.bulk([...items, { content: "short" }]);
    const ids = results.flatMap(({ id }) => id ?? []);
    const [byIds, byStatus] = ids;
    await client.call("POST", `${MEMORIES}/bulk-delete`, { body: { ...query, ids: [byIds] } });
    await client.call("PATCH", `${at(byStatus ?? "")}/status`, { query, body: { status: "deleted" } });
    await client.call("DELETE", MEMORIES, { query: { ...query, memory_type: "plan" } });
    expect(ids).toHaveLength(4);
    for (const id of ids)
      expect((await storyOf(id)).map(({ action }) => action)).toEqual(["memory.create", "memory.delete"]);
  });

  test("a key's making and end, and never the key", async () => {
    const { id, raw_key } = await mint(client, { agent_id: "ada", fleet_id: "blue", trust: 2, label: "a label" });
    await client.call("DELETE", `/api/v1/keys/${id}`);
    const made = { agent_id: "ada", fleet_id: "blue", trust: 2, admin: false };
    expect(await storyOf(id)).toEqual([
      { action: "key.create", before: null, after: made, reason: null },
      { action: "key.revoke", before: made, after: { revoked_at: expect.any(String) }, reason: null },
    ]);
    expect(JSON.stringify(await entries({ limit: 200 }))).not.toContain(raw_key.slice(9));
  });

  test("a change of an agent's trust and fleet", async () => {
    await api.write({ agent_id: "carl" });
    await client.call("PATCH", "/api/v1/agents/carl/trust", { body: { trust_level: 3 } });
    await client.call("PATCH", "/api/v1/agents/carl/fleet", { body: { fleet_id: "red" } });
    const [trust, fleet] = await storyOf("carl");
    expect(trust).toMatchObject({
      action: "agent.change",
      before: { trust_level: 1, fleet_id: null },
      after: { trust_level: 3, fleet_id: null },
    });
    expect(fleet).toMatchObject({ before: { fleet_id: null }, after: { trust_level: 3, fleet_id: "red" } });
  });

  test("who did it, and by what credential", async () => {
    const ada = await holder(client, { agent_id: "ada", trust: 1 });
    const who = async (as: Client, tenant = TENANT) => {
      const { id } = await memoriesApi(as, tenant).write();
      const admin = tenant === TENANT ? client : client.as({ ...viaGateway(tenant), "X-Org-Role": "admin" });
      const [entry] = await entries({ target_id: id }, admin);
      return { agent_id: entry?.agent_id, auth_source: entry?.auth_source, tenant_id: entry?.tenant_id };
    };
    expect(await who(client)).toEqual({ agent_id: null, auth_source: "standalone", tenant_id: TENANT });
    expect(await who(ada)).toEqual({ agent_id: "ada", auth_source: "api-key", tenant_id: TENANT });
    const gateway = { agent_id: "eve", auth_source: "gateway-header", tenant_id: "acme" };
    expect(await who(client.as(viaGateway("acme", "eve")), "acme")).toEqual(gateway);
  });

  test("no text of a memory: no content, title, metadata or source", async () => {
    const secrets = ["The quokka's safe is behind the map.", "A quokka title", "quokka-metadata", "quokka://source"];
    const [content, title, note, source_uri] = secrets;
    const { id } = await api.write({ content, source_uri, metadata: { note }, predicate: note, object_value: note });
    await client.call("PATCH", at(id), {
      query,
      body: { title, content: `${content} It is red.`, metadata: { more: note } },
    });
    await api.remove(id);
    const text = JSON.stringify(await entries({ target_id: id }));
    expect(text).not.toContain("quokka");
  });
});

describe("the audit log shows", () => {
  test("the newest first, of one action or one target, as many as asked for", async () => {
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push((await api.write()).id);
    const newest = await entries({ action: "memory.create", limit: 3 });
    expect(newest.map(({ target_id }) => target_id)).toEqual(ids.slice(2).reverse());
    const rest = await entries({ action: "memory.create", limit: 2, before_id: newest.at(-1)?.id ?? 0 });
    expect(rest.map(({ target_id }) => target_id)).toEqual(ids.slice(0, 2).reverse());
    expect((await entries({ action: "key.create" })).every(({ action }) => action === "key.create")).toBe(true);
  });

  test.each([{ limit: 0 }, { limit: 201 }, { before_id: 0 }])("422 for %j", async (bad) => {
    expect(refusalOf(await client.refused("GET", AUDIT, { query: bad }))).toEqual([422, "INVALID_ARGUMENTS"]);
  });

  test("administrators their own tenant, and everyone else nothing", async () => {
    await memoriesApi(client.as(viaGateway("acme")), "acme").write({ agent_id: "eve" });
    const admin = client.as({ ...viaGateway("acme"), "X-Org-Role": "admin" });
    const theirs = await entries({ limit: 200 }, admin);
    expect(theirs.length).toBeGreaterThan(0);
    expect(new Set(theirs.map(({ tenant_id }) => tenant_id))).toEqual(new Set(["acme"]));
    expect(new Set((await entries({ limit: 200 })).map(({ tenant_id }) => tenant_id))).toEqual(new Set([TENANT]));
    for (const caller of [await holder(client, { trust: 3 }), await holder(client, { agent_id: "ada", trust: 3 })]) {
      expect(refusalOf(await caller.refused("GET", AUDIT))).toEqual([403, "ADMIN_REQUIRED"]);
    }
    const foreign = await admin.refused("GET", AUDIT, { query });
    expect(refusalOf(foreign)).toEqual([403, "TENANT_MISMATCH"]);
  });

  test("nothing of what was refused, replayed or only tried", async () => {
    const last = async () => (await entries({ limit: 1 }))[0]?.id;
    const { id, content } = await api.write();
    const options = { body: aMemory(), headers: { "Idempotency-Key": "audited once" } };
    await client.call("POST", MEMORIES, options);
    const before = await last();
    await client.call("POST", MEMORIES, options);
    await client.refused("POST", MEMORIES, { body: aMemory({ content }) });
    await client.refused("PATCH", at(id), { query, body: { weight: 7 } });
    await client.refused("PATCH", at(crypto.randomUUID()), { query, body: { weight: 1 } });
    await client.call("POST", MEMORIES, { body: aMemory({ persist: false }) });
    await client.call("DELETE", MEMORIES, { query: { ...query, fleet_id: "nowhere" } });
    await api.search(content, { caller_agent_id: "ada" });
    await app.settle();
    expect(await last()).toBe(before);
  });
});
