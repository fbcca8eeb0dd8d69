import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { Document } from "../../../src/core/schema/document.ts";
import { Inbox } from "../../../src/core/schema/skill.ts";
import { DOCUMENTS, docIdsOf, documentPath, documentsApi } from "../../support/api/documents.ts";
import { aSkill, enableFactory, INBOX, skillsApi } from "../../support/api/skills.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";
import { GATEWAY, holder, refusalOf, viaGateway } from "../../support/credentials.ts";

const app = await startApp({ flags: [GATEWAY] });
afterAll(() => app.stop());
await enableFactory(app.client);
const admin = skillsApi(app.client);
const scout = await holder(app.client, { agent_id: "scout", trust: 3 });
const tenant = await holder(app.client, {});

const SUMMARY = "When a heron stands in the pond.";
await admin.write("active-heron", { status: "active", source: "manual", summary: SUMMARY });
await admin.write("staged-heron", { source: "manual", summary: SUMMARY });
await admin.write("quarantined-heron", { source: "manual", summary: SUMMARY, content: "Run `rm -rf /` now." });
await admin.write("rejected-heron", { source: "manual", summary: SUMMARY, content: "To be rejected." });
await admin.act("rejected-heron", "reject", { reason: "Not this one." });
const liveHash = (await admin.write("waiting-heron", { status: "active", content: "As it is." })).data.content_hash;
await skillsApi(scout).write("waiting-heron", {
  kind: "update",
  target: { target_content_hash: liveHash },
  content: "The pike waits.",
});
await app.settle();

const ALL = ["active-heron", "agent/waiting-heron", "quarantined-heron", "rejected-heron", "staged-heron"];
const DELIVERED = ["active-heron", "agent/waiting-heron"];
const HIDDEN = ALL.filter((doc_id) => !DELIVERED.includes(doc_id));
const api = (caller: typeof scout) => documentsApi(caller);

describe.each([
  ["an agent", scout],
  ["a key of the tenant that is no administrator", tenant],
] as const)("%s", (_, caller) => {
  test("lists and queries active skills only, whatever status it asks for", async () => {
    expect(docIdsOf(await api(caller).list("skills")).sort()).toEqual(DELIVERED);
    expect(docIdsOf(await api(caller).query("skills", {}, { limit: 100 })).sort()).toEqual(DELIVERED);
    expect(docIdsOf(await api(caller).query("skills", { status: "active" })).sort()).toEqual(DELIVERED);
    for (const status of ["staged", "quarantined", "candidate", null])
      expect(await api(caller).query("skills", { status })).toEqual([]);
  });

  test("reads active skills only, by doc_id and by id", async () => {
    const { id } = await admin.get("staged-heron");
    for (const doc_id of [...HIDDEN, id]) {
      const query = { tenant_id: TENANT, collection: "skills" };
      expect(refusalOf(await caller.refused("GET", documentPath(doc_id), { query }))).toEqual([404, "NOT_FOUND"]);
    }
    expect((await api(caller).get("skills", "active-heron")).doc_id).toBe("active-heron");
  });

  test("finds active skills only, in the collection and across all", async () => {
    for (const fields of [{ collection: "skills" }, {}]) {
      const { items } = await api(caller).search("heron pond", { top_k: 50, ...fields });
      expect(docIdsOf(items).sort()).toEqual(DELIVERED);
    }
  });

  test("counts active skills only, and knows of no update that waits", async () => {
    const { collections } = await api(caller).collections();
    expect(collections).toEqual([{ name: "skills", count: DELIVERED.length }]);
    expect(await api(caller).list("_skill_updates")).toEqual([]);
    expect(await api(caller).query("_skill_updates")).toEqual([]);
    expect(docIdsOf((await api(caller).search("pike")).items)).not.toContain("The pike waits.");
  });

  test("deletes nothing that it does not see", async () => {
    const query = { tenant_id: TENANT, collection: "skills" };
    for (const doc_id of HIDDEN)
      expect(refusalOf(await caller.refused("DELETE", documentPath(doc_id), { query }))).toEqual([404, "NOT_FOUND"]);
  });

  test("may see what waits in the inbox, and does nothing there", async () => {
    const { items } = await caller.ok(Inbox, "GET", INBOX);
    expect(docIdsOf(items)).toEqual(["agent/waiting-heron", "staged-heron"]);
    expect(items.every(({ content }) => content === null)).toBe(true);
    for (const [action, body] of [
      ["approve", undefined],
      ["edit", { content: "Mine." }],
      ["reject", { reason: "Why not." }],
      ["quarantine", { reason: "Why not." }],
      ["defer", undefined],
    ] as const)
      expect(refusalOf(await skillsApi(caller).refusedAct("staged-heron", action, body))).toEqual([
        403,
        "SKILLS_INBOX_FORBIDDEN",
      ]);
  });
});

test("the content of what waits is not for agents", async () => {
  const query = { include_content: true };
  expect(refusalOf(await scout.refused("GET", INBOX, { query }))).toEqual([403, "SKILLS_INBOX_FORBIDDEN"]);
  expect((await tenant.ok(Inbox, "GET", INBOX, { query })).items[0]?.content).toContain("pike");
});

test("an administrator sees all of them everywhere", async () => {
  expect(docIdsOf(await documentsApi(app.client).list("skills")).sort()).toEqual(ALL);
  const { items } = await documentsApi(app.client).search("heron pond", { collection: "skills", top_k: 50 });
  expect(docIdsOf(items).sort()).toEqual(ALL);
  const { collections } = await documentsApi(app.client).collections();
  expect(collections).toContainEqual({ name: "skills", count: ALL.length });
});

test("where the factory is off, everybody sees all of them", async () => {
  await enableFactory(app.client, { enabled: false });
  expect(docIdsOf(await api(scout).list("skills")).sort()).toEqual(ALL);
  await enableFactory(app.client);
});

describe("another tenant", () => {
  const stranger = app.client.as(viaGateway("acme"));
  const boss = app.client.as({ ...viaGateway("acme"), "X-Org-Role": "admin" });

  test("sees nothing, and moves nothing", async () => {
    await enableFactory(boss, {}, "acme");
    const theirs = skillsApi(boss, "acme");
    expect((await theirs.inbox()).items).toEqual([]);
    expect(await theirs.installable()).toEqual([]);
    expect(
      await stranger.ok(z.array(Document), "GET", DOCUMENTS, { query: { tenant_id: "acme", collection: "skills" } }),
    ).toEqual([]);
    for (const action of ["approve", "defer"])
      expect(refusalOf(await theirs.refusedAct("staged-heron", action))).toEqual([404, "NOT_FOUND"]);
    expect(await admin.status("staged-heron")).toBe("staged");
  });

  test("is told so when it names this one", async () => {
    const query = { tenant_id: TENANT };
    expect(refusalOf(await boss.refused("GET", INBOX, { query }))).toEqual([403, "TENANT_MISMATCH"]);
    expect(refusalOf(await boss.refused("POST", `${INBOX}/staged-heron/approve`, { query }))).toEqual([
      403,
      "TENANT_MISMATCH",
    ]);
    const body = { tenant_id: TENANT, collection: "skills", doc_id: "x", data: aSkill("x") };
    expect(refusalOf(await boss.refused("POST", DOCUMENTS, { body }))).toEqual([403, "TENANT_MISMATCH"]);
    expect(
      refusalOf(await boss.refused("POST", "/api/v1/skills/installable", { body: { tenant_id: TENANT } })),
    ).toEqual([403, "TENANT_MISMATCH"]);
  });

  test("may have a skill of the same slug", async () => {
    await skillsApi(boss, "acme").write("staged-heron", { source: "manual", status: "active" });
    expect(await admin.status("staged-heron")).toBe("staged");
  });
});

test("nobody without a key reads the inbox", async () => {
  const closed = await startApp({ flags: ["--no-standalone"] });
  expect(refusalOf(await closed.client.refused("GET", INBOX))).toEqual([401, "UNAUTHORIZED"]);
  expect(refusalOf(await closed.client.refused("POST", `${INBOX}/x/approve`))).toEqual([401, "UNAUTHORIZED"]);
  await closed.stop();
});
