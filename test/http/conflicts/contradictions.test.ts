import { afterAll, describe, expect, test } from "bun:test";
import { AuditLog } from "../../../src/core/schema/account.ts";
import type { ContradictionsReply } from "../../../src/core/schema/contradiction.ts";
import type { SupersededBy } from "../../../src/core/schema/memory.ts";
import { aVersion, contradictionsApi, DEMOTED } from "../../support/api/contradictions.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { fakeClock } from "../../support/clock.ts";
import { refusalOf } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const clock = fakeClock();
const { app, client, settle } = await openApp({ clock });
afterAll(() => app.stop());
const api = { ...memoriesApi(client), ...contradictionsApi(client) };
const auditOf = async (target_id: string) =>
  (await client.ok(AuditLog, "GET", "/api/v1/audit-log", { query: { target_id } })).items;
const [older, newer] = [aVersion(14), aVersion(16)];

let fleets = 0;
/** A fleet that no other test writes in, so that none is a candidate of another's rows. */
const aFleet = (): { fleet_id: string } => ({ fleet_id: `fleet-${++fleets}` });

/** Two rows that clash, written one after the other and looked at. */
async function aClash(fields: { first?: object; second?: object } = {}) {
  const fleet = aFleet();
  const first = await api.write(older, { ...fleet, ...fields.first });
  clock.advance(1_000);
  const second = await api.write(newer, { ...fleet, ...fields.second });
  await settle();
  return { first, second };
}

describe("a newer statement that clashes with an older one", () => {
  test("demotes it and points at it", async () => {
    const { first, second } = await aClash();
    const [old, now] = [await api.get(first.id), await api.get(second.id)];
    expect(DEMOTED).toContain(old.status);
    expect([now.status, now.supersedes_id, old.supersedes_id]).toEqual(["active", first.id, null]);
  });

  test("is told with what clashes, by which rule and how surely, seen from both sides", async () => {
    const { first, second } = await aClash();
    const { status } = await api.get(first.id);
    const reason = status === "outdated" ? "rdf_conflict" : "semantic_conflict";
    const seen = await api.contradictions(second.id);
    const linked = { id: first.id, content_preview: older, status, created_at: first.created_at };
    expect(seen).toMatchObject({
      memory_id: second.id,
      status: "active",
      superseded_by: linked,
      superseded_memories: [],
      detection_status: "completed",
      checked_at: new Date(clock.now()).toISOString(),
      contradictions: [
        {
          memory_id: first.id,
          status,
          reason,
          content_preview: older,
          direction: "supersedes",
          created_at: first.created_at,
        },
      ],
    });
    const [found] = seen.contradictions;
    expect(found?.rule).not.toBe("");
    expect(found?.confidence).toBeGreaterThan(0);
    expect(found?.confidence).toBeLessThanOrEqual(1);
    expect(newer.slice(found?.spans.own.start, found?.spans.own.end)).toBe(found?.spans.own.text ?? "-");
    expect(older.slice(found?.spans.other.start, found?.spans.other.end)).toBe(found?.spans.other.text ?? "-");
    expect(found?.spans.own.text).toContain("16");
    expect(found?.spans.other.text).toContain("14");

    const fromOlder = await api.contradictions(first.id);
    expect(fromOlder).toMatchObject({ status, superseded_by: null, detection_status: "completed" });
    expect(fromOlder.superseded_memories).toEqual([
      { id: second.id, content_preview: newer, status: "active", created_at: second.created_at },
    ]);
    expect(fromOlder.contradictions).toMatchObject([
      {
        memory_id: second.id,
        direction: "superseded_by",
        reason,
        rule: found?.rule,
        spans: { own: found?.spans.other },
      },
    ]);
  });

  test("shows it on every reply that shows it, and stays null for the rest", async () => {
    const { first, second } = await aClash();
    const { fleet_id } = second;
    const { status } = await api.get(first.id);
    const shown: SupersededBy[] = [
      {
        old_memory_id: first.id,
        old_status: status,
        reason: status === "outdated" ? "rdf_conflict" : "semantic_conflict",
        old_content_preview: older,
        direction: "canonical",
      },
    ];
    expect(second.superseded_by).toBeNull();
    const { items } = await api.list({ fleet_id: fleet_id ?? "" });
    expect(items.map(({ id, superseded_by }) => [id, superseded_by])).toEqual([
      [second.id, shown],
      [first.id, null],
    ]);
    const found = await api.search("staging database", { fleet_ids: [fleet_id], top_k: 20 });
    expect(found.items.find(({ id }) => id === second.id)?.superseded_by).toEqual(shown);
    const recalled = await api.recall("staging database", { fleet_ids: [fleet_id], top_k: 20 });
    expect(recalled.memories.find(({ id }) => id === second.id)?.superseded_by).toEqual(shown);
    expect((await api.patch(second.id, { weight: 0.7 })).superseded_by).toEqual(shown);
  });

  test("leaves audit rows that name the detector, what it did and why", async () => {
    const { first, second } = await aClash();
    const [demotion] = await auditOf(first.id);
    expect(demotion).toMatchObject({ auth_source: "detector", agent_id: null, before: { status: "active" } });
    expect(demotion?.reason).toContain(second.id);
    const [link] = await auditOf(second.id);
    expect(link).toMatchObject({ auth_source: "detector", after: { supersedes_id: first.id } });
  });

  test("is found in a batch too, once its rows have vectors", async () => {
    const fleet = aFleet();
    const { results } = await api.bulk([{ content: older }, { content: newer }], fleet);
    const [first, second] = results.map(({ id }) => id ?? "");
    await settle();
    expect(await api.contradictions(second ?? "")).toMatchObject({ superseded_by: { id: first } });
  });

  test("is the one that happened later, not the one that was written later", async () => {
    const second = { ts_valid_start: "2019-05-01T00:00:00Z" };
    const { first, second: past } = await aClash({ second });
    expect((await api.get(first.id)).status).toBe("active");
    expect(DEMOTED).toContain((await api.get(past.id)).status);
    expect(await api.contradictions(first.id)).toMatchObject({ superseded_by: { id: past.id } });
  });

  test("of several is linked to one and listed with all", async () => {
    const fleet = aFleet();
    const first = await api.write(aVersion(12), fleet);
    const second = await api.write(aVersion(13), { ...fleet, agent_id: "bob" });
    clock.advance(1_000);
    const third = await api.write(aVersion(14), fleet);
    await settle();
    const { contradictions, superseded_by } = await api.contradictions(third.id);
    expect(contradictions.map(({ memory_id }) => memory_id)).toContain(superseded_by?.id ?? "-");
    for (const { id } of [first, second]) expect(DEMOTED).toContain((await api.get(id)).status);
  });

  test("is not looked for among rows that were never live", async () => {
    const { first, second } = await aClash({ first: { status: "archived" } });
    expect((await api.get(first.id)).status).toBe("archived");
    expect(await api.contradictions(second.id)).toMatchObject({ contradictions: [], detection_status: "pending" });
    const withdrawn = await aClash({ second: { status: "cancelled" } });
    expect((await api.get(withdrawn.first.id)).status).toBe("active");
  });

  test("stays within its fleet", async () => {
    const { first, second } = await aClash({ second: aFleet() });
    expect((await api.get(first.id)).status).toBe("active");
    expect((await api.contradictions(second.id)).contradictions).toEqual([]);
    const noFleet = await aClash({ second: { fleet_id: null } });
    expect((await api.get(noFleet.first.id)).status).toBe("active");
  });
});

describe("looking at what the detector found", () => {
  test("says when it looked, and null until then; finding nothing leaves the rest pending", async () => {
    const { id } = await api.write("Nadia waters the fern on the landing.", aFleet());
    const nothing: ContradictionsReply = {
      memory_id: id,
      status: "active",
      superseded_by: null,
      superseded_memories: [],
      detection_status: "pending",
      contradictions: [],
      possible_conflicts: [],
      checked_at: null,
    };
    expect(await api.contradictions(id)).toEqual(nothing);
    await settle();
    const checked_at = new Date(clock.now()).toISOString();
    expect(await api.contradictions(id)).toEqual({ ...nothing, checked_at });
    await api.patch(id, { content: "Nadia waters the cactus on the landing." });
    expect((await api.contradictions(id)).checked_at).toBeNull();
    await settle();
    expect((await api.contradictions(id)).checked_at).not.toBeNull();
  });

  test("changes nothing", async () => {
    const { first, second } = await aClash();
    const before = [await api.get(first.id), await auditOf(first.id), await auditOf(second.id)];
    const [once, again] = [await api.contradictions(first.id), await api.contradictions(first.id)];
    expect(again).toEqual(once);
    await settle();
    expect([await api.get(first.id), await auditOf(first.id), await auditOf(second.id)]).toEqual(before);
  });

  test("counts a status that only a contradiction gives as evidence", async () => {
    const { id } = await api.write("The old gate is closed for good.", { status: "outdated" });
    expect((await api.contradictions(id)).detection_status).toBe("completed");
  });

  test.each([
    ["that does not exist", () => crypto.randomUUID()],
    [
      "that is deleted",
      async () => {
        const { id } = await api.write("The attic is full of chestnuts.");
        await api.remove(id);
        return id;
      },
    ],
    ["that is private", async () => (await api.write("My own thoughts on this.", { visibility: "scope_agent" })).id],
  ])("of a memory %s is refused as unknown", async (_, idOf) => {
    const reply = await client.refused("GET", `${MEMORIES}/${await idOf()}/contradictions`, {
      query: { tenant_id: "default" },
    });
    expect(refusalOf(reply)).toEqual([404, "NOT_FOUND"]);
  });

  test("needs a uuid and, where it names one, its own tenant", async () => {
    const at = (id: string, query = {}) => client.refused("GET", `${MEMORIES}/${id}/contradictions`, { query });
    expect((await at("no-uuid", { tenant_id: "default" })).status).toBe(422);
    expect(refusalOf(await at(crypto.randomUUID(), { tenant_id: "acme" }))).toEqual([403, "TENANT_MISMATCH"]);
  });
});

describe("what a reader must not see", () => {
  const asAda = { agent_id: "ada" };
  const secret = { ...asAda, visibility: "scope_agent" };

  test("is named neither by the newer row nor by its link", async () => {
    const fleet = { fleet_id: null };
    const first = await api.write(aVersion(9, "vault"), { ...secret, ...fleet });
    clock.advance(1_000);
    const second = await api.write(aVersion(10, "vault"), { ...asAda, ...fleet });
    await settle();
    expect(DEMOTED).toContain((await api.get(first.id, asAda)).status);
    expect((await api.get(second.id, asAda)).supersedes_id).toBe(first.id);
    expect((await api.get(second.id)).supersedes_id).toBeNull();
    const { items } = await api.list({ agent_id: "bob" });
    const shown = items.find(({ id }) => id === second.id);
    expect([shown?.supersedes_id, shown?.superseded_by]).toEqual([null, null]);
    expect(await api.contradictions(second.id, { agent_id: "bob" })).toMatchObject({
      superseded_by: null,
      contradictions: [],
      possible_conflicts: [],
      detection_status: "pending",
    });
    expect(await api.contradictions(second.id, asAda)).toMatchObject({ superseded_by: { id: first.id } });
  });

  test.each([
    ["a team's row", {}, secret],
    ["the organisation's row", { visibility: "scope_org" }, secret],
    ["another agent's private row", { agent_id: "bob", visibility: "scope_agent" }, secret],
    ["another agent's private row, even if shared with all,", secret, { agent_id: "bob", visibility: "scope_org" }],
    ["the organisation's row, from a team of a fleet,", { visibility: "scope_org" }, {}],
  ])("never demotes %s", async (_, first, second) => {
    const pair = await aClash({ first, second });
    const whose = "agent_id" in first ? { agent_id: String(first.agent_id) } : {};
    expect((await api.get(pair.first.id, whose)).status).toBe("active");
  });
});
