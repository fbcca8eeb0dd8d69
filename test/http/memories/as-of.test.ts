import { afterAll, describe, expect, test } from "bun:test";
import { DAY_MS, toTimestamp } from "../../../src/core/kernel/clock.ts";
import { AuditLog } from "../../../src/core/schema/account.ts";
import { ensureRecurring } from "../../../src/startup/background-jobs.ts";
import { contentsOf, MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { openApp } from "../../support/in-process.ts";

const clock = fakeClock();
const { app, client, settle } = await openApp({ clock });
await ensureRecurring(app.services);
afterAll(() => app.stop());
const api = memoriesApi(client);
const patch = (id: string, body: object) =>
  client.call("PATCH", `${MEMORIES}/${id}`, { query: { tenant_id: TENANT }, body });
const statusOf = async (id: string) => (await api.get(id)).status;
const inDays = (days: number) => toTimestamp(clock.now() + days * DAY_MS);

let offices = 0;
/** A statement, and ten days later one that overtakes it. */
async function overtaken(fields: object = {}) {
  const name = `Nordlicht${++offices}`;
  const older = await api.write({ content: `The office of ${name} has 14 rooms.`, memory_type: "fact" });
  clock.advance(10 * DAY_MS);
  const newer = await api.write({
    content: `The office of ${name} has 20 rooms.`,
    memory_type: "fact",
    ...fields,
  });
  await settle();
  const fallen = await statusOf(older.id);
  expect(["outdated", "conflicted"]).toContain(fallen);
  return { older, newer, fallen, name };
}

describe("what a statement demoted is again what it was", () => {
  test("once that statement expires, and falls again once it no longer has", async () => {
    const { older, newer, fallen } = await overtaken({ expires_at: inDays(20) });
    clock.advance(9 * DAY_MS);
    await settle();
    expect(await statusOf(older.id)).toBe(fallen);
    clock.advance(2 * DAY_MS);
    await settle();
    expect(await statusOf(older.id)).toBe("active");
    const query = { tenant_id: TENANT, target_id: older.id };
    const { items } = await client.ok(AuditLog, "GET", "/api/v1/audit-log", { query });
    expect(items[0]).toMatchObject({ action: "memory.status", after: { status: "active" } });
    expect(items[0]?.reason).toContain("expired");
    await patch(newer.id, { expires_at: null });
    await settle();
    expect(await statusOf(older.id)).toBe(fallen);
    await patch(newer.id, { expires_at: inDays(3) });
    await settle();
    expect(await statusOf(older.id)).toBe(fallen);
    clock.advance(3 * DAY_MS);
    await settle();
    expect(await statusOf(older.id)).toBe("active");
  });

  test.each(["archived", "cancelled"])("once that statement is %s, and falls again once it is live", async (status) => {
    const { older, newer, fallen } = await overtaken();
    await patch(newer.id, { status });
    await settle();
    expect(await statusOf(older.id)).toBe("active");
    await patch(newer.id, { status: "active" });
    await settle();
    expect(await statusOf(older.id)).toBe(fallen);
  });
});

describe("as of a moment", () => {
  const kept = async (name: string, valid_at: string) => {
    const found = contentsOf(await api.search(`office of ${name}`, { valid_at, top_k: 20 }));
    const listed = contentsOf(await api.list({ valid_at, limit: 500 }));
    const ours = (contents: readonly string[]) => contents.filter((content) => content.includes(`${name} `)).sort();
    expect(ours(found)).toEqual(ours(listed));
    expect(
      ours(contentsOf({ items: (await api.recall(`office of ${name}`, { valid_at, top_k: 20 })).memories })),
    ).toEqual(ours(found));
    return ours(found);
  };

  test("before it was overtaken a row holds, and what overtook it does not yet; after, the other way round", async () => {
    const { older, newer, name } = await overtaken();
    await patch(older.id, { status: "active" });
    await patch(older.id, { status: "outdated" });
    expect(await kept(name, inDays(-5))).toEqual([older.content]);
    clock.advance(DAY_MS);
    expect(await kept(name, inDays(-11.5))).toEqual([]);
    expect(await kept(name, inDays(0))).toEqual([newer.content]);
  });

  test("an outdated row that a finding overtook holds until the newer row begins", async () => {
    const name = `Sued${++offices}`;
    const older = await api.write({ content: `The office of ${name} has 14 rooms.`, memory_type: "fact" });
    clock.advance(10 * DAY_MS);
    const newer = await api.write({ content: `The office of ${name} has 20 rooms now.`, memory_type: "fact" });
    await settle();
    expect(await statusOf(older.id)).toBe("outdated");
    expect(await kept(name, inDays(-5))).toEqual([older.content]);
    expect(await kept(name, inDays(0))).toEqual([newer.content]);
  });

  test("a row that has expired since holds, one that was withdrawn or deleted does not", async () => {
    const name = `Ost${++offices}`;
    const write = (part: string, fields: object = {}) =>
      api.write({ content: `The ${part} office of ${name} is open.`, ...fields });
    const expired = await write("small", { expires_at: inDays(2) });
    await patch((await write("large")).id, { status: "archived" });
    await patch((await write("wide")).id, { status: "cancelled" });
    await api.remove((await write("narrow")).id);
    const early = await write("former", { ts_valid_start: inDays(-100), ts_valid_end: inDays(-50) });
    clock.advance(5 * DAY_MS);
    expect(await kept(name, inDays(-4))).toEqual([expired.content]);
    expect(await kept(name, inDays(0))).toEqual([]);
    expect(await kept(name, inDays(-75))).toEqual([early.content]);
  });
});
