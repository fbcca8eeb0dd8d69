import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { KeyList } from "../../../src/core/schema/account.ts";
import { Memory } from "../../../src/core/schema/memory.ts";
import { Whoami } from "../../../src/core/schema/system.ts";
import { operations } from "../../../src/http/routes/all.ts";
import type { Client } from "../../support/api/client.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp, temporaryFolder } from "../../support/app.ts";
import { aMemory, TENANT } from "../../support/builders.ts";
import { GATEWAY, GATEWAY_SECRET, holder, mint, refusalOf, viaGateway } from "../../support/credentials.ts";

const folder = temporaryFolder();
const app = await startApp({ folder: folder.path, flags: [GATEWAY] });
afterAll(async () => {
  await app.stop();
  folder.remove();
});
const { client } = app;

const KEYS = "/api/v1/keys";
const UNKNOWN = `mc_${"0".repeat(43)}`;
const whoami = (as: Client): Promise<Whoami> => as.ok(Whoami, "GET", "/api/v1/whoami");
const list = (as: Client) => as.call("GET", MEMORIES);

describe("a minted key", () => {
  test("is mc_ and 43 characters of base64url, shown once, and each another", async () => {
    const minted = [await mint(client), await mint(client, { label: "for the ferry" })];
    for (const { raw_key, key_prefix } of minted) {
      expect(raw_key).toMatch(/^mc_[A-Za-z0-9_-]{43}$/);
      expect(raw_key).toStartWith(key_prefix);
      expect(key_prefix.length).toBeLessThan(12);
    }
    expect(new Set(minted.map(({ raw_key }) => raw_key)).size).toBe(2);
    const listed = await client.ok(KeyList, "GET", KEYS);
    for (const { raw_key, id } of minted) {
      expect(JSON.stringify(listed)).not.toContain(raw_key.slice(12));
      expect(listed.items.map((key) => key.id)).toContain(id);
    }
  });

  test("is nowhere in the data folder", async () => {
    const { raw_key, id } = await mint(client, { label: "hidden" });
    await list(client.as({ "X-API-Key": raw_key }));
    const files = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name)));
    expect(files.some((bytes) => bytes.includes(id))).toBe(true);
    for (const bytes of files) expect(bytes.includes(raw_key.slice(9))).toBe(false);
  });

  test("decides tenant, agent, fleet and trust, also in standalone mode", async () => {
    const ada = await holder(client, { tenant_id: "acme", agent_id: "ada", fleet_id: "blue", trust: 2 });
    expect(await whoami(ada)).toEqual({
      tenant_id: "acme",
      agent_id: "ada",
      auth_source: "api-key",
      via_gateway: false,
    });
    expect(await memoriesApi(ada, "acme").write()).toMatchObject({
      tenant_id: "acme",
      agent_id: "ada",
      fleet_id: "blue",
    });
    expect(refusalOf(await ada.refused("POST", MEMORIES, { body: aMemory() }))).toEqual([403, "TENANT_MISMATCH"]);
  });

  test("without a trust is standard for an agent and unlimited for a tenant", async () => {
    expect((await mint(client, { agent_id: "eve" })).trust).toBe(1);
    expect((await mint(client)).trust).toBe(3);
    expect((await mint(client, { agent_id: "eve" })).admin).toBe(false);
  });

  test("is refused at once when it is revoked, and stays in the list as such", async () => {
    const { raw_key, id } = await mint(client);
    const caller = client.as({ "X-API-Key": raw_key });
    expect((await list(caller)).status).toBe(200);
    const revoke = () => client.call("DELETE", `${KEYS}/${id}`);
    expect((await revoke()).status).toBe(204);
    expect(refusalOf(await caller.refused("GET", MEMORIES))).toEqual([401, "INVALID_API_KEY"]);
    expect((await revoke()).status).toBe(404);
    const { items } = await client.ok(KeyList, "GET", KEYS);
    expect(items.find((key) => key.id === id)?.revoked_at).toEqual(expect.any(String));
  });

  test.each([
    ["an unknown trust", { trust: 4 }],
    ["a trust in words", { trust: "high" }],
    ["a blank agent", { agent_id: " " }],
  ])("is not made with %s: 422", async (_, body) => {
    expect(refusalOf(await client.refused("POST", KEYS, { body }))).toEqual([422, "INVALID_ARGUMENTS"]);
  });

  test("for an agent that is known has its trust and fleet, and leaves them, unless it names others", async () => {
    const trusted = await mint(client, { agent_id: "una", fleet_id: "blue", trust: 3 });
    expect(await mint(client, { agent_id: "una" })).toMatchObject({ trust: 3, fleet_id: "blue" });
    const agent = async () => (await client.call("GET", "/api/v1/agents/una")).body;
    expect(await agent()).toMatchObject({ trust_level: 3, fleet_id: "blue" });
    expect(await mint(client, { agent_id: "una", trust: 2, fleet_id: "red" })).toMatchObject({
      trust: 2,
      fleet_id: "red",
    });
    expect(await agent()).toMatchObject({ trust_level: 2, fleet_id: "red" });
    const una = client.as({ "X-API-Key": trusted.raw_key });
    expect((await memoriesApi(una).write()).fleet_id).toBe("blue");
  });

  test("makes keys only with the admin role, and only for its own tenant", async () => {
    const [plain, admin] = [await holder(client, { trust: 3 }), await holder(client, { admin: true })];
    expect(refusalOf(await plain.refused("POST", KEYS, { body: {} }))).toEqual([403, "ADMIN_REQUIRED"]);
    expect(refusalOf(await plain.refused("GET", KEYS))).toEqual([403, "ADMIN_REQUIRED"]);
    const path = `${KEYS}/${crypto.randomUUID()}`;
    expect(refusalOf(await plain.refused("DELETE", path))).toEqual([403, "ADMIN_REQUIRED"]);
    expect((await mint(admin)).tenant_id).toBe(TENANT);
    const body = { tenant_id: "acme" };
    expect(refusalOf(await admin.refused("POST", KEYS, { body }))).toEqual([403, "TENANT_MISMATCH"]);
    const { id } = await mint(client, { tenant_id: "acme" });
    expect((await admin.call("DELETE", `${KEYS}/${id}`)).status).toBe(404);
    expect(JSON.stringify(await admin.ok(KeyList, "GET", KEYS))).not.toContain(id);
  });
});

describe("a presented value", () => {
  test("that is an mc_ key nobody minted is 401, in standalone mode and on open operations too", async () => {
    for (const headers of [{ "X-API-Key": UNKNOWN }, { Authorization: `Bearer ${UNKNOWN}` }]) {
      for (const path of [MEMORIES, "/api/v1/whoami", "/api/v1/health"]) {
        expect(refusalOf(await client.as(headers).refused("GET", path))).toEqual([401, "INVALID_API_KEY"]);
      }
    }
  });

  test.each(["not-a-key", "sk-something", "MC_upper", "standalone"])(
    "'%s' passes in standalone mode",
    async (value) => {
      for (const headers of [{ "X-API-Key": value }, { Authorization: `Bearer ${value}` }]) {
        expect(await whoami(client.as(headers))).toMatchObject({ tenant_id: TENANT, auth_source: "standalone" });
      }
    },
  );

  test("is the same in X-API-Key and in Authorization: Bearer", async () => {
    const { raw_key } = await mint(client, { agent_id: "ada" });
    const ways = [
      { "X-API-Key": raw_key },
      { Authorization: `Bearer ${raw_key}` },
      { Authorization: `bearer  ${raw_key} ` },
    ];
    for (const headers of ways) expect((await whoami(client.as(headers))).agent_id).toBe("ada");
  });

  test("that is one of our keys decides, whatever else is sent beside it", async () => {
    const { raw_key } = await mint(client, { agent_id: "ada" });
    const both = { "X-API-Key": "anything", Authorization: `Bearer ${raw_key}` };
    expect(await whoami(client.as(both))).toMatchObject({ agent_id: "ada", auth_source: "api-key" });
    const revoked = { "X-API-Key": "anything", Authorization: `Bearer ${UNKNOWN}` };
    expect(refusalOf(await client.as(revoked).refused("GET", MEMORIES))).toEqual([401, "INVALID_API_KEY"]);
  });

  test("may have X-Tenant-ID beside it, which must match", async () => {
    const acme = await holder(client, { tenant_id: "acme" });
    expect((await whoami(acme.as({ "X-Tenant-ID": "acme" }))).tenant_id).toBe("acme");
    const mismatch = acme.as({ "X-Tenant-ID": TENANT });
    expect(refusalOf(await mismatch.refused("GET", MEMORIES))).toEqual([403, "TENANT_MISMATCH"]);
  });
});

describe("gateway headers", () => {
  test("with the secret decide tenant and agent, before any key", async () => {
    const { raw_key } = await mint(client, { agent_id: "eve" });
    const tenant = client.as({ ...viaGateway("acme"), "X-API-Key": raw_key });
    const expected = { tenant_id: "acme", agent_id: null, auth_source: "gateway-header" as const, via_gateway: true };
    expect(await whoami(tenant)).toEqual(expected);
    expect(await whoami(client.as(viaGateway("acme", "ada")))).toEqual({ ...expected, agent_id: "ada" });
  });

  test.each([
    ["without a secret", {}],
    ["with a wrong one", { "X-Gateway-Secret": `${GATEWAY_SECRET}!` }],
    ["with an empty one", { "X-Gateway-Secret": "" }],
  ])("%s decide nothing", async (_, headers) => {
    const claimed = client.as({ "X-Tenant-ID": "acme", "X-Agent-ID": "ada", ...headers });
    expect(refusalOf(await claimed.refused("GET", MEMORIES))).toEqual([403, "TENANT_MISMATCH"]);
    const own = client.as({ "X-Tenant-ID": TENANT, "X-Agent-ID": "ada", ...headers });
    expect(await whoami(own)).toMatchObject({ agent_id: null, auth_source: "standalone" });
  });

  test("with the secret and no tenant speak for nobody, whatever a proxy left out", async () => {
    for (const headers of [{}, { "X-Tenant-ID": "" }, { "X-Agent-ID": "ada" }, { "X-Org-Role": "admin" }]) {
      const caller = client.as({ "X-Gateway-Secret": GATEWAY_SECRET, ...headers });
      expect(refusalOf(await caller.refused("GET", MEMORIES))).toEqual([401, "INVALID_API_KEY"]);
      expect((await caller.call("GET", "/api/v1/whoami")).status).toBe(401);
    }
  });

  test.each([
    ["tenant", "t".repeat(201), "ada"],
    ["agent", "acme", "a".repeat(201)],
  ])("that are too long for a %s are refused, not cut short", async (_, tenant, agent) => {
    const caller = client.as(viaGateway(tenant, agent));
    expect(refusalOf(await caller.refused("GET", MEMORIES))).toEqual([401, "INVALID_API_KEY"]);
    expect((await caller.call("GET", "/api/v1/whoami")).status).toBe(401);
  });

  test("make no administrator unless they say so", async () => {
    const plain = client.as(viaGateway("acme"));
    expect(refusalOf(await plain.refused("GET", KEYS))).toEqual([403, "ADMIN_REQUIRED"]);
    expect((await plain.as({ "X-Org-Role": "admin" }).call("GET", KEYS)).status).toBe(200);
  });
});

describe("without standalone mode", () => {
  test("a key alone lets in; anything else is 401 in the envelope, but for open operations without a key", async () => {
    const strict = await startApp({ flags: ["--no-standalone", "--api-key=sesame-sesame"] });
    const owner = strict.client.as({ "X-API-Key": "sesame-sesame" });
    const ada = await holder(owner, { agent_id: "ada" });
    try {
      expect(await whoami(owner)).toMatchObject({ tenant_id: TENANT, auth_source: "api-key" });
      expect((await list(ada)).status).toBe(200);
      const none = { tenant_id: null, agent_id: null, auth_source: "anonymous" as const, via_gateway: false };
      expect(await whoami(strict.client)).toEqual(none);
      for (const { method, path, open } of operations) {
        const at = path.replace(/\{\w+\}/g, crypto.randomUUID());
        const { status } = await strict.client.call(method, at, { body: method === "GET" ? undefined : {} });
        expect([at, status === 401]).toEqual([at, open !== true]);
      }
      for (const value of ["not-a-key", UNKNOWN, "sesame-sesame!"]) {
        const caller = strict.client.as({ "X-API-Key": value });
        expect(refusalOf(await caller.refused("GET", MEMORIES))).toEqual([401, "INVALID_API_KEY"]);
      }
      const refused = await strict.client.refused("POST", MEMORIES, { body: aMemory() });
      expect(refusalOf(refused)).toEqual([401, "UNAUTHORIZED"]);
    } finally {
      await strict.stop();
    }
  });
});

test("CAIRN_API_KEY is asked of everyone, and stands for the administrator of the tenant", async () => {
  const shared = await startApp({ flags: ["--api-key=sesame-sesame"] });
  const owner = shared.client.as({ Authorization: "Bearer sesame-sesame" });
  expect(refusalOf(await shared.client.refused("GET", MEMORIES))).toEqual([401, "UNAUTHORIZED"]);
  expect((await whoami(shared.client)).auth_source).toBe("anonymous");
  expect((await owner.call("POST", MEMORIES, { body: aMemory() })).status).toBe(201);
  const key = await mint(owner, { agent_id: "ada" });
  expect(
    Memory.parse(
      (await shared.client.as({ "X-API-Key": key.raw_key }).call("POST", MEMORIES, { body: aMemory() })).body,
    ).agent_id,
  ).toBe("ada");
  await shared.stop();
});
