import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ValidationProblem } from "../../../src/core/schema/problem.ts";
import { MEMORIES } from "../../support/api/memories.ts";
import type { TestApp } from "../../support/app.ts";
import { startApp } from "../../support/app.ts";
import { aMemory, TENANT } from "../../support/builders.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

/** What a refusal says, without what it shows of the input. */
async function faultsOf(method: "POST" | "PATCH", path: string, body: unknown): Promise<string[]> {
  const reply = await app.client.call(method, path, { body, query: { tenant_id: TENANT, agent_id: "anna" } });
  expect(reply.status).toBe(422);
  return ValidationProblem.parse(reply.body).detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`);
}

describe("of a list with too many items nothing is said but that, whatever the items are:", () => {
  const bad = Array.from({ length: 50_000 }, () => 7);
  const entity = { tenant_id: TENANT, entity_type: "person", canonical_name: "Nils Holm", aliases: bad };
  test.each([
    ["aliases", "/api/v1/entities/upsert", entity, 50],
    ["tags", MEMORIES, aMemory({ tags: bad }), 100],
    ["entity_links", MEMORIES, aMemory({ entity_links: bad }), 100],
    ["ids", `${MEMORIES}/bulk-delete`, { tenant_id: TENANT, ids: bad }, 1_000],
    ["fleet_ids", "/api/v1/search", { tenant_id: TENANT, query: "heron", fleet_ids: bad }, 100],
    ["items", `${MEMORIES}/bulk`, { tenant_id: TENANT, items: bad }, 100],
  ])("%s", async (name, path, body, max) => {
    const faults = await faultsOf("POST", path, body);
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^body.${name}: Too big: .*<=${max} items$`))]);
  });
});

const members = Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [`k${i}`, null]));

test("settings of more values than there can be are refused before their names are", async () => {
  expect(await faultsOf("PATCH", "/api/v1/settings", members)).toEqual(["body: At most 500 JSON values"]);
  expect(await faultsOf("PATCH", "/api/v1/settings", { skills_factory: members })).toEqual([
    "body: At most 500 JSON values",
  ]);
});

test("metadata of too many members is refused with their number", async () => {
  expect(await faultsOf("POST", MEMORIES, aMemory({ metadata: members }))).toEqual([
    "body.metadata: metadata has 90000 members; at most 5000 are allowed.",
  ]);
});
