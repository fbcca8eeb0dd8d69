import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { AuditLog } from "../../../src/core/schema/account.ts";
import { OrgSettings } from "../../../src/core/schema/settings.ts";
import type { Client } from "../../support/api/client.ts";
import { withKey } from "../../support/api/documents.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const SETTINGS = "/api/v1/settings";
const query = { tenant_id: TENANT };

const DEFAULTS: OrgSettings = {
  memories: { deleted_grace_days: 30, expired_grace_days: null },
  keystones: { from_mcp: "propose" },
  audit: { keep_days: null },
  skills_factory: {
    enabled: false,
    description_max_bytes: 160,
    body_max_bytes: 40_000,
    inbox_max_pending: 50,
    rejection_cooloff_days: 30,
    sentinel: { fail_on_critical: true, auto_promote_clean: false },
    openclaw_bridge: { enabled: false },
    forge: {
      cron_interval_hours: 6,
      min_cluster_size: 3,
      min_distinct_agents: 3,
      freshness_window_days: 14,
      max_writes_per_run: 20,
      llm_tokens_per_run: 50_000,
    },
  },
};
const { skills_factory: FACTORY } = DEFAULTS;

const read = (by: Client = client) => by.ok(OrgSettings, "GET", SETTINGS, { query });
const change = (method: string, skills_factory: object, by: Client = client) =>
  by.ok(OrgSettings, method, SETTINGS, { query, body: { skills_factory } });
beforeEach(async () => {
  await change("PUT", FACTORY);
});

test("an untouched tenant has the defaults, and reading leaves nothing behind", async () => {
  const fresh = await withKey(client, { tenant_id: "fresh", admin: true });
  const theirs = { query: { tenant_id: "fresh" } };
  expect(await fresh.ok(OrgSettings, "GET", SETTINGS, theirs)).toEqual(DEFAULTS);
  const { items } = await fresh.ok(AuditLog, "GET", "/api/v1/audit-log", { query: { action: "settings.change" } });
  expect(items).toEqual([]);
});

test("the tenant may be left out of the address", async () => {
  expect(await client.ok(OrgSettings, "GET", SETTINGS)).toEqual(DEFAULTS);
});

describe.each(["PUT", "PATCH"])("%s", (method) => {
  test("changes what it names, however deep, and answers with the whole", async () => {
    const changed = await change(method, { forge: { min_cluster_size: 7 }, enabled: true });
    const expected = { ...FACTORY, enabled: true, forge: { ...FACTORY.forge, min_cluster_size: 7 } };
    expect(changed).toEqual({ ...DEFAULTS, skills_factory: expected });
    expect(await read()).toEqual(changed);
    const more = await change(method, { forge: { freshness_window_days: 1 } });
    expect(more.skills_factory.forge).toMatchObject({ min_cluster_size: 7, freshness_window_days: 1 });
    expect(more.skills_factory.enabled).toBe(true);
  });

  test("twice is as good as once", async () => {
    const patch = { sentinel: { auto_promote_clean: true }, inbox_max_pending: 9 };
    const once = await change(method, patch);
    expect(await change(method, patch)).toEqual(once);
  });

  test("with an empty tree changes nothing", async () => {
    const before = await change(method, { enabled: true });
    for (const body of [{}, { skills_factory: {} }, { skills_factory: { forge: {} } }])
      expect(await client.ok(OrgSettings, method, SETTINGS, { query, body })).toEqual(before);
  });

  test("of distinct keys at once keeps them all", async () => {
    const patches = [
      { enabled: true },
      { description_max_bytes: 99 },
      { forge: { min_cluster_size: 4 } },
      { forge: { min_distinct_agents: 5 } },
      { sentinel: { auto_promote_clean: true } },
      { sentinel: { fail_on_critical: false } },
    ];
    await Promise.all(patches.map((patch) => change(method, patch)));
    expect((await read()).skills_factory).toMatchObject({
      enabled: true,
      description_max_bytes: 99,
      forge: { min_cluster_size: 4, min_distinct_agents: 5 },
      sentinel: { auto_promote_clean: true, fail_on_critical: false },
    });
  });

  test.each<readonly [string, object, readonly string[]]>([
    ["an unknown key", { colour: "red" }, ["colour"]],
    ["an unknown key deep down", { skills_factory: { forge: { size: 1 } } }, ["skills_factory", "forge", "size"]],
    ["a text for a switch", { skills_factory: { enabled: "true" } }, ["skills_factory", "enabled"]],
    ["a number for a switch", { skills_factory: { enabled: 1 } }, ["skills_factory", "enabled"]],
    ["null for a switch", { skills_factory: { enabled: null } }, ["skills_factory", "enabled"]],
    ["null for a branch", { skills_factory: null }, ["skills_factory"]],
    ["a list for a branch", { skills_factory: { forge: [] } }, ["skills_factory", "forge"]],
    ["a text for a branch", { skills_factory: { sentinel: "off" } }, ["skills_factory", "sentinel"]],
    ["0 bytes", { skills_factory: { description_max_bytes: 0 } }, ["skills_factory", "description_max_bytes"]],
    ["10001 bytes", { skills_factory: { description_max_bytes: 10_001 } }, ["skills_factory", "description_max_bytes"]],
    ["half a byte", { skills_factory: { body_max_bytes: 1.5 } }, ["skills_factory", "body_max_bytes"]],
    ["too many bytes", { skills_factory: { body_max_bytes: 10_000_001 } }, ["skills_factory", "body_max_bytes"]],
    ["366 days", { skills_factory: { rejection_cooloff_days: 366 } }, ["skills_factory", "rejection_cooloff_days"]],
  ])("refuses %s with 422, names the path and changes nothing", async (_, body, path) => {
    const { status, body: refusal } = await client.refused(method, SETTINGS, {
      query,
      body: { skills_factory: { inbox_max_pending: 8 }, ...body },
    });
    expect([status, refusal.error.code]).toEqual([422, "INVALID_ARGUMENTS"]);
    expect(refusal.detail[0]).toMatchObject({ loc: ["body", ...path] });
    expect(await read()).toEqual(DEFAULTS);
  });

  test("names every unknown key", async () => {
    const { body } = await client.refused(method, SETTINGS, { query, body: { a: 1, skills_factory: { b: 1, c: 2 } } });
    const places = Array.isArray(body.detail) ? body.detail.map(({ loc }) => loc.join(".")).sort() : [];
    expect(places).toEqual(["body.a", "body.skills_factory.b", "body.skills_factory.c"]);
  });

  test.each([["[]"], ["null"], ['"enabled"'], [""]])("refuses the body %j with 422", async (raw) => {
    expect((await client.refused(method, SETTINGS, { query, raw })).status).toBe(422);
  });

  test("is not for agents, whatever their trust, who may read", async () => {
    const agent = await withKey(client, { agent_id: "ann", trust: 3 });
    const { status, body } = await agent.refused(method, SETTINGS, {
      query,
      body: { skills_factory: { enabled: true } },
    });
    expect([status, body.error.code]).toEqual([403, "FORBIDDEN"]);
    expect(await read(agent)).toEqual(DEFAULTS);
  });

  test("is for the own tenant alone", async () => {
    const other = await withKey(client, { tenant_id: "acme", admin: true });
    const body = { skills_factory: { enabled: true } };
    const { status, body: refusal } = await other.refused(method, SETTINGS, { query, body });
    expect([status, refusal.error.code]).toEqual([403, "TENANT_MISMATCH"]);
    expect((await other.refused("GET", SETTINGS, { query })).status).toBe(403);
    await other.ok(OrgSettings, method, SETTINGS, { query: { tenant_id: "acme" }, body });
    expect(await read()).toEqual(DEFAULTS);
  });

  test("leaves the skill factory to administrators", async () => {
    const member = await withKey(client, { trust: 3 });
    for (const enabled of [true, false]) {
      const { body } = await member.refused(method, SETTINGS, { query, body: { skills_factory: { enabled } } });
      expect(body.error.code).toBe("ADMIN_REQUIRED");
    }
    expect(await read()).toEqual(DEFAULTS);
  });

  test("is not for a key that may only read", async () => {
    const restricted = await withKey(client, { trust: 0 });
    const { status } = await restricted.refused(method, SETTINGS, {
      query,
      body: { skills_factory: { enabled: true } },
    });
    expect(status).toBe(403);
    expect(await read()).toEqual(DEFAULTS);
  });

  test("leaves an audit row with what was and what is", async () => {
    await change(method, { inbox_max_pending: 3 });
    const { items } = await client.ok(AuditLog, "GET", "/api/v1/audit-log", {
      query: { action: "settings.change", limit: 1 },
    });
    expect(items[0]).toMatchObject({
      target_id: TENANT,
      before: { skills_factory: { inbox_max_pending: 50 } },
      after: { skills_factory: { inbox_max_pending: 3 } },
    });
  });
});
