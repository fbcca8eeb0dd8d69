import { afterAll, expect, test } from "bun:test";
import { SearchReply } from "../../../src/core/schema/retrieval.ts";
import { Counters, Whoami } from "../../../src/core/schema/system.ts";
import { isTrial, madeAt, newTrial, TrialErased } from "../../../src/core/schema/trial.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp, temporaryFolder } from "../../support/app.ts";
import { GATEWAY, holder, refusalOf, viaGateway } from "../../support/credentials.ts";
import { tableCounts } from "../../support/table-counts.ts";

const folder = temporaryFolder();
const app = await startApp({ folder: folder.path, flags: [GATEWAY] });
afterAll(async () => {
  await app.stop();
  folder.remove();
});
const { client, settle } = app;
const api = memoriesApi(client);

const erase = (trial: string) => client.ok(TrialErased, "DELETE", `/api/v1/trials/${trial}`);

/** Jobs come and go by themselves. */
const counted = (): Record<string, number> => ({ ...tableCounts(folder.path), jobs: 0 });

/** Writes a little of everything, contradictions and names included. */
async function useUp(trial: string): Promise<void> {
  const there = client.as({ "X-Tenant-ID": trial });
  const { write, remove } = memoriesApi(there, trial);
  await write({ content: "The harbour office of Lisbon closes at 18:00.", run_id: "one", agent_id: "doctor" });
  await write({ content: "The harbour office of Lisbon closes at 21:00.", run_id: "one", agent_id: "doctor" });
  const gone = await write({ content: "Anna Berg of Acme keeps the keys of the crane.", visibility: "scope_agent" });
  await remove(gone.id);
  const document = { collection: "notes", doc_id: "one", data: { summary: "where the crane stands" } };
  const posts: readonly (readonly [path: string, body: unknown])[] = [
    ["/api/v1/documents", document],
    ["/api/v1/entities/upsert", { entity_type: "concept", canonical_name: "Crane" }],
    ["/api/v1/keys", { agent_id: "ada" }],
    ["/api/v1/keystones", { doc_id: "rule", title: "A rule", content: "Ask first.", scope: "tenant", weight: "low" }],
  ];
  for (const [path, body] of posts) {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    expect([path, (await there.call("POST", path, { body, headers })).status < 300]).toEqual([path, true]);
  }
  await there.call("PATCH", "/api/v1/settings", { body: { skills_factory: { enabled: true } } });
}

test("what is done in a throwaway tenant is gone without a trace, and nobody else's rows are other than before", async () => {
  const { id } = await api.write({ content: "The harbour office of Lisbon closes at 17:00." });
  await settle();
  const [before, rows, own] = [await client.ok(Counters, "GET", "/api/v1/stats"), counted(), await api.get(id)];
  const trial = newTrial(1_767_225_600_000);
  await useUp(trial);
  await settle();
  expect(tableCounts(folder.path).findings).toBeGreaterThan(rows.findings ?? 0);
  expect(await erase(trial)).toEqual({ memories: 3, left: 0 });
  await settle();
  expect(counted()).toEqual(rows);
  expect(await client.ok(Counters, "GET", "/api/v1/stats")).toEqual(before);
  expect(await api.get(id)).toEqual(own);
  expect(await erase(trial)).toEqual({ memories: 0, left: 0 });
  expect(await client.call("GET", "/api/v1/integrity")).toMatchObject({ body: { ok: true } });
});

test("a throwaway tenant sees nothing of others, and they nothing of it", async () => {
  const trial = newTrial(1_767_225_600_000);
  const there = client.as({ "X-Tenant-ID": trial });
  expect(await there.ok(Whoami, "GET", "/api/v1/whoami")).toMatchObject({ tenant_id: trial });
  await api.write({ content: "The lighthouse keeper is called Ferreira." });
  await memoriesApi(there, trial).write({ content: "The lighthouse keeper is called Tavares." });
  const found = async (caller: typeof client) =>
    (await caller.ok(SearchReply, "POST", "/api/v1/search", { body: { query: "lighthouse keeper" } })).items.map(
      ({ content }) => content,
    );
  expect(await found(there)).toEqual(["The lighthouse keeper is called Tavares."]);
  const own = await found(client);
  expect(own[0]).toBe("The lighthouse keeper is called Ferreira.");
  expect(own.join()).not.toContain("Tavares");
  await erase(trial);
});

test("one that somebody was cut off in goes with the next, unless it is in use", async () => {
  await settle();
  const rows = counted();
  const [abandoned, used, next] = [newTrial(Date.now() - 2 * 60 * 60_000), newTrial(Date.now()), newTrial(Date.now())];
  await useUp(abandoned);
  await settle();
  const { write } = memoriesApi(client.as({ "X-Tenant-ID": used }), used);
  const { id } = await write({ content: "The crane is being looked at just now." });
  expect(await erase(next)).toEqual({ memories: 0, left: 0 });
  expect(await client.as({ "X-Tenant-ID": used }).call("GET", `${MEMORIES}/${id}`)).toMatchObject({ status: 200 });
  await erase(used);
  await settle();
  expect(counted()).toEqual(rows);
});

test("only the owner of the machine has throwaway tenants, and only by their names", async () => {
  const trial = newTrial(1_767_225_600_000);
  const path = `/api/v1/trials/${trial}`;
  const others = [
    await holder(client, { tenant_id: "acme", admin: true }),
    client.as({ ...viaGateway("acme"), "X-Org-Role": "admin" }),
    client.as({ "X-Tenant-ID": trial }),
  ];
  for (const other of others) expect(refusalOf(await other.refused("DELETE", path))).toEqual([403, "ADMIN_REQUIRED"]);
  const acme = (await holder(client, { tenant_id: "acme", admin: true })).as({ "X-Tenant-ID": trial });
  expect(refusalOf(await acme.refused("GET", MEMORIES))).toEqual([403, "TENANT_MISMATCH"]);
  for (const name of ["acme", "default", "cairn-trial-", `${trial}0`]) {
    expect((await client.refused("DELETE", `/api/v1/trials/${name}`)).status).toBe(422);
    expect(isTrial(name)).toBe(false);
    const named = client.as({ "X-Tenant-ID": name });
    if (name !== "default") expect((await named.refused("GET", MEMORIES)).status).toBe(403);
  }
  expect([madeAt(trial), madeAt("acme")]).toEqual([1_767_225_600_000, null]);
});
