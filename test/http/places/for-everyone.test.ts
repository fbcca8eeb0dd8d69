import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { Agent } from "../../../src/core/schema/account.ts";
import { DocumentWritten } from "../../../src/core/schema/document.ts";
import { Forgotten } from "../../../src/core/schema/keeping/forget.ts";
import { WhyNotReply } from "../../../src/core/schema/observing/why-not.ts";
import { OutcomeTaken } from "../../../src/core/schema/outcome.ts";
import type { CallOptions } from "../../support/api/client.ts";
import { contentsOf, MEMORIES, memoriesApi, RECALL, SEARCH, WHY_NOT } from "../../support/api/memories.ts";
import { GATEWAY, holder, refusalOf, viaGateway } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const { app, client: anyone } = await openApp({ flags: [GATEWAY] });
afterAll(() => app.stop());
const tenant_id = "places";
const client = anyone.as(viaGateway(tenant_id)).as({ "X-Org-Role": "admin" });
const api = memoriesApi(client, tenant_id);

const Line = z.looseObject({ record: z.string(), content: z.string().optional() });
const exported = async (query: CallOptions["query"]) =>
  (await client.ok(z.array(Line), "GET", "/api/v1/export", { query })).flatMap(({ content }) => content ?? []).sort();
const forgotten = async (filter: object) => {
  let memories = 0;
  for (let next: string | undefined; ; ) {
    const body = { tenant_id, ...filter, next };
    const reply = await anyone.ok(Forgotten, "POST", "/api/v1/admin/forget", { body });
    memories += reply.counts.memories;
    if (reply.next === null) return memories;
    next = reply.next;
  }
};
const listed = async (query: CallOptions["query"]) => contentsOf(await api.list({ tenant_id, ...query })).sort();

describe("shared_only", async () => {
  const HERON = {
    red: "The heron of the red team stands in the reeds.",
    shown: "The heron of the red team is shown to all.",
    none: "The heron stands wherever it likes.",
    all: "The heron stands in every pond there is.",
  };
  await api.write({ content: HERON.red, fleet_id: "red" });
  await api.write({ content: HERON.shown, fleet_id: "red", visibility: "scope_org" });
  await api.write({ content: HERON.none });
  await api.write({ content: HERON.all, no_fleet: true });
  await client.ok(DocumentWritten, "POST", "/api/v1/documents", {
    body: { tenant_id, collection: "plans", doc_id: "red", data: { summary: "The red plan" }, fleet_id: "red" },
  });
  const SHARED = [HERON.shown, HERON.none, HERON.all].sort();

  test("finds what belongs to every fleet, and nothing of one", async () => {
    expect(contentsOf(await api.search("Where does the heron stand?", { shared_only: true })).sort()).toEqual(SHARED);
    const { memories } = await api.recall("Where does the heron stand?", { shared_only: true, min_score: 0 });
    expect(memories.map(({ content }) => content).sort()).toEqual(SHARED);
    expect(contentsOf(await api.search("Where does the heron stand?", { fleet_ids: ["red"] }))).toHaveLength(4);
    expect(await listed({ shared_only: true })).toEqual(SHARED);
    expect(await listed({ shared_only: true, with_shared: false, scope: "all" })).toEqual(SHARED);
    expect(await api.count({ tenant_id, shared_only: true })).toBe(3);
    expect((await api.stats({ tenant_id, shared_only: true })).total).toBe(3);
  });

  test("tells why a memory of a fleet is not found so, and how it would be", async () => {
    const [red] = (await api.list({ tenant_id, fleet_id: "red", visibility: "scope_team" })).items;
    const body = { tenant_id, query: "heron", shared_only: true, memory_id: red?.id };
    const { stage, message, change } = await client.ok(WhyNotReply, "POST", WHY_NOT, { body });
    expect([stage, change]).toEqual(["filters", { shared_only: null }]);
    expect(message).toContain("every fleet");
  });

  test("exports and forgets what was written for no fleet alone", async () => {
    expect(await exported({ shared_only: true })).toEqual([HERON.none, HERON.all].sort());
    expect(await exported({ fleet_id: "red" })).toEqual([HERON.red, HERON.shown].sort());
    expect(await forgotten({ shared_only: true, dry_run: true })).toBe(2);
    expect(await forgotten({ shared_only: true })).toBe(2);
    expect(await listed({})).toEqual([HERON.red, HERON.shown].sort());
    const query = { tenant_id, collection: "plans" };
    expect(await client.ok(z.array(z.unknown()), "GET", "/api/v1/documents", { query })).toHaveLength(1);
  });

  test("is refused beside a fleet", async () => {
    const bodies = {
      [SEARCH]: { query: "heron", fleet_ids: ["red"] },
      [RECALL]: { query: "heron", fleet_ids: ["red"] },
    };
    for (const [path, body] of Object.entries({ ...bodies, "/api/v1/admin/forget": { fleet_id: "red" } }))
      expect(
        refusalOf(await client.refused("POST", path, { body: { tenant_id, ...body, shared_only: true } })),
      ).toEqual([422, "INVALID_ARGUMENTS"]);
    for (const path of [MEMORIES, `${MEMORIES}/count`, `${MEMORIES}/stats`, "/api/v1/export"])
      expect(
        refusalOf(await client.refused("GET", path, { query: { tenant_id, fleet_id: "red", shared_only: true } })),
      ).toEqual([422, "INVALID_ARGUMENTS"]);
    expect(contentsOf(await api.search("heron", { fleet_ids: [], shared_only: true }))).toContain(HERON.shown);
    const query = { tenant_id, scope: "fleet", shared_only: true };
    expect(refusalOf(await client.refused("GET", MEMORIES, { query }))).toEqual([400, "BAD_REQUEST"]);
  });
});

describe("no_fleet", () => {
  test("puts a memory into no fleet, though its writer has a home, and its fleet's forgetting leaves it", async () => {
    const at_home = await api.write({ agent_id: "ada", fleet_id: "blue" });
    const free = await api.write({ agent_id: "ada", no_fleet: true });
    expect(free).toMatchObject({ fleet_id: null, visibility: "scope_org", agent_id: "ada" });
    const own = await api.write({ agent_id: "ada", no_fleet: true, visibility: "scope_agent" });
    expect(own).toMatchObject({ fleet_id: null, visibility: "scope_agent" });
    const { results } = await api.bulk([{ content: "The otter is told of in bulk." }], {
      agent_id: "ada",
      no_fleet: true,
    });
    expect(await api.get(results[0]?.id ?? "")).toMatchObject({ fleet_id: null, visibility: "scope_org" });
    expect(await exported({ fleet_id: "blue" })).toEqual([at_home.content]);
    expect(await listed({ fleet_id: "blue" })).toEqual([at_home.content]);
    expect(await forgotten({ fleet_id: "blue" })).toBe(1);
    expect(await listed({ shared_only: true })).toContain(free.content);
    expect(await api.get(free.id)).toMatchObject({ id: free.id });
  });

  test("gives an agent that nobody knew no home", async () => {
    await api.write({ agent_id: "nomad", no_fleet: true });
    const query = { tenant_id };
    expect(await client.ok(Agent, "GET", "/api/v1/agents/nomad", { query })).toMatchObject({ fleet_id: null });
  });

  test("takes an outcome and a document, too", async () => {
    await api.write({ agent_id: "bea", fleet_id: "blue" });
    const body = {
      tenant_id,
      agent_id: "bea",
      no_fleet: true,
      outcome: "The ferry left on time.",
      outcome_type: "success",
    };
    const { outcome_id } = await client.ok(OutcomeTaken, "POST", "/api/v1/evolve/report", { body });
    expect(await api.get(outcome_id)).toMatchObject({ fleet_id: null, visibility: "scope_org" });
    const blue = await holder(anyone, { tenant_id, fleet_id: "blue", trust: 3 });
    const document = { tenant_id, collection: "plans", doc_id: "all", data: { summary: "For all" } };
    const put = (more: object) =>
      blue.ok(DocumentWritten, "POST", "/api/v1/documents", { body: { ...document, ...more } });
    expect(await put({})).toMatchObject({ fleet_id: "blue" });
    expect(await put({ no_fleet: true })).toMatchObject({ fleet_id: null });
  });

  test("needs the trust to write for all, and is refused beside a fleet", async () => {
    const agent = await holder(anyone, { tenant_id, agent_id: "cleo", fleet_id: "blue", trust: 2 });
    const post = (path: string, body: object) => agent.refused("POST", path, { body: { tenant_id, ...body } });
    const memory = { content: "The otter sleeps on its back." };
    const data = { collection: "plans", doc_id: "otter", data: { summary: "Otters" } };
    for (const [path, body] of [
      [MEMORIES, memory],
      [`${MEMORIES}/bulk`, { items: [memory] }],
      ["/api/v1/documents", data],
    ] as const) {
      expect(refusalOf(await post(path, { ...body, no_fleet: true }))).toEqual([403, "FLEET_SCOPE_FORBIDDEN"]);
      expect(refusalOf(await post(path, { ...body, no_fleet: true, fleet_id: "blue" }))).toEqual([
        422,
        "INVALID_ARGUMENTS",
      ]);
    }
    const unbound = memoriesApi(await holder(anyone, { tenant_id, agent_id: "dan", trust: 1 }), tenant_id);
    expect(await unbound.write({ no_fleet: true })).toMatchObject({ fleet_id: null, visibility: "scope_org" });
  });
});
