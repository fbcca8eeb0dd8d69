import { afterAll, describe, expect, test } from "bun:test";
import { BulkResult } from "../../../src/core/schema/memory.ts";
import { Corrected, Deleted } from "../../../src/core/schema/memory-change.ts";
import { aVersion, contradictionsApi, DEMOTED } from "../../support/api/contradictions.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { fakeClock } from "../../support/clock.ts";
import { openApp } from "../../support/in-process.ts";

const clock = fakeClock();
const { app, client, settle } = await openApp({ clock });
afterAll(() => app.stop());
const api = { ...memoriesApi(client), ...contradictionsApi(client) };
const UNRELATED = "Nadia prefers green tea in the afternoon";

let fleets = 0;
/** Two rows that clash, in a fleet of their own, looked at; the older one was confirmed. */
async function aClash() {
  const fleet_id = `fleet-${++fleets}`;
  const older = await api.write(aVersion(14), { fleet_id, status: "confirmed" });
  clock.advance(1_000);
  const newer = await api.write(aVersion(16), { fleet_id });
  await settle();
  expect(DEMOTED).toContain((await api.get(older.id)).status);
  return { older, newer, fleet_id };
}
const statusOf = async (id: string) => (await api.get(id)).status;
const linkOf = async (id: string) => (await api.get(id)).supersedes_id;
const unrelated = (): string => `${UNRELATED} on day ${++fleets}.`;

describe("a finding is taken back", () => {
  test("when the newer row says something else: the older one is what it was", async () => {
    const { older, newer } = await aClash();
    const patched = await api.patch(newer.id, { content: unrelated() });
    expect([patched.supersedes_id, patched.superseded_by]).toEqual([null, null]);
    expect([await statusOf(older.id), await linkOf(newer.id)]).toEqual(["confirmed", null]);
    await settle();
    expect(await statusOf(older.id)).toBe("confirmed");
    for (const { id } of [older, newer]) {
      expect(await api.contradictions(id)).toMatchObject({ contradictions: [], detection_status: "pending" });
      expect((await api.contradictions(id)).checked_at).not.toBeNull();
    }
  });

  test("and made anew when what it says now clashes as well", async () => {
    const { older, newer } = await aClash();
    await api.patch(newer.id, { content: aVersion(17) });
    expect(await statusOf(older.id)).toBe("confirmed");
    await settle();
    expect(DEMOTED).toContain(await statusOf(older.id));
    const [found] = (await api.contradictions(older.id)).contradictions;
    expect(found?.spans.other.text).toContain("17");
  });

  test("when the older row says something else: it is live, and the newer one lets go of it", async () => {
    const { older, newer } = await aClash();
    expect((await api.patch(older.id, { content: unrelated() })).status).toBe("active");
    expect(await linkOf(newer.id)).toBeNull();
    await settle();
    expect(await statusOf(older.id)).toBe("active");
  });

  test("when the row changed is found to clash with a row that was there all along", async () => {
    const fleet_id = `fleet-${++fleets}`;
    const first = await api.write(aVersion(14), { fleet_id });
    clock.advance(1_000);
    const second = await api.write(unrelated(), { fleet_id });
    await settle();
    await api.patch(second.id, { content: aVersion(16) });
    await settle();
    expect(DEMOTED).toContain(await statusOf(first.id));
    expect(await linkOf(second.id)).toBe(first.id);
  });

  test("when the newer row is shown to fewer readers than the older one", async () => {
    const { older, newer } = await aClash();
    const mine = { agent_id: newer.agent_id };
    await api.patch(newer.id, { visibility: "scope_agent" });
    await settle();
    expect(await statusOf(older.id)).toBe("confirmed");
    await api.patch(newer.id, { visibility: "scope_team" }, mine);
    await settle();
    expect(DEMOTED).toContain(await statusOf(older.id));
  });

  test("and turned round when the newer row turns out to have happened first", async () => {
    const { older, newer } = await aClash();
    await api.patch(newer.id, { ts_valid_start: "2018-01-01T00:00:00Z" });
    await settle();
    expect(await statusOf(older.id)).toBe("confirmed");
    expect(DEMOTED).toContain(await statusOf(newer.id));
    expect([await linkOf(older.id), await linkOf(newer.id)]).toEqual([newer.id, null]);
  });

  test.each<[string, (id: string, fleet_id: string) => Promise<unknown>]>([
    ["by id", (id) => api.remove(id)],
    [
      "in a list of ids",
      (id) => client.ok(Deleted, "POST", `${MEMORIES}/bulk-delete`, { body: { tenant_id: "default", ids: [id] } }),
    ],
    [
      "by a filter",
      (_, fleet_id) => client.call("DELETE", MEMORIES, { query: { tenant_id: "default", fleet_id, status: "active" } }),
    ],
    ["by its status", (id) => api.setStatus(id, "deleted")],
  ])("when the newer row is deleted %s", async (_, remove) => {
    const { older, newer, fleet_id } = await aClash();
    await remove(newer.id, fleet_id);
    expect(await statusOf(older.id)).toBe("confirmed");
    expect((await api.contradictions(older.id)).contradictions).toEqual([]);
    await settle();
    expect(await statusOf(older.id)).toBe("confirmed");
  });

  test("while the newer row is cancelled, and made anew when it is live again", async () => {
    const { older, newer } = await aClash();
    await api.patch(newer.id, { status: "cancelled" });
    await settle();
    expect([await statusOf(older.id), await linkOf(newer.id)]).toEqual(["confirmed", null]);
    await api.patch(newer.id, { status: "active" });
    await settle();
    expect(DEMOTED).toContain(await statusOf(older.id));
    expect(await linkOf(newer.id)).toBe(older.id);
  });

  test("when the older row is deleted", async () => {
    const { older, newer } = await aClash();
    await api.remove(older.id);
    expect(await linkOf(newer.id)).toBeNull();
    expect((await api.contradictions(newer.id)).contradictions).toEqual([]);
  });

  test("but a row freed that way is demoted again by the next one that clashes with it", async () => {
    const { older, newer, fleet_id } = await aClash();
    const third = await api.write(aVersion(17), { fleet_id });
    await settle();
    await api.remove(newer.id);
    await settle();
    expect(DEMOTED).toContain(await statusOf(older.id));
    expect((await api.contradictions(older.id)).contradictions.map(({ memory_id }) => memory_id)).toEqual([third.id]);
  });
});

describe("a demotion undone by a caller", () => {
  const undo: [string, (id: string) => Promise<unknown>][] = [
    ["as a status", (id) => api.setStatus(id, "active")],
    ["as a field", (id) => api.patch(id, { status: "active" })],
  ];

  test.each(undo)("%s sticks, whatever has the pair looked at again", async (_, make) => {
    const { older, newer } = await aClash();
    await make(older.id);
    expect(await linkOf(newer.id)).toBeNull();
    await settle();
    for (const { id } of [older, newer]) {
      await api.patch(id, { ts_valid_end: "2031-01-01T00:00:00Z" });
      await settle();
      expect((await api.contradictions(id)).checked_at).not.toBeNull();
      expect([await statusOf(older.id), await linkOf(newer.id)]).toEqual(["active", null]);
    }
    expect((await api.contradictions(older.id)).contradictions).toEqual([]);
  });

  test("holds for these two texts: another one is looked at afresh", async () => {
    const { older, newer } = await aClash();
    await api.setStatus(older.id, "active");
    await api.patch(newer.id, { content: aVersion(17) });
    await settle();
    expect(DEMOTED).toContain(await statusOf(older.id));
  });

  test("to a status that is not live keeps what was found, and is the caller's from then on", async () => {
    const { older, newer } = await aClash();
    await api.setStatus(older.id, "archived");
    expect(await linkOf(newer.id)).toBe(older.id);
    await api.remove(newer.id);
    await settle();
    expect(await statusOf(older.id)).toBe("archived");
  });
});

test("a finding that was undone is made anew by a correction that says so", async () => {
  const { older, newer } = await aClash();
  await api.setStatus(older.id, "active");
  expect(await linkOf(newer.id)).toBeNull();
  const body = { content: newer.content };
  await client.ok(Corrected, "POST", `${MEMORIES}/${older.id}/correct`, { query: { tenant_id: "default" }, body });
  expect([await statusOf(older.id), await linkOf(newer.id)]).toEqual(["outdated", older.id]);
  const found = (await api.contradictions(older.id)).contradictions;
  expect(found.map(({ rule }) => rule)).toEqual(["correction"]);
});

test("rows that got their vectors late are looked at again, and once is enough", async () => {
  const { results } = await client.ok(BulkResult, "POST", `${MEMORIES}/bulk`, {
    body: { tenant_id: "default", fleet_id: "late", items: [{ content: unrelated() }, { content: unrelated() }] },
  });
  const ids = results.map(({ id }) => id ?? "");
  const { storage, embedder } = app.services;
  const unchecked = async () => (await storage.contradictions.unchecked("default", ids, embedder.id)).length;
  expect(await unchecked()).toBe(2);
  await settle();
  expect(await unchecked()).toBe(0);
});

describe("a row that was looked at and is changed", () => {
  /** The rows that wait to be read, each as often as it is queued; they are read after. */
  async function queued(): Promise<string[]> {
    const { jobs } = app.services.storage;
    const ids: string[] = [];
    for (let held = await jobs.claim(clock.now(), 1); held; held = await jobs.claim(clock.now(), 1)) {
      if (held.job.kind === "understand_memories") ids.push(...held.job.payload.memory_ids);
      await jobs.retry(held.id, clock.now() + 1_000, "Only looked at.");
    }
    clock.advance(1_000);
    await settle();
    return ids.sort();
  }

  test.each([
    ["text", () => ({ content: unrelated() })],
    ["readers", () => ({ visibility: "scope_org" as const })],
    ["time", () => ({ ts_valid_start: "2020-01-01T00:00:00Z" })],
  ])("in its %s is read again once, and so is the row that a finding no longer demotes", async (_, change) => {
    const { older, newer } = await aClash();
    await api.patch(newer.id, change());
    expect(await queued()).toEqual([older.id, newer.id].sort());
  });

  test("is read again once where it is itself no longer demoted", async () => {
    const { older } = await aClash();
    await api.patch(older.id, { content: unrelated() });
    expect(await queued()).toEqual([older.id]);
  });
});
