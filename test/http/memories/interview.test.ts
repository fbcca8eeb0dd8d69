import { afterAll, expect, test } from "bun:test";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { refusalOf } from "../../support/credentials.ts";

const app = await startApp();
afterAll(() => app.stop());

const path = "/api/v1/interview/submit";
const event = { seq: 1, ts: "2026-03-01T12:00:00Z", role: "user", kind: "message", content: "We moved to Postgres." };
const submission = { node_id: "node-1", agent_id: "ada", cursor_from: 0, cursor_to: 1, events: [event] };

test("an interview is refused as not enabled, with what to do instead, and stores nothing", async () => {
  const reply = await app.client.refused("POST", path, { body: { tenant_id: "default", ...submission } });
  expect(refusalOf(reply)).toEqual([403, "FEATURE_DISABLED"]);
  expect(reply.body.error).toMatchObject({
    message: expect.stringContaining("POST /api/v1/memories/bulk"),
    details: { feature: "interviewer" },
  });
  expect(await memoriesApi(app.client).count()).toBe(0);
});

test("what is no interview is told so first", async () => {
  for (const body of [
    { ...submission, events: [] },
    { ...submission, node_id: undefined },
  ])
    expect(refusalOf(await app.client.refused("POST", path, { body }))).toEqual([422, "INVALID_ARGUMENTS"]);
});
