import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../src/core/kernel/clock.ts";
import { Activity } from "../../../src/core/schema/observing/activity.ts";
import type { Client } from "../../support/api/client.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { isBinary } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { GATEWAY, holder, refusalOf, viaGateway } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const PATH = "/api/v1/activity";
const HOUR_MS = DAY_MS / 24;

type Query = Readonly<Record<string, string | number | undefined>>;
const read = (caller: Client, query: Query = {}) => caller.ok(Activity, "GET", PATH, { query });
/** Each day with its total and what each agent wrote. */
const told = ({ days }: Activity) => days.map(({ day, total, by_agent }) => [day, total, by_agent]);

describe.skipIf(isBinary)("memories by the day they were written on", async () => {
  const clock = fakeClock("2026-02-27T22:30:00.000Z");
  const { app, client } = await openApp({ clock, flags: [GATEWAY] });
  afterAll(() => app.stop());
  const api = memoriesApi(client);

  beforeAll(async () => {
    await api.write({ agent_id: "ada" });
    await api.write({ agent_id: "ada", fleet_id: "web" });
    clock.advance(11.5 * HOUR_MS);
    await api.write({ agent_id: "bob" });
    await api.write({ agent_id: "ada", visibility: "scope_agent" });
    clock.advance(15 * HOUR_MS);
    await api.write({ agent_id: "ada" });
    const { id } = await api.write({ agent_id: "bob" });
    await api.remove(id);
    clock.advance(11 * HOUR_MS);
  });

  const DAYS: readonly (readonly [string, Query, ReturnType<typeof told>])[] = [
    [
      "in UTC, with days on which nothing was",
      { days: 4 },
      [
        ["2026-02-26", 0, {}],
        ["2026-02-27", 2, { ada: 2 }],
        ["2026-02-28", 1, { bob: 1 }],
        ["2026-03-01", 1, { ada: 1 }],
      ],
    ],
    [
      "ahead of UTC, where the evening is the next day",
      { days: 3, utc_offset_minutes: 120 },
      [
        ["2026-02-27", 0, {}],
        ["2026-02-28", 3, { ada: 2, bob: 1 }],
        ["2026-03-01", 1, { ada: 1 }],
      ],
    ],
    [
      "behind UTC, where the night is the day before",
      { days: 3, utc_offset_minutes: -90 },
      [
        ["2026-02-27", 2, { ada: 2 }],
        ["2026-02-28", 2, { ada: 1, bob: 1 }],
        ["2026-03-01", 0, {}],
      ],
    ],
    ["where it is tomorrow already", { days: 1, utc_offset_minutes: 840 }, [["2026-03-02", 0, {}]]],
    ["where it is yesterday still", { days: 1, utc_offset_minutes: -840 }, [["2026-02-28", 1, { ada: 1 }]]],
    ["on the last day alone", { days: 1 }, [["2026-03-01", 1, { ada: 1 }]]],
    [
      "with one's own private ones",
      { days: 2, agent_id: "ada" },
      [
        ["2026-02-28", 2, { ada: 1, bob: 1 }],
        ["2026-03-01", 1, { ada: 1 }],
      ],
    ],
    [
      "without those that are private to another",
      { days: 2, agent_id: "bob" },
      [
        ["2026-02-28", 1, { bob: 1 }],
        ["2026-03-01", 1, { ada: 1 }],
      ],
    ],
    [
      "of one fleet",
      { days: 3, fleet_id: "web" },
      [
        ["2026-02-27", 1, { ada: 1 }],
        ["2026-02-28", 0, {}],
        ["2026-03-01", 0, {}],
      ],
    ],
  ];
  test.each(DAYS)("%s", async (_, query, expected) => {
    expect(told(await read(client, query))).toEqual(expected);
  });

  test("as many days as are asked for, thirty by default", async () => {
    expect((await read(client)).days).toHaveLength(30);
    const { days } = await read(client, { days: 366 });
    expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([366, "2025-03-01", "2026-03-01"]);
    expect(days.reduce((sum, { total }) => sum + total, 0)).toBe(4);
  });

  test("another tenant counts its own alone, and is told of no requests", async () => {
    const caller = client.as(viaGateway("elsewhere"));
    const { days, agents, requests } = await read(caller);
    expect([days.some(({ total }) => total > 0), agents, requests]).toEqual([false, [], null]);
  });

  const REFUSED: readonly (readonly [string, Query, number, string])[] = [
    ["no day", { days: 0 }, 422, "INVALID_ARGUMENTS"],
    ["too many days", { days: 367 }, 422, "INVALID_ARGUMENTS"],
    ["a part of a day", { days: 1.5 }, 422, "INVALID_ARGUMENTS"],
    ["no number", { days: "week" }, 422, "INVALID_ARGUMENTS"],
    ["an offset that no clock has", { utc_offset_minutes: 841 }, 422, "INVALID_ARGUMENTS"],
    ["and behind", { utc_offset_minutes: -841 }, 422, "INVALID_ARGUMENTS"],
    ["another tenant", { tenant_id: "elsewhere" }, 403, "TENANT_MISMATCH"],
  ];
  test.each(REFUSED)("%s is refused", async (_, query, status, code) => {
    const caller = client.as(viaGateway(TENANT, "ada"));
    expect(refusalOf(await caller.refused("GET", PATH, { query }))).toEqual([status, code]);
  });
});

test("twelve agents are told apart, those that wrote most, and the others as one", async () => {
  const { app, client } = await openApp();
  const names = ["others", ...Array.from({ length: 13 }, (_, i) => `agent-${String(i).padStart(2, "0")}`)];
  try {
    const api = memoriesApi(client);
    for (const agent_id of [...names, "others", "agent-12"]) await api.write({ agent_id });
    const { days, agents } = await read(client, { days: 1 });
    const shown = ["agent-12", "others", ...names.slice(1, 11)];
    const counts = { ...Object.fromEntries(shown.map((name) => [name, 1])), others: 2, "agent-12": 2 };
    expect(agents).toEqual(shown);
    expect(days).toEqual([expect.objectContaining({ total: 16, by_agent: counts, others: 2 })]);
  } finally {
    await app.stop();
  }
});

describe.skipIf(isBinary)("requests that were answered", async () => {
  const clock = fakeClock("2026-03-01T12:00:30.000Z");
  const { app, client } = await openApp({ clock });
  afterAll(() => app.stop());
  const api = memoriesApi(client);
  const figures = async () => {
    const { requests } = await read(client);
    if (!requests) throw new Error("The owner of the machine is told of no requests.");
    return requests;
  };
  const NONE = { writes: 0, searches: 0, reads: 0, failed: 0, search_ms: null };
  const SOME = { writes: 2, searches: 1, reads: 1, failed: 2, search_ms: expect.any(Number) };

  test("are counted by minutes and by ten minutes, with how long searches took", async () => {
    await api.write();
    await api.write();
    await api.search("plant");
    await api.list();
    await client.refused("GET", `${MEMORIES}/${crypto.randomUUID()}`);
    await client.call("GET", "/api/v1/nowhere");
    await read(client);
    const { last_hour, last_day } = await figures();
    expect([last_hour.length, last_day.length]).toEqual([60, 144]);
    expect(last_hour.at(-1)).toEqual({ at: "2026-03-01T12:00:00.000Z", ...SOME });
    expect(last_hour[0]).toEqual({ at: "2026-03-01T11:01:00.000Z", ...NONE });
    expect(last_day.at(-1)).toEqual({ at: "2026-03-01T12:00:00.000Z", ...SOME });
    expect(last_day[0]).toEqual({ at: "2026-02-28T12:10:00.000Z", ...NONE });
    expect(last_hour.at(-1)?.search_ms).toBeGreaterThan(0);
  });

  test("move back as time goes on, and are forgotten", async () => {
    clock.advance(60_000);
    const next = await figures();
    expect(next.last_hour.slice(-2).map(({ writes }) => writes)).toEqual([2, 0]);
    clock.advance(58 * 60_000);
    expect((await figures()).last_hour[0]).toEqual({ at: "2026-03-01T12:00:00.000Z", ...SOME });
    clock.advance(60_000);
    const later = await figures();
    expect(later.last_hour.some(({ writes }) => writes > 0)).toBe(false);
    expect(later.last_day.at(-7)).toMatchObject(SOME);
    clock.advance(DAY_MS);
    expect((await figures()).last_day.some(({ writes, failed }) => writes + failed > 0)).toBe(false);
  });

  test("are nobody's business but the owner's", async () => {
    const caller = await holder(client, { agent_id: "ada" });
    expect((await read(caller)).requests).toBeNull();
  });
});
