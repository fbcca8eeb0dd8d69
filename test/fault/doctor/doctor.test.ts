import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { callThrough } from "../../../src/cli/call.ts";
import { SECTIONS } from "../../../src/cli/doctor/finding.ts";
import { runRoundTrip } from "../../../src/cli/doctor/round-trip.ts";
import { systemClock } from "../../../src/core/kernel/clock.ts";
import { AuditLog } from "../../../src/core/schema/account.ts";
import { ContradictionsReply } from "../../../src/core/schema/contradiction.ts";
import { TenantList } from "../../../src/core/schema/memory-change.ts";
import { MemoryPage } from "../../../src/core/schema/memory-query.ts";
import { Counters } from "../../../src/core/schema/system.ts";
import type { Client } from "../../support/api/client.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { openApp } from "../../support/in-process.ts";
import { tableCounts } from "../../support/table-counts.ts";
import { aSoundFolder, doctor, doctorWith } from "../doctor.ts";
import { aFolder, CAIRN, cleanUp, spawnServer, until, untilSettled } from "../server.ts";

afterAll(cleanUp);

/** What the owner's rows look like from outside. */
async function seenBy(client: Client) {
  const { items } = await client.ok(MemoryPage, "GET", "/api/v1/memories", { query: { include_deleted: true } });
  const contradictions = items.map(({ id }) =>
    client.ok(ContradictionsReply, "GET", `/api/v1/memories/${id}/contradictions`),
  );
  return {
    items,
    contradictions: await Promise.all(contradictions),
    audit: await client.ok(AuditLog, "GET", "/api/v1/audit-log", { query: { limit: 200 } }),
    counters: await client.ok(Counters, "GET", "/api/v1/stats"),
  };
}

test("a sound folder that no server has is well, and nothing in it is other than before", async () => {
  const folder = await aSoundFolder();
  const before = { ...tableCounts(folder), jobs: 0 };
  const { ok, code, bad, findings } = await doctor(folder);
  expect({ ok, code, bad }).toEqual({ ok: true, code: 0, bad: [] });
  expect(new Set(findings.map(({ section }) => section))).toEqual(new Set(SECTIONS));
  expect(findings.map(({ what }) => what).join("\n")).toContain("No server runs");
  expect({ ...tableCounts(folder), jobs: 0 }).toEqual(before);
});

test.each([
  ['{"port": ', /config\.json is not a JSON object \(.*Mend it/],
  ["[]", /config\.json is not a JSON object/],
  ['{"prot": 8000}', /Unknown config key 'prot' in .*config\.json\. Did you mean 'port'/],
  ['{"log_level": "loud"}', /log_level: .*\(from log_level in .*config\.json\)/],
])("a config file that reads %s is the finding of a report, and nothing else was looked at", async (text, told) => {
  const folder = aFolder();
  const file = join(folder, "config.json");
  await Bun.write(file, text);
  const { ok, code, findings, finding } = await doctor(folder, "--config", file);
  expect({ ok, code }).toEqual({ ok: false, code: 1 });
  expect(finding("settings", "configuration")).toMatchObject({
    state: "fault",
    what: expect.stringMatching(told),
    repair: expect.stringContaining("cairn config --origin"),
  });
  expect(findings.map(({ section }) => section)).toEqual([...SECTIONS]);
});

test("an address of a server that is none is a finding, too", async () => {
  const { code, finding } = await doctorWith({ CAIRN_URL: "nowhere" }, aFolder());
  expect([code, finding("settings", "configuration")?.what]).toEqual([1, expect.stringContaining("CAIRN_URL")]);
});

test("a sound server is well, and what its callers see is as it was, counters and audit included", async () => {
  const folder = await aSoundFolder();
  const server = await spawnServer({ folder, embedder: "onnx" });
  await untilSettled(server);
  const before = await seenBy(server.client);
  expect(before.contradictions.some(({ contradictions }) => contradictions.length > 0)).toBe(true);
  expect(before.items.some(({ recall_count }) => recall_count > 0)).toBe(true);
  const rows = { ...tableCounts(folder), jobs: 0 };
  const { ok, code, bad, findings } = await doctor(folder);
  expect({ ok, code, bad }).toEqual({ ok: true, code: 0, bad: [] });
  expect(findings.map(({ what }) => what)).toContain(`process ${server.pid} answers`);
  await untilSettled(server);
  expect(await seenBy(server.client)).toEqual(before);
  expect({ ...tableCounts(folder), jobs: 0 }).toEqual(rows);
  await server.terminate();
});

test("texts read by counting are a fault: what they mean is not looked for", async () => {
  const folder = aFolder();
  const server = await spawnServer({ folder });
  await memoriesApi(server.client).write();
  const { ok, code, finding } = await doctor(folder);
  expect({ ok, code }).toEqual({ ok: false, code: 1 });
  expect(finding("models", "embedder")?.what).toContain("for tests only");
  expect(finding("models", "self-test")?.state).toBe("unseen");
  await server.terminate();
});

test("a round that is broken off at any call, or refused there, leaves nothing", async () => {
  const folder = aFolder();
  const { app, client, settle } = await openApp({ folder });
  app.runner.start();
  await memoriesApi(client).write({ content: "The kettle stands in the kitchen upstairs." });
  await settle();
  const before = { ...tableCounts(folder), jobs: 0 };
  let calls = 0;
  const round = (index: number, hit: () => void) => {
    calls = 0;
    const within = (tenant: string) => {
      const call = callThrough("http://localhost", { "X-Tenant-ID": tenant }, (request) => app.handle(request));
      return async (...words: Parameters<typeof call>) => {
        if (++calls === index) hit();
        return call(...words);
      };
    };
    const connection = { via: "folder", pid: process.pid, call: app.call, within } as const;
    return runRoundTrip({ connection, clock: systemClock, signal: controller.signal });
  };
  let controller = new AbortController();
  const whole = await round(0, () => {});
  expect(whole.findings.filter(({ state }) => state !== "well").map(({ check }) => check)).toEqual(["find by meaning"]);
  const all = calls;
  expect(all).toBeGreaterThan(6);
  for (let index = 1; index <= all; index++) {
    const { findings } = await round(index, () => {
      throw new Error("The line was cut.");
    });
    if (index < calls) expect(findings.map(({ what }) => what)).toContain("The line was cut.");
    expect(findings.at(-1)).toMatchObject({ check: "erase", state: "well" });
    controller = new AbortController();
    const broken = await round(index, () => controller.abort()).catch((error: unknown) => error);
    // Broken off in the last step, the round is over all the same.
    if (broken instanceof Error) expect(broken.name).toBe("AbortError");
    controller = new AbortController();
    await settle();
    expect({ ...tableCounts(folder), jobs: 0 }).toEqual(before);
  }
  await app.stop();
});

test("an examination that is interrupted takes back what it wrote and says so", async () => {
  const folder = await aSoundFolder();
  const server = await spawnServer({ folder, embedder: "onnx" });
  await untilSettled(server);
  const before = { ...tableCounts(folder), jobs: 0 };
  const child = Bun.spawn([...CAIRN, "doctor", `--data=${folder}`], { stdout: "ignore", stderr: "pipe" });
  await until("the round has begun", async () => {
    const tenants = await server.client.ok(TenantList, "GET", "/api/v1/tenants");
    return tenants.length > 1 || child.exitCode !== null;
  });
  child.kill("SIGINT");
  expect(await new Response(child.stderr).text()).toContain("Interrupted. What the examination wrote is erased.");
  expect(await child.exited).toBe(130);
  await untilSettled(server);
  expect({ ...tableCounts(folder), jobs: 0 }).toEqual(before);
  await server.terminate();
});
