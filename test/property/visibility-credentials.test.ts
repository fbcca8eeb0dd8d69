import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { TrustLevel } from "../../src/core/schema/access.ts";
import { VISIBILITIES } from "../../src/core/schema/access.ts";
import { Agent } from "../../src/core/schema/account.ts";
import type { Memory } from "../../src/core/schema/memory.ts";
import type { Client } from "../support/api/client.ts";
import { idsOf, MEMORIES, memoriesApi } from "../support/api/memories.ts";
import { startApp } from "../support/app.ts";
import { GATEWAY, holder, viaGateway } from "../support/credentials.ts";

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());

const RUNS = 25;
const HANG_GUARD_MS = 120_000;
const AGENTS = ["ada", "bob", "carl"] as const;
const FLEETS = ["blue", "red", null] as const;
const fleet = fc.constantFrom(...FLEETS);
const trust = fc.constantFrom<TrustLevel>(0, 1, 2, 3);

/** What a tenant holds: at most as many rows as one search returns. */
const row = fc.record({
  agent_id: fc.constantFrom(...AGENTS),
  fleet_id: fleet,
  visibility: fc.constantFrom(...VISIBILITIES),
  status: fc.constantFrom("active" as const, "confirmed" as const, "pending" as const),
});
/** Every kind of credential; an agent has the same trust whichever way it comes. */
const credential = fc.oneof(
  fc.record({ kind: fc.constant("tenant key" as const), trust, fleet_id: fleet }),
  fc.record({
    kind: fc.constantFrom("agent key" as const, "gateway agent" as const),
    agent_id: fc.constantFrom(...AGENTS),
  }),
  fc.record({ kind: fc.constant("gateway tenant" as const) }),
  fc.record({ kind: fc.constant("gateway tenant as" as const), as: fc.constantFrom(...AGENTS, "nobody") }),
);
const population = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 14 }),
  others: fc.array(row, { maxLength: 3 }),
  deleted: fc.nat(13),
  agents: fc.tuple(
    fc.record({ trust, fleet_id: fleet }),
    fc.record({ trust, fleet_id: fleet }),
    fc.record({ trust, fleet_id: fleet }),
  ),
  credentials: fc.array(credential, { minLength: 1, maxLength: 4 }),
});

interface Reader {
  readonly client: Client;
  /** Sent as agent_id or caller_agent_id. */
  readonly asks_as?: string;
  readonly agent_id: string | null;
  readonly fleet_id: string | null;
  readonly trust: number;
  /** What the agent has that a search runs as, where that is not the caller's own. */
  readonly acts?: { readonly trust: number; readonly fleet_id: string | null };
  /** The credential belongs to one agent. */
  readonly bound: boolean;
}

/** The oracle: whether a reader of the same tenant sees a row. */
function sees({ agent_id, fleet_id, trust }: Reader, memory: Memory): boolean {
  if (memory.visibility === "scope_org") return true;
  if (memory.visibility === "scope_agent") return memory.agent_id === agent_id;
  return memory.fleet_id === null || memory.fleet_id === fleet_id || trust >= 2;
}

type Population = typeof population extends fc.Arbitrary<infer T> ? T : never;
let tenants = 0;

async function readerOf(
  tenant_id: string,
  { agents, rows }: Population,
  one: Population["credentials"][number],
): Promise<Reader> {
  const admin = app.client;
  switch (one.kind) {
    case "tenant key": {
      const fields = { tenant_id, trust: one.trust, fleet_id: one.fleet_id };
      return { ...fields, client: await holder(admin, fields), agent_id: null, bound: false };
    }
    case "agent key":
    case "gateway agent": {
      const { agent_id } = one;
      const known = agents[AGENTS.indexOf(agent_id)] ?? { trust: 1, fleet_id: null };
      const key = await holder(admin, { tenant_id, agent_id, ...known });
      if (one.kind === "agent key") return { ...known, client: key, agent_id, bound: true };
      // Its home is the fleet it was given, else the one it first wrote in.
      const fleet_id = known.fleet_id ?? rows.find((row) => row.agent_id === agent_id)?.fleet_id ?? null;
      return { ...known, fleet_id, client: admin.as(viaGateway(tenant_id, agent_id)), agent_id, bound: true };
    }
    case "gateway tenant":
      return { client: admin.as(viaGateway(tenant_id)), agent_id: null, fleet_id: null, trust: 3, bound: false };
    case "gateway tenant as":
      return {
        client: admin.as(viaGateway(tenant_id)),
        acts: await standingOf(tenant_id, one.as),
        asks_as: one.as,
        agent_id: one.as,
        fleet_id: null,
        trust: 3,
        bound: false,
      };
    default:
      return one satisfies never;
  }
}

/** Trust and home of an agent; those of a new one for an agent that nobody knows. */
async function standingOf(tenant_id: string, agent_id: string): Promise<{ trust: number; fleet_id: string | null }> {
  const { status, body } = await app.client.as(viaGateway(tenant_id)).call("GET", `/api/v1/agents/${agent_id}`);
  if (status === 404) return { trust: 1, fleet_id: null };
  const { trust_level, fleet_id } = Agent.parse(body);
  return { trust: trust_level, fleet_id };
}

async function populate(tenant_id: string, rows: Population["rows"]): Promise<Memory[]> {
  const api = memoriesApi(app.client.as(viaGateway(tenant_id)), tenant_id);
  const written: Memory[] = [];
  for (const [i, fields] of rows.entries())
    written.push(await api.write({ ...fields, content: `Quokka row number ${i}.` }));
  return written;
}

async function check(
  tenant_id: string,
  reader: Reader,
  rows: readonly Memory[],
  strangers: readonly Memory[],
): Promise<void> {
  const api = memoriesApi(reader.client, tenant_id);
  const { asks_as: agent_id } = reader;
  const seen = rows.filter((memory) => sees(reader, memory));
  const ids = seen.map(({ id }) => id).sort();
  expect(idsOf(await api.list({ agent_id, limit: 500 })).sort()).toEqual(ids);
  const acting = { ...reader, ...reader.acts };
  const ranked = idsOf({ items: rows.filter((memory) => sees(acting, memory)) }).sort();
  expect(idsOf(await api.search("quokka", { caller_agent_id: agent_id, top_k: 20 })).sort()).toEqual(ranked);
  const { memories, items } = await api.recall("quokka", { caller_agent_id: agent_id, top_k: 20 });
  expect([memories, items ?? []].map((found) => idsOf({ items: found }).sort())).toEqual([ranked, ranked]);
  for (const { id } of [...rows, ...strangers]) {
    const { status } = await reader.client.call("GET", `${MEMORIES}/${id}`, { query: { tenant_id, agent_id } });
    expect([id, status]).toEqual([id, ids.includes(id) ? 200 : 404]);
  }
  // With agent_id, the aggregate is that of the agent's own rows.
  const counted = agent_id === undefined ? seen : seen.filter((memory) => memory.agent_id === agent_id);
  expect((await api.stats({ agent_id })).total).toBe(counted.length);
  expect(await api.count()).toBe(reader.bound || reader.trust < 3 ? ids.length : rows.length);
}

test(
  "list, get, search, recall, stats and count agree on what every kind of credential sees",
  async () => {
    const property = fc.asyncProperty(population, async (held) => {
      const { rows, others, deleted, credentials } = held;
      const [tenant_id, other] = [`population-${++tenants}`, `other-${tenants}`];
      const [written, strangers] = [await populate(tenant_id, rows), await populate(other, others)];
      const gone = written[deleted];
      if (gone) await memoriesApi(app.client.as(viaGateway(tenant_id)), tenant_id).remove(gone.id);
      const kept = written.filter((memory) => memory !== gone);
      for (const one of credentials) {
        const unseen = gone ? [...strangers, gone] : strangers;
        await check(tenant_id, await readerOf(tenant_id, held, one), kept, unseen);
      }
    });
    await fc.assert(property, { numRuns: RUNS });
  },
  HANG_GUARD_MS,
);
