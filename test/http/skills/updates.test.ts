import { afterAll, describe, expect, test } from "bun:test";
import { docIdsOf } from "../../support/api/documents.ts";
import { enableFactory, skillsApi } from "../../support/api/skills.ts";
import { startApp } from "../../support/app.ts";
import { holder, refusalOf } from "../../support/credentials.ts";

const app = await startApp();
afterAll(() => app.stop());
await enableFactory(app.client);
const admin = skillsApi(app.client);
const agent = skillsApi(await holder(app.client, { agent_id: "scout", trust: 1 }));

let named = 0;
const aSlug = (): string => `update-${++named}`;

/** An active skill; its hash. */
async function live(slug: string, source: "manual" | "agent"): Promise<string> {
  const { data } = await admin.write(slug, { source, status: "active" });
  return String(data.content_hash);
}
const updateOf = (target_content_hash: unknown, content = "A better text.") => ({
  kind: "update",
  target: { target_content_hash },
  content,
});

describe("an update is refused", () => {
  test.each<[string, unknown, number, string]>([
    ["without a target", undefined, 422, "INVALID_ARGUMENTS"],
    ["with a target that is no object", "sha256:abc", 422, "INVALID_ARGUMENTS"],
    ["without the hash of its target", {}, 422, "INVALID_ARGUMENTS"],
    ["with a hash that is no text", { target_content_hash: 7 }, 422, "INVALID_ARGUMENTS"],
    ["with the hash of another text", { target_content_hash: "sha256:abc" }, 409, "CONFLICT"],
  ])("%s", async (_, target, status, code) => {
    const slug = aSlug();
    await live(slug, "manual");
    expect(refusalOf(await agent.refusedWrite(slug, { kind: "update", target }))).toEqual([status, code]);
  });

  test("where no skill of its slug is active", async () => {
    const slug = aSlug();
    expect(refusalOf(await agent.refusedWrite(slug, updateOf("sha256:abc")))).toEqual([404, "NOT_FOUND"]);
    const { data } = await admin.write(slug, { source: "manual" });
    expect(refusalOf(await agent.refusedWrite(slug, updateOf(data.content_hash)))).toEqual([404, "NOT_FOUND"]);
  });

  test("where the active skill was written before skills had hashes", async () => {
    const slug = aSlug();
    await enableFactory(app.client, { enabled: false });
    await admin.write(slug, { source: "manual", status: "active" });
    await enableFactory(app.client);
    expect(refusalOf(await agent.refusedWrite(slug, updateOf("sha256:abc")))).toEqual([409, "CONFLICT"]);
  });
});

test.each(["manual", "agent"] as const)(
  "an update finds the active skill of source %s under its prefix",
  async (source) => {
    const slug = aSlug();
    const hash = await live(slug, source);
    const { data } = await agent.write(slug, updateOf(hash));
    const at = source === "agent" ? `agent/${slug}` : slug;
    expect(data).toMatchObject({ status: "staged", kind: "update", target: { target_content_hash: hash, doc_id: at } });
  },
);

describe("an update across fleets", () => {
  test("of a skill of no fleet stays one of no fleet", async () => {
    const [slug, other] = [aSlug(), await holder(app.client, { agent_id: "guest", fleet_id: "guests", trust: 1 })];
    const hash = await live(slug, "manual");
    const { doc_id } = await skillsApi(other).write(slug, updateOf(hash));
    await admin.act(doc_id, "approve");
    expect((await admin.get(doc_id)).fleet_id).toBeNull();
    const local = skillsApi(await holder(app.client, { agent_id: "local", fleet_id: "locals", trust: 1 }));
    expect(docIdsOf(await local.installable())).toContain(doc_id);
  });

  test("of a skill of another fleet is refused as if there were none", async () => {
    const slug = aSlug();
    const { data } = await admin.write(slug, { source: "manual", status: "active" }, { fleet_id: "locals" });
    const stranger = skillsApi(await holder(app.client, { agent_id: "stranger", fleet_id: "guests", trust: 1 }));
    for (const hash of [data.content_hash, "sha256:0"])
      expect(refusalOf(await stranger.refusedWrite(slug, updateOf(hash)))).toEqual([404, "NOT_FOUND"]);
  });
});

test("what a caller marks while the factory is off is not believed once it is on", async () => {
  const slug = aSlug();
  await enableFactory(app.client, { enabled: false });
  const scan = { state: "clean", critical: 0 };
  const { data } = await agent.write(slug, { source: "manual", status: "active", scan, gates: [], content_hash: "x" });
  expect(Object.keys(data).filter((name) => ["status", "scan", "gates", "content_hash"].includes(name))).toEqual([]);
  await enableFactory(app.client);
  expect(docIdsOf(await agent.installable())).not.toContain(slug);
});

describe("an update of a skill that lies elsewhere", () => {
  test("takes its place when approved, and the old one is deprecated by a job", async () => {
    const slug = aSlug();
    const hash = await live(slug, "manual");
    await agent.write(slug, updateOf(hash));
    expect(await admin.status(slug)).toBe("active");
    expect(await admin.act(`agent/${slug}`, "approve")).toMatchObject({ new_status: "active" });
    await app.settle();
    expect(await admin.status(slug)).toBe("deprecated");
    expect(await admin.status(`agent/${slug}`)).toBe("active");
    expect((await admin.history(slug)).at(-1)).toBe("skill.replace active deprecated");
    expect(docIdsOf(await admin.installable()).filter((id) => id.endsWith(slug))).toEqual([`agent/${slug}`]);
  });

  test("cannot be approved once its target changed, and becomes stale by a job", async () => {
    const slug = aSlug();
    const hash = await live(slug, "manual");
    await agent.write(slug, updateOf(hash));
    await admin.write(slug, { source: "manual", status: "active", content: "Changed meanwhile." });
    expect(refusalOf(await admin.refusedAct(`agent/${slug}`, "approve"))).toEqual([409, "CONFLICT"]);
    await app.settle();
    expect(await admin.status(`agent/${slug}`)).toBe("stale");
    expect(await admin.status(slug)).toBe("active");
    expect((await admin.history(`agent/${slug}`)).at(-1)).toBe("skill.unbind staged stale");
  });
});

describe("an agent's update of a skill at its own address", () => {
  test("waits beside it: the skill is delivered meanwhile, and nobody else sees what waits", async () => {
    const slug = aSlug();
    const hash = await live(slug, "agent");
    const written = await agent.write(slug, updateOf(hash));
    expect(written).toMatchObject({
      collection: "skills",
      doc_id: `agent/${slug}`,
      indexed: false,
      data: { status: "staged" },
    });
    expect(await agent.get(`agent/${slug}`)).toMatchObject({ data: { status: "active", content_hash: hash } });
    const { items } = await admin.inbox({ limit: 200 });
    expect(items.filter((card) => card.doc_id === `agent/${slug}`)).toMatchObject([
      { kind: "update", status: "staged" },
    ]);
  });

  test("becomes the skill when approved", async () => {
    const slug = aSlug();
    const before = await admin.write(slug, { source: "agent", status: "active" });
    await agent.write(slug, updateOf(before.data.content_hash));
    const moved = await admin.act(`agent/${slug}`, "approve");
    expect(moved).toEqual({ slug: `agent/${slug}`, previous_status: "staged", new_status: "active", detail: null });
    await app.settle();
    const after = await agent.get(`agent/${slug}`);
    expect(after).toMatchObject({ id: before.id, data: { status: "active", content: "A better text." } });
    expect(after.data.created_at).toBe(before.data.created_at ?? "");
    const { items } = await admin.inbox({ limit: 200 });
    expect(items.map(({ doc_id }) => doc_id)).not.toContain(`agent/${slug}`);
    expect((await admin.history(`agent/${slug}`)).at(-1)).toBe("skill.approve active active");
  });

  test("is edited, deferred and rejected like any other, and leaves the skill alone", async () => {
    const slug = aSlug();
    const hash = await live(slug, "agent");
    await agent.write(slug, updateOf(hash, "Proposed."));
    expect(await admin.act(`agent/${slug}`, "edit", { content: "Proposed, and revised." })).toMatchObject({
      new_status: "staged",
    });
    expect(await admin.act(`agent/${slug}`, "defer")).toMatchObject({ detail: "deferred" });
    expect(await admin.act(slug, "reject", { reason: "No." })).toMatchObject({
      slug: `agent/${slug}`,
      new_status: "rejected",
    });
    expect((await admin.get(`agent/${slug}`)).data).toMatchObject({ status: "active", content_hash: hash });
    expect(refusalOf(await agent.refusedWrite(slug, updateOf(hash, "proposed and REVISED")))).toEqual([
      409,
      "CONFLICT",
    ]);
  });

  test("cannot be approved once the skill changed, and becomes stale by a job", async () => {
    const slug = aSlug();
    const hash = await live(slug, "agent");
    await agent.write(slug, updateOf(hash));
    await admin.write(slug, { source: "agent", status: "active", content: "Changed by an administrator." });
    expect(refusalOf(await admin.refusedAct(`agent/${slug}`, "approve"))).toEqual([409, "CONFLICT"]);
    await app.settle();
    const { items } = await admin.inbox({ limit: 200 });
    expect(items.map(({ doc_id }) => doc_id)).not.toContain(`agent/${slug}`);
    expect((await admin.get(`agent/${slug}`)).data).toMatchObject({ status: "active" });
  });
});

describe("an administrator's update of a skill at its own address", () => {
  test.each(["manual", "agent"] as const)("of source %s leaves it delivered until it is approved", async (source) => {
    const slug = aSlug();
    const hash = await live(slug, source);
    const { doc_id, data } = await admin.write(slug, { source, ...updateOf(hash) });
    expect(data).toMatchObject({ status: "staged", target: { target_content_hash: hash, doc_id } });
    await app.settle();
    expect(docIdsOf(await agent.installable())).toContain(doc_id);
    expect((await agent.get(doc_id)).data).toMatchObject({ status: "active", content_hash: hash });
    expect(await admin.act(doc_id, "approve")).toMatchObject({ new_status: "active" });
    await app.settle();
    expect((await agent.get(doc_id)).data).toMatchObject({ status: "active", content: "A better text." });
    expect(docIdsOf(await agent.installable()).filter((id) => id.endsWith(slug))).toEqual([doc_id]);
  });

  test("replaces it on the spot where it is written as active", async () => {
    const slug = aSlug();
    const hash = await live(slug, "manual");
    await admin.write(slug, { source: "manual", status: "active", ...updateOf(hash) });
    expect((await agent.get(slug)).data).toMatchObject({ status: "active", content: "A better text." });
    const { items } = await admin.inbox({ limit: 200 });
    expect(items.map(({ doc_id }) => doc_id)).not.toContain(slug);
  });
});

test("of several updates of one skill the one approved first wins", async () => {
  const slug = aSlug();
  const hash = await live(slug, "manual");
  await agent.write(slug, updateOf(hash, "By an agent."));
  const written = await admin.write(slug, { source: "agent", ...updateOf(hash, "By an administrator, as an agent.") });
  expect(written.doc_id).toBe(`agent/${slug}`);
  await admin.act(`agent/${slug}`, "approve");
  await app.settle();
  expect((await admin.get(`agent/${slug}`)).data.content).toBe("By an administrator, as an agent.");
});
