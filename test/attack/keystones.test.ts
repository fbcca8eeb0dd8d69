import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { z } from "zod";
import { Keystone } from "../../src/core/schema/keystone.ts";
import type { Client } from "../support/api/client.ts";
import { holder } from "../support/credentials.ts";
import { openApp } from "../support/in-process.ts";

// An agent that writes rules for itself alone, more than anybody is ever served.

/** Against a hang alone. */
setDefaultTimeout(120_000);
const KEYSTONES = "/api/v1/keystones";
const RULES = 600;

const { app, client } = await openApp({ flags: ["--rate-writes=0"] });
afterAll(() => app.stop());
let crowded: Client;
let quiet: Client;
beforeAll(async () => {
  const writer = await holder(client, { tenant_id: "crowded", agent_id: "ada", fleet_id: "blue", trust: 1 });
  const rule = { content: "é".repeat(9_900), scope: "agent", agent_id: "ada", fleet_id: "blue", title: "A rule" };
  for (let i = 0; i < RULES; i++) {
    const body = { ...rule, doc_id: `rule-${i}`, weight: i < 45 ? 90 : 10 };
    // What changed last is told by the millisecond.
    if (i >= RULES - 5) await Bun.sleep(2);
    await writer.ok(Keystone, "POST", KEYSTONES, { body });
  }
  await writer.ok(Keystone, "POST", KEYSTONES, { body: { ...rule, doc_id: "rule-50", weight: 10, title: "Changed" } });
  crowded = writer;
  quiet = await holder(client, { tenant_id: "crowded", agent_id: "bob", fleet_id: "blue", trust: 1 });
});

const listed = (by: Client) => by.ok(z.array(Keystone), "GET", KEYSTONES);

async function quickest(run: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 10; i++) {
    const startedAt = performance.now();
    await run();
    best = Math.min(best, performance.now() - startedAt);
  }
  return best;
}

test("does not slow down those whom none of them binds", async () => {
  const elsewhere = await holder(client, { tenant_id: "empty", agent_id: "bob", fleet_id: "blue", trust: 1 });
  expect(await listed(quiet)).toEqual([]);
  const alone = await quickest(() => listed(elsewhere));
  expect(await quickest(() => listed(quiet))).toBeLessThan(8 * alone);
});

test("is served the heaviest, and of equal ones those that changed last", async () => {
  const rules = (await listed(crowded)).map(({ doc_id, data }) => [doc_id, data.weight] as const);
  expect(rules).toHaveLength(50);
  expect(rules.slice(0, 45).every(([, weight]) => weight === 90)).toBe(true);
  const expected = ["rule-50", ...[599, 598, 597, 596].map((i) => `rule-${i}`)];
  expect(rules.slice(45).map(([doc_id]) => doc_id)).toEqual(expected);
});
