import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AuditLog, KeyList } from "../../../src/core/schema/account.ts";
import { BackupState } from "../../../src/core/schema/keeping/backup.ts";
import type { ForgetCounts } from "../../../src/core/schema/keeping/forget.ts";
import { Forgotten, sumOfCounts } from "../../../src/core/schema/keeping/forget.ts";
import { documentsApi, withKey } from "../../support/api/documents.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { temporaryFolder } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { openApp } from "../../support/in-process.ts";

const PATH = "/api/v1/admin/forget";
const folder = temporaryFolder();
const clock = fakeClock();
const { app, client, settle } = await openApp({ folder: folder.path, clock });
afterAll(async () => {
  await app.stop();
  folder.remove();
});
const api = memoriesApi(client);
const documents = documentsApi(client);

/** Forgets in as many requests as it takes. */
async function forget(filter: object): Promise<Forgotten> {
  let counts = sumOfCounts([]);
  for (let next: string | undefined; ; ) {
    const reply = await client.ok(Forgotten, "POST", PATH, { body: { tenant_id: TENANT, ...filter, next } });
    counts = sumOfCounts([counts, reply.counts]);
    if (reply.next === null) return { ...reply, counts };
    next = reply.next;
  }
}

/** Those counts that are not 0. */
const told = (counts: ForgetCounts): Partial<ForgetCounts> =>
  Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0));

/** The files of the data folder that hold these bytes, backups apart. */
const holding = (bytes: string): string[] =>
  readdirSync(folder.path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(folder.path, entry.name)).includes(bytes))
    .map(({ name }) => name);

const contents = async () => (await api.list({ include_deleted: true })).items.map(({ content }) => content).sort();

let words = 0;
/** A name that nothing else holds. */
const aName = () => `Zqv${++words}${Math.random().toString(36).slice(2, 10)}xwq`;

beforeEach(async () => {
  await client.call("DELETE", "/api/v1/memories", { query: { tenant_id: TENANT, erase: true } });
  await settle();
});

describe("a text", () => {
  test("goes from whatever holds it, and is in no byte of the data file or its log then", async () => {
    const name = aName();
    const small = name.toLowerCase();
    await api.write({ content: "The harbour office opens at seven." });
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const body = { tenant_id: TENANT, content: `${name} pays by card, said ${small}.` };
    await client.call("POST", "/api/v1/memories", { body, headers });
    const { id: titled } = await api.write({ content: "Pays in cash since May." });
    const titling = { query: { tenant_id: TENANT }, body: { title: `About ${name}` } };
    await client.call("PATCH", `/api/v1/memories/${titled}`, titling);
    await api.write({ content: "Somebody likes tea a lot.", metadata: { who: [name.toUpperCase()] } });
    const { id } = await api.write({ content: `It was ${name} who called twice.` });
    await api.remove(id);
    await documents.put("letters", "one", { summary: `To ${name}`, lines: [`"${name}"`, "Regards"] });
    await documents.put("letters", "two", { summary: "To the harbour office" });
    const entity = { tenant_id: TENANT, entity_type: "person", canonical_name: name, aliases: [`${name} Junior`] };
    await client.call("POST", "/api/v1/entities/upsert", { body: entity });
    await settle();
    expect(holding(name)).not.toEqual([]);
    const found = await forget({ match: small, dry_run: true });
    expect(told(found.counts)).toMatchObject({ memories: 4, documents: 1, entities: 1, kept_replies: 1 });
    expect(holding(name)).not.toEqual([]);
    const { counts } = await forget({ match: small });
    const { audit_entries: _, ...rows } = told(found.counts);
    expect(told(counts)).toMatchObject(rows);
    expect([...holding(name), ...holding(small), ...holding(name.toUpperCase())]).toEqual([]);
    expect(await contents()).toEqual(["The harbour office opens at seven."]);
    expect((await documents.list("letters")).map(({ doc_id }) => doc_id)).toEqual(["two"]);
    // The job that follows an erasure finds nothing left to do.
    await settle();
    expect(told((await forget({ match: small })).counts)).toEqual({});
  });

  test("is found whatever its case and however it is escaped", async () => {
    for (const content of ["Die MÜLLER-Akte liegt oben.", 'She said "no\\way" to them.'])
      await api.write({ content, metadata: { kept: content } });
    expect((await forget({ match: "müller", dry_run: true })).counts.memories).toBe(1);
    expect((await forget({ match: '"No\\way"', dry_run: true })).counts.memories).toBe(1);
  });

  test("leaves of the audit who did what when", async () => {
    const name = aName();
    const { id } = await api.write({ content: `${name} pays by card.` });
    await forget({ match: name });
    const query = { tenant_id: TENANT, target_id: id };
    const { items } = await client.ok(AuditLog, "GET", "/api/v1/audit-log", { query });
    expect(items.map(({ action }) => action)).toEqual(["memory.erase", "memory.delete", "memory.create"]);
    expect(items.map(({ before, after, reason }) => [before, after, reason])).toEqual(
      items.map(() => [null, null, null]),
    );
  });
});

describe("an agent", () => {
  test("goes with what it wrote, its row and the labels of its keys, which are revoked", async () => {
    const name = aName();
    const theirs = await withKey(client, { agent_id: name, label: `${name} at work`, trust: 1 });
    await memoriesApi(theirs).write({ agent_id: name, content: "The night ferry leaves from pier four." });
    await api.write({ agent_id: "bob", content: "The harbour office opens at seven." });
    const { counts } = await forget({ agent_id: name });
    expect(told(counts)).toMatchObject({ memories: 1, agents: 1, keys: 1 });
    expect(await contents()).toEqual(["The harbour office opens at seven."]);
    const agent = await client.refused("GET", `/api/v1/agents/${name}`, { query: { tenant_id: TENANT } });
    expect(agent.status).toBe(404);
    expect((await theirs.refused("GET", "/api/v1/memories")).body.error.code).toBe("INVALID_API_KEY");
    const { items } = await client.ok(KeyList, "GET", "/api/v1/keys", { query: { tenant_id: TENANT } });
    expect(items.find(({ agent_id }) => agent_id === name)).toMatchObject({ label: null });
    expect(holding(`${name} at work`)).toEqual([]);
    expect(told((await forget({ agent_id: name })).counts)).toEqual({});
  });

  test("with another filter keeps its row and keys", async () => {
    const theirs = await withKey(client, { agent_id: "carl", label: "at work" });
    await memoriesApi(theirs).write({ agent_id: "carl", content: "The night ferry leaves from pier four." });
    expect(told((await forget({ agent_id: "carl", match: "ferry" })).counts)).toMatchObject({ memories: 1 });
    expect((await theirs.call("GET", "/api/v1/memories")).status).toBe(200);
  });
});

describe("a fleet, and a time", () => {
  test("take their own alone", async () => {
    for (const fleet_id of ["north", "south"]) {
      await api.write({ fleet_id, content: `Pier four is closed in the ${fleet_id}.` });
      await documents.put("piers", fleet_id, { summary: `Piers of the ${fleet_id}` }, { fleet_id });
      const entity = { tenant_id: TENANT, fleet_id, entity_type: "location", canonical_name: `${fleet_id}port` };
      await client.call("POST", "/api/v1/entities/upsert", { body: entity });
    }
    const { counts } = await forget({ fleet_id: "north" });
    expect(told(counts)).toMatchObject({ memories: 1, documents: 1, entities: 1 });
    expect(await contents()).toEqual(["Pier four is closed in the south."]);
    expect((await documents.list("piers")).map(({ doc_id }) => doc_id)).toEqual(["south"]);
    expect(holding("northport")).toEqual([]);
    clock.advance(60_000);
    const before = new Date(clock.now()).toISOString();
    await api.write({ content: "Written at that very moment, and kept." });
    expect((await forget({ before, match: "pier" })).counts).toMatchObject({ memories: 1, documents: 1 });
    expect(await contents()).toEqual(["Written at that very moment, and kept."]);
  });
});

test("the last reply names the backups that hold what was erased", async () => {
  await api.write({ content: "The night ferry leaves from pier four." });
  await client.call("POST", "/api/v1/admin/backups", { body: {} });
  let state = await client.ok(BackupState, "GET", "/api/v1/admin/backups");
  for (; state.run?.state === "running"; await Bun.sleep(5))
    state = await client.ok(BackupState, "GET", "/api/v1/admin/backups");
  const { backups, copies } = await forget({ match: "night ferry" });
  expect(backups).toEqual(state.backups);
  expect([backups.length, copies]).toEqual([1, []]);
});

test("a request goes on where the one before ended", async () => {
  const name = aName();
  await api.write({ content: `${name} pays by card.` });
  await documents.put("letters", name, { summary: `To ${name}` });
  expect(told((await forget({ match: name, next: "documents:" })).counts)).toMatchObject({ documents: 1 });
});

describe("it is refused", () => {
  test.each([
    ["without a filter", {}, 400, "BAD_REQUEST"],
    ["with a filter that is misspelt", { mach: "pier" }, 422, "INVALID_ARGUMENTS"],
    ["with a text of one letter", { match: "p" }, 422, "INVALID_ARGUMENTS"],
    ["with a place that no reply told", { match: "pier", next: "nowhere:1" }, 400, "BAD_REQUEST"],
    ["with a place of another kind", { match: "pier", next: "memories:1" }, 400, "BAD_REQUEST"],
    ["with a number that is none", { match: "pier", next: "documents:one" }, 400, "BAD_REQUEST"],
  ])("%s", async (_, body, status, code) => {
    const reply = await client.refused("POST", PATH, { body });
    expect([reply.status, reply.body.error.code]).toEqual([status, code] as [number, typeof reply.body.error.code]);
  });

  test("to everyone but the owner of the machine", async () => {
    const admin = await withKey(client, { admin: true });
    const reply = await admin.refused("POST", PATH, { body: { match: "pier" } });
    expect([reply.status, reply.body.error.code]).toEqual([403, "ADMIN_REQUIRED"]);
  });
});
