import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS, toTimestamp } from "../../../src/core/kernel/clock.ts";
import type { MemoryType } from "../../../src/core/schema/memory.ts";
import { MemoryAges } from "../../../src/core/schema/observing/ages.ts";
import type { Client } from "../../support/api/client.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { isBinary } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { GATEWAY, refusalOf, viaGateway } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const PATH = "/api/v1/memories/ages";
const DECISION = "Decided: the quokka enclosure opens in autumn.";

type Query = Readonly<Record<string, string>>;
const read = (caller: Client, query: Query = {}) => caller.ok(MemoryAges, "GET", PATH, { query });
const totals = ({ buckets }: MemoryAges) => buckets.map(({ total }) => total);

describe.skipIf(isBinary)("live memories by age", async () => {
  const clock = fakeClock();
  const { app, client, settle } = await openApp({ clock, flags: [GATEWAY] });
  afterAll(() => app.stop());
  const api = memoriesApi(client);

  beforeAll(async () => {
    await api.write({ agent_id: "ada", memory_type: "preference" });
    clock.advance(270 * DAY_MS);
    await api.write({ agent_id: "ada", memory_type: "fact", fleet_id: "web" });
    clock.advance(60 * DAY_MS);
    await api.write({ agent_id: "ada", memory_type: "decision", content: DECISION });
    await api.write({ agent_id: "ada", memory_type: "fact", visibility: "scope_agent" });
    clock.advance(30 * DAY_MS);
    const held = { ts_valid_end: toTimestamp(clock.now() + 90 * DAY_MS) };
    await api.write({ agent_id: "bob", memory_type: "fact", ...held });
    await api.write({ agent_id: "bob", memory_type: "fact", status: "archived" });
    const { id } = await api.write({ agent_id: "bob", memory_type: "task" });
    await api.remove(id);
    clock.advance(5 * DAY_MS);
    await api.write({ agent_id: "bob", memory_type: "fact" });
    await api.search(DECISION, { top_k: 1, caller_agent_id: "bob" });
    await settle();
  });

  test("are counted by type, with their mean freshness and how many were ever recalled", async () => {
    const { buckets } = await read(client, { agent_id: "ada" });
    const sum = (memory_type: MemoryType, mean_freshness: number, recalled = 0) => ({
      total: 1,
      recalled,
      mean_freshness,
      by_type: [{ memory_type, total: 1, recalled, mean_freshness }],
    });
    const none = { total: 0, recalled: 0, mean_freshness: null, by_type: [] };
    expect(buckets).toEqual([
      { up_to_days: 1, ...sum("fact", 1) },
      // It has an end, up to which it is fresh.
      { up_to_days: 7, ...sum("fact", 1) },
      { up_to_days: 30, ...none },
      {
        up_to_days: 91,
        total: 2,
        recalled: 1,
        mean_freshness: 0.7569,
        by_type: [
          { memory_type: "decision", total: 1, recalled: 1, mean_freshness: 0.8056 },
          { memory_type: "fact", total: 1, recalled: 0, mean_freshness: 0.7083 },
        ],
      },
      { up_to_days: 182, ...sum("fact", 0.2083) },
      { up_to_days: 365, ...none },
      { up_to_days: null, ...sum("preference", 0) },
    ]);
  });

  test("are as fresh as a search ranks them", async () => {
    const { items } = await api.search(DECISION, { top_k: 1 });
    const [found] = items;
    const month = (await read(client)).buckets.find(({ up_to_days }) => up_to_days === 91);
    expect(found?.score_parts?.freshness).toBe(month?.mean_freshness ?? undefined);
  });

  test("have the days in which their types lose it", async () => {
    expect((await read(client)).decay).toEqual([
      { memory_type: "decision", days: 180 },
      { memory_type: "fact", days: 120 },
      { memory_type: "preference", days: 365 },
    ]);
  });

  const VIEWS: readonly (readonly [string, Query, number[]])[] = [
    ["nobody in particular sees no private one", {}, [1, 1, 0, 1, 1, 0, 1]],
    ["nor does another agent", { agent_id: "bob" }, [1, 1, 0, 1, 1, 0, 1]],
    ["a fleet has its own", { fleet_id: "web" }, [0, 0, 0, 0, 1, 0, 0]],
  ];
  test.each(VIEWS)("%s", async (_, query, expected) => {
    expect(totals(await read(client, query))).toEqual(expected);
  });

  test("another tenant has none of them", async () => {
    const { buckets, decay } = await read(client.as(viaGateway("elsewhere")));
    expect([totals({ buckets, decay }), decay]).toEqual([[0, 0, 0, 0, 0, 0, 0], []]);
  });

  const REFUSED: readonly (readonly [string, Query, number, string])[] = [
    ["another tenant", { tenant_id: "elsewhere" }, 403, "TENANT_MISMATCH"],
    ["another agent's eyes", { agent_id: "bob" }, 403, "AGENT_IDENTITY_MISMATCH"],
    ["another fleet", { fleet_id: "web" }, 403, "FLEET_SCOPE_FORBIDDEN"],
    ["a blank agent", { agent_id: " " }, 422, "INVALID_ARGUMENTS"],
  ];
  test.each(REFUSED)("%s is refused", async (_, query, status, code) => {
    const caller = client.as(viaGateway(TENANT, "ada"));
    expect(refusalOf(await caller.refused("GET", PATH, { query }))).toEqual([status, code]);
  });
});
