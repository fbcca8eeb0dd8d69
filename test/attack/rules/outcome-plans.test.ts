import { afterAll, expect, test } from "bun:test";
import type { Ctx } from "../../../src/core/ports/context.ts";
import { Memory, MemoryDetail } from "../../../src/core/schema/memory.ts";
import type { OutcomeReport } from "../../../src/core/schema/outcome.ts";
import { reportOutcome } from "../../../src/memories/outcome.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { TENANT } from "../../support/builders.ts";
import { holder } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const { app, client } = await openApp();
afterAll(() => app.stop());

const mallory = await holder(client, { agent_id: "mallory", fleet_id: "red", trust: 1 });
const victim = await holder(client, { agent_id: "victim", fleet_id: "blue", trust: 1 });
/** Mallory, whose report is named as it is again once the server died in the middle of it. */
const ctx: Ctx = {
  ...app.services,
  principal: {
    tenant_id: TENANT,
    agent_id: "mallory",
    fleet_id: "red",
    trust: 1,
    admin: false,
    owner: false,
    account: false,
    auth_source: "api-key",
  },
  door: "http",
};
const query = { tenant_id: TENANT };
const weightOf = async (as: typeof victim, id: string) =>
  (await as.ok(MemoryDetail, "GET", `${MEMORIES}/${id}`, { query })).weight;

test("a report that was cut off moves no weight but what its caller may, whatever was written beside it since", async () => {
  const secret = await memoriesApi(victim).write({ visibility: "scope_agent", weight: 0.9 });
  const shown = await memoriesApi(victim).write({ visibility: "scope_org", weight: 0.8 });
  const own = await memoriesApi(mallory).write({ weight: 0.5 });
  const report: OutcomeReport = {
    tenant_id: TENANT,
    outcome: "All of it went as planned, they say.",
    outcome_type: "success",
    related_ids: [own.id],
    scope: "agent",
  };
  const first = await reportOutcome(ctx, report, "cut off");
  expect(first.weight_adjustments).toMatchObject([{ memory_id: own.id, old_weight: 0.5, new_weight: 0.6 }]);
  const aimed = [secret, shown, own].map(({ id }) => ({ memory_id: id, old_weight: 0, new_weight: -7.5, delta: 0 }));
  const weights = { weights: aimed };
  for (const metadata of [weights, { system_metadata: weights, _system: weights }])
    await mallory.ok(Memory, "PATCH", `${MEMORIES}/${first.outcome_id}`, { query, body: { metadata } });
  const again = await reportOutcome(ctx, report, "cut off");
  expect(again.weight_adjustments).toEqual(first.weight_adjustments);
  expect([await weightOf(victim, secret.id), await weightOf(victim, shown.id)]).toEqual([0.9, 0.8]);
  expect(await weightOf(mallory, own.id)).toBe(0.6);
});

test("a row that its caller may change no longer keeps its weight when the report is told again", async () => {
  const shown = await memoriesApi(victim).write({ weight: 0.5, visibility: "scope_org" });
  const report: OutcomeReport = {
    tenant_id: TENANT,
    outcome: "Nothing came of it in the end.",
    outcome_type: "failure",
    related_ids: [shown.id],
    scope: "all",
  };
  const trusted: Ctx = { ...ctx, principal: { ...ctx.principal, trust: 3 } };
  expect((await reportOutcome(trusted, report, "told again")).weight_adjustments).toHaveLength(1);
  await victim.ok(Memory, "PATCH", `${MEMORIES}/${shown.id}`, { query, body: { weight: 0.7 } });
  await reportOutcome(ctx, { ...report, scope: "agent" }, "told again");
  expect(await weightOf(victim, shown.id)).toBe(0.7);
});
