import { afterAll, describe, expect, test } from "bun:test";
import { Entity } from "../../../src/core/schema/entity.ts";
import { Memory } from "../../../src/core/schema/memory.ts";
import { operations } from "../../../src/http/routes/all.ts";
import type { CallOptions, Client } from "../../support/api/client.ts";
import { entitiesApi } from "../../support/api/entities.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp, temporaryFolder } from "../../support/app.ts";
import { aMemory, aStatement, TENANT } from "../../support/builders.ts";
import { GATEWAY, holder, refusalOf, viaGateway } from "../../support/credentials.ts";

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);
const entities = entitiesApi(client);

const BULK = `${MEMORIES}/bulk`;
let keys = 0;
const aKey = (): string => `key ${++keys}`;
const keyed = (key: string, body: unknown): CallOptions => ({ body, headers: { "Idempotency-Key": key } });
const REPLAYED = "Idempotency-Replayed";

/** Every POST that writes and honours the key: its path, a body, and the status of its first success. */
const WRITES: readonly (readonly [path: string, aBody: () => Promise<unknown>, status: number])[] = [
  [MEMORIES, async () => aMemory(), 201],
  [BULK, async () => ({ tenant_id: TENANT, items: [{ content: aStatement() }, { content: aStatement() }] }), 200],
  [BULK, async () => ({ tenant_id: TENANT, items: [{ content: aStatement() }, { content: "short" }] }), 207],
  [
    "/api/v1/evolve/report",
    async () => ({ tenant_id: TENANT, outcome: aStatement(), outcome_type: "success", agent_id: "ada" }),
    200,
  ],
  [`${MEMORIES}/bulk-delete`, async () => ({ tenant_id: TENANT, ids: [(await api.write()).id] }), 200],
  [
    "/api/v1/documents",
    async () => ({ tenant_id: TENANT, collection: "notes", doc_id: aKey(), data: { summary: aStatement() } }),
    200,
  ],
  [
    "/api/v1/entities/upsert",
    async () => ({ tenant_id: TENANT, entity_type: "concept", canonical_name: `Thing ${++keys}` }),
    200,
  ],
  [
    "/api/v1/relations/upsert",
    async () => {
      const { id } = await entities.upsert({ entity_type: "concept", canonical_name: `Thing ${++keys}` });
      return { tenant_id: TENANT, from_entity_id: id, relation_type: "is", to_entity_id: id };
    },
    200,
  ],
  [
    "/api/v1/keystones",
    async () => {
      const [title, content] = [aStatement(), aStatement()];
      return { tenant_id: TENANT, doc_id: `rule-${++keys}`, title, content, scope: "tenant", weight: "low" };
    },
    200,
  ],
  [
    "/api/v1/keystone-proposals",
    async () => {
      const rule = { title: aStatement(), content: aStatement(), scope: "tenant", weight: "low" };
      return { tenant_id: TENANT, doc_id: `rule-${++keys}`, rule };
    },
    202,
  ],
  ["/api/v1/entities/upsert", async () => anEntity(), 200],
  [
    "/api/v1/relations/upsert",
    async () => {
      const [from, to] = [await entityId(), await entityId()];
      return { tenant_id: TENANT, from_entity_id: from, relation_type: "uses", to_entity_id: to };
    },
    200,
  ],
];

const anEntity = () => ({ tenant_id: TENANT, entity_type: "project", canonical_name: `Project ${++keys}` });
const entityId = async (): Promise<string> =>
  (await client.ok(Entity, "POST", "/api/v1/entities/upsert", { body: anEntity() })).id;

/** Those that act on a skill in the inbox, a rule, on what was found or on what was deleted, need one there. */
const ACTIONS = [
  "/api/v1/keystones/{doc_id}/lock",
  "/api/v1/keystone-proposals/{doc_id}/accept",
  "/api/v1/keystone-proposals/{doc_id}/dismiss",
  ...["approve", "defer", "edit", "quarantine", "reject"].map((action) => `/api/v1/skills-inbox/{slug}/${action}`),
  "/api/v1/skills/approve",
  "/api/v1/conflicts/review",
  "/api/v1/entities/{entity_id}/merge",
  "/api/v1/memories/restore",
  "/api/v1/memories/told",
  "/api/v1/memories/{memory_id}/correct",
  "/api/v1/memories/{memory_id}/restore",
  "/api/v1/memories/{memory_id}/texts/{text_id}/restore",
];

test("every POST that writes can be repeated, but for keys: a kept reply would keep the key", () => {
  const repeatable = operations.filter(({ idempotent }) => idempotent === true).map(({ path }) => path);
  expect(repeatable.sort()).toEqual([...new Set([...WRITES.map(([path]) => path), ...ACTIONS])].sort());
  const others = operations.filter(({ method, idempotent }) => method === "POST" && idempotent !== true);
  expect(others.map(({ id }) => id).sort()).toEqual([
    "aliasProject",
    "beginBackup",
    "beginIntegrityRun",
    "changeModel",
    "createKey",
    "fanOutLifecycle",
    "forget",
    "importRecords",
    "installableSkills",
    "mergeProjects",
    "moveMemories",
    "queryDocuments",
    "rebuildIndexes",
    "recallMemories",
    "renameProject",
    "resolveProject",
    "restoreSnapshot",
    "searchDocuments",
    "searchMemories",
    "settleProject",
    "submitInterview",
    "takeSnapshot",
    "triggerLifecycle",
    "trustProject",
    "whyNot",
  ]);
});

describe.each(WRITES)("a repeated POST %s", (path, aBody, expected) => {
  test("answers the same status and body again, says so, and writes once", async () => {
    const options = keyed(aKey(), await aBody());
    const first = await client.call("POST", path, options);
    const stored = await api.stats({ include_deleted: true });
    const again = await client.call("POST", path, options);
    expect([first.status, first.headers.get(REPLAYED)]).toEqual([expected, null]);
    expect([again.status, again.headers.get(REPLAYED)]).toEqual([expected, "true"]);
    expect(again.body).toEqual(first.body);
    expect(await api.stats({ include_deleted: true })).toEqual(stored);
  });

  test("of twenty at once runs once; all get its reply", async () => {
    const options = keyed(aKey(), await aBody());
    const replies = await Promise.all(Array.from({ length: 20 }, () => client.call("POST", path, options)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => expected));
    for (const { body } of replies) expect(body).toEqual(replies[0]?.body);
    expect(replies.filter(({ headers }) => headers.get(REPLAYED) === null)).toHaveLength(1);
  });

  test("with another body is refused with 422 and changes nothing", async () => {
    const key = aKey();
    await client.call("POST", path, keyed(key, await aBody()));
    const other = await aBody();
    const before = await api.count();
    const reply = await client.refused("POST", path, keyed(key, other));
    expect(refusalOf(reply)).toEqual([422, "INVALID_ARGUMENTS"]);
    expect<unknown>(reply.body.detail).toMatchObject([{ loc: ["header", "idempotency-key"] }]);
    expect(await api.count()).toBe(before);
  });

  test("with a blank or overlong key is refused with 400", async () => {
    for (const key of [" ", "k".repeat(256)]) {
      expect(refusalOf(await client.refused("POST", path, keyed(key, await aBody())))).toEqual([400, "BAD_REQUEST"]);
    }
    expect((await client.call("POST", path, keyed(`${aKey()} ${"k".repeat(200)}`, await aBody()))).status).toBe(
      expected,
    );
  });
});

test("the order of the keys and the spaces between them make no other request", async () => {
  const [key, content] = [aKey(), aStatement()];
  const raw = [
    `{"tenant_id":"default","content":"${content}","metadata":{"a":1,"b":{"c":2,"d":3}}}`,
    ` { "metadata": {"b":{"d":3.0,"c":2},"a":1}, "content":"${content}", "tenant_id":"default" } `,
  ];
  const ids = [];
  for (const one of raw) {
    const { body } = await client.call("POST", MEMORIES, { raw: one, headers: { "Idempotency-Key": key } });
    ids.push(Memory.parse(body).id);
  }
  expect(new Set(ids).size).toBe(1);
});

test("a key used on one path is not free on another", async () => {
  const key = aKey();
  await client.call("POST", MEMORIES, keyed(key, aMemory()));
  const body = { tenant_id: TENANT, items: [{ content: aStatement() }] };
  expect(refusalOf(await client.refused("POST", BULK, keyed(key, body)))).toEqual([422, "INVALID_ARGUMENTS"]);
});

describe("a failure gives the key back at once:", () => {
  const FAULTS: readonly (readonly [name: string, body: () => Promise<unknown>, status: number])[] = [
    ["a malformed body", async () => aMemory({ content: 7 }), 422],
    ["a foreign tenant", async () => aMemory({ tenant_id: "other" }), 403],
    ["a duplicate", async () => aMemory({ content: (await api.write()).content }), 409],
  ];
  test.each(FAULTS)("%s", async (_, aBody, status) => {
    const key = aKey();
    const body = await aBody();
    for (let i = 0; i < 2; i++) {
      const reply = await client.refused("POST", MEMORIES, keyed(key, body));
      expect([reply.status, reply.headers.get(REPLAYED)]).toEqual([status, null]);
    }
    expect((await client.call("POST", MEMORIES, keyed(key, aMemory()))).status).toBe(201);
  });

  test("a full tenant, once there is room", async () => {
    const small = await startApp({ flags: ["--memories-limit=1"] });
    const theirs = memoriesApi(small.client);
    const { id } = await theirs.write();
    const options = keyed("one", aMemory());
    expect(refusalOf(await small.client.refused("POST", MEMORIES, options))).toEqual([403, "PLAN_LIMIT_READ_ONLY"]);
    await theirs.remove(id);
    expect((await small.client.call("POST", MEMORIES, options)).status).toBe(201);
    await small.stop();
  });
});

describe("a key belongs to", () => {
  test("its tenant: another one may use it for itself", async () => {
    const key = aKey();
    const content = aStatement();
    await client.call("POST", MEMORIES, keyed(key, aMemory({ content })));
    const acme = client.as(viaGateway("acme"));
    const { status, headers, body } = await acme.call(
      "POST",
      MEMORIES,
      keyed(key, aMemory({ tenant_id: "acme", content })),
    );
    expect([status, headers.get(REPLAYED)]).toEqual([201, null]);
    expect(Memory.parse(body).tenant_id).toBe("acme");
  });

  test("its agent: another one's write is never answered with it, and never lost in silence", async () => {
    const [ada, bob] = [await holder(client, { agent_id: "ada" }), await holder(client, { agent_id: "bob" })];
    const options = keyed(aKey(), { tenant_id: TENANT, content: aStatement(), visibility: "scope_agent" });
    const first = Memory.parse((await ada.call("POST", MEMORIES, options)).body);
    const { status, headers, body } = await bob.call("POST", MEMORIES, options);
    expect([status, headers.get(REPLAYED)]).toEqual([201, null]);
    expect(Memory.parse(body)).toMatchObject({ agent_id: "bob", content: first.content });
    expect(Memory.parse(body).id).not.toBe(first.id);
  });

  test("nobody who is not let in", async () => {
    const options = keyed(aKey(), aMemory());
    await client.call("POST", MEMORIES, options);
    const stranger = client.as({ "X-API-Key": `mc_${"x".repeat(43)}` });
    expect(refusalOf(await stranger.refused("POST", MEMORIES, options))).toEqual([401, "INVALID_API_KEY"]);
  });
});

describe("a dry run", () => {
  const dryRun = (fields: Readonly<Record<string, unknown>> = {}) => aMemory({ persist: false, ...fields });

  test("answers 201 with the memory it would store, and stores nothing", async () => {
    const body = dryRun({ agent_id: "a dry runner", memory_type: "task" });
    const before = await api.stats({ include_deleted: true });
    const reply = await client.call("POST", MEMORIES, { body });
    expect([reply.status, reply.body]).toMatchObject([201, { content: body.content, memory_type: "task" }]);
    expect(await api.stats({ include_deleted: true })).toEqual(before);
    const { id } = Memory.parse(reply.body);
    expect((await client.call("GET", `${MEMORIES}/${id}`, { query: { tenant_id: TENANT } })).status).toBe(404);
    const agent = await client.call("GET", "/api/v1/agents/a%20dry%20runner");
    expect(agent.status).toBe(404);
  });

  test("is checked as a write is, and leaves its place to one", async () => {
    const body = dryRun();
    expect((await client.refused("POST", MEMORIES, { body: { ...body, weight: 7 } })).status).toBe(422);
    await client.call("POST", MEMORIES, { body });
    expect((await client.call("POST", MEMORIES, { body: { ...body, persist: true } })).status).toBe(201);
  });
});

test("a kept reply outlives the process that gave it", async () => {
  const folder = temporaryFolder();
  const options = keyed("across a restart", aMemory());
  const answered = async (of: Client) => (await of.call("POST", MEMORIES, options)).body;
  const first = await startApp({ folder: folder.path });
  const before = await answered(first.client);
  await first.stop();
  const second = await startApp({ folder: folder.path });
  expect(await answered(second.client)).toEqual(before);
  await second.stop();
  folder.remove();
});
