import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { DAY_MS } from "../../../src/core/kernel/clock.ts";
import { AuditLog } from "../../../src/core/schema/account.ts";
import { ensureRecurring } from "../../../src/startup/background-jobs.ts";
import { withKey } from "../../support/api/documents.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { temporaryFolder } from "../../support/app.ts";
import { aMemory, TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { openApp } from "../../support/in-process.ts";

const folder = temporaryFolder();
const clock = fakeClock();
const { app, client, settle } = await openApp({ folder: folder.path, clock });
await ensureRecurring(app.services);
await settle();
const file = new Database(join(folder.path, "cairn.db"));
file.exec("pragma busy_timeout = 10000");
afterAll(async () => {
  file.close();
  await app.stop();
  folder.remove();
});

const api = memoriesApi(client);
const set = (body: object) => client.call("PATCH", `/api/v1/settings?tenant_id=${TENANT}`, { body });
/** Lets so many days go by, and what is due then be done. */
async function pass(days: number): Promise<void> {
  clock.advance(days * DAY_MS);
  await settle();
}
const rowsOf = (table: string): number =>
  file.query<{ n: number }, []>(`select count(*) as n from ${table}`).get()?.n ?? 0;
const audited = async (target_id: string): Promise<string[]> => {
  const query = { tenant_id: TENANT, target_id };
  const { items } = await client.ok(AuditLog, "GET", "/api/v1/audit-log", { query });
  return items.map(({ action }) => action);
};
const isThere = async (id: string): Promise<boolean> =>
  (await api.list({ include_deleted: true })).items.some((row) => row.id === id);

describe("a memory that has expired", () => {
  test("stays unless the tenant says how long", async () => {
    const { id } = await api.write({ expires_at: new Date(clock.now() + DAY_MS).toISOString() });
    await pass(4_000);
    expect(await isThere(id)).toBe(true);
    await set({ memories: { expired_grace_days: 0 } });
    await settle();
    expect(await isThere(id)).toBe(false);
    await set({ memories: { expired_grace_days: null } });
  });

  test("is erased for good when that time is over, and no other is", async () => {
    await set({ memories: { expired_grace_days: 10 } });
    const { id } = await api.write({ expires_at: new Date(clock.now() + DAY_MS).toISOString() });
    const { id: lasting } = await api.write();
    await pass(10);
    expect(await isThere(id)).toBe(true);
    await pass(2);
    expect([await isThere(id), await isThere(lasting)]).toEqual([false, true]);
    expect(await audited(id)).toContain("memory.erase");
    await set({ memories: { expired_grace_days: null } });
  });
});

describe("the audit", () => {
  test("is kept whole unless the tenant says how long", async () => {
    const { id } = await api.write();
    await pass(4_000);
    expect(await audited(id)).toEqual(["memory.create"]);
  });

  test("loses what is older, and goes on counting", async () => {
    const { id: old } = await api.write();
    await pass(50);
    const { id: young } = await api.write();
    const before = await client.ok(AuditLog, "GET", "/api/v1/audit-log", { query: { tenant_id: TENANT } });
    await set({ audit: { keep_days: 40 } });
    await settle();
    expect([await audited(old), await audited(young)]).toEqual([[], ["memory.create"]]);
    await pass(41);
    const { items } = await client.ok(AuditLog, "GET", "/api/v1/audit-log", { query: { tenant_id: TENANT } });
    // The newest stays: the next one is numbered after it.
    expect(items).toHaveLength(1);
    expect(items[0]?.id).toBeGreaterThan(before.items[0]?.id ?? 0);
    await set({ audit: { keep_days: null } });
  });

  test("is kept as long as it tells what a deleted memory was", async () => {
    await set({ audit: { keep_days: 1 } });
    const { id } = await api.write({ status: "confirmed" });
    await api.remove(id);
    await pass(20);
    const restored = await client.call("POST", `/api/v1/memories/${id}/restore`, { query: { tenant_id: TENANT } });
    expect(restored.body).toMatchObject({ status: "confirmed" });
    await set({ audit: { keep_days: null } });
  });

  test("is shortened by administrators alone", async () => {
    const member = await withKey(client, { trust: 2 });
    const reply = await member.refused("PATCH", "/api/v1/settings", { body: { audit: { keep_days: 1 } } });
    expect([reply.status, reply.body.error.code]).toEqual([403, "ADMIN_REQUIRED"]);
  });
});

test("a kept reply goes when its day is over, whether anybody sends another key or not", async () => {
  await client.call("POST", "/api/v1/memories", { body: aMemory(), headers: { "Idempotency-Key": "once" } });
  expect(rowsOf("kept_replies")).toBe(1);
  await pass(0.9);
  expect(rowsOf("kept_replies")).toBe(1);
  await pass(0.2);
  expect(rowsOf("kept_replies")).toBe(0);
});

test("the fingerprint of a rejected skill goes when its cool-off ends", async () => {
  const expires_at = new Date(clock.now() + DAY_MS).toISOString();
  const put = file.query(
    "insert into skill_poison (tenant_id, fingerprint, rejected_at, expires_at, reason) values (?, 'f', ?, ?, 'r')",
  );
  put.run(TENANT, expires_at, expires_at);
  await pass(0.5);
  expect(rowsOf("skill_poison")).toBe(1);
  await pass(1);
  expect(rowsOf("skill_poison")).toBe(0);
});

test("a job of a kind that nobody knows goes after a month of tries; one that fails does not", async () => {
  const put = file.query(
    "insert into jobs (kind, payload, run_after, attempt, last_error, rank) values (?, '{}', ?, ?, 'failed', 1)",
  );
  const never = clock.now() + 365 * DAY_MS;
  put.run("from_the_future", never, 9_000);
  put.run("from_the_future", never, 10);
  put.run("promote_skills", never, 9_000);
  await pass(0.1);
  const left = file.query("select kind, attempt from jobs where last_error = 'failed' order by id").all();
  expect(left).toEqual([
    { kind: "from_the_future", attempt: 10 },
    { kind: "promote_skills", attempt: 9_000 },
  ]);
  file.exec("delete from jobs where last_error = 'failed'");
});
