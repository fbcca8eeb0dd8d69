import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import type { Judge, Judgement } from "../../src/core/ports/judge.ts";
import { AuditLog } from "../../src/core/schema/account.ts";
import { IntegrityReport } from "../../src/core/schema/integrity.ts";
import { BulkResult } from "../../src/core/schema/memory.ts";
import { runJob } from "../../src/jobs/handlers.ts";
import { aVersion, contradictionsApi, DEMOTED } from "../support/api/contradictions.ts";
import { memoriesApi } from "../support/api/memories.ts";
import { openApp } from "../support/in-process.ts";
import { aFolder, checkData, cleanUp, openData, spawnServer, until, untilSettled } from "./server.ts";

/** Only against a hang: nothing here is about time. */
setDefaultTimeout(120_000);

afterAll(cleanUp);

const PAIRS = 40;
const KILLS = 4;

test("clashes written before kill -9 at any moment are each found once after the restart", async () => {
  const folder = aFolder();
  const first = await spawnServer({ folder });
  // Two of a pair are nearer to each other than to any other row.
  const names = Array.from({ length: PAIRS }, (_, i) =>
    ["north", "zone", "rack", "cage"].map((at) => `${at}${i}`).join(" "),
  );
  const items = names.map((name) => [aVersion(14, name), aVersion(16, name)]);
  const ids: string[] = [];
  for (const half of [items.slice(0, PAIRS / 2), items.slice(PAIRS / 2)]) {
    const body = { tenant_id: "default", items: half.flat().map((content) => ({ content })) };
    const { results } = await first.client.ok(BulkResult, "POST", "/api/v1/memories/bulk", { body });
    ids.push(...results.map(({ id }) => id ?? ""));
  }
  await first.kill();
  for (let i = 0; i < KILLS; i++) {
    checkData(folder);
    const server = await spawnServer({ folder });
    await Bun.sleep(30 * i);
    await server.kill();
  }
  checkData(folder);
  const server = await spawnServer({ folder });
  await untilSettled(server);
  // The last job may still be in hand: it is neither due nor failing.
  const seen = async () => (await api.contradictions(ids.at(-1) ?? "")).checked_at !== null;
  const api = { ...contradictionsApi(server.client), ...memoriesApi(server.client) };
  await until("the last row was looked at", seen);
  for (let i = 0; i < ids.length; i += 2) {
    const [older, newer] = [ids[i] ?? "", ids[i + 1] ?? ""];
    expect(DEMOTED).toContain((await api.get(older)).status);
    expect((await api.contradictions(newer)).contradictions.map(({ memory_id }) => memory_id)).toEqual([older]);
    const query = { target_id: older, action: "memory.status" };
    expect((await server.client.ok(AuditLog, "GET", "/api/v1/audit-log", { query })).items).toHaveLength(1);
  }
  expect(await server.terminate()).toBe(0);
  checkData(folder);
});

test("a crash after the verdict was stored and before the job was done changes nothing when it runs again", async () => {
  const folder = aFolder();
  const { app, client } = await openApp({ folder });
  const { write } = contradictionsApi(client);
  const [older, newer] = [await write(aVersion(14)), await write(aVersion(16))];
  const { storage, clock } = app.services;
  for (let leased = await storage.jobs.claim(clock.now(), 60_000); leased; ) {
    await runJob(app.services, leased, AbortSignal.timeout(60_000));
    // Not finished: as far as storage knows, the process is still at it.
    leased = await storage.jobs.claim(clock.now(), 60_000);
  }
  const look = async (of: typeof client) => [
    await contradictionsApi(of).contradictions(older.id),
    await contradictionsApi(of).contradictions(newer.id),
    (await of.ok(AuditLog, "GET", "/api/v1/audit-log")).items.length,
  ];
  const before = await look(client);
  expect(before[0]).toMatchObject({ detection_status: "completed" });
  await app.stop();

  const again = await openApp({ folder });
  expect((await again.app.services.storage.jobs.tally(Number.MAX_SAFE_INTEGER, null)).due).toBe(1);
  await again.settle();
  expect(await look(again.client)).toEqual(before);
  await again.app.stop();
  checkData(folder);
});

/** A judge that does something while it thinks. */
const aJudge = (thinking: () => Promise<void>, scores: readonly Judgement[] | null = null): Judge => ({
  id: "a-judge",
  state: () => ({ phase: "ready" }),
  async score() {
    await thinking();
    return scores;
  },
});

test.each<["older" | "newer"]>([["older"], ["newer"]])(
  "when the %s row changes while the pair is being judged, nothing is found, and it is looked at as it is then",
  async (which) => {
    let toChange: string | null = null;
    const judge = aJudge(async () => {
      const id = toChange;
      toChange = null;
      if (id !== null) await patch(id, { content: "Nadia prefers green tea in the afternoon." });
    });
    const { app, client, settle } = await openApp({ embedder: hashEmbedder(), judge });
    const { write, patch, contradictions } = contradictionsApi(client);
    const older = await write(aVersion(14));
    await settle();
    const newer = await write(aVersion(16));
    toChange = { older, newer }[which].id;
    await settle();
    expect(toChange).toBeNull();
    const { items } = await memoriesApi(client).list();
    expect(items.map(({ status, supersedes_id }) => [status, supersedes_id])).toEqual([
      ["active", null],
      ["active", null],
    ]);
    for (const { id } of [older, newer]) {
      const seen = await contradictions(id);
      expect([seen.contradictions, seen.checked_at === null]).toEqual([[], false]);
    }
    await app.stop();
  },
);

test("a judge that has no answer, or answers too few pairs, leaves the values to decide", async () => {
  for (const scores of [null, []]) {
    let asked = 0;
    const judge = aJudge(async () => {
      asked++;
    }, scores);
    const { app, client, settle } = await openApp({ embedder: hashEmbedder(), judge });
    const { write } = contradictionsApi(client);
    const { id } = await write(aVersion(14));
    await write(aVersion(16));
    await settle();
    expect(asked).toBeGreaterThan(0);
    expect(DEMOTED).toContain((await memoriesApi(client).get(id)).status);
    await app.stop();
  }
});

test.each([
  ["findings that were lost", "delete from findings", "detector"],
  ["a link to nothing", "update memories set supersedes_id = 'nothing'", "detector"],
  ["checks that were lost", "delete from memory_checks where former_status is null", "reading"],
])("%s are named by cairn check and mended by cairn rebuild", async (_, damage, fault) => {
  const folder = aFolder();
  const { app, client, settle } = await openApp({ folder });
  const { write, contradictions } = contradictionsApi(client);
  const [older, newer] = [await write(aVersion(14)), await write(aVersion(16))];
  await settle();
  const before = (await contradictions(newer.id)).superseded_by;
  expect(before?.id).toBe(older.id);
  const faults = async () =>
    IntegrityReport.parse(await app.call("GET", "/api/v1/integrity"))
      .checks.filter(({ ok }) => !ok)
      .map(({ name }) => name);
  expect(await faults()).toEqual([]);
  const db = openData(folder);
  db.exec(damage);
  db.close();
  expect(await faults()).toEqual([fault]);
  await app.call("POST", "/api/v1/integrity/rebuild");
  await settle();
  expect(await faults()).toEqual([]);
  expect((await contradictions(newer.id)).superseded_by).toEqual(before);
  await app.stop();
  checkData(folder);
});
