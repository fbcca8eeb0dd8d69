import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { DAY_MS } from "../../../src/core/kernel/clock.ts";
import { AuditLog } from "../../../src/core/schema/account.ts";
import { Memory } from "../../../src/core/schema/memory.ts";
import { Deleted, Restored } from "../../../src/core/schema/memory-change.ts";
import { ensureRecurring } from "../../../src/startup/background-jobs.ts";
import { contentsOf, idsOf, MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { aStatement, TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { holder, refusalOf } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const clock = fakeClock();
const opened = await openApp({ clock });
const app = { client: opened.client, settle: opened.settle };
await ensureRecurring(opened.app.services);
afterAll(() => opened.app.stop());
const api = memoriesApi(app.client);
const at = (id: string, more = "", asked = "") => `${MEMORIES}/${id}${more}?tenant_id=${TENANT}${asked}`;
const restore = (id: string) => app.client.ok(Memory, "POST", at(id, "/restore"));
const refusedRestore = async (id: string) => refusalOf(await app.client.refused("POST", at(id, "/restore")));
const actionsOf = async (id: string) => {
  const { items } = await app.client.ok(AuditLog, "GET", `/api/v1/audit-log?tenant_id=${TENANT}&target_id=${id}`);
  return items.map(({ action }) => action);
};

let tenants = 0;
/** A tenant of its own, of which a test may delete everything. */
async function aTenant() {
  const tenant_id = `restored-${++tenants}`;
  const client = await holder(app.client, { tenant_id, admin: true, trust: 3 });
  const own = memoriesApi(client, tenant_id);
  const removeAll = (query: Readonly<Record<string, unknown>> = {}) =>
    client.call("DELETE", MEMORIES, { query: { tenant_id, ...query } });
  const restoreAll = (body: Readonly<Record<string, unknown>>) =>
    client.ok(Restored, "POST", `${MEMORIES}/restore`, { body: { tenant_id, ...body } });
  return { tenant_id, client, own, removeAll, restoreAll };
}

describe("a restored memory", () => {
  test("is what it was: found by its words and its meaning, counted, with its status and links", async () => {
    const written = await api.write({
      content: "The lighthouse keeper Marta Olsen repairs the foghorn.",
      status: "confirmed",
    });
    await app.settle();
    const before = await api.get(written.id);
    const stored = await api.count();
    await api.remove(written.id);
    expect(contentsOf(await api.search("foghorn"))).toEqual([]);
    await restore(written.id);
    await app.settle();
    const after = await api.get(written.id);
    expect(after).toEqual(before);
    expect(await api.count()).toBe(stored);
    const [hit] = (await api.search("foghorn", { diagnostic: true })).items;
    expect(hit?.id).toBe(written.id);
    expect(hit?.similarity).not.toBeNull();
    expect(await actionsOf(written.id)).toEqual(["memory.restore", "memory.delete", "memory.create"]);
  });

  test("is read with its neighbours in the run again", async () => {
    const run_id = "a-run";
    const rows = [];
    for (const text of ["first", "second", "third"]) rows.push(await api.write({ run_id, content: aStatement(text) }));
    await api.remove(rows[1]?.id ?? "");
    await restore(rows[1]?.id ?? "");
    await app.settle();
    const page = await api.list({ run_id, order: "asc" });
    expect(idsOf(page)).toEqual(rows.map(({ id }) => id));
  });

  test("is not brought back beside a live twin, nor twice, nor once its grace is over", async () => {
    const content = aStatement("twice told");
    const first = await api.write({ content });
    await api.remove(first.id);
    const second = await api.write({ content });
    const refused = await app.client.refused("POST", at(first.id, "/restore"));
    expect(refusalOf(refused)).toEqual([409, "DUPLICATE_MEMORY"]);
    expect(refused.body.error).toMatchObject({ details: { existing_id: second.id } });
    await api.remove(second.id);
    await restore(first.id);
    expect(await refusedRestore(first.id)).toEqual([404, "NOT_FOUND"]);
    await api.remove(first.id);
    clock.advance(31 * DAY_MS);
    expect(await refusedRestore(first.id)).toEqual([404, "NOT_FOUND"]);
  });

  test("takes the rights that deleting takes", async () => {
    const { id } = await api.write({ agent_id: "ada", visibility: "scope_agent" });
    await api.remove(id);
    const writer = await holder(app.client, { agent_id: "bob", trust: 1 });
    expect(refusalOf(await writer.refused("POST", at(id, "/restore")))).toEqual([403, "AGENT_TRUST_TOO_LOW"]);
    const other = await holder(app.client, { agent_id: "bob", trust: 3 });
    expect(refusalOf(await other.refused("POST", at(id, "/restore")))).toEqual([404, "NOT_FOUND"]);
  });

  test("that another had outdated falls again, and one that had outdated another does so again", async () => {
    const older = await api.write({ content: "The office of Nordlicht has 14 rooms.", memory_type: "fact" });
    clock.advance(1_000);
    const newer = await api.write({ content: "The office of Nordlicht has 20 rooms now.", memory_type: "fact" });
    await app.settle();
    const statusOf = async (id: string) => (await api.get(id)).status;
    const fallen = await statusOf(older.id);
    expect(["outdated", "conflicted"]).toContain(fallen);
    await api.remove(newer.id);
    await app.settle();
    expect(await statusOf(older.id)).toBe("active");
    await restore(newer.id);
    await app.settle();
    expect(await statusOf(older.id)).toBe(fallen);
    await api.remove(older.id);
    expect((await restore(older.id)).status).toBe("active");
    await app.settle();
    expect(await statusOf(older.id)).toBe(fallen);
  });
});

describe("what is not live", () => {
  test("comes back beside a live row of the same words, as it had stood", async () => {
    for (const status of ["archived", "cancelled", "outdated"] as const) {
      const content = aStatement(`said again after it was ${status}`);
      const first = await api.write({ content });
      await app.client.call("PATCH", at(first.id, "/status"), { body: { status } });
      await api.write({ content });
      await api.remove(first.id);
      expect((await restore(first.id)).status).toBe(status);
    }
  });
});

describe("a deletion of everything", () => {
  test("taken back leaves what held before as what holds, though its words had been overtaken once", async () => {
    const { own, removeAll, restoreAll } = await aTenant();
    const ids: string[] = [];
    for (const content of ["Alice keeps 14 keys.", "Alice keeps 20 keys now.", "Alice keeps 14 keys."]) {
      ids.push((await own.write({ content })).id);
      clock.advance(1_000);
      await app.settle();
    }
    const standing = async () => Promise.all(ids.map(async (id) => (await own.get(id)).status));
    const before = await standing();
    expect(before.map((status) => status === "active")).toEqual([false, false, true]);
    const deleted_at = (await removeAll()).headers.get("x-deleted-at");
    await app.settle();
    expect(await restoreAll({ deleted_at })).toEqual({ restored: 3, duplicates: 0, over_limit: 0 });
    await app.settle();
    expect((await standing()).map((status) => status === "active")).toEqual([false, false, true]);
  });

  test("is one call that tells its time, and is taken back by it alone", async () => {
    const { own, removeAll, restoreAll } = await aTenant();
    for (let i = 0; i < 3; i++) await own.write();
    const early = await own.write();
    await own.remove(early.id);
    clock.advance(1_000);
    const reply = await removeAll();
    expect([reply.status, reply.headers.get("x-deleted-count")]).toEqual([204, "3"]);
    const deleted_at = z.iso.datetime().parse(reply.headers.get("x-deleted-at"));
    expect(await own.count()).toBe(0);
    expect(await restoreAll({ deleted_at })).toEqual({ restored: 3, duplicates: 0, over_limit: 0 });
    expect(await own.count()).toBe(3);
    expect(await restoreAll({ deleted_at })).toEqual({ restored: 0, duplicates: 0, over_limit: 0 });
    expect(await restoreAll({ deleted_since: "2000-01-01" })).toMatchObject({ restored: 1 });
  });

  test("is taken back past twins that were written meanwhile, of one author where one is named", async () => {
    const { own, removeAll, restoreAll } = await aTenant();
    const content = aStatement("meanwhile");
    await own.write({ content, agent_id: "ada" });
    await own.write({ agent_id: "ada" });
    await own.write({ agent_id: "bob" });
    const deleted_at = (await removeAll()).headers.get("x-deleted-at");
    await own.write({ content, agent_id: "ada" });
    expect(await restoreAll({ deleted_at, agent_id: "ada" })).toEqual({ restored: 1, duplicates: 1, over_limit: 0 });
    expect(await restoreAll({ deleted_at })).toEqual({ restored: 1, duplicates: 1, over_limit: 0 });
  });

  test("is taken back only by who names it", async () => {
    const { client, tenant_id } = await aTenant();
    const body = { tenant_id };
    expect(refusalOf(await client.refused("POST", `${MEMORIES}/restore`, { body }))).toEqual([400, "BAD_REQUEST"]);
    const misspelt = { tenant_id, deleted_att: "2026-01-01" };
    expect((await client.refused("POST", `${MEMORIES}/restore`, { body: misspelt })).status).toBe(422);
  });
});

describe("an erased memory", () => {
  const all = () => api.list({ include_deleted: true, limit: 500 });

  test("is gone at once, for lists of deleted rows too, and cannot be restored", async () => {
    const [live, deleted, bulk] = [await api.write(), await api.write(), await api.write()];
    await api.remove(deleted.id);
    for (const { id } of [live, deleted])
      expect((await app.client.call("DELETE", at(id, "", "&erase=true"))).status).toBe(204);
    const body = { tenant_id: TENANT, ids: [bulk.id], erase: true };
    expect(await app.client.ok(Deleted, "POST", `${MEMORIES}/bulk-delete`, { body })).toEqual({ deleted: 1 });
    const left = idsOf(await all());
    for (const { id } of [live, deleted, bulk]) {
      expect(left).not.toContain(id);
      expect(refusalOf(await app.client.refused("GET", at(id)))).toEqual([404, "NOT_FOUND"]);
      expect(await refusedRestore(id)).toEqual([404, "NOT_FOUND"]);
      expect(await actionsOf(id)).toContain("memory.erase");
    }
  });

  test("is erased by its filter with all others that match", async () => {
    const { own, removeAll, restoreAll } = await aTenant();
    await own.write();
    await own.remove((await own.write()).id);
    const reply = await removeAll({ erase: true });
    expect([reply.headers.get("x-deleted-count"), reply.headers.get("x-deleted-at")]).toEqual(["2", null]);
    expect(idsOf(await own.list({ include_deleted: true }))).toEqual([]);
    expect(await restoreAll({ deleted_since: "2000-01-01" })).toMatchObject({ restored: 0 });
  });

  test("is erased by administrators alone", async () => {
    const { id } = await api.write();
    const trusted = await holder(app.client, { trust: 3 });
    const body = { tenant_id: TENANT, ids: [id], erase: true };
    for (const reply of [
      await trusted.refused("DELETE", at(id, "", "&erase=true")),
      await trusted.refused("DELETE", MEMORIES, { query: { tenant_id: TENANT, erase: true } }),
      await trusted.refused("POST", `${MEMORIES}/bulk-delete`, { body }),
      await trusted.refused("PATCH", `/api/v1/settings?tenant_id=${TENANT}`, {
        body: { memories: { deleted_grace_days: 0 } },
      }),
    ])
      expect(refusalOf(reply)).toEqual([403, "ADMIN_REQUIRED"]);
    expect((await api.get(id)).id).toBe(id);
  });
});

test("a deleted memory is erased by itself once its grace is over, not before", async () => {
  const { own, client, tenant_id } = await aTenant();
  const { id } = await own.write();
  await own.remove(id);
  const listed = async () => {
    await app.settle();
    return idsOf(await own.list({ include_deleted: true }));
  };
  clock.advance(29 * DAY_MS);
  expect(await listed()).toEqual([id]);
  clock.advance(2 * DAY_MS);
  expect(await listed()).toEqual([]);
  const second = await own.write();
  await client.call("PATCH", `/api/v1/settings?tenant_id=${tenant_id}`, {
    body: { memories: { deleted_grace_days: 1 } },
  });
  await own.remove(second.id);
  clock.advance(2 * DAY_MS);
  expect(await listed()).toEqual([]);
});

test("what has no room is not brought back, and nothing is lost by asking", async () => {
  const small = await openApp({ flags: ["--memories-limit=2"] });
  const own = memoriesApi(small.client);
  const [first, second] = [await own.write(), await own.write()];
  await own.remove(first.id);
  await own.write();
  expect(refusalOf(await small.client.refused("POST", at(first.id, "/restore")))).toEqual([
    403,
    "PLAN_LIMIT_READ_ONLY",
  ]);
  const body = { tenant_id: TENANT, deleted_since: "2000-01-01" };
  const refused = await small.client.refused("POST", `${MEMORIES}/restore`, { body });
  expect(refusalOf(refused)).toEqual([403, "PLAN_LIMIT_READ_ONLY"]);
  await own.remove(second.id);
  expect(await small.client.ok(Restored, "POST", `${MEMORIES}/restore`, { body })).toMatchObject({
    restored: 1,
    over_limit: 1,
  });
  await small.app.stop();
});
