import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { AuditLog } from "../../../src/core/schema/account.ts";
import { IndexesRebuilt, IntegrityReport } from "../../../src/core/schema/integrity.ts";
import { Forgotten } from "../../../src/core/schema/keeping/forget.ts";
import { ImportResult } from "../../../src/core/schema/keeping/import.ts";
import { Conflict, ConflictPage } from "../../../src/core/schema/observing/conflict.ts";
import type { CallOptions, Client } from "../../support/api/client.ts";
import { aVersion, contradictionsApi, DEMOTED } from "../../support/api/contradictions.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { fakeClock } from "../../support/clock.ts";
import { GATEWAY, holder, refusalOf, viaGateway } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const CONFLICTS = "/api/v1/conflicts";
const REVIEW = `${CONFLICTS}/review`;

const clock = fakeClock();
const { app, client, settle } = await openApp({ clock, flags: [GATEWAY] });
afterAll(() => app.stop());
const api = { ...memoriesApi(client), ...contradictionsApi(client) };

type Query = NonNullable<CallOptions["query"]>;
interface Pair {
  readonly newer_id: string;
  readonly older_id: string;
  readonly fleet_id: string;
}

let fleets = 0;
/** Two rows that clash, in a fleet of their own, looked at; the older one was confirmed. */
async function aConflict(fields: object = {}): Promise<Pair> {
  const fleet_id = `fleet-${++fleets}`;
  const older = await api.write(aVersion(14), { fleet_id, status: "confirmed", ...fields });
  clock.advance(1_000);
  const newer = await api.write(aVersion(16), { fleet_id, ...fields });
  await settle();
  return { newer_id: newer.id, older_id: older.id, fleet_id };
}

const list = (query: Query = {}, as: Client = client) => as.ok(ConflictPage, "GET", CONFLICTS, { query });
const bodyOf = ({ newer_id, older_id }: Pair, decision: string) => ({ newer_id, older_id, decision });
const review = (pair: Pair, decision: string, as: Client = client) =>
  as.ok(Conflict, "POST", REVIEW, { body: bodyOf(pair, decision) });
const refused = async (pair: Pair, decision: string, as: Client = client) =>
  refusalOf(await as.refused("POST", REVIEW, { body: bodyOf(pair, decision) }));
const statusOf = async (id: string) => (await api.get(id)).status;
const statesOf = async ({ fleet_id }: Pair) => (await list({ fleet_id, state: "all" })).items.map(({ state }) => state);
const faults = async () =>
  (await client.ok(IntegrityReport, "GET", "/api/v1/integrity")).checks.filter(({ ok }) => !ok);
const auditOf = async (target_id: string) =>
  (await client.ok(AuditLog, "GET", "/api/v1/audit-log", { query: { target_id, action: "memory.review" } })).items;

test("a finding that nobody has reviewed is shown whole, with both memories", async () => {
  const { newer_id, older_id, fleet_id } = await aConflict();
  const [newer, older] = [await api.get(newer_id), await api.get(older_id)];
  const [found] = (await api.contradictions(older_id)).contradictions;
  const { items, next_cursor, open_count } = await list({ fleet_id });
  expect([next_cursor, open_count]).toEqual([null, 1]);
  expect(items).toMatchObject([
    {
      newer: { id: newer_id, content: newer.content, status: "active", agent_id: newer.agent_id, fleet_id },
      older: { id: older_id, content: older.content, status: older.status, created_at: older.created_at },
      result: older.status,
      rule: found?.rule,
      confidence: found?.confidence,
      spans: { newer: found?.spans.other, older: found?.spans.own },
      state: "open",
      reviewed_at: null,
      reviewed_by: null,
    },
  ]);
  expect(items[0]?.spans.newer.text).toContain("16");
});

describe("a decision", () => {
  test("to accept makes the older memory outdated for good", async () => {
    const pair = await aConflict();
    const reviewed = await review(pair, "accept");
    expect(reviewed).toMatchObject({ state: "accepted", older: { status: "outdated" }, newer: { status: "active" } });
    expect(reviewed.reviewed_at).not.toBeNull();
    const [item] = (await list({ fleet_id: pair.fleet_id, state: "accepted" })).items;
    expect(item).toEqual(reviewed);
    expect((await list({ fleet_id: pair.fleet_id })).open_count).toBe(0);
    await api.remove(pair.newer_id);
    await settle();
    expect([await statusOf(pair.older_id), await statesOf(pair)]).toEqual(["outdated", []]);
    expect(await faults()).toEqual([]);
  });

  test("that both stand frees the older one, whatever has the two looked at again", async () => {
    const pair = await aConflict();
    expect(await review(pair, "both_stand")).toMatchObject({ state: "both_stand", older: { status: "confirmed" } });
    for (const id of [pair.newer_id, pair.older_id]) {
      await api.patch(id, { ts_valid_end: "2031-01-01T00:00:00Z" });
      await settle();
    }
    await client.ok(IndexesRebuilt, "POST", "/api/v1/integrity/rebuild");
    await settle();
    expect([await statusOf(pair.older_id), await statesOf(pair)]).toEqual(["confirmed", ["both_stand"]]);
    expect((await api.contradictions(pair.newer_id)).contradictions).toEqual([]);
    expect(await faults()).toEqual([]);
  });

  test("that both stand is one about the pair: a third memory is compared with the one that was freed", async () => {
    const pair = await aConflict();
    const third = await api.write(aVersion(17), { fleet_id: pair.fleet_id });
    await settle();
    await review(pair, "both_stand");
    await settle();
    const found = (await api.contradictions(pair.older_id)).contradictions.map(({ memory_id }) => memory_id);
    expect(found).toEqual([third.id]);
    expect(DEMOTED).toContain(await statusOf(pair.older_id));
  });

  test.each([[["accept"]], [["both_stand"]], [["accept", "both_stand"]], [["both_stand", "accept"]]])(
    "%j is taken back whole",
    async (decisions) => {
      const pair = await aConflict();
      const [before] = (await list({ fleet_id: pair.fleet_id })).items;
      const linked = (await api.get(pair.newer_id)).supersedes_id;
      for (const decision of decisions) {
        await review(pair, decision);
        expect(await faults()).toEqual([]);
      }
      expect<unknown>(await review(pair, "reopen")).toEqual(before);
      await settle();
      expect((await api.get(pair.newer_id)).supersedes_id).toBe(linked);
      await api.remove(pair.newer_id);
      expect(await statusOf(pair.older_id)).toBe("confirmed");
      expect(await faults()).toEqual([]);
    },
  );

  test.each(["accept", "both_stand", "reopen"])("to %s changes nothing when it is repeated", async (decision) => {
    const pair = await aConflict();
    const first = await review(pair, decision);
    const [audited, memory] = [await auditOf(pair.older_id), await api.get(pair.older_id)];
    clock.advance(1_000);
    expect(await review(pair, decision)).toEqual(first);
    expect([await auditOf(pair.older_id), await api.get(pair.older_id)]).toEqual([audited, memory]);
    expect(audited).toHaveLength(decision === "reopen" ? 0 : 1);
  });

  test("is audited with its reason, and with what it was before", async () => {
    const pair = await aConflict();
    await client.ok(Conflict, "POST", REVIEW, { body: { ...bodyOf(pair, "accept"), reason: "Seen on the host." } });
    expect(await auditOf(pair.older_id)).toMatchObject([
      { before: { state: "open" }, after: { state: "accepted", newer_id: pair.newer_id }, reason: "Seen on the host." },
    ]);
  });

  test("goes with the text that it was about, and what clashes then is open again", async () => {
    const [accepted, freed] = [await aConflict(), await aConflict()];
    await review(accepted, "accept");
    await review(freed, "both_stand");
    await api.patch(accepted.older_id, { content: aVersion(15) });
    await api.patch(freed.newer_id, { content: aVersion(17) });
    await settle();
    for (const pair of [accepted, freed]) {
      expect(await statesOf(pair)).toEqual(["open"]);
      expect(DEMOTED).toContain(await statusOf(pair.older_id));
      expect((await api.contradictions(pair.older_id)).contradictions).toHaveLength(1);
    }
    expect(await faults()).toEqual([]);
  });

  test("about a memory that was changed and clashes no more is not to be had", async () => {
    const pair = await aConflict();
    await review(pair, "accept");
    await api.patch(pair.newer_id, { content: "Nadia prefers green tea in the afternoon." });
    await settle();
    expect(await statesOf(pair)).toEqual([]);
    for (const decision of ["accept", "both_stand", "reopen"])
      expect(await refused(pair, decision)).toEqual([404, "NOT_FOUND"]);
  });

  test("to set the older one live by hand is the decision that both stand, and can be taken back like it", async () => {
    const pair = await aConflict();
    await api.setStatus(pair.older_id, "active");
    expect(await statesOf(pair)).toEqual(["both_stand"]);
    await review(pair, "reopen");
    expect([await statesOf(pair), DEMOTED.includes(await statusOf(pair.older_id))]).toEqual([["open"], true]);
  });

  test("is refused where the finding cannot stand again", async () => {
    const pair = await aConflict();
    await review(pair, "both_stand");
    await api.setStatus(pair.newer_id, "cancelled");
    expect(await refused(pair, "reopen")).toEqual([400, "BAD_REQUEST"]);
    expect(await statusOf(pair.older_id)).toBe("confirmed");
  });

  test("leaves a status that a caller gave the older one by hand and that is not live", async () => {
    const pair = await aConflict();
    await api.setStatus(pair.older_id, "archived");
    for (const decision of ["accept", "both_stand", "reopen"]) {
      expect((await review(pair, decision)).older.status).toBe("archived");
      expect(await faults()).toEqual([]);
    }
  });
});

describe("nobody decides", () => {
  test("for another tenant, nor sees its findings", async () => {
    const pair = await aConflict();
    const other = client.as(viaGateway("acme"));
    expect(await list({ state: "all" }, other)).toMatchObject({ items: [], open_count: 0 });
    expect(await refused(pair, "accept", other)).toEqual([404, "NOT_FOUND"]);
    const foreign = { ...bodyOf(pair, "accept"), tenant_id: "default" };
    expect(refusalOf(await other.refused("POST", REVIEW, { body: foreign }))).toEqual([403, "TENANT_MISMATCH"]);
    expect(await statesOf(pair)).toEqual(["open"]);
  });

  test("about what others wrote without the trust to change it", async () => {
    const pair = await aConflict({ agent_id: "ada" });
    const home = { fleet_id: pair.fleet_id };
    for (const trust of [0, 1, 2]) {
      const bob = await holder(client, { agent_id: `bob-${trust}`, ...home, trust });
      expect((await list({}, bob)).items.map(({ newer }) => newer.id)).toContain(pair.newer_id);
      expect(await refused(pair, "accept", bob)).toEqual([403, "AGENT_TRUST_TOO_LOW"]);
    }
    expect(await statesOf(pair)).toEqual(["open"]);
    const ada = await holder(client, { agent_id: "ada", ...home, trust: 1 });
    expect(await review(pair, "accept", ada)).toMatchObject({ state: "accepted", reviewed_by: "ada" });
    const warden = await holder(client, { agent_id: "warden", ...home, trust: 3 });
    expect(await review(pair, "both_stand", warden)).toMatchObject({ reviewed_by: "warden" });
  });

  test("about what is private to another, who alone sees it listed", async () => {
    const pair = await aConflict({ agent_id: "ada", visibility: "scope_agent" });
    const { fleet_id } = pair;
    const bob = await holder(client, { agent_id: "bob", fleet_id, trust: 3 });
    expect(await list({ fleet_id, state: "all" }, bob)).toMatchObject({ items: [], open_count: 0 });
    expect(await refused(pair, "accept", bob)).toEqual([404, "NOT_FOUND"]);
    expect(await list({ fleet_id, agent_id: "bob" })).toMatchObject({ items: [], open_count: 0 });
    expect((await list({ fleet_id, agent_id: "ada" })).items).toHaveLength(1);
    const body = { ...bodyOf(pair, "accept"), agent_id: "ada" };
    expect(await client.ok(Conflict, "POST", REVIEW, { body })).toMatchObject({ state: "accepted" });
  });

  test("about a pair the wrong way round, unknown memories, or in words that are no decision", async () => {
    const pair = await aConflict();
    const turned = { ...pair, newer_id: pair.older_id, older_id: pair.newer_id };
    expect(await refused(turned, "accept")).toEqual([404, "NOT_FOUND"]);
    expect(await refused({ ...pair, older_id: crypto.randomUUID() }, "accept")).toEqual([404, "NOT_FOUND"]);
    expect(await refused(pair, "perhaps")).toEqual([422, "INVALID_ARGUMENTS"]);
    expect(await refused({ ...pair, older_id: "x" }, "accept")).toEqual([422, "INVALID_ARGUMENTS"]);
  });

  test("about what a caller corrected: that is no finding of the detector", async () => {
    const { id } = await api.write("The jetty is nine metres long.", { fleet_id: "jetty" });
    const body = { content: "The jetty was lengthened to twelve metres." };
    const corrected = z.looseObject({ id: z.string() });
    const newer = await client.ok(corrected, "POST", `/api/v1/memories/${id}/correct`, { body });
    const pair = { newer_id: newer.id, older_id: id, fleet_id: "jetty" };
    expect([await statesOf(pair), await refused(pair, "both_stand")]).toEqual([[], [404, "NOT_FOUND"]]);
  });
});

describe("a list", () => {
  test("goes on where its page ended, newest first, though findings are decided meanwhile", async () => {
    const tenant = client.as(viaGateway("pages"));
    const own = contradictionsApi(tenant, "pages");
    const written: string[] = [];
    for (let i = 0; i < 5; i++) {
      const fleet_id = `page-${i}`;
      await own.write(aVersion(14), { fleet_id });
      clock.advance(1_000);
      written.unshift((await own.write(aVersion(16), { fleet_id })).id);
      await settle();
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: 2, cursor }, tenant);
      expect(page.items.length).toBeLessThanOrEqual(2);
      for (const { newer, older } of page.items) {
        seen.push(newer.id);
        const body = { newer_id: newer.id, older_id: older.id, decision: "accept" };
        expect((await tenant.call("POST", REVIEW, { body })).status).toBe(200);
      }
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(written);
    expect((await list({}, tenant)).open_count).toBe(0);
  });

  test.each([
    ["a cursor of its own making", { cursor: "abc" }, [400, "BAD_REQUEST"]],
    [
      "a cursor of another list",
      { cursor: btoa(`2026-01-01T00:00:00.000Z:${crypto.randomUUID()}`) },
      [400, "BAD_REQUEST"],
    ],
    ["a state that there is not", { state: "closed" }, [422, "INVALID_ARGUMENTS"]],
    ["more than 200", { limit: 201 }, [422, "INVALID_ARGUMENTS"]],
    ["another tenant", { tenant_id: "acme" }, [403, "TENANT_MISMATCH"]],
  ] satisfies [string, Query, [number, string]][])("is refused for %s", async (_, query, expected) => {
    expect(refusalOf(await client.refused("GET", CONFLICTS, { query }))).toEqual(expected);
  });
});

test("decisions move with an export, and the statuses that they made", async () => {
  const [source, other] = [await openApp({ clock }), await openApp({ clock })];
  const own = contradictionsApi(source.client);
  for (const of of ["staging", "billing", "archive"]) {
    for (const version of [14, 16]) {
      await own.write(aVersion(version, of), { fleet_id: of });
      clock.advance(1_000);
    }
    await source.settle();
  }
  const decided = (await list({}, source.client)).items;
  const named = decided.map(({ newer, older }, i) => ({
    newer_id: newer.id,
    older_id: older.id,
    decision: ["accept", "both_stand", "reopen"][i] ?? "reopen",
  }));
  for (const body of named) await source.client.call("POST", REVIEW, { body });
  const there = (await list({ state: "all" }, source.client)).items;
  expect(there.map(({ state }) => state).sort()).toEqual(["accepted", "both_stand", "open"]);

  const lines = await source.client.ok(z.array(z.looseObject({ record: z.string() })), "GET", "/api/v1/export");
  const records = lines.slice(1, -1);
  const { results } = await other.client.ok(ImportResult, "POST", "/api/v1/import", { body: { records } });
  expect(results.filter(({ outcome }) => outcome === "refused")).toEqual([]);
  const again = await other.client.ok(ImportResult, "POST", "/api/v1/import", { body: { records } });
  expect(again.results.filter(({ outcome }) => outcome === "created")).toEqual([]);
  await other.settle();
  expect((await list({ state: "all" }, other.client)).items).toEqual(there);
  for (const { newer, older } of there) {
    const body = { newer_id: newer.id, older_id: older.id, decision: "reopen" };
    const reopened = await other.client.ok(Conflict, "POST", REVIEW, { body });
    expect(reopened.state).toBe("open");
    expect<string>(reopened.older.status).toBe(reopened.result);
  }
  const report = await other.client.ok(IntegrityReport, "GET", "/api/v1/integrity");
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  await Promise.all([source.app.stop(), other.app.stop()]);
});

test("what is forgotten is in no decision, and in no reply that was kept of one", async () => {
  const pair = await aConflict();
  const headers = { "Idempotency-Key": "forgotten decision" };
  const body = { ...bodyOf(pair, "accept"), reason: "As the log of the host says." };
  const first = await client.call("POST", REVIEW, { body, headers });
  expect((await client.call("POST", REVIEW, { body, headers })).body).toEqual(first.body);
  const forget = { tenant_id: "default", fleet_id: pair.fleet_id };
  await client.ok(Forgotten, "POST", "/api/v1/admin/forget", { body: forget });
  expect(await statesOf(pair)).toEqual([]);
  expect(await auditOf(pair.older_id)).toMatchObject([{ before: null, after: null, reason: null }]);
  // The key is free again: nothing was kept under it.
  expect(refusalOf(await client.refused("POST", REVIEW, { body, headers }))).toEqual([404, "NOT_FOUND"]);
});

test("an agent that is forgotten is named by no decision any more, which stays", async () => {
  const pair = await aConflict();
  const clerk = await holder(client, { agent_id: "clerk", fleet_id: pair.fleet_id, trust: 3 });
  expect((await review(pair, "accept", clerk)).reviewed_by).toBe("clerk");
  await client.ok(Forgotten, "POST", "/api/v1/admin/forget", { body: { tenant_id: "default", agent_id: "clerk" } });
  const { items } = await list({ fleet_id: pair.fleet_id, state: "accepted" });
  expect(items).toMatchObject([{ state: "accepted", reviewed_by: null }]);
});
