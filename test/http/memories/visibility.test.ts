import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { idsOf, MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);

const PRIVATE = "Ada's vault code is mentioned in the quokka file.";
const TEAM = "The quokka file lies in the cabinet of the team.";
const ids = { private: "", team: "", org: "" };

beforeAll(async () => {
  const shared = { agent_id: "ada", run_id: "quokka" };
  ids.private = (await api.write({ ...shared, content: PRIVATE, visibility: "scope_agent", memory_type: "plan" })).id;
  ids.team = (await api.write({ ...shared, content: TEAM, visibility: "scope_team" })).id;
  ids.org = (await api.write({ ...shared, content: "The quokka file is known to all.", visibility: "scope_org" })).id;
});

/** Those who are not the author: somebody else, and nobody in particular. */
const STRANGERS = [
  ["another agent", "bob"],
  ["no agent", undefined],
] as const;

describe.each(STRANGERS)("to %s, a private memory does not exist", (_, agent_id) => {
  test("in the list, whatever is filtered for", async () => {
    const queries = [
      {},
      { written_by: "ada" },
      { visibility: "scope_agent" },
      { memory_type: "plan" },
      { run_id: "quokka" },
    ];
    for (const query of queries) {
      const text = JSON.stringify(await api.list({ ...query, agent_id, include_deleted: true }));
      expect(text).not.toContain(ids.private);
      expect(text).not.toContain("vault");
    }
    expect(idsOf(await api.list({ agent_id }))).toEqual([ids.org, ids.team]);
  });

  test("in the read by id, in the same words as an unknown one", async () => {
    const query = { tenant_id: TENANT, agent_id };
    const refused = await client.refused("GET", `${MEMORIES}/${ids.private}`, { query });
    const unknown = await client.refused("GET", `${MEMORIES}/${crypto.randomUUID()}`, { query });
    expect(refused.status).toBe(404);
    expect(refused.body).toEqual(unknown.body);
  });

  test("in search, by its own words, its meaning or its neighbours, nor in the diagnostic", async () => {
    for (const query of [PRIVATE, "vault code", "quokka"]) {
      const reply = await api.search(query, { caller_agent_id: agent_id, top_k: 20, diagnostic: true });
      expect(idsOf(reply).sort()).toEqual([ids.org, ids.team].sort());
      expect(JSON.stringify(reply)).not.toContain(ids.private);
      expect(reply.diagnostic?.candidates_considered).toBe(2);
    }
  });

  test("in recall", async () => {
    const reply = await api.recall("What is the vault code?", { caller_agent_id: agent_id, top_k: 20 });
    expect(reply.memory_count).toBe(2);
    expect(reply.summary.toLowerCase()).not.toContain("vault");
  });
});

test("to another agent, a private memory counts in no statistics", async () => {
  expect(await api.stats({})).toMatchObject({ total: 2, by_type: { fact: 2 }, by_agent: { ada: 2 } });
  expect(await api.stats({ agent_id: "bob" })).toMatchObject({ total: 0, total_including_deleted: 0 });
});

test("another agent cannot delete a private memory, and learns nothing by trying", async () => {
  const reply = await api.remove(ids.private, { agent_id: "bob" });
  expect(reply).toMatchObject({ status: 404, body: { error: { code: "NOT_FOUND", message: "No such memory." } } });
  expect((await api.get(ids.private, { agent_id: "ada" })).content).toBe(PRIVATE);
});

describe("to its own agent, a private memory is", () => {
  test("listed, read, counted and found beside everything shared", async () => {
    expect(idsOf(await api.list({ agent_id: "ada" })).sort()).toEqual(Object.values(ids).sort());
    expect((await api.get(ids.private, { agent_id: "ada" })).content).toBe(PRIVATE);
    expect((await api.stats({ agent_id: "ada" })).total).toBe(3);
    expect(idsOf(await api.search("vault code", { caller_agent_id: "ada" }))[0]).toBe(ids.private);
    expect((await api.recall("vault code", { caller_agent_id: "ada" })).summary).toContain(ids.private);
  });

  test("found when the search names only its author", async () => {
    expect(idsOf(await api.search("vault code", { filter_agent_id: "ada" }))[0]).toBe(ids.private);
  });

  test("not found by an author's filter under another identity", async () => {
    const reply = await api.search("vault code", { filter_agent_id: "ada", caller_agent_id: "bob" });
    expect(idsOf(reply)).not.toContain(ids.private);
  });
});
