import { afterAll, describe, expect, test } from "bun:test";
import { AuditLog } from "../../../src/core/schema/account.ts";
import { KeptTexts } from "../../../src/core/schema/keeping/kept-text.ts";
import type { Memory } from "../../../src/core/schema/memory.ts";
import { Corrected } from "../../../src/core/schema/memory-change.ts";
import { MovedReply } from "../../../src/core/schema/places/move.ts";
import { contradictionsApi, DEMOTED } from "../../support/api/contradictions.ts";
import { contentsOf, idsOf, MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { temporaryFolder } from "../../support/app.ts";
import { aStatement } from "../../support/builders.ts";
import { GATEWAY, holder, refusalOf, viaGateway } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const { app, client: anyone, settle } = await openApp({ flags: [GATEWAY] });
afterAll(() => app.stop());

const MOVE = `${MEMORIES}/move`;
const TO_RED = { to: { fleet_id: "red" } };
const TO_ALL = { to: { everyone: true } };
let tenants = 0;

/** A tenant with nothing in it. */
function aTenant() {
  const tenant_id = `moving-${++tenants}`;
  const client = anyone.as(viaGateway(tenant_id)).as({ "X-Org-Role": "admin" });
  const api = memoriesApi(client, tenant_id);
  const move = (body: object, as = client) => as.ok(MovedReply, "POST", MOVE, { body: { tenant_id, ...body } });
  const { contradictions } = contradictionsApi(client, tenant_id);
  const texts = (id: string, as = client) =>
    as.ok(KeptTexts, "GET", `${MEMORIES}/${id}/texts`, { query: { tenant_id } });
  const status = async (id: string) => (await api.get(id)).status;
  return { tenant_id, client, api, move, contradictions, texts, status };
}

const outcomesOf = ({ items }: MovedReply) => items.map(({ outcome }) => outcome);
const found = async (api: ReturnType<typeof memoriesApi>, query: string, fleet: string) =>
  contentsOf(await api.search(query, { fleet_ids: [fleet] }));

describe("a memory that is moved", () => {
  test("is the same row, found in its new fleet and not in its old one, and its history says so", async () => {
    const { tenant_id, client, api, move } = aTenant();
    const content = "The lighthouse of Brest is painted in red and white.";
    const written = await api.write({ content, fleet_id: "blue", run_id: "r1" });
    for (let i = 0; i < 5; i++) await api.write({ fleet_id: i % 2 ? "blue" : "red" });
    await settle();
    expect(await found(api, "Which colours has the lighthouse?", "blue")).toContain(content);
    expect(await found(api, "Which colours has the lighthouse?", "red")).not.toContain(content);
    const moved = await move({ ids: [written.id], ...TO_RED });
    expect(moved).toEqual({
      dry_run: false,
      matched: 1,
      moved: 1,
      items: [{ id: written.id, outcome: "moved" }],
      next: null,
    });
    for (const settled of [false, true]) {
      if (settled) await settle();
      expect(await found(api, "Which colours has the lighthouse?", "red")).toContain(content);
      expect(await found(api, "Which colours has the lighthouse?", "blue")).not.toContain(content);
      expect(idsOf(await api.list({ tenant_id, fleet_id: "blue" }))).not.toContain(written.id);
    }
    const now = await api.get(written.id);
    expect(now).toMatchObject({ fleet_id: "red", visibility: "scope_team", agent_id: written.agent_id, run_id: "r1" });
    expect([now.created_at, now.content]).toEqual([written.created_at, content]);
    expect(now.version).not.toBe(written.version);
    const query = { tenant_id, target_id: written.id };
    const [entry] = (await client.ok(AuditLog, "GET", "/api/v1/audit-log", { query })).items;
    expect(entry).toMatchObject({
      action: "memory.move",
      before: { fleet_id: "blue", visibility: "scope_team" },
      after: { fleet_id: "red", visibility: "scope_team" },
    });
    expect(outcomesOf(await move({ ids: [written.id], ...TO_RED }))).toEqual(["already_there"]);
    // It is written anew where it was, and a twin where it is.
    expect(await api.write({ content, fleet_id: "blue" })).toMatchObject({ fleet_id: "blue" });
    const twin = await client.refused("POST", MEMORIES, { body: { tenant_id, content, fleet_id: "red" } });
    expect(refusalOf(twin)).toEqual([409, "DUPLICATE_MEMORY"]);
  });

  test("to everyone is everyone's, and a fleet's again when it is moved there", async () => {
    const { api, move } = aTenant();
    const { id } = await api.write({ fleet_id: "blue" });
    await move({ ids: [id], ...TO_ALL });
    expect(await api.get(id)).toMatchObject({ fleet_id: null, visibility: "scope_org" });
    expect(outcomesOf(await move({ ids: [id], ...TO_ALL }))).toEqual(["already_there"]);
    await move({ ids: [id], ...TO_RED });
    expect(await api.get(id)).toMatchObject({ fleet_id: "red", visibility: "scope_team" });
    const { id: own } = await api.write({ fleet_id: "blue", agent_id: "ada", visibility: "scope_agent" });
    const refused = await move({ ids: [own], ...TO_ALL });
    expect(refused.items).toMatchObject([{ outcome: "refused", error: expect.stringContaining("visibility") }]);
    expect(outcomesOf(await move({ ids: [own], ...TO_RED }))).toEqual(["moved"]);
    expect(await api.get(own, { agent_id: "ada" })).toMatchObject({ fleet_id: "red", visibility: "scope_agent" });
  });

  test("stays where it is when the same is said there, was deleted, or is not known", async () => {
    const { api, move } = aTenant();
    const content = aStatement();
    const there = await api.write({ content, fleet_id: "red" });
    const here = await api.write({ content, fleet_id: "blue" });
    const third = await api.write({ content, fleet_id: "green" });
    const gone = await api.write({ fleet_id: "blue" });
    await api.remove(gone.id);
    const ids = [here.id, gone.id, crypto.randomUUID(), there.id];
    for (const dry_run of [true, false]) {
      const { items, moved, matched } = await move({ ids, dry_run, ...TO_RED });
      expect(items.map(({ outcome }) => outcome)).toEqual(["duplicate", "refused", "refused", "already_there"]);
      expect([items[0]?.existing_id, moved, matched]).toEqual([there.id, 0, 4]);
    }
    expect(await api.get(here.id)).toMatchObject({ fleet_id: "blue" });
    for (const dry_run of [true, false])
      expect((await move({ ids: [here.id, third.id], to: { fleet_id: "new" }, dry_run })).items).toMatchObject([
        { outcome: "moved" },
        { outcome: "duplicate", existing_id: here.id },
      ]);
  });

  test("keeps its callers' links; what was inferred is looked at again", async () => {
    const { tenant_id, client, api, move } = aTenant();
    const body = { tenant_id, entity_type: "person", canonical_name: "Mira Thorne", fleet_id: "blue" };
    await client.call("POST", "/api/v1/entities/upsert", { body });
    const { body: named } = await client.call("POST", "/api/v1/entities/upsert", {
      body: { ...body, canonical_name: "Orsolya Quill" },
    });
    const entity_id = (named as { id: string }).id;
    const written = await api.write({
      content: "Mira Thorne repairs the sails of the ferry.",
      fleet_id: "blue",
      entity_links: [{ entity_id, role: "mentions" }],
    });
    await settle();
    const before = (await api.get(written.id)).entity_links.map((link) => link.canonical_name);
    expect(before).toEqual(["Orsolya Quill", "Mira Thorne"]);
    await move({ ids: [written.id], ...TO_RED });
    expect((await api.get(written.id)).entity_links.map((link) => link.entity_id)).toEqual([entity_id]);
    await settle();
    expect((await api.get(written.id)).entity_links).toHaveLength(2);
  });

  test("shows what it said before to its author alone, as others read it now", async () => {
    const { tenant_id, client, api, move, texts } = aTenant();
    const { id } = await api.write({ content: "The code of the gate is 4711.", fleet_id: "blue", agent_id: "ada" });
    await client.call("PATCH", `${MEMORIES}/${id}`, {
      query: { tenant_id },
      body: { content: "The code of the gate lies in the vault." },
    });
    expect((await texts(id)).items).toHaveLength(1);
    await move({ ids: [id], ...TO_ALL });
    const reader = await holder(anyone, { tenant_id, agent_id: "bob", fleet_id: "red" });
    expect((await texts(id, reader)).items).toEqual([]);
    const author = await holder(anyone, { tenant_id, agent_id: "ada", fleet_id: "blue" });
    expect((await texts(id, author)).items).toHaveLength(1);
  });
});

describe("what was found about it", () => {
  const stated = (object_value: string) => ({
    content: `The gateway listens on port ${object_value}.`,
    fleet_id: "blue",
  });

  test("is taken back when it leaves the other memory, looked for where it goes, and stands again when both are there", async () => {
    const { api, move, contradictions, status } = aTenant();
    const older = await api.write(stated("8001"));
    const newer = await api.write(stated("8002"));
    await settle();
    const demoted = await status(older.id);
    expect(DEMOTED).toContain(demoted);
    await move({ ids: [newer.id], ...TO_RED });
    expect([await status(older.id), (await api.get(newer.id)).supersedes_id]).toEqual(["active", null]);
    await settle();
    expect((await contradictions(newer.id)).contradictions).toEqual([]);
    await move({ ids: [older.id], ...TO_RED });
    expect(await status(older.id)).toBe(demoted);
    await settle();
    expect((await contradictions(newer.id)).contradictions).toHaveLength(1);
    const again = await api.write({ ...stated("8003"), fleet_id: "red" });
    await settle();
    expect((await contradictions(again.id)).contradictions.map(({ memory_id }) => memory_id)).toContain(newer.id);
  });

  test("stands where both are moved, a correction too", async () => {
    const { tenant_id, client, api, move, contradictions, status } = aTenant();
    const old = await api.write({ content: "Kim leads the sail loft.", fleet_id: "blue" });
    const { id } = await client.ok(Corrected, "POST", `${MEMORIES}/${old.id}/correct`, {
      query: { tenant_id },
      body: { content: "The sail loft has been led by Robin since the harbour fest." },
    });
    await settle();
    expect(await move({ filter: { fleet_id: "blue" }, ...TO_ALL })).toMatchObject({ moved: 2, next: null });
    for (const settled of [false, true]) {
      if (settled) await settle();
      expect([await status(old.id), await status(id)]).toEqual(["outdated", "active"]);
      expect((await api.get(id)).supersedes_id).toBe(old.id);
      expect((await contradictions(id)).contradictions).toMatchObject([{ memory_id: old.id, rule: "correction" }]);
    }
    await move({ ids: [old.id], to: { fleet_id: "blue" } });
    expect(await status(old.id)).toBe("active");
    await move({ ids: [id], to: { fleet_id: "blue" } });
    expect(await status(old.id)).toBe("outdated");
  });
});

describe("a filter", () => {
  test("moves all that passes it, in bounded replies, and counts it before", async () => {
    const { tenant_id, api, move } = aTenant();
    const write = (more: object) => api.write({ fleet_id: "blue", ...more });
    const heron = [];
    for (let i = 0; i < 5; i++) heron.push(await write({ content: `The HERON was seen ${i} times on the pier.` }));
    const others: Memory[] = [
      await write({}),
      await write({ agent_id: "ada", run_id: "r1" }),
      await write({ fleet_id: null }),
    ];
    expect(await move({ filter: { match: "heron" }, dry_run: true, ...TO_RED })).toMatchObject({
      matched: 5,
      moved: 5,
    });
    expect(idsOf(await api.list({ tenant_id, fleet_id: "red" }))).toEqual([]);
    const seen: string[] = [];
    for (let next: string | null | undefined; next !== null; ) {
      const reply: MovedReply = await move({
        filter: { match: "heron" },
        limit: 2,
        next: next ?? undefined,
        ...TO_RED,
      });
      expect(reply.items.length).toBeLessThanOrEqual(2);
      seen.push(...reply.items.map(({ id }) => id));
      next = reply.next;
    }
    expect(seen.toSorted()).toEqual(heron.map(({ id }) => id).sort());
    expect(idsOf(await api.list({ tenant_id, fleet_id: "red" })).sort()).toEqual(seen.toSorted());
    expect(await move({ filter: { run_id: "r1", written_by: "ada" }, ...TO_RED })).toMatchObject({ moved: 1 });
    expect(await move({ filter: { no_fleet: true }, ...TO_RED })).toMatchObject({ moved: 1 });
    expect(await move({ filter: { created_before: "2001-01-01" }, ...TO_RED })).toMatchObject({
      matched: 0,
      next: null,
    });
    expect(await move({ filter: { created_after: "2001-01-01" }, ...TO_ALL })).toMatchObject({ moved: 8 });
    expect(await api.get(others[0]?.id ?? "")).toMatchObject({ fleet_id: null, visibility: "scope_org" });
    const many = (await move({ ids: seen, limit: 3, ...TO_RED })).next;
    expect(await move({ ids: seen, limit: 3, next: many, ...TO_RED })).toMatchObject({ moved: 2, next: null });
  });

  test("is refused when it is none, misspelt, beside ids, or goes on where no reply ended", async () => {
    const { tenant_id, client } = aTenant();
    const ids = [crypto.randomUUID()];
    for (const body of [
      { filter: {} },
      { filter: { fleet: "blue" } },
      { filter: { fleet_id: "blue", no_fleet: true } },
      { filter: { fleet_id: "blue" }, ids },
      {},
    ]) {
      const refused = await client.refused("POST", MOVE, { body: { tenant_id, ...body, ...TO_RED } });
      expect(refusalOf(refused)).toEqual([422, "INVALID_ARGUMENTS"]);
    }
    const both = { ids, to: { fleet_id: "red", everyone: true } };
    expect(refusalOf(await client.refused("POST", MOVE, { body: { tenant_id, ...both } }))[0]).toBe(422);
    for (const body of [{ ids }, { filter: { match: "heron" } }]) {
      const lost = { body: { tenant_id, ...body, ...TO_RED, next: "nowhere" } };
      expect(refusalOf(await client.refused("POST", MOVE, lost))).toEqual([400, "BAD_REQUEST"]);
    }
  });
});

describe("trust", () => {
  test("is that of a change, and to more readers that of a write for them", async () => {
    const { tenant_id, api, move } = aTenant();
    const agent = (agent_id: string, trust: number, fleet_id: string | null = "blue") =>
      holder(anyone, { tenant_id, agent_id, fleet_id, trust });
    const [ada, bob, chief] = [await agent("ada", 2), await agent("bob", 1, "red"), await agent("chief", 3)];
    const own = await api.write({ agent_id: "ada", fleet_id: "blue" });
    const all = await api.write({ agent_id: "ada", no_fleet: true });
    const refused = async (as: typeof ada, body: object) =>
      refusalOf(await as.refused("POST", MOVE, { body: { tenant_id, ...body } }));
    for (const to of [TO_RED, TO_ALL])
      expect(await refused(ada, { ids: [own.id], ...to })).toEqual([403, "FLEET_SCOPE_FORBIDDEN"]);
    const home = { to: { fleet_id: "blue" } };
    expect((await move({ ids: [all.id], ...home }, ada)).items).toMatchObject([
      { outcome: "refused", error: expect.stringContaining("trust 3") },
    ]);
    // What a caller does not see is not told of.
    expect((await move({ ids: [own.id], ...TO_RED }, bob)).items).toMatchObject([
      { outcome: "refused", error: "No such memory." },
    ]);
    const shown = await api.write({ agent_id: "ada", fleet_id: "blue", visibility: "scope_org" });
    const team = await holder(anyone, { tenant_id, fleet_id: "red", trust: 1 });
    for (const as of [bob, team])
      expect(outcomesOf(await move({ ids: [shown.id, all.id], ...TO_RED }, as))).toEqual(["refused", "refused"]);
    expect(outcomesOf(await move({ ids: [own.id, all.id, shown.id], ...TO_RED }, chief))).toEqual([
      "moved",
      "moved",
      "moved",
    ]);
    const reader = await holder(anyone, { tenant_id, trust: 0 });
    expect(await refused(reader, { ids: [own.id], ...TO_ALL })).toEqual([403, "AGENT_TRUST_TOO_LOW"]);
    expect(await refused(anyone.as(viaGateway("elsewhere")), { ids: [own.id], ...TO_ALL })).toEqual([
      403,
      "TENANT_MISMATCH",
    ]);
  });
});

test("what was moved lies there after a restart", async () => {
  const folder = temporaryFolder();
  const query = "Which colours has the lighthouse?";
  const content = "The lighthouse of Brest is painted in red and white.";
  const told = async (opened: Awaited<ReturnType<typeof openApp>>) => {
    const api = memoriesApi(opened.client);
    return [await found(api, query, "blue"), await found(api, query, "red")].map((all) => all.includes(content));
  };
  const first = await openApp({ folder: folder.path });
  const { id } = await memoriesApi(first.client).write({ content, fleet_id: "blue" });
  await first.settle();
  expect(await told(first)).toEqual([true, false]);
  await first.client.ok(MovedReply, "POST", MOVE, { body: { ids: [id], ...TO_RED } });
  expect(await told(first)).toEqual([false, true]);
  await first.app.stop();
  const second = await openApp({ folder: folder.path });
  expect(await told(second)).toEqual([false, true]);
  await second.app.stop();
  folder.remove();
});
