import { afterAll, expect, test } from "bun:test";
import { createMcp } from "../../../src/mcp/handler.ts";
import { openApp } from "../../support/in-process.ts";
import { CLIENTS, modernClient } from "../clients.ts";
import { FIXTURES } from "./fixtures.ts";

// The suite itself runs with `npm run test:conformance`, which needs a registry; this holds what it needs to run at all.

const { app } = await openApp({ mcp: createMcp(FIXTURES) });
const { url } = app.listen();
afterAll(() => app.stop());

test("fixtures are listed and called beside the product's own, over the same transport", async () => {
  for (const connect of CLIENTS) {
    const client = await connect(`${url}/mcp`);
    const names = (await client.list()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["remember", "test_simple_text"]));
    const { content } = await client.call("test_simple_text");
    expect(content[0]?.text).toContain("simple text response");
    expect(await client.call("test_error_handling")).toMatchObject({ isError: true });
    const { contents } = await client.raw.readResource({ uri: "test://template/7/data" });
    expect(JSON.stringify(contents)).toContain("Data for ID: 7");
    await client.close();
  }
});

test("no product has them", async () => {
  const { app } = await openApp();
  const client = await modernClient(`${app.listen().url}/mcp`);
  await expect(client.call("test_simple_text")).rejects.toThrow(/no tool/);
  await client.close();
  await app.stop();
});

test("whoever wants to listen for changes is told that there is nothing to listen to, and no stream stays open", async () => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { notifications: { toolsListChanged: true }, _meta };
  const reply = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "subscriptions/listen",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 9, method: "subscriptions/listen", params }),
  });
  expect([reply.status, await reply.json()]).toMatchObject([404, { id: 9, error: { code: -32_601 } }]);
});
