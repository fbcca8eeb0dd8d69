import * as fc from "fast-check";
import { AppError } from "../../../src/core/kernel/errors.ts";
import { nameKey } from "../../../src/text/names/name-key.ts";
import { aPerson, aThing, naming } from "../../support/names.ts";
import { rowsOf } from "./memory-steps.ts";
import {
  actor,
  bytes,
  everything,
  fleet,
  limit,
  memoryId,
  memoryIds,
  NAMES,
  offset,
  orNull,
  readScope,
  TENANTS,
  tenant,
} from "./pools.ts";
import type { World } from "./world.ts";
import { stepOf } from "./world.ts";

const name = fc.constantFrom(...NAMES);
const keyed = (text: string) => ({ name: text, key: nameKey(text) });
const aliases = fc.uniqueArray(name, { maxLength: 2 }).map((names) => names.map(keyed));
const entityType = fc.constantFrom("unknown", "person", "location");
const attributes = fc.constantFrom(null, { a: 1 }, { b: "x", a: 2 });
const entering = { tenant_id: tenant, fleet_id: orNull(fleet), home: orNull(fleet) };

/** Refuses, as callers may, or does not. */
const guardOf = (refuses: boolean) => () => {
  if (refuses) throw new AppError("FORBIDDEN", "No.");
};

/** Whom a name means to whoever sees everything; an id of nobody where it means none. */
async function idOf(world: World, tenant_id: string, text: string): Promise<string> {
  const { matched } = await world.storage.entities.match(everything(tenant_id), [nameKey(text)], 10);
  return matched[0]?.id ?? "01920000-0000-7000-8000-ffffffffffff";
}

const enter = stepOf(
  "enter entity",
  fc.record({ ...entering, name, entity_type: entityType, attributes, aliases, actor, refuses: fc.boolean() }),
  (world, { name: canonical_name, actor, refuses, ...drawn }) =>
    world.storage.entities.upsert({ ...drawn, canonical_name, key: nameKey(canonical_name) }, actor, guardOf(refuses)),
);

const relate = stepOf(
  "relate",
  fc.record({
    ...entering,
    from: name,
    to: name,
    relation_type: fc.constantFrom("knows", "in"),
    weight: fc.constantFrom(0.5, 1),
    evidence_memory_id: orNull(memoryId),
    actor,
    refuses: fc.boolean(),
  }),
  async (world, { from, to, actor, refuses, ...drawn }) => {
    const from_entity_id = await idOf(world, drawn.tenant_id, from);
    const to_entity_id = await idOf(world, drawn.tenant_id, to);
    return world.storage.entities.relate({ ...drawn, from_entity_id, to_entity_id }, actor, guardOf(refuses));
  },
);

const rename = stepOf(
  "rename",
  fc.record({ readScope, whom: name, name: orNull(name), entity_type: orNull(entityType), aliases, actor }),
  async (world, { readScope: read_scope, whom, name: text, actor, ...drawn }) => {
    const { tenant_id } = read_scope;
    const key = { tenant_id, id: await idOf(world, tenant_id, whom), read_scope };
    return world.storage.entities.rename(
      { ...key, ...drawn, name: text === null ? null : keyed(text), requireFleet: () => {} },
      actor,
    );
  },
);

const merge = stepOf(
  "merge",
  fc.record({ readScope, into: name, from: name, actor }),
  async (world, { readScope: read_scope, into, from, actor }) => {
    const { tenant_id } = read_scope;
    const id = await idOf(world, tenant_id, into);
    const from_id = await idOf(world, tenant_id, from);
    if (id === from_id) return null;
    const whom = { tenant_id, id, from_id, read_scope, requireFleet: () => {}, requireFit: () => {} };
    return world.storage.entities.merge(whom, actor);
  },
);

const thing = fc.tuple(name, entityType, fc.constantFrom("mentioned", "subject"), fc.boolean());
const link = stepOf(
  "link",
  fc.record({
    tenant_id: tenant,
    rows: fc.array(
      fc.record({ id: memoryId, things: fc.array(thing, { maxLength: 3 }), same: fc.boolean(), stale: fc.boolean() }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  async (world, { tenant_id, rows }) => {
    const stored = new Map((await rowsOf(world, tenant_id)).map((row) => [row.id, row]));
    const names = rows.flatMap(({ id, things, same, stale }) => {
      const row = stored.get(id);
      if (!row) return [];
      const named = things.map(([text, entity_type, role, sure]) =>
        text === "Anna Keller" ? aPerson(text) : aThing(text, { entity_type, role, sure }),
      );
      const whole = naming(row, named, same ? [{ alias: "AK", alias_key: "ak", key: "annakeller" }] : []);
      return [stale ? { ...whole, content_hash: "another" } : whole];
    });
    await world.storage.entities.link(tenant_id, [...new Map(names.map((one) => [one.id, one])).values()]);
  },
);

const eraseOrphans = stepOf("erase orphaned names", fc.constant(0), async (world, begin) => {
  for (let after: number | null = begin, left = 20; after !== null && left > 0; left--)
    after = await world.storage.entities.deleteOrphanedNames(after);
});

export const entitySteps = fc.oneof(
  { arbitrary: enter, weight: 4 },
  { arbitrary: relate, weight: 3 },
  { arbitrary: rename, weight: 2 },
  { arbitrary: merge, weight: 2 },
  { arbitrary: link, weight: 6 },
  { arbitrary: eraseOrphans, weight: 1 },
);

const listing = fc.record(
  {
    read_scope: readScope,
    offset,
    limit,
    bytes,
    fleet_id: fleet,
    entity_type: entityType,
    search: fc.constantFrom("rom", "a", "%", "_", "ö", ""),
  },
  { requiredKeys: ["read_scope", "offset", "limit", "bytes"] },
);
const list = stepOf("list entities", listing, (world, drawn) => world.storage.entities.list(drawn));
const graph = stepOf("graph", listing, (world, drawn) => world.storage.entities.graph(drawn));
const get = stepOf("get entity", fc.record({ readScope, name }), async (world, drawn) => {
  const { tenant_id } = drawn.readScope;
  const id = await idOf(world, tenant_id, drawn.name);
  return [
    await world.storage.entities.get({ tenant_id, id }, drawn.readScope),
    await world.storage.entities.describe(drawn.readScope, { ids: [id, id], bytes: 30 }),
  ];
});
const around = stepOf(
  "around",
  fc.record({ readScope, name, hops: fc.constantFrom(1, 2), limit: fc.constantFrom(10, 2), bytes }),
  async (world, { readScope: scope, name: text, ...bounds }) =>
    world.storage.entities.around(
      { tenant_id: scope.tenant_id, id: await idOf(world, scope.tenant_id, text) },
      scope,
      bounds,
    ),
);
const match = stepOf(
  "match",
  fc.record({ readScope, names: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }), limit }),
  (world, drawn) => world.storage.entities.match(drawn.readScope, drawn.names.map(nameKey), drawn.limit),
);
const neighbours = stepOf(
  "neighbours",
  fc.record({
    readScope,
    visibility: fc.constantFrom("scope_team", "scope_org", "scope_agent"),
    key: fc.constantFrom("romee", "annakeler"),
  }),
  (world, { readScope: { tenant_id, agent_id }, visibility, key }) =>
    world.storage.entities.neighbours({ tenant_id, visibility, fleet_id: null, agent_id: agent_id ?? "ada" }, [
      { key, parts: [key.slice(0, 3), key.slice(3)] },
    ]),
);
const described = stepOf("describe links", fc.record({ readScope, ids: memoryIds, bytes }), async (world, drawn) => {
  const rows = await rowsOf(world, drawn.readScope.tenant_id, drawn.ids);
  const ids = rows.flatMap(({ entity_links }) => entity_links.map(({ entity_id }) => entity_id));
  return world.storage.entities.describe(drawn.readScope, { ids, bytes: drawn.bytes });
});

export const entityQuestions = fc.oneof(
  { arbitrary: list, weight: 4 },
  { arbitrary: graph, weight: 2 },
  { arbitrary: get, weight: 2 },
  { arbitrary: around, weight: 2 },
  { arbitrary: match, weight: 2 },
  neighbours,
  described,
);

/** All entities, as somebody sees them who reads every fleet. */
export const allOfEntities = (world: World): Promise<unknown> =>
  Promise.all(
    TENANTS.map((tenant_id) =>
      world.storage.entities.graph({
        read_scope: everything(tenant_id, "ada"),
        offset: 0,
        limit: 100,
        bytes: 1_000_000,
      }),
    ),
  );
