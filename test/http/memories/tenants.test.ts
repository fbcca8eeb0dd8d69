import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { idsOf, MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { isBinary, startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";

const SECRET = "a gateway's proof of itself";
const app = await startApp({ flags: [`--gateway-secret=${SECRET}`] });
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);

const PRIVATE = "Ada's vault code is mentioned in the quokka file.";
const TEAM = "The quokka file lies in the cabinet of the team.";
const ids = { private: "", team: "" };

beforeAll(async () => {
  const shared = { agent_id: "ada", run_id: "quokka" };
  ids.private = (await api.write({ ...shared, content: PRIVATE, visibility: "scope_agent" })).id;
  ids.team = (await api.write({ ...shared, content: TEAM })).id;
});

test("another agent that stores the same private text is told of no duplicate", async () => {
  const { id, agent_id } = await api.write({ content: PRIVATE, agent_id: "eve", visibility: "scope_agent" });
  expect([id === ids.private, agent_id]).toEqual([false, "eve"]);
  await api.remove(id, { agent_id: "eve" });
});

describe("another tenant", () => {
  /** A caller of a tenant that no other test uses. */
  const aStranger = () => {
    const tenant = `tenant-${crypto.randomUUID()}`;
    const caller = client.as({ "X-Gateway-Secret": SECRET, "X-Tenant-ID": tenant });
    return { tenant, caller, theirs: memoriesApi(caller, tenant) };
  };

  test("sees, finds and counts nothing of this one", async () => {
    const { tenant, theirs } = aStranger();
    const { id } = await theirs.write({ content: TEAM, agent_id: "ada" });
    expect(idsOf(await theirs.list({ include_deleted: true, agent_id: "ada" }))).toEqual([id]);
    expect(idsOf(await theirs.search("quokka vault", { caller_agent_id: "ada", top_k: 20 }))).toEqual([id]);
    expect(await theirs.count()).toBe(1);
    expect(await theirs.stats({ agent_id: "ada" })).toMatchObject({ total: 1, by_tenant: { [tenant]: 1 } });
    expect((await theirs.write()).usage?.memories_stored).toBe(2);
    expect(idsOf(await api.list({ agent_id: "ada" }))).not.toContain(id);
    expect(idsOf(await api.search("quokka", { top_k: 20 }))).not.toContain(id);
  });

  test.each(["GET", "DELETE"])(
    "%s of a row of this one is 404 under its own name and 403 under this one's",
    async (method) => {
      const path = `${MEMORIES}/${ids.team}`;
      const { tenant, caller } = aStranger();
      const own = await caller.refused(method, path, { query: { tenant_id: tenant } });
      expect([own.status, own.body.error.code]).toEqual([404, "NOT_FOUND"]);
      const foreign = await caller.refused(method, path, { query: { tenant_id: TENANT } });
      expect([foreign.status, foreign.body.error.code]).toEqual([403, "TENANT_MISMATCH"]);
      expect((await api.get(ids.team)).content).toBe(TEAM);
    },
  );

  // One executable, one log of jobs: whether its jobs mix tenants up shows in process as well.
  test.skipIf(isBinary)("gets its own vectors, not this one's", async () => {
    const { theirs } = aStranger();
    const content = "A bandicoot crossed the runway at dawn.";
    await theirs.bulk([{ content }], { agent_id: "ada" });
    await api.bulk([{ content }], { agent_id: "ada" });
    await app.settle();
    for (const one of [theirs, api]) {
      const { items } = await one.search("bandicoot", { top_k: 20 });
      const found = items.filter((item) => item.content === content);
      expect(found).toHaveLength(1);
      expect(found[0]?.similarity).toBeGreaterThan(0);
    }
  });
});
