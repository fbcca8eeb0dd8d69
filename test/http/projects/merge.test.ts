import { afterAll, expect, test } from "bun:test";
import { z } from "zod";
import { Agent } from "../../../src/core/schema/account.ts";
import { ProjectMerged, ProjectResolved } from "../../../src/core/schema/projects/project.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { mint, refusalOf } from "../../support/credentials.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);
const PROJECTS = "/api/v1/projects";

const resolve = async (body: object) =>
  (await client.ok(ProjectResolved, "POST", `${PROJECTS}/resolve`, { body })).project;
async function merge(from: string, into: string) {
  let [moved, deleted, steps] = [0, 0, 0];
  for (;;) {
    const step = await client.ok(ProjectMerged, "POST", `${PROJECTS}/merge`, { body: { from, into } });
    moved += step.moved;
    deleted += step.deleted;
    steps += 1;
    if (step.is_done) return { ...step, moved, deleted, steps };
  }
}
const texts = async (query: object) => (await api.list({ limit: 500, ...query })).items.map(({ content }) => content);

/** A database takes its time over so many. */
const LONG = 60_000;

test(
  "all that a project holds becomes the other's, and so do its names",
  async () => {
    await resolve({ remote: "github.com/acme/old-shop", kept: "old", save: true });
    await resolve({ remote: "github.com/acme/shop", save: true });
    const [from, into] = ["acme/old-shop", "acme/shop"];
    const many = Array.from({ length: 130 }, (_, i) => ({ content: `Shelf ${i} of the old shop holds lamps.` }));
    await api.bulk(many.slice(0, 100), { agent_id: "anna", fleet_id: from });
    await api.bulk(many.slice(100), { agent_id: "anna", fleet_id: from });
    for (const fleet_id of [from, into])
      await api.write({ fleet_id, agent_id: "anna", content: "Both shops close at six." });
    const gone = await api.write({ fleet_id: from, content: "A note that was deleted before." });
    await client.call("DELETE", `/api/v1/memories/${gone.id}`);
    const rule = { doc_id: "style", title: "Style", scope: "fleet", weight: "low", place: true };
    for (const [fleet_id, content] of [
      [from, "Write prices in euros."],
      [into, "Write prices in francs."],
    ])
      await client.call("POST", "/api/v1/keystones", { body: { ...rule, fleet_id, content } });
    await client.call("POST", "/api/v1/keystones", {
      body: { ...rule, doc_id: "hours", fleet_id: from, content: "Never deploy on Sundays." },
    });
    await client.call("POST", "/api/v1/documents", {
      body: { collection: "plans", doc_id: "one", fleet_id: from, data: { summary: "A plan." } },
    });
    const { raw_key } = await mint(client, { agent_id: "anna" });

    const merged = await merge("old-shop", "acme/shop");
    expect(merged).toMatchObject({ deleted: 1, project: { id: into, absorbing: [] } });
    expect(merged.steps).toBeGreaterThan(1);
    expect(merged.project.names).toEqual(expect.arrayContaining([from]));

    expect((await texts({ fleet_id: into })).length).toBe(131);
    expect(await texts({ fleet_id: from })).toEqual(await texts({ fleet_id: into }));
    expect((await api.search("lamps on shelf 129", { fleet_ids: [into] })).items[0]?.content).toContain("Shelf 129");
    expect((await resolve({ remote: "github.com/acme/old-shop" }))?.id).toBe(into);
    expect((await resolve({ kept: "old", folder: "laptop:/x/.git" }))?.id).toBe(into);
    expect((await client.ok(Agent, "GET", "/api/v1/agents/anna")).fleet_id).toBe(into);
    const anna = memoriesApi(client.as({ "X-API-Key": raw_key }));
    expect((await anna.list({ limit: 500 })).items.length).toBe(131);
    await client.call("POST", `/api/v1/memories/${gone.id}/restore`);
    expect(await texts({ fleet_id: into })).toContain("A note that was deleted before.");

    const Rules = z.array(z.object({ doc_id: z.string(), fleet_id: z.string().nullable(), data: z.looseObject({}) }));
    const rules = await client.ok(Rules, "GET", "/api/v1/keystones", { query: { fleet_id: into } });
    expect(rules.map(({ doc_id, fleet_id, data }) => [doc_id, fleet_id, data.content]).sort()).toEqual([
      ["hours", into, "Never deploy on Sundays."],
      ["style", into, "Write prices in francs."],
      ["style-2", into, "Write prices in euros."],
    ]);
    const Docs = z.array(z.object({ doc_id: z.string(), fleet_id: z.string() }));
    const docs = await client.ok(Docs, "GET", "/api/v1/documents", { query: { collection: "plans", fleet_id: into } });
    expect(docs).toEqual([{ doc_id: "one", fleet_id: into }]);
  },
  LONG,
);

test("a fleet that only requests have named becomes a part of a project, and its name goes on meaning it", async () => {
  await resolve({ remote: "github.com/acme/mill", save: true });
  await api.write({ fleet_id: "millers", content: "The mill wheel turns at noon." });
  expect(await merge("millers", "mill")).toMatchObject({ moved: 1, project: { id: "acme/mill" } });
  const row = await api.write({ fleet_id: "millers", content: "The mill pond is deep." });
  expect(row.fleet_id).toBe("acme/mill");
});

test("a project is no part of itself, and what nobody knows is not found", async () => {
  await resolve({ remote: "github.com/acme/inn", save: true });
  const asked = (from: string, into: string) => client.refused("POST", `${PROJECTS}/merge`, { body: { from, into } });
  expect(refusalOf(await asked("inn", "acme/inn"))).toEqual([409, "CONFLICT"]);
  expect(refusalOf(await asked("nowhere", "acme/inn"))).toEqual([404, "NOT_FOUND"]);
});

test("a project of which nothing is to be left is in no list any more, nor is where it was", async () => {
  const remote = "github.com/acme/secret-plan";
  await resolve({ remote, save: true });
  await api.write({ fleet_id: "acme/secret-plan", content: "The plan is secret." });
  const forgotten = await client.call("POST", "/api/v1/admin/forget", {
    body: { fleet_id: "acme/secret-plan", dry_run: false },
  });
  expect(forgotten.status).toBe(200);
  const all = JSON.stringify([
    (await client.call("GET", PROJECTS)).body,
    (await client.call("GET", "/api/v1/audit-log", { query: { limit: 200 } })).body,
  ]);
  expect(all).not.toContain(remote);
});
