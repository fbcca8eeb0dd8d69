import { afterAll, beforeAll, expect, test } from "bun:test";
import { aMemory } from "../../support/builders.ts";
import { holder, mint } from "../../support/credentials.ts";
import type { InProcess } from "../../support/in-process.ts";
import { openApp } from "../../support/in-process.ts";

let server: InProcess;
let key: string;
beforeAll(async () => {
  server = await openApp();
  for (let i = 0; i < 3; i++) await server.client.call("POST", "/api/v1/memories", { body: aMemory() });
  const other = await holder(server.client, { tenant_id: "other" });
  await other.call("POST", "/api/v1/memories", { body: aMemory({ tenant_id: "other" }) });
  key = (await mint(server.client, { tenant_id: "other", admin: true })).raw_key;
});
afterAll(() => server.app.stop());

async function metrics(headers: Record<string, string> = {}): Promise<string> {
  const response = await server.app.handle(new Request("http://localhost/metrics", { headers }));
  expect(response.status).toBe(200);
  return response.text();
}

test("a tenant's key is told of that tenant alone, even an administrator's", async () => {
  const text = await metrics({ "X-API-Key": key });
  expect(text).toContain("cairn_memories 1\n");
  expect(text).toContain("cairn_uptime_seconds");
  for (const ofAll of ["cairn_http_requests_total", "cairn_http_request_duration", "cairn_jobs_", "process_"])
    expect(text).not.toContain(ofAll);
});

test("the owner of the machine is told of the whole", async () => {
  const text = await metrics();
  expect(text).toContain("cairn_memories 4\n");
  expect(text).toContain("cairn_http_requests_total{");
  expect(text).toContain("cairn_jobs_due");
});

test("two tenants that ask at once are each told their own", async () => {
  const { raw_key } = await mint(server.client, { tenant_id: "empty" });
  const texts = await Promise.all([key, raw_key, key, raw_key].map((one) => metrics({ "X-API-Key": one })));
  expect(texts.map((text) => /cairn_memories (\d)/.exec(text)?.[1])).toEqual(["1", "0", "1", "0"]);
});
