import { afterAll, describe, expect, test } from "bun:test";
import type { Client, Reply } from "../../support/api/client.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { isBinary, startApp } from "../../support/app.ts";
import { aMemory, TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { GATEWAY, holder, refusalOf, viaGateway } from "../../support/credentials.ts";

const RATES = ["--rate-writes=3", "--rate-bulk=2", "--rate-searches=4", "--rate-reads=5"];
const stops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

/** A server with small budgets whose clock stands still. */
async function limited(flags: readonly string[] = RATES) {
  const clock = fakeClock();
  const app = await startApp({ clock, flags: [GATEWAY, ...flags] });
  stops.push(app.stop);
  return { clock, client: app.client };
}

const write = (as: Client, body: unknown = aMemory()) => as.call("POST", MEMORIES, { body });
const search = (as: Client) => as.call("POST", "/api/v1/search", { body: { tenant_id: TENANT, query: "x" } });
const read = (as: Client) => as.call("GET", "/api/v1/version");
const bulkDelete = (as: Client) =>
  as.call("POST", `${MEMORIES}/bulk-delete`, { body: { tenant_id: TENANT, ids: [crypto.randomUUID()] } });

const quotaOf = ({ headers }: Reply) =>
  ["Limit", "Remaining", "Reset"].map((name) => headers.get(`X-RateLimit-${name}`));

async function statuses(times: number, call: () => Promise<Reply>): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < times; i++) found.push((await call()).status);
  return found;
}

describe.skipIf(isBinary)("a budget", () => {
  test("is told by three headers on every reply of an operation, refusals included", async () => {
    const { client } = await limited();
    expect(quotaOf(await write(client))).toEqual(["3", "2", "1"]);
    expect(quotaOf(await write(client, { content: "short" }))).toEqual(["3", "1", "1"]);
    expect(quotaOf(await read(client))).toEqual(["5", "4", "1"]);
    const stranger = client.as({ "X-API-Key": `mc_${"0".repeat(43)}` });
    const unknown = await stranger.refused("GET", MEMORIES);
    expect([unknown.status, ...quotaOf(unknown)]).toEqual([401, "5", "3", "1"]);
    const missing = await client.refused("GET", `${MEMORIES}/${crypto.randomUUID()}`, { query: { tenant_id: TENANT } });
    expect([missing.status, ...quotaOf(missing)]).toEqual([404, "5", "2", "1"]);
  });

  test("once spent is 429 in the envelope, with whole seconds to wait, and does nothing", async () => {
    const { client } = await limited();
    expect(await statuses(3, () => write(client))).toEqual([201, 201, 201]);
    const reply = await client.refused("POST", MEMORIES, { body: aMemory() });
    expect(refusalOf(reply)).toEqual([429, "RATE_LIMITED"]);
    expect(reply.body.error.details).toEqual({ limit: 3, retry_after: 1 });
    expect(reply.headers.get("Retry-After")).toBe("1");
    expect(quotaOf(reply)).toEqual(["3", "0", "1"]);
    expect(await memoriesApi(client).count()).toBe(3);
  });

  test("is refused before the request is looked at", async () => {
    const { client } = await limited();
    await statuses(3, () => write(client));
    expect((await client.call("POST", MEMORIES, { raw: "{" })).status).toBe(429);
  });

  test("is one for each kind of call", async () => {
    const { client } = await limited();
    expect(await statuses(4, () => write(client))).toEqual([201, 201, 201, 429]);
    expect(await statuses(3, () => bulkDelete(client))).toEqual([200, 200, 429]);
    expect(await statuses(5, () => search(client))).toEqual([200, 200, 200, 200, 429]);
    expect(await statuses(6, () => read(client))).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test("refills as time passes, a call at a time, and never beyond one second's worth", async () => {
    const { client, clock } = await limited();
    await statuses(3, () => write(client));
    clock.advance(333);
    expect(await statuses(1, () => write(client))).toEqual([429]);
    clock.advance(1);
    expect(await statuses(2, () => write(client))).toEqual([201, 429]);
    clock.advance(3_600_000);
    expect(await statuses(4, () => write(client))).toEqual([201, 201, 201, 429]);
    clock.advance(-3_600_000);
    expect(await statuses(1, () => write(client))).toEqual([429]);
    clock.advance(334);
    expect(await statuses(2, () => write(client))).toEqual([201, 429]);
  });

  test("slower than one a second says how long to wait", async () => {
    const { client, clock } = await limited(["--rate-writes=0.1"]);
    expect((await write(client)).status).toBe(201);
    clock.advance(2_500);
    const reply = await client.refused("POST", MEMORIES, { body: aMemory() });
    expect([reply.headers.get("Retry-After"), ...quotaOf(reply)]).toEqual(["8", "1", "0", "8"]);
    clock.advance(7_500);
    expect((await write(client)).status).toBe(201);
  });

  test("of 0 is none at all", async () => {
    const { client } = await limited(["--rate-writes=0"]);
    expect(new Set(await statuses(300, () => write(client)))).toEqual(new Set([201]));
  });

  test("belongs to one key: another key has its own", async () => {
    const { client } = await limited(["--rate-writes=0", "--rate-reads=2"]);
    const [one, two] = [await holder(client), await holder(client)];
    expect(await statuses(3, () => read(one))).toEqual([200, 200, 429]);
    expect(await statuses(3, () => read(two))).toEqual([200, 200, 429]);
    expect(await statuses(3, () => read(client))).toEqual([200, 200, 429]);
  });

  test("is not renewed by making keys up", async () => {
    const { client } = await limited();
    for (const prefix of ["", "mc_"]) {
      const found = await statuses(8, () => read(client.as({ "X-API-Key": prefix + crypto.randomUUID() })));
      expect(found.filter((status) => status !== 429).length).toBe(prefix === "" ? 5 : 0);
    }
  });

  test("behind a gateway belongs to the tenant and agent it vouches for", async () => {
    const { client } = await limited();
    for (const headers of [viaGateway("acme"), viaGateway("globex"), viaGateway("acme", "ada")]) {
      expect(await statuses(6, () => read(client.as(headers)))).toEqual([200, 200, 200, 200, 200, 429]);
    }
  });
});

test("budgets are generous unless told otherwise: 200 writes, 20 bulk writes, 500 searches a second", async () => {
  const app = await startApp({
    flags: ["--rate-writes=200", "--rate-bulk=20", "--rate-searches=500", "--rate-reads=1000"],
  });
  stops.push(app.stop);
  const calls = [write, bulkDelete, search, read];
  const limits = [];
  for (const call of calls) limits.push(quotaOf(await call(app.client))[0]);
  expect(limits).toEqual(["200", "20", "500", "1000"]);
});

describe("a tenant's limit of memories", () => {
  test("is in every usage, as three integers; what is beyond is 403 and loses nothing", async () => {
    const app = await startApp({ flags: [GATEWAY, "--memories-limit=2"] });
    stops.push(app.stop);
    const api = memoriesApi(app.client);
    const usages = [(await api.write()).usage, (await api.write()).usage];
    expect(usages).toEqual([
      { memories_stored: 1, memories_limit: 2, writes_remaining: 1 },
      { memories_stored: 2, memories_limit: 2, writes_remaining: 0 },
    ]);
    const before = await api.list();
    const found = await api.search("office plant");
    const { memories, items } = await api.recall("office plant");
    expect(found.items).toHaveLength(2);
    for (const one of [...before.items, ...found.items, ...memories, ...(items ?? [])]) {
      expect(one.usage).toEqual({ memories_stored: 2, memories_limit: 2, writes_remaining: 0 });
    }
    const reply = await app.client.refused("POST", MEMORIES, { body: aMemory() });
    expect(refusalOf(reply)).toEqual([403, "PLAN_LIMIT_READ_ONLY"]);
    expect(reply.body.error.details).toEqual({ memories_limit: 2 });
    expect(await api.list()).toEqual(before);
    const [first] = before.items;
    const patched = await app.client.call("PATCH", `${MEMORIES}/${first?.id}`, {
      query: { tenant_id: TENANT },
      body: { weight: 1 },
    });
    expect(patched.status).toBe(200);
    expect((await memoriesApi(app.client.as(viaGateway("acme")), "acme").write()).usage?.writes_remaining).toBe(1);
    expect((await api.bulk([{ content: "One more than there is room for." }])).results[0]?.error).toContain(
      "limit of 2",
    );
    expect(await api.count()).toBe(2);
    await api.remove(first?.id ?? "");
    expect((await api.write()).usage).toEqual({ memories_stored: 2, memories_limit: 2, writes_remaining: 0 });
  });
});
