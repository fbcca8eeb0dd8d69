import { afterAll, describe, expect, test } from "bun:test";
import { Memory } from "../../../src/core/schema/memory.ts";
import type { Client } from "../../support/api/client.ts";
import { MEMORIES } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { aMemory, aStatement } from "../../support/builders.ts";
import { GATEWAY, holder, viaGateway } from "../../support/credentials.ts";

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());

const KEYED = { "Idempotency-Key": "the same name" };
const send = (client: Client, body: unknown) => client.call("POST", MEMORIES, { body, headers: KEYED });

let tenants = 0;
/** Two credentials of one tenant, of every kind. */
const PAIRS: readonly (readonly [name: string, callers: (tenant_id: string) => Promise<readonly [Client, Client]>])[] =
  [
    ["two keys of one agent", async (tenant_id) => [await keyOf(tenant_id, "ada"), await keyOf(tenant_id, "ada")]],
    ["keys of two agents", async (tenant_id) => [await keyOf(tenant_id, "ada"), await keyOf(tenant_id, "bob")]],
    ["two keys of the tenant", async (tenant_id) => [await keyOf(tenant_id), await keyOf(tenant_id)]],
    [
      "two agents behind a gateway",
      async (tenant_id) => [app.client.as(viaGateway(tenant_id, "ada")), app.client.as(viaGateway(tenant_id, "bob"))],
    ],
    [
      "an agent's key and a gateway",
      async (tenant_id) => [await keyOf(tenant_id, "ada"), app.client.as(viaGateway(tenant_id, "ada"))],
    ],
  ];
const keyOf = (tenant_id: string, agent_id?: string): Promise<Client> => holder(app.client, { tenant_id, agent_id });

describe.each(PAIRS)("of %s", (_, callers) => {
  test("neither sees that the other used an Idempotency-Key, whatever it was used for", async () => {
    const tenant_id = `tenant-${++tenants}`;
    const [one, other] = await callers(tenant_id);
    const [content, another] = [aStatement(), aStatement()];
    const first = await send(one, aMemory({ tenant_id, content }));
    const second = await send(other, aMemory({ tenant_id, content: another }));
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers.get("Idempotency-Replayed")).toBeNull();
    expect(Memory.parse(second.body).content).toBe(another);
    // Each gets its own reply again.
    const again = [
      await send(one, aMemory({ tenant_id, content })),
      await send(other, aMemory({ tenant_id, content: another })),
    ];
    expect(again.map(({ headers }) => headers.get("Idempotency-Replayed"))).toEqual(["true", "true"]);
    expect(again.map(({ body }) => body)).toEqual([first.body, second.body]);
  });
});

test("whoever needs no credential shares keys with others who need none, whatever they present", async () => {
  const body = aMemory();
  const first = await send(app.client, body);
  const again = await send(app.client.as({ "X-API-Key": "any value" }), body);
  expect([again.status, again.headers.get("Idempotency-Replayed")]).toEqual([201, "true"]);
  expect(again.body).toEqual(first.body);
});
