import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../support/api/client.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { GATEWAY, holder, viaGateway } from "../../support/credentials.ts";

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());
const tenant_id = "fleet-keys";
const owner = app.client.as({ ...viaGateway(tenant_id), "X-Org-Role": "admin" });
const keyOf = (fields: Record<string, unknown>) => holder(app.client, { tenant_id, ...fields });

const SECRET = "The safe of fleet one opens with 4711 of course.";
let theirs = "";
let first: ReturnType<typeof memoriesApi>;
beforeAll(async () => {
  first = memoriesApi(await keyOf({ agent_id: "a1", fleet_id: "f1", trust: 1 }), tenant_id);
  theirs = (await first.write({ content: SECRET, visibility: "scope_agent" })).id;
  const second = memoriesApi(await keyOf({ agent_id: "b1", fleet_id: "f2", trust: 1 }), tenant_id);
  await second.write({ content: "The safe of fleet two is a tin box below the stairs.", visibility: "scope_agent" });
  await memoriesApi(owner, tenant_id).write({ agent_id: "homeless", content: "Nobody's own safe has no lock at all." });
});

/** Every way in which a call says for whom it speaks. */
const calls = (agent_id: string): readonly (readonly [method: string, path: string, body?: object])[] => [
  ["GET", `${MEMORIES}?tenant_id=${tenant_id}&agent_id=${agent_id}`],
  ["GET", `${MEMORIES}/${theirs}?agent_id=${agent_id}`],
  ["GET", `${MEMORIES}/${theirs}/contradictions?agent_id=${agent_id}`],
  ["GET", `${MEMORIES}/stats?agent_id=${agent_id}`],
  ["GET", `/api/v1/entities?tenant_id=${tenant_id}&agent_id=${agent_id}`],
  ["GET", `/api/v1/conflicts?agent_id=${agent_id}`],
  ["POST", "/api/v1/search", { tenant_id, query: "What opens the safe?", caller_agent_id: agent_id }],
  ["POST", "/api/v1/search", { tenant_id, query: "What opens the safe?", filter_agent_id: agent_id }],
  ["POST", "/api/v1/recall", { tenant_id, query: "What opens the safe?", caller_agent_id: agent_id }],
];
const changes = (agent_id: string): ReturnType<typeof calls> => [
  ["PATCH", `${MEMORIES}/${theirs}?tenant_id=${tenant_id}&agent_id=${agent_id}`, { content: "The safe is empty now." }],
  ["POST", MEMORIES, { tenant_id, content: "Planted by the key of another fleet.", agent_id }],
  ["POST", `${MEMORIES}/bulk`, { tenant_id, agent_id, items: [{ content: "Planted in bulk by another fleet." }] }],
  ["POST", "/api/v1/documents", { tenant_id, collection: "plans", doc_id: "x", agent_id, data: { summary: "x" } }],
];
const send = (client: Client, [method, path, body]: ReturnType<typeof calls>[number]) =>
  client.call(method, path, body === undefined ? {} : { body });

describe("the key of a fleet and no agent", () => {
  test.each([0, 1, 2])("of trust %d speaks for no agent whose home is elsewhere, or nowhere", async (trust) => {
    const key = await keyOf({ fleet_id: "f2", trust });
    for (const agent_id of ["a1", "homeless"])
      for (const call of [...calls(agent_id), ...(trust === 0 ? [] : changes(agent_id))]) {
        const { status, body } = await send(key, call);
        expect([call, status, JSON.stringify(body)]).toEqual([
          call,
          403,
          expect.stringContaining("FLEET_SCOPE_FORBIDDEN"),
        ]);
        expect(JSON.stringify(body)).not.toContain("4711");
      }
    expect(await first.get(theirs)).toMatchObject({ content: SECRET });
  });

  test("speaks for those of its fleet, and for those that nobody knows yet", async () => {
    const key = await keyOf({ fleet_id: "f2", trust: 1 });
    const list = await send(key, ["GET", `${MEMORIES}?tenant_id=${tenant_id}&agent_id=b1`]);
    expect(JSON.stringify(list.body)).toContain("a tin box");
    const written = { content: "A new one of fleet two writes this.", agent_id: "b2", visibility: "scope_agent" };
    expect(await memoriesApi(key, tenant_id).write(written)).toMatchObject({ agent_id: "b2", fleet_id: "f2" });
    expect((await send(key, ["GET", `${MEMORIES}?tenant_id=${tenant_id}&agent_id=b2`])).status).toBe(200);
  });

  test("with the trust to administer, and a key of no fleet, speak for all", async () => {
    for (const key of [await keyOf({ fleet_id: "f2", trust: 3 }), await keyOf({ trust: 1 })])
      expect((await send(key, ["GET", `${MEMORIES}?tenant_id=${tenant_id}&agent_id=a1`])).status).toBe(200);
  });
});
