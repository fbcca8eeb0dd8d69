import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Neighbours } from "../../../src/core/schema/entity.ts";
import type { CallOptions } from "../../support/api/client.ts";
import { ENTITIES, entitiesApi } from "../../support/api/entities.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { GATEWAY, holder, refusalOf, viaGateway } from "../../support/credentials.ts";

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());
const tenant_id = "harbour";
const owner = app.client.as(viaGateway(tenant_id));
const [memories, entities] = [memoriesApi(owner, tenant_id), entitiesApi(owner, tenant_id)];

const ids = new Map<string, string>();
const idOf = (name: string): string => ids.get(name) ?? expect.unreachable(`No ${name}.`);
const enter = async (name: string, fields: Record<string, unknown> = {}) => {
  ids.set(name, (await entities.upsert({ entity_type: "concept", canonical_name: name, ...fields })).id);
};
const relate = (from: string, to: string, weight: number, fields: Record<string, unknown> = {}) =>
  entities.relate({ from_entity_id: idOf(from), relation_type: "leads to", to_entity_id: idOf(to), weight, ...fields });

type Query = NonNullable<CallOptions["query"]>;
const around = (name: string, query: Query = {}, client = owner): Promise<Neighbours> =>
  client.ok(Neighbours, "GET", `${ENTITIES}/${idOf(name)}/neighbours`, { query });
/** Names in their order, with how far away each is. */
const far = ({ nodes, hops }: Neighbours): [string, number | undefined][] =>
  nodes.map(({ id, canonical_name }) => [canonical_name, hops[id]]);

beforeAll(async () => {
  for (const name of ["Quay", "Pier", "Crane", "Winch", "Rope", "Hemp", "Island"]) await enter(name);
  await relate("Quay", "Pier", 0.4);
  await relate("Crane", "Quay", 0.9);
  await relate("Crane", "Winch", 0.9);
  await relate("Pier", "Rope", 1);
  await relate("Rope", "Hemp", 1);
  // Named together by two, and by one.
  for (const n of [1, 2])
    await memories.write({ agent_id: "bob", content: `Quay met Anna Keller in Rome, note ${n}.` });
  await memories.write({ agent_id: "bob", content: "Quay met Bertram Nowak in Oslo." });
  // Private ones name a secret with what all see.
  const ada = { agent_id: "ada", visibility: "scope_agent" };
  for (const n of [1, 2]) await memories.write({ ...ada, content: `Quay met Vera Vault in Zagreb, note ${n}.` });
  await enter("Redline", { fleet_id: "red" });
  await relate("Quay", "Redline", 1, { fleet_id: "red" });
  await app.settle();
});

test("the entity comes first, then what is nearest and most closely related", async () => {
  const found = await around("Quay");
  expect(far(found)).toEqual([
    ["Quay", 0],
    ["Redline", 1],
    ["Crane", 1],
    ["Anna Keller", 1],
    ["Rome", 1],
    ["Pier", 1],
    ["Winch", 2],
    ["Rope", 2],
  ]);
  const [middle] = found.nodes;
  expect(middle?.memory_count).toBe(3);
  const shown = new Set(found.nodes.map(({ id }) => id));
  for (const { from_entity_id, to_entity_id } of found.edges) {
    expect(shown.has(from_entity_id) && shown.has(to_entity_id)).toBe(true);
  }
  const entered = found.edges.filter(({ inferred }) => !inferred);
  expect(entered).toHaveLength(5);
  expect(found.edges.filter(({ inferred }) => inferred)).toHaveLength(3);
});

test("one hop shows only what is next to it; a limit keeps the nearest", async () => {
  expect(new Set(Object.values((await around("Quay", { hops: 1 })).hops))).toEqual(new Set([0, 1]));
  expect(far(await around("Quay", { limit: 3 }))).toEqual([
    ["Quay", 0],
    ["Redline", 1],
    ["Crane", 1],
  ]);
  expect(far(await around("Quay", { limit: 1 }))).toEqual([["Quay", 0]]);
  const alone = await around("Island");
  expect([far(alone), alone.edges]).toEqual([[["Island", 0]], []]);
});

test.each([{ hops: 0 }, { hops: 3 }, { limit: 0 }, { limit: 201 }])("%j is refused", async (query) => {
  const reply = await owner.refused("GET", `${ENTITIES}/${idOf("Quay")}/neighbours`, { query });
  expect(refusalOf(reply)).toEqual([422, "INVALID_ARGUMENTS"]);
});

describe("shown is only what the reader sees", () => {
  test("an agent's private memories lead further to itself alone", async () => {
    expect(far(await around("Quay", { agent_id: "ada" })).map(([name]) => name)).toContain("Vera Vault");
    const others = JSON.stringify([await around("Quay"), await around("Quay", { agent_id: "bob" })]);
    for (const name of ["Vera Vault", "Zagreb"]) expect(others).not.toContain(name);
  });

  test("what was entered for a fleet shows to that fleet", async () => {
    const red = await holder(app.client, { tenant_id, agent_id: "rita", fleet_id: "red", trust: 1 });
    const blue = await holder(app.client, { tenant_id, agent_id: "bert", fleet_id: "blue", trust: 1 });
    expect(JSON.stringify(await around("Quay", {}, red))).toContain("Redline");
    const found = JSON.stringify(await around("Quay", {}, blue));
    for (const word of ["Redline", idOf("Redline")]) expect(found).not.toContain(word);
    const hidden = await blue.refused("GET", `${ENTITIES}/${idOf("Redline")}/neighbours`);
    expect(refusalOf(hidden)).toEqual([404, "NOT_FOUND"]);
  });

  test("another tenant, and another agent's name, are refused", async () => {
    const acme = app.client.as(viaGateway("acme"));
    const path = `${ENTITIES}/${idOf("Quay")}/neighbours`;
    expect(refusalOf(await acme.refused("GET", path))).toEqual([404, "NOT_FOUND"]);
    expect(refusalOf(await acme.refused("GET", path, { query: { tenant_id } }))).toEqual([403, "TENANT_MISMATCH"]);
    const bert = await holder(app.client, { tenant_id, agent_id: "bert", trust: 1 });
    const reply = await bert.refused("GET", path, { query: { agent_id: "ada" } });
    expect(refusalOf(reply)).toEqual([403, "AGENT_IDENTITY_MISMATCH"]);
  });
});

test("of a hub, the newest rows are looked through and no more", async () => {
  const hub = app.client.as(viaGateway("hub"));
  const [rows, names] = [memoriesApi(hub, "hub"), entitiesApi(hub, "hub")];
  const enterThere = async (canonical_name: string) =>
    (await names.upsert({ entity_type: "concept", canonical_name })).id;
  const [middle, early, late] = [await enterThere("Middle"), await enterThere("Early"), await enterThere("Late")];
  const link = (...entity_ids: string[]) => entity_ids.map((entity_id) => ({ entity_id, role: "topic" }));
  let n = 0;
  const write = (count: number, ...entity_ids: string[]) =>
    rows.bulk(
      Array.from({ length: count }, () => ({
        content: `row number ${++n} of many`,
        entity_links: link(...entity_ids),
      })),
    );
  await write(2, middle, early);
  for (let i = 0; i < 5; i++) await write(100, middle);
  const shown = async () => {
    const { nodes } = await hub.ok(Neighbours, "GET", `${ENTITIES}/${middle}/neighbours`);
    return nodes.map(({ canonical_name, memory_count }) => [canonical_name, memory_count]);
  };
  expect(await shown()).toEqual([["Middle", 502]]);
  await write(2, middle, late);
  expect(await shown()).toEqual([
    ["Middle", 504],
    ["Late", 2],
  ]);
});
