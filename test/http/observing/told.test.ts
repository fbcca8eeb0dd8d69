import { afterAll, describe, expect, test } from "bun:test";
import { keptOfScore, ToldCounted, ToldCounts } from "../../../src/core/schema/observing/told.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { refusalOf } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const clock = fakeClock();
const { app, client, settle } = await openApp({ clock });
afterAll(() => app.stop());
const api = memoriesApi(client);
const TOLD = `${MEMORIES}/told`;
const record = (body: object, as: object = {}) =>
  client.ok(ToldCounted, "POST", TOLD, { body: { tenant_id: TENANT, ...body }, ...as });
const toldOf = (id: string, as: object = {}) =>
  client.ok(ToldCounts, "GET", `${MEMORIES}/${id}/told`, { query: { tenant_id: TENANT, ...as } });
const tell = async (id: string, times: number) => {
  for (let i = 0; i < times; i++) await record({ told: [id], watched: [id] });
};
const NEVER = { told: 0, watched: 0, used: 0, last_told_at: null };

describe("what was told and used", () => {
  test("is counted of each memory, of no other, and begins again when it says something else", async () => {
    const [one, other] = [await api.write(), await api.write()];
    expect(await toldOf(one.id)).toEqual({ memory_id: one.id, ...NEVER });
    const unknown = "00000000-0000-4000-8000-0000000000ff";
    expect(await record({ told: [one.id, unknown] })).toEqual({ told: 1, watched: 0, used: 0 });
    const at = new Date(clock.now()).toISOString();
    expect(await record({ used: [one.id.toUpperCase(), other.id] })).toEqual({ told: 0, watched: 0, used: 1 });
    expect(await toldOf(one.id)).toEqual({ memory_id: one.id, told: 1, watched: 0, used: 1, last_told_at: at });
    expect(await toldOf(other.id)).toMatchObject(NEVER);
    expect(await record({})).toEqual({ told: 0, watched: 0, used: 0 });
    const body = { content: "The office plant moved to the window." };
    await client.call("PATCH", `${MEMORIES}/${one.id}`, { query: { tenant_id: TENANT }, body });
    expect(await toldOf(one.id)).toMatchObject(NEVER);
  });

  test("counts no memory that the caller does not see", async () => {
    const secret = await api.write({ agent_id: "ada", visibility: "scope_agent" });
    expect(await record({ told: [secret.id] })).toEqual({ told: 0, watched: 0, used: 0 });
    expect(await record({ told: [secret.id], agent_id: "bo" })).toEqual({ told: 0, watched: 0, used: 0 });
    expect(await record({ told: [secret.id], agent_id: "ada" })).toEqual({ told: 1, watched: 0, used: 0 });
    expect(await toldOf(secret.id, { agent_id: "ada" })).toMatchObject({ told: 1 });
    const asked = await client.refused("GET", `${MEMORIES}/${secret.id}/told`, { query: { tenant_id: TENANT } });
    expect(refusalOf(asked)).toEqual([404, "NOT_FOUND"]);
  });

  test("is told once for one Idempotency-Key", async () => {
    const { id } = await api.write();
    const headers = { "idempotency-key": "told-once" };
    for (let i = 0; i < 2; i++)
      expect(await record({ told: [id] }, { headers })).toEqual({ told: 1, watched: 0, used: 0 });
    expect(await toldOf(id)).toMatchObject({ told: 1 });
  });

  test("goes with its memory, and stays with one that is deleted and brought back", async () => {
    const { id } = await api.write();
    await tell(id, 2);
    await api.remove(id);
    await client.call("POST", `${MEMORIES}/${id}/restore`, { query: { tenant_id: TENANT } });
    expect(await toldOf(id)).toMatchObject({ told: 2 });
    await api.remove(id, { erase: true });
    expect((await app.services.storage.tellings.of(TENANT, [id])).size).toBe(0);
  });

  test.each([
    [{ told: "all" }],
    [{ told: [7] }],
    [{ told: ["no id"] }],
    [{ used: Array.from({ length: 51 }, () => "00000000-0000-4000-8000-000000000001") }],
    [[]],
    [{ told: { length: 3 } }],
  ])("refuses a report that is none: %#", async (body) => {
    expect((await client.call("POST", TOLD, { body })).status).toBe(422);
  });

  test("is refused in another tenant, and for an id that is none", async () => {
    const refused = await client.refused("POST", TOLD, { body: { tenant_id: "another", told: [] } });
    expect(refusalOf(refused)).toEqual([403, "TENANT_MISMATCH"]);
    expect((await client.call("GET", `${MEMORIES}/7/told`)).status).toBe(422);
  });
});

describe("sinking", () => {
  test.each([
    [0, 0, 1],
    [5, 0, 1],
    [6, 0, 0.975],
    [15, 0, 0.75],
    [25, 0, 0.5],
    [1_000, 0, 0.5],
    [1_000, 1, 1],
  ])("of %i watched tellings and %i uses leaves %f", (watched, used, kept) => {
    expect(keptOfScore({ watched, used })).toBeCloseTo(kept, 9);
  });

  test("lowers what was told and never used where a search asks for it, and no other", async () => {
    const stale = await api.write({ content: "The kiln of the pottery is fired at 1240 degrees." });
    await api.write({ content: "The kiln of the pottery is swept every Friday." });
    await settle();
    const query = "how hot is the kiln of the pottery fired?";
    const scored = async (fields: object = {}) => {
      const { items } = await api.search(query, { min_score: 0, ...fields });
      return items.map(({ id, score }) => [id, score ?? 0] as const);
    };
    const before = await scored();
    const top = before.find(([id]) => id === stale.id)?.[1] ?? 0;
    expect(before[0]?.[0]).toBe(stale.id);
    for (let i = 0; i < 25; i++) await record({ told: [stale.id] });
    expect(await scored({ sink_unused: true })).toEqual(before);
    for (let i = 0; i < 25; i++) await record({ watched: [stale.id] });
    expect(await scored()).toEqual(before);
    expect(await scored({ sink_unused: false })).toEqual(before);
    const sunk = new Map(await scored({ sink_unused: true }));
    expect(sunk.get(stale.id)).toBeCloseTo(top / 2, 2);
    for (const [id, score] of before) if (id !== stale.id) expect(sunk.get(id)).toBe(score);
    const scores = [...sunk.values()];
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    const floor = { min_score: (top * 3) / 4 };
    expect((await scored(floor)).map(([id]) => id)).toContain(stale.id);
    expect((await scored({ ...floor, sink_unused: true })).map(([id]) => id)).not.toContain(stale.id);
    await record({ used: [stale.id] });
    expect(await scored({ sink_unused: true })).toEqual(before);
  });
});
