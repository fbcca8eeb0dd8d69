import { afterAll, describe, expect, test } from "bun:test";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { aMemory } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);

const HELP = "Write a whole statement, such as 'User: likes tea'.";

/** What each fault of a single write is called, where it is, and what was sent. */
const FAULTS: readonly (readonly [name: string, fields: Record<string, unknown>, issue: Record<string, unknown>])[] = [
  ["no content", { content: undefined }, { loc: ["body", "content"], type: "missing", msg: "Field required" }],
  [
    "content of nine characters",
    { content: "  too short  ".replace("short", "few") },
    {
      loc: ["body", "content"],
      type: "string_too_small",
      msg: `Memory content too short (minimum 10 characters): it has 7. ${HELP}`,
      ctx: { minimum: 10 },
    },
  ],
  [
    "content of 10,001 characters",
    { content: "x".repeat(10_001) },
    { loc: ["body", "content"], type: "string_too_big", input: `${"x".repeat(197)}...`, ctx: { maximum: 10_000 } },
  ],
  ["blank content", { content: "            " }, { loc: ["body", "content"], type: "string_too_small" }],
  ["content that is no text", { content: 42 }, { loc: ["body", "content"], type: "string_type", input: 42 }],
  ["null content", { content: null }, { loc: ["body", "content"], type: "string_type", input: null }],
  [
    "a weight above one",
    { weight: 1.5 },
    { loc: ["body", "weight"], type: "number_too_big", input: 1.5, ctx: { maximum: 1 } },
  ],
  [
    "a weight below zero",
    { weight: -0.1 },
    { loc: ["body", "weight"], type: "number_too_small", input: -0.1, ctx: { minimum: 0 } },
  ],
  ["a weight in words", { weight: "0.5" }, { loc: ["body", "weight"], type: "number_type", input: "0.5" }],
  ["an unknown type", { memory_type: "rumour" }, { loc: ["body", "memory_type"], type: "enum", input: "rumour" }],
  ...["outcome", "rule", "insight"].map(
    (memory_type) =>
      [
        `the reserved type ${memory_type}`,
        { memory_type },
        { loc: ["body", "memory_type"], type: "value_error", input: memory_type },
      ] as const,
  ),
  ["an unknown status", { status: "gone" }, { loc: ["body", "status"], type: "enum", input: "gone" }],
  ["a birth as deleted", { status: "deleted" }, { loc: ["body", "status"], type: "enum", input: "deleted" }],
  ["an unknown visibility", { visibility: "all" }, { loc: ["body", "visibility"], type: "enum", input: "all" }],
  ["an empty agent", { agent_id: " " }, { loc: ["body", "agent_id"], type: "string_too_small" }],
  ["metadata that is a list", { metadata: [1] }, { loc: ["body", "metadata"], type: "record_type", input: [1] }],
  ["tags that are a text", { tags: "a,b" }, { loc: ["body", "tags"], type: "array_type", input: "a,b" }],
  [
    "a link to no entity",
    { entity_links: [{ entity_id: "7", role: "subject" }] },
    { loc: ["body", "entity_links", "0", "entity_id"], type: "uuid_format", input: "7" },
  ],
  [
    "a moment in words",
    { expires_at: "tomorrow" },
    { loc: ["body", "expires_at"], type: "value_error", input: "tomorrow" },
  ],
  [
    "a day that does not exist",
    { ts_valid_start: "2026-02-30" },
    { loc: ["body", "ts_valid_start"], type: "value_error", input: "2026-02-30" },
  ],
];

describe("a write is refused with 422, and nothing is stored, for", () => {
  test.each(FAULTS)("%s", async (_, fields, issue) => {
    const before = await api.count();
    const { status, body } = await client.refused("POST", MEMORIES, { body: aMemory(fields) });
    expect([status, body.error.code]).toEqual([422, "INVALID_ARGUMENTS"]);
    expect(body.detail).toHaveLength(1);
    expect(body.detail[0]).toMatchObject(issue);
    expect(body.detail[0]).toHaveProperty("input");
    expect(await api.count()).toBe(before);
  });

  test("several faults at once, each named", async () => {
    const { body } = await client.refused("POST", MEMORIES, { body: aMemory({ content: 1, weight: 2, status: 3 }) });
    const places = Array.isArray(body.detail) ? body.detail.map(({ loc }) => loc.join(".")) : [];
    expect(places.sort()).toEqual(["body.content", "body.status", "body.weight"]);
    expect(body.error.message.split("; ")).toHaveLength(3);
  });
});

test("values that may be set are listed in the context of a refused one", async () => {
  const { body } = await client.refused("POST", MEMORIES, { body: aMemory({ visibility: "all" }) });
  expect(body.detail[0]).toMatchObject({ ctx: { expected: ["scope_agent", "scope_team", "scope_org"] } });
});

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const bodyWith = (metadata: string): string =>
  `{"tenant_id":"default","content":"a body with odd metadata","metadata":${metadata}}`;

describe("a body that is no sound JSON object is refused with 422:", () => {
  test.each([
    ["none at all", undefined, { type: "missing", loc: ["body"] }],
    ["an empty one", "", { type: "missing", loc: ["body"] }],
    ["half a body", '{"tenant_id":', { type: "json_invalid", loc: ["body"] }],
    ["a list", "[]", { type: "object_type", loc: ["body"] }],
    ["null", "null", { type: "object_type", loc: ["body"] }],
    ["bytes that are no UTF-8", Uint8Array.of(0x7b, 0xff, 0x7d), { type: "json_invalid", loc: ["body"] }],
    ["a NUL character", bodyWith('{"a":"\\u0000"}'), { loc: ["body", "metadata", "a"] }],
    ["half a surrogate pair", bodyWith('{"a":"\\ud800"}'), { loc: ["body", "metadata", "a"] }],
    ["a number beyond doubles", bodyWith('{"a":[0,1e999]}'), { loc: ["body", "metadata", "a", "1"] }],
    ["a __proto__ key", bodyWith('{"__proto__":{"admin":true}}'), { loc: ["body", "metadata", "__proto__"] }],
    ["65 levels", bodyWith(nested(64)), { type: "value_error" }],
  ])("%s", async (_, raw, issue) => {
    const before = await api.count();
    const { status, body } = await client.refused("POST", MEMORIES, { raw });
    expect([status, body.error.code]).toEqual([422, "INVALID_ARGUMENTS"]);
    expect(body.detail[0]).toMatchObject(issue);
    expect(await api.count()).toBe(before);
  });

  test("while 64 levels are stored as they came", async () => {
    const { body } = await client.call("POST", MEMORIES, { raw: bodyWith(nested(63)) });
    expect(body).toMatchObject({ metadata: JSON.parse(nested(63)) });
  });
});

test("a body above 4 MiB is refused with 413 in the envelope", async () => {
  const { status, body } = await client.refused("POST", MEMORIES, {
    raw: bodyWith(`"${"x".repeat(4 * 1024 * 1024)}"`),
  });
  expect([status, body.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  expect(body.error.details).toEqual({ limit_bytes: 4 * 1024 * 1024 });
});

test("a write for another tenant is refused with 403 and stores nothing", async () => {
  const content = "This belongs to somebody else entirely.";
  const { status, body } = await client.refused("POST", MEMORIES, { body: aMemory({ tenant_id: "other", content }) });
  expect([status, body.error.code]).toEqual([403, "TENANT_MISMATCH"]);
  expect(JSON.stringify(await api.list({ limit: 500 }))).not.toContain(content);
});

test("a text too short for a change of content is told how many characters it has, and what helps", async () => {
  const { id, content } = await api.write();
  const { body } = await client.refused("PATCH", `${MEMORIES}/${id}`, { body: { content: " eight ch " } });
  expect(body.error.message).toBe(`Memory content too short (minimum 10 characters): it has 8. ${HELP}`);
  expect((await api.get(id)).content).toBe(content);
});
