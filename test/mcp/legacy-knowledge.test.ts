import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { aSkill, enableFactory, skillsApi } from "../support/api/skills.ts";
import { aStatement } from "../support/builders.ts";
import { GATEWAY, viaGateway } from "../support/credentials.ts";
import { openApp } from "../support/in-process.ts";
import type { TestClient } from "./clients.ts";
import { olderClient } from "./clients.ts";
import { legacyCalls } from "./legacy-client.ts";

const { app, client: http, settle } = await openApp({ flags: [GATEWAY] });
const { url } = app.listen();
let client: TestClient;
beforeAll(async () => {
  client = await olderClient(`${url}/mcp`);
});
afterAll(async () => {
  await client.close();
  await app.stop();
});
const tools = () => legacyCalls(client);

/** The tools as another caller has them. */
async function as<T>(headers: Record<string, string>, work: (tools: ReturnType<typeof legacyCalls>) => Promise<T>) {
  const one = await olderClient(`${url}/mcp`, headers);
  try {
    return await work(legacyCalls(one));
  } finally {
    await one.close();
  }
}
const keyOf = async (body: Record<string, unknown>): Promise<string> =>
  ((await app.call("POST", "/api/v1/keys", body)) as { raw_key: string }).raw_key;

describe("caura_doc", () => {
  const at = { collection: "plans", doc_id: "q3" };

  test("writes, reads, replaces and deletes a document", async () => {
    const data = { summary: "The plan of the third quarter: hire two people.", owner: "ada" };
    expect(await tools().ask("doc", { op: "write", ...at, data })).toEqual({
      ok: true,
      ...at,
      action: "created",
      indexed: true,
    });
    await Bun.sleep(2);
    expect(await tools().ask("doc", { op: "write", ...at, data: { owner: "eve" } })).toEqual({
      ok: true,
      ...at,
      action: "updated",
      indexed: false,
    });
    expect(await tools().ask("doc", { op: "read", ...at })).toEqual({
      ...at,
      data: { owner: "eve" },
      updated_at: expect.any(String),
    });
    expect(await tools().ask("doc", { op: "delete", ...at })).toEqual({ ok: true, ...at, deleted: true });
    expect(await tools().told("doc", { op: "delete", ...at })).toBe("Not found: plans/q3");
    expect(await tools().told("doc", { op: "read", ...at })).toBe("Not found: plans/q3");
  });

  test("queries by field and searches by meaning", async () => {
    for (const [doc_id, rank] of [
      ["a", 2],
      ["b", 1],
      ["c", 3],
    ] as const)
      await tools().ask("doc", {
        op: "write",
        collection: "people",
        doc_id,
        data: { rank, team: rank < 3 ? "red" : "blue", summary: `Person ${doc_id} repairs sailing boats.` },
      });
    const query = { op: "query", collection: "people", where: { team: "red" }, order_by: "rank" };
    const found = await tools().ask("doc", query);
    expect(found).toMatchObject({ collection: "people", count: 2, results: [{ doc_id: "b" }, { doc_id: "a" }] });
    expect(await tools().ask("doc", { ...query, order: "desc", limit: 1, offset: 1 })).toMatchObject({
      results: [{ doc_id: "b" }],
    });
    const search = { op: "search", query: "who repairs sailing boats", top_k: 2 };
    expect(await tools().ask("doc", { ...search, collection: "people" })).toMatchObject({
      collection: "people",
      count: 2,
    });
    expect(await tools().ask("doc", search)).toMatchObject({ collection: null, count: 2 });
    expect(await tools().ask("doc", { op: "list_collections" })).toMatchObject({
      collections: expect.arrayContaining([{ name: "people", count: 3 }]),
    });
    expect((await tools().refused("doc", { ...search, top_k: 51 })).code).toBe("INVALID_ARGUMENTS");
  });

  test("says what an op lacks, and keeps Cairn's own collections", async () => {
    expect((await tools().refused("doc", { op: "read" })).message).toBe("op=read requires 'collection'.");
    expect((await tools().refused("doc", { op: "write", ...at })).message).toBe("op=write requires 'data'.");
    expect((await tools().refused("doc", { op: "search" })).message).toBe("op=search requires 'query'.");
    const own = { op: "write", collection: "_keystones", doc_id: "x", data: {} };
    expect((await tools().refused("doc", own)).code).toBe("INVALID_ARGUMENTS");
  });
});

describe("skills over the older tools", () => {
  const skills = skillsApi(http);
  const skill = (op: string, more: Record<string, unknown> = {}) => ({ op, collection: "skills", ...more });
  beforeAll(async () => {
    await enableFactory(http);
    await skills.write("mend-boats");
    await skills.act("agent/mend-boats", "approve");
    await skills.write("paint-boats");
  });

  test("show active ones alone, to the owner, too", async () => {
    expect(await skills.status("agent/paint-boats")).toBe("staged");
    expect(await tools().ask("doc", skill("read", { doc_id: "agent/mend-boats" }))).toMatchObject({
      data: { status: "active" },
    });
    const staged = { doc_id: "agent/paint-boats" };
    expect(await tools().told("doc", skill("read", staged))).toBe("Not found: skills/agent/paint-boats");
    expect(await tools().told("doc", skill("delete", staged))).toBe("Not found: skills/agent/paint-boats");
    expect(await skills.status("agent/paint-boats")).toBe("staged");
    expect(await tools().ask("doc", skill("query"))).toMatchObject({
      count: 1,
      results: [{ doc_id: "agent/mend-boats" }],
    });
    for (const collection of ["skills", undefined]) {
      const { results } = await tools().ask("doc", {
        op: "search",
        query: "How to work on boats",
        collection,
        top_k: 50,
      });
      const found = (results as { collection: string; doc_id: string }[]).filter((hit) => hit.collection === "skills");
      expect(found.map(({ doc_id }) => doc_id)).toEqual(["agent/mend-boats"]);
    }
    const { collections } = await tools().ask("doc", { op: "list_collections" });
    expect(collections).toContainEqual({ name: "skills", count: 1 });
  });

  test("refuse another status, and a skill that breaks the rules", async () => {
    const asked = skill("query", { where: { status: "staged" } });
    expect((await tools().refused("doc", asked)).code).toBe("INVALID_ARGUMENTS");
    const long = skill("write", { doc_id: "too-long", data: aSkill("too-long", { description: "x".repeat(161) }) });
    expect((await tools().refused("doc", long)).code).toBe("INVALID_ARGUMENTS");
    const { description: _, ...rest } = aSkill("no-words");
    expect((await tools().refused("doc", skill("write", { doc_id: "no-words", data: rest }))).code).toBe(
      "INVALID_ARGUMENTS",
    );
    const written = await tools().ask("doc", skill("write", { doc_id: "sew-sails", data: aSkill("sew-sails") }));
    expect(written).toMatchObject({ ok: true, doc_id: "agent/sew-sails", action: "created", indexed: true });
  });
});

describe("caura_keystones", () => {
  const rule = { doc_id: "be-kind", title: "Be kind", content: "Answer kindly.", scope: "tenant", weight: "high" };

  test("are set, read and deleted, where the tenant leaves that to agents", async () => {
    await http.call("PATCH", "/api/v1/settings", { body: { keystones: { from_mcp: "write" } } });
    expect(await tools().ask("keystones_set", { op: "set", ...rule })).toEqual({
      ok: true,
      action: "created",
      doc_id: "be-kind",
    });
    expect(await tools().ask("keystones")).toMatchObject({
      count: 1,
      truncated: false,
      rules: [{ doc_id: "be-kind", data: { title: "Be kind", weight: 100 } }],
    });
    await Bun.sleep(2);
    expect(await tools().ask("keystones_set", { op: "set", ...rule, weight: 7 })).toMatchObject({ action: "updated" });
    const mine = { ...rule, doc_id: "mine", scope: "agent", fleet_id: "alpha", agent_id: "ada" };
    await tools().ask("keystones_set", { op: "set", ...mine });
    expect(await tools().ask("keystones", { fleet_id: "alpha", agent_id: "ada" })).toMatchObject({ count: 2 });
    expect(await tools().ask("keystones", { fleet_id: "alpha" })).toMatchObject({ count: 1 });
    expect(await tools().ask("keystones_set", { op: "delete", doc_id: "mine" })).toMatchObject({ action: "deleted" });
    expect((await tools().refused("keystones_set", { op: "delete", doc_id: "mine" })).code).toBe("NOT_FOUND");
    expect((await tools().refused("keystones_set", { op: "set", doc_id: "x" })).message).toContain("'title'");
    expect((await tools().refused("keystones_set", { op: "set", ...rule, fleet_id: "f" })).code).toBe(
      "INVALID_ARGUMENTS",
    );
  });

  test("say when there are more than are shown", async () => {
    const key = { "x-api-key": await keyOf({ tenant_id: "many-rules", admin: true }) };
    for (let i = 0; i < 51; i++) await app.call("POST", "/api/v1/keystones", { ...rule, doc_id: `r${i}` });
    expect(await tools().ask("keystones")).toMatchObject({ count: 50, truncated: true });
    expect(await as(key, (other) => other.ask("keystones"))).toMatchObject({ count: 0 });
  });
});

describe("entities and what is not served", () => {
  test("an entity is looked up by id", async () => {
    await tools().ask("write", { content: "Marta Kowalska leads the harbour project since May." });
    await settle();
    const [entity] = (await app.call("GET", "/api/v1/entities?search=Marta")) as { id: string }[];
    expect(await tools().ask("entity_get", { entity_id: entity?.id })).toMatchObject({
      canonical_name: expect.stringMatching(/marta/i),
      memory_ids: [expect.any(String)],
    });
    expect((await tools().refused("entity_get", { entity_id: crypto.randomUUID() })).code).toBe("NOT_FOUND");
    expect((await tools().refused("entity_get", { entity_id: "x" })).code).toBe("INVALID_ARGUMENTS");
  });

  test("an outcome is stored, and moves the weights of what was acted on", async () => {
    const { id } = await tools().ask("write", { content: aStatement(), weight: 0.5, agent_id: "doer" });
    const report = { outcome: aStatement("an outcome"), outcome_type: "failure", related_ids: [id], agent_id: "doer" };
    expect(await tools().ask("evolve", report)).toMatchObject({
      outcome_type: "failure",
      scope: "agent",
      weight_adjustments: [{ memory_id: id, old_weight: 0.5, new_weight: 0.35, delta: -0.15 }],
      rules_generated: [],
      out_of_scope_count: 0,
    });
    const read = { op: "read", memory_id: id, agent_id: "doer" };
    expect(await tools().ask("manage", read)).toMatchObject({ weight: 0.35 });
    const many = Array.from({ length: 51 }, () => crypto.randomUUID());
    expect((await tools().refused("evolve", { ...report, related_ids: many })).code).toBe("INVALID_ARGUMENTS");
    expect((await tools().refused("evolve", { ...report, outcome_type: "won" })).message).toContain("one of success");
  });

  test("a profile is shown and not changed, and insights are refused with another way", async () => {
    expect(await tools().ask("tune")).toEqual({ agent_id: "mcp-agent", search_profile: {} });
    expect(await tools().ask("tune", { agent_id: "nobody-yet" })).toEqual({
      agent_id: "nobody-yet",
      search_profile: {},
    });
    expect((await tools().refused("tune", { top_k: 21 })).code).toBe("INVALID_ARGUMENTS");
    for (const [name, given, way] of [
      ["tune", { top_k: 7 }, "top_k"],
      ["insights", { focus: "stale" }, "lineage"],
    ] as const)
      expect(await tools().refused(name, given)).toMatchObject({
        code: "FEATURE_DISABLED",
        message: expect.stringContaining(way),
      });
    expect((await tools().refused("insights", { focus: "mood" })).message).toContain("one of contradictions");
  });
});

describe("who acts", () => {
  const content = () => ({ content: aStatement() });

  test("is the agent of a key, whatever the default; another one is refused", async () => {
    const headers = { authorization: `Bearer ${await keyOf({ agent_id: "ada", fleet_id: "alpha", trust: 1 })}` };
    await as(headers, async (ada) => {
      expect(await ada.ask("write", content())).toMatchObject({ agent_id: "ada", fleet_id: "alpha" });
      expect(await ada.ask("write", { ...content(), agent_id: "mcp-agent" })).toMatchObject({ agent_id: "ada" });
      expect((await ada.refused("write", { ...content(), agent_id: "eve" })).code).toBe("AGENT_IDENTITY_MISMATCH");
      expect((await ada.refused("list", { include_deleted: true })).code).toBe("AGENT_TRUST_TOO_LOW");
      expect((await ada.refused("stats", { scope: "all" })).code).toBe("AGENT_TRUST_TOO_LOW");
      const { id } = await ada.ask("write", content());
      expect((await ada.refused("manage", { op: "delete", memory_id: id })).code).toBe("AGENT_TRUST_TOO_LOW");
      const rule = { op: "set", doc_id: "r", title: "R", content: "Rule.", scope: "tenant", weight: "low" };
      expect(await ada.refused("keystones_set", rule)).toMatchObject({
        code: "AGENT_TRUST_TOO_LOW",
        details: { required: 2 },
      });
    });
  });

  test("must be named where a gateway vouches for a whole tenant", async () => {
    await as(viaGateway("acme"), async (tenant) => {
      for (const [name, given] of [
        ["write", content()],
        ["write", { ...content(), agent_id: "mcp-agent" }],
        ["recall", { query: "anything" }],
        ["list", {}],
        ["doc", { op: "list_collections" }],
      ] as const)
        expect((await tenant.refused(name, given)).code).toBe("MISSING_AGENT_ID");
      expect(await tenant.ask("write", { ...content(), agent_id: "ada" })).toMatchObject({
        tenant_id: "acme",
        agent_id: "ada",
      });
    });
    await as(viaGateway("acme", "eve"), async (eve) => {
      expect(await eve.ask("write", content())).toMatchObject({ tenant_id: "acme", agent_id: "eve" });
    });
  });
});
