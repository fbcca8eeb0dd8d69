import { afterAll, describe, expect, test } from "bun:test";
import type { Client } from "../../support/api/client.ts";
import { documentsApi } from "../../support/api/documents.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { aSkill, enableFactory } from "../../support/api/skills.ts";
import { startApp } from "../../support/app.ts";
import { GATEWAY, holder, viaGateway } from "../../support/credentials.ts";

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());

const PIN = "7351";
const GUESSES = Array.from({ length: 40 }, (_, i) => String(7331 + i));

/** What a search tells of a guess, beside the row that everybody sees. */
async function toldOf(client: Client, tenant_id: string, guess: string): Promise<unknown> {
  const { items, diagnostic } = await memoriesApi(client, tenant_id).search(`harbour crane ${guess}`, {
    diagnostic: true,
  });
  const scores = items.map(({ score, score_parts }) => ({ score, score_parts }));
  return { scores, considered: diagnostic?.candidates_considered };
}

describe("what the guesses of four digits are told is the same whether anybody holds one or not", () => {
  test.each([
    ["another agent's private row", "tenant-a", { visibility: "scope_agent" }, { caller_agent_id: "bob" }],
    ["another tenant's row", "tenant-b", {}, {}],
    ["another fleet's row", "tenant-a", { fleet_id: "red" }, { fleet_ids: ["red"] }],
  ])("in %s", async (_, owner, fields, seeing) => {
    const admin = app.client;
    const blue = await holder(admin, { tenant_id: "tenant-a", agent_id: "ada", fleet_id: "blue", trust: 1 });
    const seen = memoriesApi(admin.as(viaGateway("tenant-a")), "tenant-a");
    if ((await seen.count()) === 0) await seen.write({ content: "The harbour crane was painted in spring." });
    const hidden = memoriesApi(admin.as(viaGateway(owner)), owner);
    const guess = () => Promise.all(GUESSES.map((digits) => toldOf(blue, "tenant-a", digits)));
    const before = await guess();
    for (const told of before) expect(told).toMatchObject({ scores: [{ score: expect.any(Number) }], considered: 1 });
    const { id } = await hidden.write({
      content: `The harbour crane opens with the number ${PIN}.`,
      agent_id: "bob",
      ...fields,
    });
    await app.settle();
    expect(await guess()).toEqual(before);
    // Whoever may see the row has what the guesses are after.
    const { items } = await hidden.search(`harbour crane ${PIN}`, seeing);
    expect(items[0]?.content).toContain(PIN);
    await hidden.remove(id);
  });

  test("in a skill that waits for its review", async () => {
    const tenant_id = "tenant-s";
    const admin = app.client.as({ ...viaGateway(tenant_id), "X-Org-Role": "admin" });
    await enableFactory(admin, {}, tenant_id);
    const agent = await holder(app.client, { tenant_id, agent_id: "ada", trust: 1 });
    const api = documentsApi(admin, tenant_id);
    await api.put("notes", "crane", { summary: "How the harbour crane was painted." });
    const guess = () =>
      Promise.all(
        GUESSES.map(async (digits) => (await documentsApi(agent, tenant_id).search(`crane ${digits}`)).results),
      );
    const before = await guess();
    for (const results of before) expect(results).toHaveLength(1);
    await api.put("skills", "crane-opening", aSkill("crane-opening", { summary: `The crane opens with ${PIN}.` }));
    await app.settle();
    expect(await guess()).toEqual(before);
    const { results } = await documentsApi(admin, tenant_id).search(`crane ${PIN}`);
    expect(JSON.stringify(results)).toContain(PIN);
  });
});
