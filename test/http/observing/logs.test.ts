import { afterAll, describe, expect, test } from "bun:test";
import { silentLogger } from "../../../src/core/kernel/log.ts";
import type { RecentLogsQuery } from "../../../src/core/schema/observing/logs.ts";
import { RecentLogs } from "../../../src/core/schema/observing/logs.ts";
import { createRecentLog } from "../../../src/system/observing/recent-log.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { fakeClock } from "../../support/clock.ts";
import { GATEWAY, holder, mint, refusalOf, viaGateway } from "../../support/credentials.ts";

const PATH = "/api/v1/admin/logs";
const app = await startApp({ flags: [GATEWAY, "--log-level=warn"] });
afterAll(() => app.stop());
const { client } = app;
const read = (query: Record<string, string | number> = {}) => client.ok(RecentLogs, "GET", PATH, { query });

describe("recent log lines", () => {
  test("are kept whatever is printed, newest last, each with its number, time, level, event and fields", async () => {
    await memoriesApi(client).write();
    const { lines, dropped } = await read({ event: "request" });
    expect(dropped).toBe(0);
    const last = lines.at(-1);
    expect(last).toMatchObject({ level: "info", event: "request", fields: { operation: "writeMemory", status: 201 } });
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map(({ seq }) => seq).toSorted((a, b) => a - b));
    expect(Date.parse(last?.at ?? "")).toBeGreaterThan(0);
  });

  test("after a line are those that followed it, none left out where the limit cuts", async () => {
    const { next_after } = await read();
    for (let i = 0; i < 5; i++) await client.call("GET", "/api/v1/version");
    const found: string[] = [];
    let after = next_after;
    for (let i = 0; i < 4; i++) {
      const page = await read({ after, limit: 2, event: "request" });
      found.push(...page.lines.map(({ fields }) => String(fields.operation)));
      after = page.next_after;
    }
    expect(found.filter((operation) => operation === "version")).toHaveLength(5);
    expect(new Set(found)).toEqual(new Set(["recentLogs", "version"]));
    // A number of the server before: what there is, is new.
    expect((await read({ after: 1_000_000_000 })).lines.length).toBeGreaterThan(5);
  });

  test("are of at least a level, and of one event", async () => {
    expect((await read({ level: "error" })).lines).toEqual([]);
    expect((await read({ event: "no such event" })).lines).toEqual([]);
    expect((await read({ limit: 3 })).lines).toHaveLength(3);
  });

  test("hold no contents, queries or keys", async () => {
    const { raw_key } = await mint(client);
    const mine = client.as({ "X-API-Key": raw_key });
    await memoriesApi(mine).write({
      content: "The wombatsecret sits in the archive room.",
      metadata: { wombatsecret: 1 },
    });
    await mine.call("POST", "/api/v1/search", { body: { query: "wombatsecret" } });
    await mine.call("GET", "/api/v1/memories/wombatsecret");
    await app.settle();
    const told = JSON.stringify((await read({ limit: 1_000 })).lines);
    expect(told).toContain("searchMemories");
    expect(told).not.toContain("wombatsecret");
    expect(told).not.toContain(raw_key);
  });

  test.each([
    ["level", { level: "debug" }],
    ["limit", { limit: 1_001 }],
    ["limit", { limit: 0 }],
    ["after", { after: -1 }],
    ["after", { after: "soon" }],
    ["event", { event: "" }],
  ])("refuse a %s that there is not: %j", async (_, query) => {
    expect(refusalOf(await client.refused("GET", PATH, { query }))).toEqual([422, "INVALID_ARGUMENTS"]);
  });

  test("are for the owner of the machine alone", async () => {
    const admin = await holder(client, { admin: true });
    for (const other of [admin, client.as({ ...viaGateway("acme"), "X-Org-Role": "admin" })])
      expect(refusalOf(await other.refused("GET", PATH))).toEqual([403, "ADMIN_REQUIRED"]);
  });
});

/** A log that keeps what is told, and what of it was passed on. */
function keeping() {
  const clock = fakeClock();
  const passed: string[] = [];
  const pass = (event: string) => void passed.push(event);
  const recent = createRecentLog(clock);
  const log = recent.keeping({ ...silentLogger, debug: pass, info: pass, warn: pass, error: pass });
  const all = (query: Partial<RecentLogsQuery> = {}) => recent.read({ level: "info", limit: 10_000, ...query });
  return { clock, log, passed, all };
}

describe("what is kept of a log", () => {
  test("are no debug lines, though they are passed on", () => {
    const { log, passed, all } = keeping();
    for (const level of ["debug", "info", "warn", "error"] as const) log[level](level, { n: 1, none: undefined });
    expect(passed).toEqual(["debug", "info", "warn", "error"]);
    expect(all().lines.map(({ event, level, fields }) => [event, level, fields])).toEqual([
      ["info", "info", { n: 1 }],
      ["warn", "warn", { n: 1 }],
      ["error", "error", { n: 1 }],
    ]);
    expect(all({ level: "warn" }).lines).toHaveLength(2);
  });

  test("are at most 2,000 lines, and what is no longer there is counted", () => {
    const { log, all } = keeping();
    for (let i = 0; i < 5_000; i++) log.info("line", { i });
    const { lines, dropped, next_after } = all();
    expect([lines.length, lines[0]?.fields.i, lines.at(-1)?.fields.i]).toEqual([2_000, 3_000, 4_999]);
    expect([dropped, next_after]).toEqual([3_000, 5_000]);
    expect(all({ after: 2_500 }).dropped).toBe(500);
    expect(all({ after: 4_000 }).dropped).toBe(0);
  });

  test("is at most 1 MiB, and no line puts the others out", () => {
    const { log, all } = keeping();
    for (let i = 0; i < 2_000; i++) log.info("line", { i, text: "ä".repeat(5_000) });
    const { lines } = all();
    const bytes = Buffer.byteLength(JSON.stringify(lines.map(({ event, fields }) => [event, fields])));
    expect(bytes).toBeLessThan(1.1 * 1024 * 1024);
    expect(lines.length).toBeGreaterThan(400);
    expect(lines.at(-1)?.fields.i).toBe(1_999);
  });

  test("is of the last 15 minutes", () => {
    const { clock, log, all } = keeping();
    log.info("old");
    clock.advance(10 * 60_000);
    log.info("newer");
    clock.advance(6 * 60_000);
    expect(all().lines.map(({ event }) => event)).toEqual(["newer"]);
    clock.advance(60 * 60_000);
    expect(all()).toEqual({ lines: [], dropped: 2, next_after: 2 });
  });
});
