import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../src/core/kernel/clock.ts";
import { AuditLog } from "../../../src/core/schema/account.ts";
import { ForgeRunList, LifecycleFanout } from "../../../src/core/schema/forge.ts";
import { ensureRecurring } from "../../../src/startup/background-jobs.ts";
import { documentsApi } from "../../support/api/documents.ts";
import type { ForgeApi } from "../../support/api/forge.ts";
import { FANOUT, FORGE_RUNS, forgeApi, TRIGGER } from "../../support/api/forge.ts";
import { skillsApi } from "../../support/api/skills.ts";
import { TENANT } from "../../support/builders.ts";
import type { FakeClock } from "../../support/clock.ts";
import { fakeClock } from "../../support/clock.ts";
import { holder, refusalOf } from "../../support/credentials.ts";
import type { InProcess } from "../../support/in-process.ts";
import { openApp } from "../../support/in-process.ts";
import type { OfficeRun } from "../fixtures/forge-office.ts";
import { OFFICE } from "../fixtures/forge-office.ts";

const HOUR_MS = 3_600_000;
const runsOf = (procedure: OfficeRun["procedure"]) => OFFICE.filter((run) => run.procedure === procedure);
const CERTIFICATES = runsOf("certificate");

let app: InProcess;
let clock: FakeClock;
let forge: ForgeApi;
beforeEach(async () => {
  clock = fakeClock();
  app = await openApp({ clock });
  forge = forgeApi(app.client, clock);
});
afterEach(() => app.app.stop());

/** Sets a run off by hand and waits until it is over. */
async function run() {
  await forge.trigger();
  await app.settle();
  return forge.last();
}

describe("a run of the Forge", () => {
  test("draws one skill from runs of one procedure, with what it was drawn from", async () => {
    await forge.enable();
    await forge.write(OFFICE.filter(({ procedure }) => procedure === "certificate" || procedure === null));
    const told = await run();
    expect(told).toMatchObject({ trigger: "manual", traces: 12, written: 1, error: null });
    expect(told.successes + told.failures + told.unknown).toBe(told.traces);
    const [cluster] = told.clusters;
    expect(cluster).toMatchObject({ size: 5, distinct_agents: 4, outcome: "written", reason: null });
    const [skill] = await forge.skills();
    expect(skill).toMatchObject({
      doc_id: cluster?.doc_id,
      fleet_id: null,
      data: {
        source: "forge",
        kind: "create",
        cluster_fingerprint: cluster?.fingerprint,
        origin: { agent_id: "forge", run_id: told.id, cluster_size: 5, distinct_agents: 4 },
        evidence: { failed_runs: 1, run_ids: ["cert-1", "cert-2", "cert-3", "cert-4", "cert-5"] },
        scan: { state: "clean" },
      },
    });
    const content = String(skill?.data.content);
    for (const heading of ["## When to use", "## Steps", "## Pitfalls", "## Evidence"])
      expect(content).toContain(heading);
    expect(content).toContain("openssl");
    expect(content).toContain("A run failed: Browsers reject the certificate");
    // Tickets and machines of single runs are no part of a procedure.
    for (const own of ["OPS-1182", "gw-01", "mail-relay"]) expect(content).not.toContain(own);
    expect(String(skill?.data.summary)).toStartWith("Use when ");
  });

  test("writes nothing new over the same runs, and its candidate reaches nobody but reviewers", async () => {
    await forge.enable();
    await forge.write(CERTIFICATES);
    const first = await run();
    const [doc_id = ""] = first.clusters.map((cluster) => cluster.doc_id ?? "");
    const agent = await holder(app.client, { agent_id: "zed" });
    expect(await documentsApi(agent).query("skills")).toEqual([]);
    expect((await documentsApi(agent).search("renew a certificate", { collection: "skills" })).results).toEqual([]);
    const before = await forge.skills();
    const second = await run();
    expect(second).toMatchObject({ written: 0, clusters: [{ reason: "not_a_candidate", detail: "staged", doc_id }] });
    expect(await forge.skills()).toEqual(before);
    await skillsApi(app.client).act(doc_id, "approve");
    expect((await documentsApi(agent).query("skills")).map(({ doc_id }) => doc_id)).toHaveLength(1);
    expect((await run()).clusters).toMatchObject([{ reason: "not_a_candidate", detail: "active" }]);
  });

  test("never brings back what was rejected within its cool-off, by whatever words, and may do so after it", async () => {
    await forge.enable({ rejection_cooloff_days: 3 });
    await forge.write(CERTIFICATES.slice(0, 4));
    const [doc_id = ""] = (await run()).clusters.map((cluster) => cluster.doc_id ?? "");
    await skillsApi(app.client).act(doc_id, "reject", { reason: "We do not do this." });
    await forge.write(CERTIFICATES.slice(4));
    expect((await run()).clusters).toMatchObject([{ outcome: "skipped", reason: "poisoned" }]);
    clock.advance(4 * DAY_MS);
    const [again] = (await run()).clusters;
    expect(again).toMatchObject({ outcome: "written" });
    expect(again?.doc_id).not.toBe(doc_id);
    expect(await skillsApi(app.client).status(doc_id)).toBe("rejected");
  });

  test("says which gate a cluster would not pass", async () => {
    await forge.enable();
    await forge.write([...runsOf("release"), ...runsOf("flaky")]);
    expect((await run()).clusters).toMatchObject([{ size: 3, distinct_agents: 2, reason: "diversity", doc_id: null }]);
    await forge.enable({ forge: { min_cluster_size: 4, min_distinct_agents: 2 } });
    expect((await run()).clusters).toMatchObject([{ size: 3, reason: "volume" }]);
    await forge.enable({ forge: { min_cluster_size: 3, min_distinct_agents: 2 } });
    expect(await run()).toMatchObject({ written: 1 });
  });

  test("writes no more than the cap of one run, the largest clusters first, and the rest the next time", async () => {
    await forge.enable({ forge: { max_writes_per_run: 1 } });
    await forge.write([...CERTIFICATES, ...runsOf("password")]);
    const first = await run();
    expect(first).toMatchObject({
      written: 1,
      clusters: [{ size: 5 }, { size: 3, reason: "write_cap", doc_id: null }],
    });
    expect(await run()).toMatchObject({ written: 1, clusters: [{ outcome: "skipped" }, { outcome: "written" }] });
  });

  test("reads neither private rows nor rows beyond the window", async () => {
    await forge.enable();
    await forge.write(CERTIFICATES, { visibility: "scope_agent" });
    expect(await run()).toMatchObject({ traces: 0, clusters: [] });
    await forge.write(runsOf("password"));
    expect(await run()).toMatchObject({ traces: 3, written: 1 });
    clock.advance(15 * DAY_MS);
    expect(await run()).toMatchObject({ traces: 0 });
  });

  test("belongs to the fleet of its runs when they share one, and can be limited to a fleet", async () => {
    await forge.enable();
    await forge.write(CERTIFICATES, { fleet_id: "west" });
    await forge.write(runsOf("password"), { fleet_id: "east" });
    await forge.trigger({ fleet_id: "west" });
    await app.settle();
    expect(await forge.last()).toMatchObject({ fleet_id: "west", traces: 6, written: 1 });
    expect((await forge.skills()).map(({ fleet_id }) => fleet_id)).toEqual(["west"]);
  });

  test("tells one fleet nothing of what another one's runs said, however alike they are", async () => {
    await forge.enable();
    const some = CERTIFICATES.slice(0, 4);
    const inFleet = (fleet: string) => some.map((one) => ({ ...one, run_id: `${fleet}-${one.run_id}` }));
    await forge.write(inFleet("west"), { fleet_id: "west" });
    await forge.write(inFleet("east"), { fleet_id: "east" });
    expect(await run()).toMatchObject({ traces: 8, written: 2 });
    expect(await run()).toMatchObject({ clusters: [{ reason: "not_a_candidate" }, { reason: "not_a_candidate" }] });
    const skills = await forge.skills();
    expect(skills.map(({ fleet_id }) => fleet_id).sort()).toEqual(["east", "west"]);
    for (const { fleet_id, data } of skills) {
      const other = fleet_id === "west" ? "east" : "west";
      expect(JSON.stringify(data)).not.toContain(`${other}-cert`);
    }
  });

  test("needs enough runs that the same agents may read", async () => {
    await forge.enable();
    await forge.write(CERTIFICATES.slice(0, 2), { fleet_id: "west" });
    await forge.write(CERTIFICATES.slice(2, 4), { fleet_id: "east" });
    expect(await run()).toMatchObject({ traces: 4, written: 0 });
    const open = CERTIFICATES.slice(0, 4).map((one) => ({ ...one, run_id: `open-${one.run_id}` }));
    await forge.write(open.slice(0, 2), { fleet_id: "west", visibility: "scope_org" });
    await forge.write(open.slice(2), { fleet_id: "east", visibility: "scope_org" });
    expect(await run()).toMatchObject({ written: 1 });
    expect((await forge.skills()).map(({ fleet_id }) => fleet_id)).toEqual([null]);
  });

  test("refreshes a candidate that still waits when more runs come, and keeps its name", async () => {
    await forge.enable();
    await forge.write(CERTIFICATES.slice(0, 4));
    await forge.trigger();
    // The tick alone, before the candidate is judged.
    await app.app.services.storage.jobs.claim(clock.now(), HOUR_MS);
    const { items } = await app.client.ok(ForgeRunList, "GET", FORGE_RUNS, { query: { limit: 1 } });
    const tick = async (id = "") => {
      const { runForge: forgeTick } = await import("../../../src/forge/run.ts");
      const job = { kind: "forge_tick", payload: { tenant_id: TENANT, run: id } } as const;
      await forgeTick(app.app.services, { ...job, signal: AbortSignal.timeout(60_000) });
    };
    await tick(items[0]?.id);
    const [before] = await forge.skills();
    expect(before?.data).toMatchObject({ status: "candidate", origin: { cluster_size: 4 } });
    await forge.write(CERTIFICATES.slice(4));
    clock.advance(25 * HOUR_MS);
    await forge.trigger();
    await tick((await forge.last()).id);
    const [after, ...others] = await forge.skills();
    expect(others).toEqual([]);
    expect(after?.doc_id).toBe(before?.doc_id ?? "");
    expect(after?.data).toMatchObject({ status: "candidate", origin: { cluster_size: 5 } });
    expect(after?.data.cluster_fingerprint).toBe(before?.data.cluster_fingerprint);
  });

  test("leaves an audit row that its trigger names", async () => {
    await forge.enable();
    const { audit_id } = await forge.trigger();
    const { items } = await app.client.ok(AuditLog, "GET", "/api/v1/audit-log", { query: { action: "forge.request" } });
    expect(items.map(({ id }) => id)).toEqual([audit_id]);
  });
});

describe("setting the Forge off", () => {
  const fanOut = (path = FANOUT) => app.client.ok(LifecycleFanout, "POST", path);

  test("reaches every opted-in tenant once an hour, by either path", async () => {
    const other = forgeApi(app.client, clock, "acme");
    const acme = await holder(app.client, { tenant_id: "acme", admin: true });
    await forge.enable();
    await forgeApi(acme, clock, "acme").enable();
    expect(await fanOut()).toEqual({ action: "forge-distill", published: 2, failed: 0 });
    await app.settle();
    expect(await fanOut("/admin/lifecycle/fanout/forge-distill")).toMatchObject({ published: 0, failed: 0 });
    clock.advance(HOUR_MS);
    expect(await acme.ok(LifecycleFanout, "POST", FANOUT)).toMatchObject({ published: 1 });
    expect(await fanOut()).toMatchObject({ published: 1 });
    expect((await forge.runs()).map(({ trigger }) => trigger)).toEqual(["fanout", "fanout"]);
    expect(refusalOf(await app.client.refused("GET", FORGE_RUNS, { query: { tenant_id: "acme" } }))[1]).toBe(
      "TENANT_MISMATCH",
    );
    expect(await other.trigger()).toMatchObject({ org_id: "acme" });
  });

  test("by hand counts as a run of its own, but never piles up", async () => {
    await forge.enable();
    const [first, second] = [await forge.trigger(), await forge.trigger()];
    expect(second).toEqual(first);
    await app.settle();
    expect((await forge.trigger()).audit_id).toBeGreaterThan(first.audit_id);
    expect(await forge.runs({ limit: 1 })).toHaveLength(1);
    expect(await forge.runs()).toHaveLength(2);
  });

  test("is for administrators, of their own tenant, where the factory is on, by actions that there are", async () => {
    const agent = await holder(app.client, { agent_id: "zed", trust: 3 });
    const acme = await holder(app.client, { tenant_id: "acme", admin: true });
    const body = { org_id: TENANT };
    const refused = async (client: typeof agent, path: string, sent?: unknown) =>
      refusalOf(await client.refused("POST", path, sent === undefined ? {} : { body: sent }));
    expect(await refused(agent, FANOUT)).toEqual([403, "ADMIN_REQUIRED"]);
    expect(await refused(agent, TRIGGER, body)).toEqual([403, "ADMIN_REQUIRED"]);
    expect(await refused(acme, TRIGGER, body)).toEqual([403, "TENANT_MISMATCH"]);
    expect(await refused(app.client, TRIGGER, body)).toEqual([403, "SKILLS_FACTORY_DISABLED"]);
    expect(await refused(app.client, FANOUT.replace("forge-distill", "sweep"))).toEqual([404, "NOT_FOUND"]);
    expect(await refused(app.client, TRIGGER.replace("forge-distill", "sweep"), body)).toEqual([404, "NOT_FOUND"]);
    expect(await refused(app.client, TRIGGER, {})).toEqual([403, "SKILLS_FACTORY_DISABLED"]);
    expect(refusalOf(await app.client.refused("GET", FORGE_RUNS, { query: { limit: 201 } }))[0]).toBe(422);
    expect(refusalOf(await agent.refused("GET", FORGE_RUNS))).toEqual([403, "ADMIN_REQUIRED"]);
    expect(await app.client.ok(ForgeRunList, "GET", FORGE_RUNS)).toEqual({ items: [] });
  });

  test("comes to nothing for a tenant that switched the factory off before its turn", async () => {
    await forge.enable();
    await forge.write(CERTIFICATES);
    await forge.trigger();
    await forge.enable({ enabled: false });
    await app.settle();
    expect(await forge.last()).toMatchObject({ written: 0, traces: 0, error: expect.stringContaining("not enabled") });
    expect(await forge.skills()).toEqual([]);
  });
});

describe("the schedule", () => {
  const look = async () => {
    await ensureRecurring(app.app.services);
    await app.settle();
  };
  const count = async () => (await forge.runs()).length;

  test("runs each opted-in tenant once an interval, whenever it is looked at, and nobody else", async () => {
    await look();
    expect(await count()).toBe(0);
    await forge.enable({ forge: { cron_interval_hours: 6 } });
    clock.advance(10 * 60_000);
    await look();
    expect(await forge.last()).toMatchObject({ trigger: "schedule", error: null });
    for (let hour = 1; hour <= 12; hour++) {
      clock.advance(HOUR_MS);
      await look();
    }
    expect(await count()).toBe(3);
  });

  test("is one job, however often it is ensured, and follows a change of the interval", async () => {
    await forge.enable({ forge: { cron_interval_hours: 48 } });
    await Promise.all([look(), look()]);
    expect(await count()).toBe(1);
    clock.advance(2 * HOUR_MS);
    await look();
    expect(await count()).toBe(1);
    await forge.enable({ forge: { cron_interval_hours: 1 } });
    clock.advance(10 * 60_000);
    await look();
    expect(await count()).toBe(2);
  });

  test("goes on when the clock was put back", async () => {
    await forge.enable();
    await look();
    clock.advance(-365 * DAY_MS);
    await look();
    expect(await count()).toBe(2);
    clock.advance(HOUR_MS);
    await look();
    expect(await count()).toBe(2);
    clock.advance(6 * HOUR_MS);
    await look();
    expect(await count()).toBe(3);
  });
});
