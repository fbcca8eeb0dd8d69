import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { memoriesApi, RECALL, SEARCH } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;

const STORED = "The walrus sleeps on the eastern ice floe.";
beforeAll(async () => {
  await memoriesApi(client).write({ content: STORED });
});

/** Every refusal of a request, of search and recall alike. */
const REFUSALS: readonly (readonly [string, Record<string, unknown>, number, Record<string, unknown>])[] = [
  ["a blank query", { query: " \n " }, 400, { error: { code: "BAD_REQUEST" } }],
  ["an empty query", { query: "" }, 422, { detail: [{ loc: ["body", "query"], type: "string_too_small", input: "" }] }],
  ["no query", { query: undefined }, 422, { detail: [{ loc: ["body", "query"], type: "missing" }] }],
  ["a query that is no text", { query: 7 }, 422, { detail: [{ loc: ["body", "query"], type: "string_type" }] }],
  [
    "5,001 characters",
    { query: "x".repeat(5_001) },
    422,
    { detail: [{ type: "string_too_big", ctx: { maximum: 5_000 } }] },
  ],
  ["another tenant", { tenant_id: "other" }, 403, { error: { code: "TENANT_MISMATCH" } }],
  [
    "top_k 0",
    { top_k: 0 },
    422,
    { detail: [{ loc: ["body", "top_k"], type: "number_too_small", input: 0, ctx: { minimum: 1 } }] },
  ],
  [
    "top_k 21",
    { top_k: 21 },
    422,
    { detail: [{ loc: ["body", "top_k"], type: "number_too_big", input: 21, ctx: { maximum: 20 } }] },
  ],
  ["limit 21", { limit: 21 }, 422, { detail: [{ loc: ["body", "limit"], type: "number_too_big" }] }],
  ["half a top_k", { top_k: 1.5 }, 422, { detail: [{ loc: ["body", "top_k"], input: 1.5 }] }],
  [
    "a floor above 1",
    { min_similarity: 1.1 },
    422,
    { detail: [{ loc: ["body", "min_similarity"], ctx: { maximum: 1 } }] },
  ],
  [
    "a floor below 0",
    { min_similarity: -0.1 },
    422,
    { detail: [{ loc: ["body", "min_similarity"], ctx: { minimum: 0 } }] },
  ],
  ["a chance above 1", { min_score: 1.1 }, 422, { detail: [{ loc: ["body", "min_score"], ctx: { maximum: 1 } }] }],
  ["a chance below 0", { min_score: -0.1 }, 422, { detail: [{ loc: ["body", "min_score"], ctx: { minimum: 0 } }] }],
  ["a chance in words", { min_score: "high" }, 422, { detail: [{ loc: ["body", "min_score"], input: "high" }] }],
  [
    "an unknown type",
    { memory_type: "rumour" },
    422,
    { detail: [{ loc: ["body", "memory_type"], type: "enum", input: "rumour" }] },
  ],
  ["an unknown status", { status_filter: "gone" }, 422, { detail: [{ loc: ["body", "status_filter"], type: "enum" }] }],
  ["a moment in words", { valid_at: "then" }, 422, { detail: [{ loc: ["body", "valid_at"], type: "value_error" }] }],
  [
    "fleets that are no list",
    { fleet_ids: "red" },
    422,
    { detail: [{ loc: ["body", "fleet_ids"], type: "array_type" }] },
  ],
  [
    "a diagnostic in words",
    { diagnostic: "yes" },
    422,
    { detail: [{ loc: ["body", "diagnostic"], type: "boolean_type" }] },
  ],
];

describe.each([SEARCH, RECALL])("%s refuses", (path) => {
  test.each(REFUSALS)("%s", async (_, fields, status, body) => {
    const reply = await client.refused("POST", path, { body: { tenant_id: TENANT, query: "walrus", ...fields } });
    expect(reply).toMatchObject({ status, body });
    expect(JSON.stringify(reply.body)).not.toContain(STORED);
  });
});
