import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { AppError } from "../../../src/core/kernel/errors.ts";
import { type CauraSource, readCaura } from "../../../src/formats/foreign/caura/read.ts";
import { entitiesApi } from "../../support/api/entities.ts";
import { aMemory, TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { openApp } from "../../support/in-process.ts";
import { checked } from "../../support/memory-source.ts";

const clock = fakeClock();
const { app, client, settle } = await openApp({ clock });
const { url } = app.listen();

/** Stands before the server: answers as `instead` says, and relays where it says nothing. */
let instead: (request: Request, path: string) => Response | null = () => null;
const asked: string[] = [];
const front = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    const path = request.url.slice(new URL(request.url).origin.length);
    asked.push(path);
    return instead(request, path) ?? fetch(`${url}${path}`, { headers: request.headers });
  },
});
const address = `http://127.0.0.1:${front.port}`;
afterAll(async () => {
  await front.stop(true);
  await app.stop();
});
afterEach(() => {
  instead = () => null;
  asked.length = 0;
});

const waited: number[] = [];
const read = (more: Partial<CauraSource> = {}) =>
  checked(
    readCaura({
      url: address,
      key: null,
      fetch,
      page_size: 3,
      wait: async (ms) => {
        waited.push(ms);
      },
      ...more,
    }),
  );

const post = async (path: string, body: Record<string, unknown>): Promise<void> => {
  clock.advance(60_000);
  const reply = await client.call("POST", path, { body: { tenant_id: TENANT, ...body } });
  expect(reply.status).toBeLessThan(300);
};
const write = (content: string, fields: Record<string, unknown> = {}) =>
  post("/api/v1/memories", aMemory({ content, agent_id: "ada", ...fields }));

const NAMES = ["Ana Lima", "Lima Bakery", "Porto", "Sofia Reis", "Reis Mill"];

beforeAll(async () => {
  for (let i = 1; i <= 8; i++)
    await write(`Report ${i}: the stove was lit at ${i} in the morning`, { run_id: "r", tags: ["log"] });
  await write("Ada alone knows where the spare key lies", { visibility: "scope_agent" });
  await write("Bo likes his bread dark and salty", { agent_id: "bo", visibility: "scope_agent" });
  await write("Bo has told all that the oven leaks", { agent_id: "bo", metadata: { from: "call" } });
  const entities = entitiesApi(client);
  const ids: string[] = [];
  for (const canonical_name of NAMES)
    ids.push((await entities.upsert({ entity_type: "person", canonical_name, attributes: { known: "yes" } })).id);
  for (const [from, to] of [
    [0, 1],
    [3, 4],
    [0, 4],
  ] as const)
    await entities.relate({ from_entity_id: ids[from], relation_type: "works_at", to_entity_id: ids[to] });
  for (let i = 1; i <= 4; i++)
    await post("/api/v1/documents", { collection: "notes", doc_id: `n${i}`, data: { summary: `Note ${i}` } });
  await post("/api/v1/keystones", {
    doc_id: "be-kind",
    title: "Be kind",
    content: "Greet everybody.",
    scope: "tenant",
    weight: "high",
  });
  await post("/api/v1/documents", {
    collection: "skills",
    doc_id: "bake",
    data: {
      slug: "bake",
      name: "Bake",
      description: "Bakes bread",
      content: "# Bake",
      kind: "create",
      domain: "kitchen",
      source: "agent",
    },
  });
  await settle();
});

test("everything of a tenant, what others refer to first, memories in the order of time, private ones among them", async () => {
  const { records, memories, faults } = await read();
  expect(faults).toEqual([]);
  const kinds = records.map(({ record }) => record).filter((kind, i, all) => kind !== all[i - 1]);
  expect(kinds).toEqual(["agent", "entity", "relation", "keystone", "document", "skill", "memory"]);
  expect(memories.length).toBe(11);
  const times = memories.map(({ created_at }) => created_at ?? "");
  expect(times).toEqual(times.toSorted());
  expect(memories.filter(({ visibility }) => visibility === "scope_agent").map(({ agent_id }) => agent_id)).toEqual([
    "ada",
    "bo",
  ]);
  expect(memories[0]).toMatchObject({
    content: "Report 1: the stove was lit at 1 in the morning",
    agent_id: "ada",
    run_id: "r",
    memory_type: expect.any(String),
    metadata: { tags: ["log"], imported_from: { format: "caura", tenant_id: TENANT } },
  });
  expect(memories.at(-1)?.metadata).toMatchObject({ from: "call" });
});

test("ids are kept, documents whole, relations found across pages", async () => {
  const { records, memories } = await read();
  const listed = await client.call("GET", "/api/v1/memories", { query: { tenant_id: TENANT, limit: 500 } });
  expect(listed.body).toMatchObject({
    items: memories
      .filter((one) => one.visibility !== "scope_agent")
      .toReversed()
      .map(({ id }) => ({ id })),
  });
  const names = records.flatMap((one) =>
    one.record === "entity" && one.entries.length > 0 ? [one.canonical_name] : [],
  );
  expect(names.toSorted()).toEqual(NAMES.toSorted());
  expect(records.filter(({ record }) => record === "relation").length).toBe(3);
  expect(records.flatMap((one) => (one.record === "document" ? [one.doc_id] : [])).toSorted()).toEqual([
    "n1",
    "n2",
    "n3",
    "n4",
  ]);
  expect(records.find(({ record }) => record === "keystone")).toMatchObject({
    doc_id: "be-kind",
    data: { weight: 100, scope: "tenant" },
  });
});

test("pages of any size give the same; one page is asked for once", async () => {
  const whole = await read({ page_size: 500, url: `${address}/api/v1/` });
  const pages = asked.filter((path) => path.startsWith("/api/v1/memories?") && !path.includes("agent_id"));
  expect(pages.length).toBe(1);
  const byId = (records: readonly object[]) => records.map((one) => JSON.stringify(one)).toSorted();
  expect(byId((await read({ page_size: 1 })).records)).toEqual(byId(whole.records));
});

test("a page in the middle that fails is asked for again, as late as the server says", async () => {
  const failures = [
    () =>
      Response.json(
        { error: { code: "RATE_LIMITED", message: "Later." } },
        { status: 429, headers: { "Retry-After": "7" } },
      ),
    () => new Response("<html>", { status: 502 }),
  ];
  waited.length = 0;
  instead = (_, path) => (/\/memories\?.*cursor=/.test(path) ? (failures.shift()?.() ?? null) : null);
  const { memories, faults } = await read();
  expect(faults).toEqual([]);
  expect(memories.length).toBe(11);
  expect(waited).toEqual([7_000, 2_000]);
});

test("a page that fails for good ends it with what to do; what came before it was handed on", async () => {
  let pages = 0;
  instead = (_, path) => (/\/memories\?.*cursor=/.test(path) && ++pages > 5 ? new Response("", { status: 503 }) : null);
  let handed = 0;
  const failure = await (async () => {
    for await (const line of readCaura({ url: address, key: null, fetch, page_size: 2, wait: async () => {} }))
      if ("record" in line && line.record.record === "memory") handed++;
  })().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AppError);
  expect(failure).toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringMatching(/memories answered 503, 6 times.*repeat the import/),
  });
  expect(handed).toBeGreaterThan(0);
});

test("what the key may not read is one fault, the rest is read", async () => {
  instead = (_, path) =>
    /\/(?:agents|entities)\?/.test(path)
      ? Response.json({ error: { code: "FORBIDDEN", message: "Not for you." } }, { status: 403 })
      : null;
  const { memories, faults } = await read();
  expect(faults).toEqual([
    `${address}/api/v1/agents:1: ${address}/api/v1/agents answered 403: Not for you.`,
    `${address}/api/v1/entities:1: ${address}/api/v1/entities answered 403: Not for you.`,
  ]);
  expect(memories.length).toBe(9);
});

test("a row of another shape is a fault with its number", async () => {
  instead = (_, path) =>
    path.startsWith("/api/v1/memories?") && !path.includes("agent_id")
      ? Response.json({
          items: [{ id: "x" }, { id: "0190b7a2-0000-7000-8000-000000000000", content: "It is whole, at least" }],
          next_cursor: null,
        })
      : null;
  const { memories, faults } = await read();
  expect(faults).toEqual([expect.stringMatching(/memories:2: id: .*; content: /)]);
  expect(memories.map(({ content }) => content)).toContain("It is whole, at least");
});

const refusedWith = async (more: Partial<CauraSource>) => {
  const failure = await read(more).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AppError);
  return failure;
};

test("a refused key, a page of the web, a list that goes round and no address are told apart", async () => {
  let sent: string | null = null;
  instead = (request) => {
    sent = request.headers.get("x-api-key");
    return Response.json({ error: { code: "INVALID_API_KEY", message: "The key is unknown." } }, { status: 401 });
  };
  expect(await refusedWith({ key: "k" })).toMatchObject({
    code: "UNAUTHORIZED",
    message: expect.stringContaining("The key is unknown."),
  });
  expect(String(sent)).toBe("k");
  instead = () => new Response("<html>Hello</html>");
  expect(await refusedWith({})).toMatchObject({
    code: "BAD_REQUEST",
    message: expect.stringContaining("does not answer as Caura"),
  });
  instead = () => new Response("", { status: 302, headers: { Location: `${url}/elsewhere` } });
  expect(await refusedWith({})).toMatchObject({
    code: "BAD_REQUEST",
    message: expect.stringContaining(`leads to ${url}/elsewhere`),
  });
  expect(asked.filter((path) => path === "/elsewhere")).toEqual([]);
  instead = (_, path) =>
    path.startsWith("/api/v1/memories?") ? Response.json({ items: [{}], next_cursor: "same" }) : null;
  expect(await refusedWith({})).toMatchObject({ message: expect.stringContaining("the same page again and again") });
  for (const wrong of ["notes.json", "ftp://127.0.0.1", "http://me:secret@127.0.0.1"])
    expect(await refusedWith({ url: wrong })).toMatchObject({ code: "BAD_REQUEST" });
  expect(await refusedWith({ url: "http://127.0.0.1:1" })).toMatchObject({ code: "UNAVAILABLE" });
});
