import { expect, test } from "bun:test";
import fc from "fast-check";
import type { JsonValue } from "../../src/core/kernel/json.ts";
import { Memory } from "../../src/core/schema/memory.ts";
import type { CallOptions, Client } from "../support/api/client.ts";
import { ENTITIES, RELATIONS } from "../support/api/entities.ts";
import { aSkill, enableFactory } from "../support/api/skills.ts";
import { isBinary } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";
import { GATEWAY, mint, viaGateway } from "../support/credentials.ts";
import { openApp } from "../support/in-process.ts";

// Two stores that differ only in what their reader may not see answer it alike, whatever it asks.

const RUNS = 12;
const HANG_GUARD_MS = 240_000;
const TENANT_OF_READER = "north";
const SECOND_MS = 1_000;
const ENTITIES_UPSERT = `${ENTITIES}/upsert`;

const NAMES = ["Anna Keller", "Oslo Harbour", "Project Heron", "Bertram Nowak"] as const;
/** The same names as others spell them. */
const SPELLINGS = ["Anna KELLER", "OSLO Harbour", "Project HERON", "Bertram NOWAK"] as const;
const WORDS = ["crane", "painted", "opens", "7351", "cobalt", "budget", "moved", "Friday", "eleven", "quiet"] as const;
const text = fc
  .tuple(
    fc.constantFrom(...NAMES, ...SPELLINGS),
    fc.shuffledSubarray([...WORDS], { minLength: 3, maxLength: 6 }),
    fc.nat(99),
  )
  .map(([name, words, n]) => `${name} noted ${words.join(" ")} in entry ${n}.`);
const kind = fc.constantFrom("memory" as const, "document" as const, "skill" as const, "entity" as const);
const deed = fc.record({
  kind,
  text,
  run_id: fc.constantFrom(undefined, "run-1"),
  isSeen: fc.boolean(),
  whose: fc.nat(2),
});
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

/** A row that contradicts one that its reader sees, and more surely one that it does not. */
const TWICE_CONTRADICTED: Deed[] = [
  { text: "Project Heron noted painted moved quiet Friday in entry 0.", isSeen: false, whose: 1 },
  { text: "Project Heron noted opens Friday painted in entry 0.", isSeen: true, whose: 2 },
  { text: "Project HERON noted painted quiet Friday in entry 1.", isSeen: true, whose: 2 },
].map((one) => ({ kind: "memory", run_id: undefined, ...one }));

/** Owners of rows that the reader, an agent of the fleet blue with trust 1, sees; and of rows that it does not. */
const SEEN = [
  { agent_id: "ada", fleet_id: "blue", visibility: "scope_agent" },
  { agent_id: "bob", fleet_id: "blue", visibility: "scope_team" },
  { agent_id: "bob", fleet_id: "red", visibility: "scope_org" },
] as const;
const UNSEEN = [
  { tenant_id: TENANT_OF_READER, agent_id: "bob", fleet_id: "blue", visibility: "scope_agent" },
  { tenant_id: TENANT_OF_READER, agent_id: "cleo", fleet_id: "red", visibility: "scope_team" },
  { tenant_id: "south", agent_id: "ada", fleet_id: "blue", visibility: "scope_org" },
] as const;

interface Store {
  readonly reader: Client;
  readonly settle: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** What rows are called in both stores, by their ids here. */
  readonly names: Map<string, string>;
}

/** Fills a store: with all rows, or with those alone that its reader sees. */
async function fill(deeds: readonly Deed[], withUnseen: boolean): Promise<Store> {
  const clock = fakeClock();
  const { app, client, settle } = await openApp({ flags: [GATEWAY, "--embedder=hash"], clock });
  await app.services.embedder.ready();
  const owner = (tenant_id: string) => client.as({ ...viaGateway(tenant_id), "X-Org-Role": "admin" });
  for (const tenant_id of [TENANT_OF_READER, "south"]) await enableFactory(owner(tenant_id), {}, tenant_id);
  const agent = { tenant_id: TENANT_OF_READER, agent_id: "ada", fleet_id: "blue", trust: 1 };
  const key = await mint(client, agent);
  const names = new Map<string, string>();
  for (const [i, one] of deeds.entries()) {
    clock.advance(SECOND_MS);
    if (!one.isSeen && !withUnseen) continue;
    const id = await write(owner, one, i);
    if (one.isSeen && id !== null) names.set(id, `row ${i}`);
    await settle();
  }
  clock.advance(SECOND_MS);
  return { reader: client.as({ "X-API-Key": key.raw_key }), settle, stop: () => app.stop(), names };
}

/** Writes one row and returns its id. */
async function write(owner: (tenant_id: string) => Client, one: Deed, i: number): Promise<string | null> {
  const whose = one.isSeen ? { tenant_id: TENANT_OF_READER, ...SEEN[one.whose] } : UNSEEN[one.whose];
  const tenant_id = whose?.tenant_id ?? TENANT_OF_READER;
  const client = owner(tenant_id);
  if (one.kind === "memory") {
    const body = { ...whose, content: one.text, run_id: one.run_id };
    const reply = await client.call("POST", "/api/v1/memories", { body });
    return reply.status === 201 ? Memory.parse(reply.body).id : null;
  }
  if (one.kind === "entity") return await enter(client, tenant_id, one);
  // Documents of its tenant are for every reader; a skill is not before it is approved.
  const isSkill = one.kind === "skill";
  if (!one.isSeen && tenant_id === TENANT_OF_READER && !isSkill) return null;
  const doc_id = `agent/thing-${i}`;
  const data = isSkill ? aSkill(`thing-${i}`, { summary: one.text }) : { summary: one.text, n: i };
  const body = { tenant_id, collection: isSkill ? "skills" : "notes", doc_id, data };
  const reply = await client.call("POST", "/api/v1/documents", { body });
  if (isSkill && one.isSeen) await client.call("POST", `/api/v1/skills-inbox/${encodeURIComponent(doc_id)}/approve`);
  return idOf(reply.body);
}

/**
 * Enters two entities and their relation by hand, for the fleet of the reader or for another, of the same few names, and
 * returns the id of the relation.
 */
async function enter(client: Client, tenant_id: string, { text, isSeen, whose }: Deed): Promise<string | null> {
  const fleet_id = isSeen ? "blue" : "red";
  const aliases = ["Crane", isSeen ? "The Crane of Blue" : "Cobalt", NAMES[whose]];
  const spelt = isSeen ? NAMES : SPELLINGS;
  const entity = (canonical_name: string | undefined, fields: object): Promise<string | null> => {
    const body = { tenant_id, fleet_id, entity_type: isSeen ? "project" : "event", canonical_name, ...fields };
    return client.call("POST", ENTITIES_UPSERT, { body }).then((reply) => idOf(reply.body));
  };
  const from_entity_id = await entity(spelt[text.length % spelt.length], { aliases, attributes: { text } });
  const to_entity_id = await entity(spelt[whose], {});
  const ends = { from_entity_id, relation_type: "beside", to_entity_id };
  const body = { tenant_id, fleet_id, ...ends, weight: isSeen ? 0.25 : 0.75 };
  return idOf((await client.call("POST", RELATIONS, { body })).body);
}

/** Everything that the reader may enter by hand of those names, for its fleet and for none in particular. */
async function enterAsReader({ reader, names }: Store): Promise<JsonValue[]> {
  const replies: JsonValue[] = [];
  const enterOne = async (path: string, body: object): Promise<string | null> => {
    const reply = await reader.call("POST", path, { body });
    const id = idOf(reply.body);
    if (path === RELATIONS && id !== null && !names.has(id)) names.set(id, `relation ${replies.length}`);
    replies.push([reply.status, comparable(reply.body, names)]);
    return id;
  };
  for (const fleet_id of ["blue", undefined]) {
    const ids: (string | null)[] = [];
    for (const canonical_name of SPELLINGS) {
      const body = { fleet_id, entity_type: "concept", canonical_name, aliases: ["Cobalt"], attributes: { of: "ada" } };
      ids.push(await enterOne(ENTITIES_UPSERT, body));
    }
    const ends = (i: number) => ({ from_entity_id: ids[i], relation_type: "beside", to_entity_id: ids[(i + 1) % 4] });
    for (const i of ids.keys()) await enterOne(RELATIONS, { fleet_id, ...ends(i), weight: 0.5 });
  }
  return replies;
}

const idOf = (body: unknown): string | null =>
  typeof body === "object" && body !== null && "id" in body && typeof body.id === "string" ? body.id : null;

const QUESTIONS = ["Anna Keller crane 7351", "who painted cobalt on Friday?", "eleven quiet Project Heron"] as const;

/** Everything that the reader may ask. */
function asked({ names }: Store): readonly (readonly [method: string, path: string, options?: CallOptions])[] {
  const tenant_id = TENANT_OF_READER;
  const body = (query: string) => ({ body: { tenant_id, query, top_k: 20, diagnostic: true } });
  const documents = (query: string) => ({ body: { tenant_id, query, top_k: 20 } });
  const memories = [...names].filter(([, name]) => name.startsWith("row")).map(([id]) => id);
  return [
    ...QUESTIONS.flatMap((query) => [
      ["POST", "/api/v1/search", body(query)] as const,
      ["POST", "/api/v1/recall", body(query)] as const,
      ["POST", "/api/v1/documents/search", documents(query)] as const,
    ]),
    ["GET", "/api/v1/memories"],
    ["GET", "/api/v1/memories", { query: { limit: 2 } }],
    ["GET", "/api/v1/memories/count"],
    ["GET", "/api/v1/memories/stats"],
    ["GET", "/api/v1/memories/stats", { query: { scope: "fleet" } }],
    ["GET", "/api/v1/memories/stats", { query: { scope: "all" } }],
    ["GET", "/api/v1/limits"],
    ["GET", "/api/v1/stats"],
    ["GET", "/api/v1/activity"],
    ["GET", "/api/v1/memories/ages"],
    ["GET", "/api/v1/memories/map"],
    ["GET", "/api/v1/fleets"],
    ["GET", "/api/v1/tenants"],
    ["GET", "/api/v1/entities"],
    ["GET", "/api/v1/entities", { query: { search: "an" } }],
    ["GET", "/api/v1/entities", { query: { entity_type: "event" } }],
    ["GET", "/api/v1/graph"],
    ["GET", "/api/v1/status"],
    ["GET", "/api/v1/documents", { query: { tenant_id, collection: "notes" } }],
    ["GET", "/api/v1/documents", { query: { tenant_id, collection: "skills" } }],
    ["GET", "/api/v1/documents/collections", { query: { tenant_id } }],
    ["POST", "/api/v1/documents/query", { body: { tenant_id, collection: "skills" } }],
    ["POST", "/api/v1/skills/installable", { body: { tenant_id } }],
    ["GET", "/api/v1/keystones", { query: { tenant_id } }],
    ["GET", "/api/v1/tool-descriptions"],
    ["GET", "/api/v1/whoami"],
    ...memories.flatMap((id) => [
      ["GET", `/api/v1/memories/${id}`, { query: { tenant_id } }] as const,
      ["GET", `/api/v1/memories/${id}/contradictions`, { query: { tenant_id } }] as const,
      [
        "POST",
        "/api/v1/search/why-not",
        { body: { tenant_id, query: QUESTIONS[0], memory_id: id, top_k: 1, min_score: 0.02 } },
      ] as const,
    ]),
  ];
}

/** What no two stores have alike. */
const APART = new Set(["took_ms", "ms", "recall_ms", "request_id", "uptime_seconds", "ready_ms"]);

function comparable(value: unknown, names: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === "string") return renamed(value, names);
  if (Array.isArray(value)) return value.map((one) => comparable(one, names));
  if (typeof value !== "object" || value === null) return JSON.parse(JSON.stringify(value ?? null)) as JsonValue;
  const members = Object.entries(value).filter(([name]) => !APART.has(name));
  return Object.fromEntries(
    // A cursor holds the id of the last row.
    members.map(([name, member]) => [name, comparable(name === "next_cursor" ? opened(member) : member, names)]),
  );
}

const opened = (cursor: unknown): unknown =>
  typeof cursor === "string" ? Buffer.from(cursor, "base64").toString() : cursor;

const renamed = (value: string, names: ReadonlyMap<string, string>): string =>
  [...names].reduce((left, [id, name]) => left.replaceAll(id, name), value);

async function told(store: Store): Promise<JsonValue[]> {
  const replies: JsonValue[] = [];
  const { body } = await store.reader.call("GET", "/api/v1/entities");
  const pages = [...JSON.stringify(body).matchAll(/"id":"([^"]+)"/g)].map(
    ([, id]) => ["GET", `/api/v1/entities/${id}`] as const,
  );
  for (const [method, path, options] of [...asked(store), ...pages]) {
    const { status, body } = await store.reader.call(method, path, options);
    replies.push([method, renamed(path, store.names), status, comparable(body, store.names)]);
  }
  return replies;
}

test.skipIf(isBinary)(
  "two stores that differ only in what a reader may not see answer every operation alike",
  async () => {
    const property = fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 14 }), async (deeds) => {
      const whole = await fill(deeds, true);
      const seen = await fill(deeds, false);
      try {
        expect(await told(whole)).toEqual(await told(seen));
        expect(await enterAsReader(whole)).toEqual(await enterAsReader(seen));
        expect(await told(whole)).toEqual(await told(seen));
      } finally {
        await Promise.all([whole.stop(), seen.stop()]);
      }
    });
    await fc.assert(property, { numRuns: RUNS, examples: [[TWICE_CONTRADICTED]] });
  },
  HANG_GUARD_MS,
);
