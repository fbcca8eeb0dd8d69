import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { z } from "zod";
import { MEMORIES } from "../../support/api/memories.ts";
import type { TestApp } from "../../support/app.ts";
import { isBinary, startApp } from "../../support/app.ts";
import { aMemory } from "../../support/builders.ts";
import { openApp } from "../../support/in-process.ts";
import { processorTime } from "./processor.ts";

// What one small or hostile body to /mcp may cost everybody else.

/** Against a hang alone. */
setDefaultTimeout(120_000);
let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const HEADERS = { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-03-26" };
const call = (name: string, given: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`;
const post = (raw: string) => app.client.call("POST", "/mcp", { raw, headers: HEADERS });
const Text = z.object({ result: z.object({ content: z.array(z.object({ text: z.string() })) }) });

describe("a body of MCP has the bounds of every body", () => {
  const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

  test.each([65, 50_000, 1_000_000])("JSON %p levels deep is refused before it is parsed", async (levels) => {
    const given = `{"op":"query","collection":"q","where":{"a":${deep(levels)}}}`;
    const { status, body } = await post(call("documents", given));
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining("nested deeper than 64 levels")]);
  });

  test("a crowd of values is refused before it is parsed", async () => {
    const given = `{"op":"query","collection":"q","where":{"a":[${"[],".repeat(600_000)}0]}}`;
    const { status, body } = await post(call("documents", given));
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining("JSON values")]);
  });

  test.each(["where", "data"])("JSON in the text of %s is not read where it is deeper or larger", async (name) => {
    for (const json of [`{"a":${deep(50_000)}}`, `{"a":[${"[],".repeat(300_000)}0]}`]) {
      const given = JSON.stringify({
        op: name === "data" ? "write" : "query",
        collection: "q",
        doc_id: "d",
        [name]: json,
      });
      const { status, body } = await post(call("documents", given));
      expect(status).toBe(200);
      expect(JSON.stringify(body).length).toBeLessThan(2_000);
      expect(JSON.stringify(body)).toContain(`${name} is an object`);
    }
  });
});

describe("names that no tool has", () => {
  const names = (count: number) => Array.from({ length: count }, (_, i) => `"naem${i}":1`).join(",");

  test.each(["list", "memclaw_list", "caura_recall"])("are told of %s in a few words, however many", async (tool) => {
    const { body } = await post(call(tool, `{"query":"heron",${names(90_000)}}`));
    const [{ text } = { text: "" }] = Text.parse(body).result.content;
    expect(text.length).toBeLessThan(6_000);
    expect(text).toContain("naem0");
    expect(text).toMatch(/and \d+ more/);
  });

  test("nor is a long one repeated, nor a crowd of values of the wrong kind", async () => {
    const long = await post(call("list", `{"${"x".repeat(1_000_000)}":1}`));
    expect(JSON.stringify(long.body).length).toBeLessThan(2_000);
    const many = await post(call("get", `{"ids":[${Array(90_000).fill('"x"').join(",")}]}`));
    expect(JSON.stringify(many.body).length).toBeLessThan(6_000);
  });

  test.skipIf(isBinary)("take no longer to refuse than to read", async () => {
    const raw = call("list", `{${names(90_000)}}`);
    const parsing = processorTime(() => JSON.parse(raw));
    const before = process.cpuUsage();
    await post(raw);
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(60 * parsing);
  });
});

describe("a batch", () => {
  const Replies = z.array(z.object({ id: z.int(), error: z.object({ message: z.string() }).optional() }));
  const messages = (count: number, given: object) =>
    Array.from({ length: count }, (_, id) => ({ jsonrpc: "2.0", id, method: "tools/call", params: given }));

  test("has one budget of bytes: what comes after it is refused, each message by its id", async () => {
    for (let i = 0; i < 4; i++) {
      const data = { text: "y".repeat(900_000) };
      const body = { collection: "large", doc_id: `d${i}`, data };
      await app.client.ok(z.unknown(), "POST", "/api/v1/documents", { body });
    }
    const query = { name: "caura_doc", arguments: { op: "query", collection: "large", limit: 100 } };
    const { body } = await app.client.call("POST", "/mcp", { body: messages(20, query), headers: HEADERS });
    const replies = Replies.parse(body);
    expect(replies.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(replies[0]?.error).toBeUndefined();
    expect(replies.at(-1)?.error?.message).toContain("was not run");
    expect(JSON.stringify(body).length).toBeLessThan(16 * 1024 * 1024);
  });

  test("answers in the order of its messages, and notifications not at all", async () => {
    const body = [
      {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "remember", arguments: { content: "Herons fish at dawn." } },
      },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "list", arguments: {} } },
    ];
    const reply = await app.client.call("POST", "/mcp", { body, headers: HEADERS });
    expect(Replies.parse(reply.body).map(({ id }) => id)).toEqual([1, 2]);
    expect(JSON.stringify(reply.body)).toMatch(/"id":1.*Herons fish at dawn/s);
  });

  test.skipIf(isBinary)("lets others have their turn between two messages, and ends when its sender goes", async () => {
    const { app: own, client } = await openApp();
    for (let i = 0; i < 30; i++) await client.call("POST", MEMORIES, { body: aMemory() });
    const gone = new AbortController();
    const list = { name: "list", arguments: { limit: 50 } };
    const sent = own.handle(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: { "Content-Type": "application/json", ...HEADERS },
        body: JSON.stringify(messages(100, list)),
        signal: gone.signal,
      }),
    );
    let turns = 0;
    let isOver = false;
    const answered = sent.then((response) => {
      isOver = true;
      return response.json();
    });
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      if (++turns === 10) gone.abort();
    }
    expect(turns).toBeGreaterThan(9);
    expect(Replies.parse(await answered).length).toBeLessThan(100);
    await own.stop();
  });
});
