import { afterAll, describe, expect, test } from "bun:test";
import { ContradictionsReply } from "../../../src/core/schema/contradiction.ts";
import { SimilarReply } from "../../../src/core/schema/memory-query.ts";
import { contentsOf, MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { openApp } from "../../support/in-process.ts";

const { app, client, settle } = await openApp();
afterAll(() => app.stop());
const api = memoriesApi(client);
const similar = (id: string, query = {}) => client.ok(SimilarReply, "GET", `${MEMORIES}/${id}/similar`, { query });
const previews = ({ items }: SimilarReply) => items.map(({ content_preview }) => content_preview);

const WINDOW = "The release window of the harbour crane controller opens every Tuesday at nine in the morning sharp";

describe("memories that say nearly the same", () => {
  test("are those of the same fleet and what is shared, live ones only, and none that the reader may not see", async () => {
    const own = await api.write({ content: `${WINDOW}.`, fleet_id: "crane" });
    const twin = await api.write({ content: `${WINDOW}!`, fleet_id: "crane" });
    const shared = await api.write({ content: `${WINDOW}`, fleet_id: "lorry", visibility: "scope_org" });
    await api.write({ content: `${WINDOW}...`, fleet_id: "lorry" });
    const secret = await api.write({
      content: `${WINDOW}?`,
      fleet_id: "crane",
      visibility: "scope_agent",
      agent_id: "ada",
    });
    await api.write({ content: "Lunch is served in the canteen beside the gate.", fleet_id: "crane" });
    const gone = await api.write({ content: `${WINDOW};`, fleet_id: "crane", status: "archived" });
    const found = await similar(own.id);
    expect(found).toMatchObject({ memory_id: own.id, searchable: true });
    expect(found.items.map(({ id }) => id).sort()).toEqual([twin.id, shared.id].sort());
    expect((await similar(own.id, { agent_id: "ada" })).items.map(({ id }) => id)).toContain(secret.id);
    expect(previews(found)).not.toContain(gone.content);
    expect((await client.call("GET", `${MEMORIES}/${secret.id}/similar`)).status).toBe(404);
  });

  test("count as no recall", async () => {
    const [one, two] = [
      await api.write({ content: "The tide table hangs beside the harbour master's door." }),
      await api.write({ content: "The tide table hangs beside the harbour master's door!" }),
    ];
    expect(previews(await similar(one.id))).toEqual([two.content]);
    await settle();
    expect((await api.get(two.id)).recall_count).toBe(0);
  });
});

test("who asks for the contradictions of a new memory may wait for the detector", async () => {
  app.runner.start();
  await api.write({ content: "The crane controller runs on Postgres 14.", fleet_id: "waits" });
  const newer = await api.write({ content: "The crane controller runs on Postgres 16.", fleet_id: "waits" });
  const path = `${MEMORIES}/${newer.id}/contradictions`;
  const found = await client.ok(ContradictionsReply, "GET", path, { query: { wait_ms: 2_000 } });
  expect(found.checked_at).not.toBeNull();
  expect(found.contradictions).toHaveLength(1);
  expect((await client.call("GET", path, { query: { wait_ms: 2_001 } })).status).toBe(422);
});

test("who is looking finds its own private memories, in all that the caller reads", async () => {
  const content = "The spare key of the pump house lies under the third flowerpot.";
  await api.write({ content, agent_id: "bea", visibility: "scope_agent", fleet_id: "pumps" });
  await api.write({ content: `${content} Everybody knows.`, agent_id: "cid", fleet_id: "cranes" });
  const asked = async (fields: Record<string, unknown>) =>
    contentsOf(await api.search("spare key of the pump house", fields)).filter((text) => text.includes("key")).length;
  expect([await asked({}), await asked({ agent_id: "cid" }), await asked({ agent_id: "bea" })]).toEqual([1, 1, 2]);
});

test("a list of a fleet takes what is shared along where it is asked to", async () => {
  await api.write({ content: "Gate A of the north yard is painted red.", fleet_id: "north" });
  await api.write({ content: "Gate B of the south yard is painted blue.", fleet_id: "south" });
  await api.write({ content: "All gates of all yards close at night.", fleet_id: "south", visibility: "scope_org" });
  await api.write({ content: "No gate of any yard has a number plate." });
  const lists = async (query: Record<string, string | boolean>) =>
    contentsOf(await api.list({ limit: 500, ...query })).filter((text) => text.toLowerCase().includes("gate"));
  expect(await lists({ fleet_id: "north" })).toEqual(["Gate A of the north yard is painted red."]);
  expect(await lists({ fleet_id: "north", with_shared: true })).toEqual([
    "No gate of any yard has a number plate.",
    "All gates of all yards close at night.",
    "Gate A of the north yard is painted red.",
  ]);
});
