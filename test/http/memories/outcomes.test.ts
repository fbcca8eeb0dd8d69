import { afterAll, expect, test } from "bun:test";
import { MemoryDetail } from "../../../src/core/schema/memory.ts";
import { OutcomeTaken } from "../../../src/core/schema/outcome.ts";
import type { Client } from "../../support/api/client.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { aMemory, aStatement, TENANT } from "../../support/builders.ts";
import { holder, refusalOf } from "../../support/credentials.ts";

const { client, stop } = await startApp();
afterAll(() => stop());
const path = "/api/v1/evolve/report";
const ada = { agent_id: "ada" };

const aReport = (fields: Readonly<Record<string, unknown>> = {}) => ({
  tenant_id: TENANT,
  outcome: aStatement("an outcome"),
  outcome_type: "success",
  ...ada,
  ...fields,
});
const report = (fields?: Readonly<Record<string, unknown>>, as: Client = client) =>
  as.ok(OutcomeTaken, "POST", path, { body: aReport(fields) });
const written = async (fields: Readonly<Record<string, unknown>>) =>
  (await memoriesApi(client).write(aMemory({ ...ada, ...fields }))).id;
const read = (id: string) =>
  client.ok(MemoryDetail, "GET", `${MEMORIES}/${id}`, { query: { tenant_id: TENANT, ...ada } });

test.each([
  ["success", 0.5, 0.6],
  ["partial", 0.5, 0.53],
  ["failure", 0.5, 0.35],
  ["success", 0.95, 1],
  ["failure", 0.1, 0.05],
] as const)("%s moves a weight of %d to %d, and is stored as an outcome", async (outcome_type, weight, expected) => {
  const id = await written({ weight });
  const { weight_adjustments, outcome_id, out_of_scope_count } = await report({ outcome_type, related_ids: [id, id] });
  expect(weight_adjustments).toMatchObject([{ memory_id: id, old_weight: weight, new_weight: expected }]);
  expect(out_of_scope_count).toBe(0);
  expect((await read(id)).weight).toBe(expected);
  expect(await read(outcome_id)).toMatchObject({
    memory_type: "outcome",
    agent_id: "ada",
    metadata: { outcome_type, related_ids: [id] },
  });
});

test("what lies beyond the scope, or beyond the caller, stays as it is and is counted", async () => {
  const other = await written({ agent_id: "eve", weight: 0.5 });
  const unknown = crypto.randomUUID();
  expect(await report({ related_ids: [other, unknown] })).toMatchObject({
    weight_adjustments: [],
    weight_adjustment_skipped_reason: "none_in_scope",
    out_of_scope_count: 2,
  });
  expect((await report({ related_ids: [other], scope: "all" })).weight_adjustments).toHaveLength(1);
  const bound = await holder(client, { ...ada, trust: 2 });
  expect((await report({ related_ids: [other], scope: "all" }, bound)).out_of_scope_count).toBe(1);
  expect((await read(other)).weight).toBe(0.6);
});

test("an outcome without related memories says so, and one that is told again is the same memory", async () => {
  const outcome = aStatement("an outcome");
  const first = await report({ outcome, outcome_type: "failure" });
  expect(first).toMatchObject({
    weight_adjustment_skipped_reason: "no_related_ids",
    rule_skipped_reason: "rules_are_keystones",
  });
  const related = await written({ weight: 0.5 });
  const again = await report({ outcome, related_ids: [related] });
  expect([again.outcome_id, again.weight_adjustments.length]).toEqual([first.outcome_id, 1]);
});

test("a report that makes no sense, or that the caller may not make, changes nothing", async () => {
  const id = await written({ weight: 0.5 });
  const refused = async (fields: Readonly<Record<string, unknown>>, as: Client = client) =>
    refusalOf(await as.refused("POST", path, { body: aReport({ related_ids: [id], ...fields }) }));
  expect(await refused({ outcome: "won" })).toEqual([422, "INVALID_ARGUMENTS"]);
  expect(await refused({ outcome_type: "won" })).toEqual([422, "INVALID_ARGUMENTS"]);
  const many = Array.from({ length: 51 }, () => crypto.randomUUID());
  expect(await refused({ related_ids: many })).toEqual([422, "INVALID_ARGUMENTS"]);
  expect(await refused({ scope: "fleet" })).toEqual([400, "BAD_REQUEST"]);
  expect(await refused({ tenant_id: "other" })).toEqual([403, "TENANT_MISMATCH"]);
  expect(await refused({}, await holder(client, { agent_id: "eve" }))).toEqual([403, "AGENT_IDENTITY_MISMATCH"]);
  expect(await refused({}, await holder(client, { ...ada, trust: 0 }))).toEqual([403, "AGENT_TRUST_TOO_LOW"]);
  expect(await refused({ scope: "all" }, await holder(client, { ...ada, trust: 1 }))).toEqual([
    403,
    "AGENT_TRUST_TOO_LOW",
  ]);
  expect((await read(id)).weight).toBe(0.5);
});
