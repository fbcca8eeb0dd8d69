import { afterAll, expect, test } from "bun:test";
import type { Client } from "../../support/api/client.ts";
import { docIdsOf, documentPath, documentsApi } from "../../support/api/documents.ts";
import { enableFactory, skillsApi } from "../../support/api/skills.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";
import { holder } from "../../support/credentials.ts";

const app = await startApp();
afterAll(() => app.stop());
await enableFactory(app.client);
const admin = skillsApi(app.client);

const FIELDS = { source: "manual", summary: "When a magpie steals a spoon." };
await admin.write("open-magpie", { ...FIELDS, status: "active" });
const { id } = await admin.write("red-magpie", { ...FIELDS, status: "active" }, { fleet_id: "red" });
await admin.write("open-crow", FIELDS);
await admin.write("red-crow", FIELDS, { fleet_id: "red" });
await app.settle();

const agent = (fleet_id: string, trust: number) =>
  holder(app.client, { agent_id: `${fleet_id}-${trust}`, fleet_id, trust });

/** What each way of reading shows, by name. */
async function shown(caller: Client): Promise<Record<string, string[]>> {
  const documents = documentsApi(caller);
  const skills = skillsApi(caller);
  return {
    list: docIdsOf(await documents.list("skills")),
    query: docIdsOf(await documents.query("skills", {}, { limit: 100 })),
    search: docIdsOf((await documents.search("magpie spoon", { collection: "skills", top_k: 50 })).items),
    everywhere: docIdsOf((await documents.search("magpie spoon", { top_k: 50 })).items),
    installable: docIdsOf(await skills.installable()),
  };
}

const countOf = async (caller: Client) => (await documentsApi(caller).collections()).collections[0]?.count;
const statusesOf = (caller: Client) =>
  Promise.all(
    ["red-magpie", id].map(async (doc_id) => {
      const query = { tenant_id: TENANT, collection: "skills" };
      return (await caller.call("GET", documentPath(doc_id), { query })).status;
    }),
  );

test("a skill of a fleet is there for the agents that read its team memories", async () => {
  for (const caller of [await agent("red", 1), await agent("blue", 2), await holder(app.client)]) {
    for (const doc_ids of Object.values(await shown(caller)))
      expect(doc_ids.sort()).toEqual(["open-magpie", "red-magpie"]);
    expect(docIdsOf((await skillsApi(caller).inbox()).items).sort()).toEqual(["open-crow", "red-crow"]);
    expect(await countOf(caller)).toBe(2);
    expect(await statusesOf(caller)).toEqual([200, 200]);
  }
});

test("to the agents of another fleet it does not exist, neither active nor in the inbox", async () => {
  for (const caller of [await agent("blue", 1), await holder(app.client, { agent_id: "stray", trust: 1 })]) {
    for (const doc_ids of Object.values(await shown(caller))) expect(doc_ids).toEqual(["open-magpie"]);
    expect(await skillsApi(caller).installable({ fleet_id: "red" })).toEqual([]);
    expect(docIdsOf((await skillsApi(caller).inbox()).items)).toEqual(["open-crow"]);
    expect(docIdsOf((await skillsApi(caller).inbox({ fleet_id: "red" })).items)).toEqual([]);
    expect(await countOf(caller)).toBe(1);
    expect(await statusesOf(caller)).toEqual([404, 404]);
  }
});
