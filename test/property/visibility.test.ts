import { expect, test } from "bun:test";
import fc from "fast-check";
import { VISIBILITIES } from "../../src/core/schema/access.ts";
import { KeyMinted } from "../../src/core/schema/account.ts";
import { BulkResult, LIVE_STATUSES } from "../../src/core/schema/memory.ts";
import { MemoryCount, MemoryPage, MemoryStats } from "../../src/core/schema/memory-query.ts";
import { RecallReply, SearchReply } from "../../src/core/schema/retrieval.ts";
import type { Client } from "../support/api/client.ts";
import { openApp } from "../support/in-process.ts";

const POPULATIONS = 6;
const HANG_GUARD_MS = 180_000;
const TOP_K_MAX = 20;

const AGENTS = ["ann", "bob", "cyd", "dan"] as const;
const FLEETS = ["red", "green", "blue"] as const;

const row = fc.record({
  agent_id: fc.constantFrom(...AGENTS),
  fleet_id: fc.constantFrom(null, ...FLEETS),
  visibility: fc.constantFrom(...VISIBILITIES),
  status: fc.constantFrom("active", "pending", "confirmed", "cancelled", "outdated", "archived"),
  memory_type: fc.constantFrom("fact", "task"),
  deleted: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
const population = fc.array(row, { minLength: 1, maxLength: TOP_K_MAX });

interface Row {
  readonly agent_id: string;
  readonly fleet_id: string | null;
  readonly visibility: string;
  readonly status: string;
  readonly memory_type: string;
  readonly deleted: boolean;
}
interface Stored extends Row {
  readonly id: string;
  /** A word that no other row has. */
  readonly word: string;
}

/** Who looks: without a key, as the agent that the request names; with one, as the key says. */
interface Reader {
  readonly agent: string | null;
  readonly fleet: string | null;
  readonly trust: number;
  readonly key: boolean;
}

const READERS: readonly Reader[] = [
  { agent: null, fleet: null, trust: 3, key: false },
  ...[...AGENTS, "eve"].map((agent) => ({ agent, fleet: null, trust: 3, key: false })),
  ...[1, 2, 3].map((trust) => ({ agent: "ann", fleet: "red", trust, key: true })),
  { agent: "bob", fleet: null, trust: 1, key: true },
  { agent: "cyd", fleet: "green", trust: 0, key: true },
];

/** The rule of visibility: everyone sees the organisation's, a fleet its team's, an agent its own. */
function sees(reader: Reader, memory: Row): boolean {
  if (memory.visibility === "scope_org") return true;
  if (memory.visibility === "scope_agent") return memory.agent_id === reader.agent;
  return reader.trust >= 2 || memory.fleet_id === null || memory.fleet_id === reader.fleet;
}

const isLive = ({ status }: Row) => LIVE_STATUSES.some((live) => live === status);
const tally = (rows: readonly Row[], by: "agent_id" | "memory_type" | "status"): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(rows, (one) => one[by])].map(([name, all]) => [name, all.length]));
const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id).sort();

async function store(client: Client, rows: readonly Row[]): Promise<Stored[]> {
  const stored: Stored[] = [];
  // An agent's home is the fleet of its first row; what names no fleet goes there.
  const homes = new Map<string, Row["fleet_id"]>();
  for (const [i, one] of rows.entries()) {
    const { agent_id, fleet_id, visibility, status, memory_type } = one;
    const word = `zq${String.fromCharCode(97 + i)}xv`;
    const items = [{ content: `All that was noted of ${word}, and nothing else.`, status, memory_type }];
    const body = { tenant_id: "default", agent_id, fleet_id, visibility, items };
    const { results } = await client.ok(BulkResult, "POST", "/api/v1/memories/bulk", { body });
    const home = fleet_id ?? homes.get(agent_id) ?? null;
    if (!homes.has(agent_id)) homes.set(agent_id, home);
    stored.push({ ...one, fleet_id: home, id: results[0]?.id ?? "", word });
  }
  for (const { id, agent_id } of stored.filter(({ deleted }) => deleted)) {
    await client.call("DELETE", `/api/v1/memories/${id}`, { query: { tenant_id: "default", agent_id } });
  }
  return stored;
}

/** How a reader asks: its headers, and how it names itself where no key does. */
async function introduce(client: Client, { agent, fleet, trust, key }: Reader) {
  if (!key) return { headers: {}, named: agent ?? undefined };
  const body = { agent_id: agent, fleet_id: fleet, trust };
  const { raw_key } = await client.ok(KeyMinted, "POST", "/api/v1/keys", { body });
  return { headers: { "X-API-Key": raw_key }, named: undefined };
}

interface Look {
  readonly client: Client;
  readonly reader: Reader;
  readonly rows: readonly Stored[];
  readonly headers: Readonly<Record<string, string>>;
  readonly named: string | undefined;
}

async function checkList({ client, reader, rows, headers, named }: Look): Promise<void> {
  const list = async (query: Record<string, boolean>) => {
    const all = { limit: 500, agent_id: named, ...query };
    return idsOf((await client.ok(MemoryPage, "GET", "/api/v1/memories", { headers, query: all })).items);
  };
  const visible = rows.filter((one) => sees(reader, one));
  expect(await list({})).toEqual(idsOf(visible.filter(({ deleted }) => !deleted)));
  expect(await list({ include_deleted: true })).toEqual(idsOf(visible));
}

async function checkGet({ client, reader, rows, headers, named }: Look): Promise<void> {
  const query = { tenant_id: "default", agent_id: named };
  for (const one of rows) {
    const { status } = await client.call("GET", `/api/v1/memories/${one.id}`, { headers, query });
    expect(status).toBe(sees(reader, one) && !one.deleted ? 200 : 404);
  }
}

/** Who a search runs as: an agent named without a key has its own trust and home, those of a new agent where it never wrote. */
function actingAs(reader: Reader, named: string | undefined, rows: readonly Stored[]): Reader {
  const home = rows.find(({ agent_id }) => agent_id === named)?.fleet_id ?? null;
  return named === undefined ? reader : { ...reader, trust: 1, fleet: home };
}

async function checkSearch({ client, reader, rows, headers, named }: Look): Promise<void> {
  const acting = actingAs(reader, named, rows);
  const found = rows.filter((one) => sees(acting, one) && !one.deleted && isLive(one));
  const ask = (query: string) => ({
    headers,
    body: { tenant_id: "default", query, top_k: TOP_K_MAX, caller_agent_id: named },
  });
  for (const { id, word } of rows) {
    const { items } = await client.ok(SearchReply, "POST", "/api/v1/search", ask(word));
    expect(items.some((item) => item.id === id)).toBe(found.some((one) => one.id === id));
    expect(idsOf(found)).toEqual(expect.arrayContaining(idsOf(items)));
  }
  const recalled = await client.ok(RecallReply, "POST", "/api/v1/recall", ask("all that was noted"));
  expect(idsOf(recalled.memories)).toEqual(idsOf(found));
  for (const { id, word } of rows.filter((one) => !found.includes(one))) {
    expect(recalled.summary).not.toContain(id);
    expect(recalled.summary).not.toContain(word);
  }
}

async function checkStats({ client, reader, rows, headers, named }: Look): Promise<void> {
  const query = { agent_id: named };
  const stats = await client.ok(MemoryStats, "GET", "/api/v1/memories/stats", { headers, query });
  const counted = rows.filter((one) => sees(reader, one) && (named === undefined || one.agent_id === named));
  const kept = counted.filter(({ deleted }) => !deleted);
  expect(stats).toEqual({
    total: kept.length,
    by_type: tally(kept, "memory_type"),
    by_agent: tally(kept, "agent_id"),
    by_status: tally(kept, "status"),
    by_tenant: kept.length > 0 ? { default: kept.length } : {},
    deleted: counted.length - kept.length,
    total_including_deleted: counted.length,
  });
  const { count } = await client.ok(MemoryCount, "GET", "/api/v1/memories/count", { headers });
  // A count belongs to the tenant as a whole, but an agent's credential learns nothing of what it must not see.
  const counts = (one: Row) => isLive(one) && !one.deleted && (!reader.key || sees(reader, one));
  expect(count).toBe(rows.filter(counts).length);
}

for (const [name, check] of Object.entries({
  list: checkList,
  get: checkGet,
  search: checkSearch,
  stats: checkStats,
})) {
  test(
    `${name} shows each reader exactly what the rule of visibility lets it see`,
    async () => {
      await fc.assert(
        fc.asyncProperty(population, async (rows) => {
          const { app, client, settle } = await openApp();
          const stored = await store(client, rows);
          await settle();
          for (const reader of READERS) {
            const look = { client, reader, rows: stored, ...(await introduce(client, reader)) };
            await check(look);
          }
          await app.stop();
        }),
        { numRuns: POPULATIONS },
      );
    },
    HANG_GUARD_MS,
  );
}
