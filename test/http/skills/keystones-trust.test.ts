import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { Keystone } from "../../../src/core/schema/keystone.ts";
import type { Client } from "../../support/api/client.ts";
import { withKey } from "../../support/api/documents.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const KEYSTONES = "/api/v1/keystones";

/** The shapes of a rule, seen by agent ann of fleet red. */
const SHAPES = {
  own: { scope: "agent", fleet_id: "red", agent_id: "ann" },
  another: { scope: "agent", fleet_id: "red", agent_id: "bob" },
  fleet: { scope: "fleet", fleet_id: "red" },
  tenant: { scope: "tenant" },
} as const;
type Shape = keyof typeof SHAPES;
const NAMES: readonly Shape[] = ["own", "another", "fleet", "tenant"];
const TRUSTS = [0, 1, 2, 3] as const;
/** Trust for a rule of this shape: 1 for an agent's own, 2 for what binds others. */
const NEEDED: Readonly<Record<Shape, number>> = { own: 1, another: 2, fleet: 2, tenant: 2 };

const aRule = (shape: Shape, title = "Mind the gap") => ({
  tenant_id: TENANT,
  doc_id: "rule",
  title,
  content: "Mind it.",
  weight: "low",
  ...SHAPES[shape],
});
const keys = new Map<number, Client>();
for (const trust of TRUSTS) keys.set(trust, await withKey(client, { agent_id: "ann", fleet_id: "red", trust }));
const ann = (trust: number): Client => keys.get(trust) ?? expect.unreachable("There is no such key.");

const stored = () =>
  client.call("GET", "/api/v1/documents/rule", { query: { tenant_id: TENANT, collection: "_keystones" } });
const removeAs = (by: Client) => by.call("DELETE", `${KEYSTONES}/rule`, { query: { tenant_id: TENANT } });
beforeEach(async () => {
  await removeAs(client);
});

describe("a new rule needs the trust of its shape:", () => {
  test.each(NAMES.flatMap((shape) => TRUSTS.map((trust) => [shape, trust] as const)))(
    "%s, trust %d",
    async (shape, trust) => {
      const { status, body } = await ann(trust).call("POST", KEYSTONES, { body: aRule(shape) });
      expect(status).toBe(trust >= NEEDED[shape] ? 200 : 403);
      if (status === 403) expect(body).toMatchObject({ error: { code: "AGENT_TRUST_TOO_LOW" } });
      expect((await stored()).status).toBe(status === 200 ? 200 : 404);
    },
  );
});

describe("a rule is replaced with the higher trust of what it is and what it was:", () => {
  test.each(NAMES.flatMap((was) => NAMES.flatMap((is) => TRUSTS.map((trust) => [was, is, trust] as const))))(
    "%s to %s, trust %d",
    async (was, is, trust) => {
      const before = await client.ok(Keystone, "POST", KEYSTONES, { body: aRule(was, "Before") });
      const { status } = await ann(trust).call("POST", KEYSTONES, { body: aRule(is, "After") });
      expect(status).toBe(trust >= Math.max(NEEDED[was], NEEDED[is]) ? 200 : 403);
      const { body } = await stored();
      if (status === 403) expect(body).toEqual(before);
      else expect(body).toMatchObject({ id: before.id, data: { title: "After", scope: SHAPES[is].scope } });
    },
  );
});

describe("a rule is deleted with the trust of what is stored:", () => {
  test.each(NAMES.flatMap((was) => TRUSTS.map((trust) => [was, trust] as const)))(
    "%s, trust %d",
    async (was, trust) => {
      await client.ok(Keystone, "POST", KEYSTONES, { body: aRule(was) });
      const { status } = await removeAs(ann(trust));
      expect(status).toBe(trust >= NEEDED[was] ? 200 : 403);
      expect((await stored()).status).toBe(status === 200 ? 404 : 200);
    },
  );

  test("404 when there is none, 422 for what is no doc_id", async () => {
    const { status, body } = await client.refused("DELETE", `${KEYSTONES}/rule`, { query: { tenant_id: TENANT } });
    expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
    const wrong = await client.refused("DELETE", `${KEYSTONES}/Rule`, { query: { tenant_id: TENANT } });
    expect(wrong.status).toBe(422);
  });
});

test.each(TRUSTS)("the list asks for no trust: %d reads", async (trust) => {
  await client.ok(Keystone, "POST", KEYSTONES, { body: aRule("tenant") });
  const { status, body } = await ann(trust).call("GET", KEYSTONES, { query: { tenant_id: TENANT } });
  expect([status, body]).toEqual([200, [expect.objectContaining({ doc_id: "rule" })]]);
});

test("a key without an agent governs from trust 2", async () => {
  for (const trust of TRUSTS) {
    const by = await withKey(client, { trust });
    const { status } = await by.call("POST", KEYSTONES, { body: aRule("another") });
    expect(status).toBe(trust >= 2 ? 200 : 403);
  }
});
