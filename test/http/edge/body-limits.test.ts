import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BulkResult } from "../../../src/core/schema/memory.ts";
import { ValidationProblem } from "../../../src/core/schema/problem.ts";
import type { Client } from "../../support/api/client.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import type { TestApp } from "../../support/app.ts";
import { startApp } from "../../support/app.ts";
import { aMemory, TENANT } from "../../support/builders.ts";

const ENTITIES = "/api/v1/entities/upsert";
const DOCUMENTS = "/api/v1/documents";
let app: TestApp;
let client: Client;
beforeAll(async () => {
  app = await startApp();
  ({ client } = app);
});
afterAll(() => app.stop());

/** Many small values in few bytes. */
const crowd = (count: number) => Array.from({ length: count }, () => ({}));
const refused = async (method: "POST" | "PATCH", path: string, body: unknown, query = {}) => {
  const reply = await client.refused(method, path, { body, query });
  return [reply.status, reply.body.error.code, reply.body.error.message];
};

describe("a body of more JSON values than allowed is refused, with the number that it has, as", () => {
  const many = crowd(100_000);
  test.each([
    ["a where", `${DOCUMENTS}/query`, { tenant_id: TENANT, collection: "c", where: { many } }],
    ["the data of a document", DOCUMENTS, { tenant_id: TENANT, collection: "c", doc_id: "d", data: { many } }],
    ["metadata", MEMORIES, aMemory({ metadata: { many } })],
    ["an unknown field", MEMORIES, aMemory({ unheard: many })],
    ["items", `${MEMORIES}/bulk`, { tenant_id: TENANT, items: many }],
    ["a list of ids", `${MEMORIES}/bulk-delete`, { tenant_id: TENANT, ids: many }],
  ])("%s", async (_where, path, body) => {
    const [status, code, message] = await refused("POST", path, body);
    expect([status, code]).toEqual([422, "INVALID_ARGUMENTS"]);
    expect(message).toMatch(/^The body holds 1000\d\d JSON values; at most 100000 are allowed$/);
  });
});

test("a where of more values than allowed is refused, one of as many is not", async () => {
  const query = (values: number) => ({
    tenant_id: TENANT,
    collection: "c",
    // The object, its one member, and what is in that.
    where: { list: Array.from({ length: values - 2 }, (_, i) => i) },
  });
  expect((await client.call("POST", `${DOCUMENTS}/query`, { body: query(256) })).status).toBe(200);
  expect(await refused("POST", `${DOCUMENTS}/query`, query(257))).toEqual([
    422,
    "INVALID_ARGUMENTS",
    "where holds more than 256 JSON values.",
  ]);
});

describe("metadata beyond 64 KiB", () => {
  const large = { text: "é".repeat(33_000) };
  const told = "metadata is 66011 bytes of JSON; at most 65536 are allowed.";

  test("is refused by a write and by a patch, also when it comes bit by bit", async () => {
    expect(await refused("POST", MEMORIES, aMemory({ metadata: large }))).toEqual([422, "INVALID_ARGUMENTS", told]);
    const { id } = await memoriesApi(client).write({ metadata: { a: "x".repeat(40_000) } });
    const query = { tenant_id: TENANT };
    const [status, , message] = await refused(
      "PATCH",
      `${MEMORIES}/${id}`,
      { metadata: { b: "x".repeat(40_000) } },
      query,
    );
    expect([status, message]).toEqual([422, expect.stringContaining("at most 65536 are allowed")]);
    const fits = { query, body: { metadata: { a: null, b: "x".repeat(40_000) } } };
    expect((await client.call("PATCH", `${MEMORIES}/${id}`, fits)).status).toBe(200);
  });

  test("refuses its own item of a bulk alone", async () => {
    const items = [{ content: "The heron stands in the reeds." }, { content: "The heron is grey.", metadata: large }];
    const { results, created } = await memoriesApi(client).bulk(items);
    expect([created, results[1]?.error]).toEqual([1, `metadata: ${told.replace("metadata ", "").slice(0, -1)}`]);
  });
});

test("attributes of an entity stay within 64 KiB, also when they come bit by bit", async () => {
  const body = (attributes: unknown) => ({
    tenant_id: TENANT,
    entity_type: "person",
    canonical_name: "Nils Holm",
    attributes,
  });
  expect((await client.call("POST", ENTITIES, { body: body({ a: "x".repeat(40_000) }) })).status).toBe(200);
  const [status, , message] = await refused("POST", ENTITIES, body({ b: "x".repeat(40_000) }));
  expect([status, message]).toEqual([422, expect.stringContaining("attributes is 80")]);
});

test("data of a document stays within 1 MiB, and within 5,000 members", async () => {
  const write = (data: unknown) => ({ tenant_id: TENANT, collection: "c", doc_id: "d", data });
  expect(await refused("POST", DOCUMENTS, write({ text: "x".repeat(1024 * 1024) }))).toEqual([
    422,
    "INVALID_ARGUMENTS",
    "data is 1048587 bytes of JSON; at most 1048576 are allowed.",
  ]);
  const members = Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [`k${i}`, i]));
  expect((await refused("POST", DOCUMENTS, write(members)))[2]).toBe(
    "data has 5001 members; at most 5000 are allowed.",
  );
});

test("the limits are settings", async () => {
  const small = await startApp({ flags: ["--body-values-limit=20", "--metadata-bytes-limit=30"] });
  try {
    const api = memoriesApi(small.client);
    await api.write({ metadata: { a: 1 } });
    const told = async (metadata: unknown) =>
      (await small.client.refused("POST", MEMORIES, { body: aMemory({ metadata }) })).body.error.message;
    expect(await told({ a: "x".repeat(30) })).toBe("metadata is 38 bytes of JSON; at most 30 are allowed.");
    expect(await told({ a: crowd(20) })).toMatch(/^The body holds 2\d JSON values; at most 20 are allowed$/);
  } finally {
    await small.stop();
  }
});

describe("a refusal shows of what was sent", () => {
  const long = "z".repeat(5_000);
  const shownOf = async (path: string, body: unknown) => {
    const { status, body: refusal } = await client.call("POST", path, { body });
    expect(status).toBe(422);
    return ValidationProblem.parse(refusal).detail;
  };

  test("at most 200 characters: of a value, of a name on the way to it, of a message", async () => {
    const shapes: [string, unknown][] = [
      [MEMORIES, aMemory({ memory_type: long })],
      [MEMORIES, aMemory({ metadata: [long, { [long]: long }] })],
      [MEMORIES, aMemory({ metadata: { [long]: { __proto: long, "": "\0" } } })],
      ["/api/v1/memories/bulk-delete", { tenant_id: TENANT, ids: [long] }],
      [DOCUMENTS, { tenant_id: TENANT, collection: long, doc_id: "d", data: {} }],
    ];
    for (const [path, body] of shapes) {
      for (const { input, loc, msg } of await shownOf(path, body)) {
        const texts = [typeof input === "string" ? input : JSON.stringify(input), msg, ...loc];
        expect(texts.filter((text) => text.length > 200)).toEqual([]);
      }
    }
  });

  test("the beginning, when it is no JSON", async () => {
    const { body } = await client.refused("POST", MEMORIES, { raw: `{"content": ${"q".repeat(5_000)}` });
    expect(body.error.message.length).toBeLessThan(300);
  });

  test("a hundred faults, and how many more there are", async () => {
    const ids = Array.from({ length: 1_000 }, () => "seven");
    const detail = await shownOf("/api/v1/memories/bulk-delete", { tenant_id: TENANT, ids });
    expect(detail.length).toBe(101);
    expect(detail.at(-1)?.msg).toBe("900 more faults are not listed");
  });
});

test("names that nobody knows are told shortly, however many there are", async () => {
  const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${"k".repeat(200)}${i}`, 1]));
  const { system_metadata } = await memoriesApi(client).write(unknown);
  const told = system_metadata?.ignored_fields;
  expect(told).toHaveLength(51);
  expect(JSON.stringify(told).length).toBeLessThan(10_000);
});

describe("a whole number that a double cannot keep", () => {
  const sent = (raw: string) => client.call("POST", MEMORIES, { raw });
  const withNumber = (number: string) =>
    JSON.stringify(aMemory({ metadata: { deep: [{ n: "#" }] } })).replace('"#"', number);

  test.each(["9007199254740993", "-9007199254740993", "12345678901234567890", `1${"0".repeat(400)}`, "1e400"])(
    "is refused: %s",
    async (number) => {
      const { status, body } = await sent(withNumber(number));
      expect([status, ValidationProblem.parse(body).detail[0]?.loc]).toEqual([
        422,
        ["body", "metadata", "deep", "0", "n"],
      ]);
    },
  );

  test.each(["9007199254740991", "9007199254740992", "100000000000000000000", "0.1234567890123456789", "1e300"])(
    "is no other: %s is taken",
    async (number) => {
      const { status, body } = await sent(withNumber(number));
      expect([status, JSON.stringify(body)]).toEqual([201, expect.stringContaining(`"n":${String(Number(number))}`)]);
    },
  );
});

test("an item of a bulk that could not be given back refuses itself alone", async () => {
  const bad = [
    String.raw`{"content": "A heron \u0000 with a hole in it."}`,
    String.raw`{"content": "Half a bird \ud83e is none."}`,
    '{"content": "A heron with a number.", "metadata": {"n": 9007199254740993}}',
    '{"content": "A heron with a prototype.", "metadata": {"__proto__": 1}}',
    String.raw`{"content": "A heron with a key.", "metadata": {"a": {"\udfff": 1}}}`,
  ];
  const good = (i: number) => JSON.stringify({ content: `Heron number ${i} fishes alone.` });
  const items = bad.flatMap((item, i) => [good(i), item]);
  const raw = `{"tenant_id": "${TENANT}", "items": [${items.join(",")}]}`;
  const { status, body } = await client.call("POST", `${MEMORIES}/bulk`, { raw });
  const told = BulkResult.parse(body).results;
  expect([status, told.map((one) => one.status)]).toEqual([207, bad.flatMap(() => ["created", "error"])]);
  expect(told.flatMap(({ error }) => error ?? [])).toEqual([
    "content: Text must not contain NUL characters",
    "content: Text must not contain lone surrogates",
    "metadata.n: The whole number 9007199254740993 is too large to be kept exactly: send it as a text",
    "metadata.__proto__: The key __proto__ is reserved",
    expect.stringContaining("Text must not contain lone surrogates"),
  ]);
});

test("what is wrong beside the items of a bulk refuses the whole", async () => {
  const raw = `{"tenant_id": "${TENANT}", "items": [{"content": "A heron in the reeds, once."}], "extra": 9007199254740993}`;
  expect((await client.refused("POST", `${MEMORIES}/bulk`, { raw })).status).toBe(422);
});
