import { afterAll, describe, expect, test } from "bun:test";
import { jsonLogger } from "../../../src/core/kernel/log.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { isBinary } from "../../support/app.ts";
import { aMemory, TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { GATEWAY, GATEWAY_SECRET, mint, viaGateway } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const lines: string[] = [];
const log = jsonLogger(fakeClock(), (line) => lines.push(line));
const { app, client, settle } = await openApp({ log, flags: [GATEWAY, "--no-standalone", "--api-key=sesame-sesame"] });
afterAll(() => app.stop());
const owner = client.as({ "X-API-Key": "sesame-sesame" });
const api = memoriesApi(owner);

const WORD = "quokkasecret";

describe.skipIf(isBinary)("the log", () => {
  test("has one line a request, with what it was, how it ended and how long it took", async () => {
    lines.length = 0;
    const written = await owner.call("POST", MEMORIES, { body: aMemory() });
    await owner.refused("GET", `${MEMORIES}/7`, { query: { tenant_id: TENANT } });
    const parsed = lines.map((line) => JSON.parse(line));
    expect(parsed).toEqual([
      {
        at: "2026-03-01T12:00:00.000Z",
        level: "info",
        event: "request",
        request_id: written.headers.get("X-Request-Id"),
        operation: "writeMemory",
        status: 201,
        took_ms: expect.any(Number),
      },
      expect.objectContaining({ operation: "getMemory", status: 422, code: "INVALID_ARGUMENTS" }),
    ]);
    for (const line of lines) expect(line).toEndWith("\n");
  });

  test.each([
    ["/api/v1/nothing", {}, "no_such_route", 404],
    [MEMORIES, { method: "PUT" }, "no_such_route", 405],
    ["/api/docs", {}, "docs", 200],
    ["/api/docs/swagger-ui.css", {}, "docs", 200],
    ["/api/openapi.json", { method: "HEAD" }, "docs", 200],
    ["/metrics", {}, "metrics", 401],
    [MEMORIES, { headers: { Host: "evil.example" } }, "guard", 403],
    [MEMORIES, { headers: { Origin: "https://evil.example" } }, "guard", 403],
  ])("has one line for %s %j too", async (path, init, operation, status) => {
    lines.length = 0;
    const { headers } = await app.handle(new Request(`http://localhost${path}`, init));
    const request_id = headers.get("X-Request-Id");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ event: "request", operation, status, request_id }),
    ]);
  });

  test("never holds content, queries, names or credentials, whatever goes wrong", async () => {
    lines.length = 0;
    const { raw_key } = await mint(owner, { agent_id: WORD, label: WORD });
    const { id } = await api.write({ content: `The ${WORD} is in here.`, metadata: { [WORD]: WORD }, run_id: WORD });
    await api.search(WORD, { caller_agent_id: WORD, diagnostic: true });
    await api.recall(WORD);
    await api.list({ agent_id: WORD, run_id: WORD });
    const query = { tenant_id: TENANT };
    await owner.call("PATCH", `${MEMORIES}/${id}`, { query, body: { content: `The ${WORD} has moved.`, title: WORD } });
    await api.bulk([{ content: `A bulk ${WORD}.` }, { content: WORD.slice(0, 3) }]);
    await owner.refused("POST", MEMORIES, { raw: `{"content": ${WORD}` });
    await owner.refused("POST", MEMORIES, { body: { tenant_id: WORD, content: `Not for ${WORD}.` } });
    await owner.refused("POST", MEMORIES, { body: aMemory({ memory_type: WORD }) });
    await owner.refused("GET", `/api/v1/${WORD}`);
    await owner.refused("GET", MEMORIES, { query: { cursor: WORD } });
    await client.refused("GET", MEMORIES, { headers: { "X-API-Key": WORD } });
    await client.refused("GET", MEMORIES, { headers: { Authorization: `Bearer mc_${WORD}` } });
    await client.call("GET", MEMORIES, { headers: { "X-API-Key": raw_key } });
    await client.call("GET", MEMORIES, { headers: viaGateway(WORD, WORD) });
    await client.refused("GET", MEMORIES, { headers: { Host: `${WORD}.example` } });
    await owner.call("POST", MEMORIES, { body: aMemory(), headers: { "Idempotency-Key": WORD } });
    await settle();
    const text = lines.join("");
    expect(lines.length).toBeGreaterThan(12);
    for (const secret of [WORD, raw_key.slice(3), GATEWAY_SECRET, "sesame"]) expect(text).not.toContain(secret);
  });

  test("tells why a request failed on our side, without what it carried", async () => {
    const broken = await openApp({ log });
    lines.length = 0;
    await broken.app.services.storage.close();
    const reply = await broken.client.refused("POST", MEMORIES, { body: aMemory({ content: `A lost ${WORD}.` }) });
    expect(reply.status).toBeGreaterThanOrEqual(500);
    const failed = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === "error");
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({ event: "request", operation: "writeMemory", cause: expect.any(String) });
    expect(lines.join("")).not.toContain(WORD);
  });
});

describe("metrics", () => {
  const metrics = async (key = "sesame-sesame") => {
    const response = await app.handle(new Request("http://localhost/metrics", { headers: { "X-API-Key": key } }));
    return { status: response.status, type: response.headers.get("Content-Type"), text: await response.text() };
  };

  test("are Prometheus text that counts requests, memories and jobs", async () => {
    await app.handle(new Request("http://localhost/api/v1/version"));
    await api.write();
    const { status, type, text } = await metrics();
    expect(status).toBe(200);
    expect(type).toStartWith("text/plain; version=0.0.4");
    const value = (name: string) =>
      Number(
        text
          .split("\n")
          .find((line) => line.startsWith(`${name} `))
          ?.split(" ")
          .at(-1),
      );
    expect(value('cairn_http_requests_total{operation="version",status="200"}')).toBeGreaterThan(0);
    expect(value('cairn_http_request_duration_seconds_count{operation="writeMemory"}')).toBeGreaterThan(0);
    expect(value("cairn_memories")).toBe(await api.count());
    for (const name of ["cairn_jobs_due", "cairn_jobs_failing", "cairn_embedder_ready", "cairn_uptime_seconds"]) {
      expect(value(name)).toBeGreaterThanOrEqual(0);
      expect(text).toContain(`# TYPE ${name} gauge`);
    }
    for (const line of text.split("\n").filter((one) => one !== ""))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ |\w+(\{[^}]*\})? [-+.\dNaInfe]+$)/);
  });

  test("count refusals under their status, and name no path, tenant or content", async () => {
    await owner.refused("GET", `${MEMORIES}/7`, { query: { tenant_id: TENANT } });
    await client.refused("GET", `/api/v1/${WORD}`);
    const { text } = await metrics();
    expect(text).toContain('cairn_http_requests_total{operation="getMemory",status="422"}');
    for (const word of [WORD, "acme", "default", "sesame"]) expect(text).not.toContain(word);
  });

  test("are for those who may call at all", async () => {
    expect((await metrics("wrong")).status).toBe(401);
    expect((await metrics("")).status).toBe(401);
  });
});
