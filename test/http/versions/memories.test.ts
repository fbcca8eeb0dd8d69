import { afterAll, expect, test } from "bun:test";
import { Memory } from "../../../src/core/schema/memory.ts";
import { Corrected, StatusChanged } from "../../../src/core/schema/memory-change.ts";
import type { CallOptions } from "../../support/api/client.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { TENANT } from "../../support/builders.ts";
import { refusalOf } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const { app, client, settle } = await openApp();
afterAll(() => app.stop());
const api = memoriesApi(client);
const at = (id: string) => `${MEMORIES}/${id}`;
const query = { tenant_id: TENANT };
const ifMatch = (...tags: string[]) => ({ "if-match": tags.join(", ") });
const tagOf = ({ version }: { readonly version: string }): string => `"${version}"`;

/** Every way to change a memory that a caller has read. */
const CHANGES: readonly (readonly [string, (id: string) => readonly [string, string, CallOptions]])[] = [
  ["a patch", (id) => ["PATCH", at(id), { query, body: { weight: 0.9 } }]],
  ["a status", (id) => ["PATCH", `${at(id)}/status`, { query, body: { status: "archived" } }]],
  ["a correction", (id) => ["POST", `${at(id)}/correct`, { query, body: { content: `Now it is otherwise: ${id}.` } }]],
  ["a deletion", (id) => ["DELETE", at(id), { query }]],
  ["an erasure", (id) => ["DELETE", at(id), { query: { ...query, erase: true } }]],
];
const change = (id: string, of: (typeof CHANGES)[number][1], headers: Record<string, string>) => {
  const [method, path, options] = of(id);
  return client.call(method, path, { ...options, headers });
};

test("replies about one memory carry its version as their ETag, and lists and searches say it", async () => {
  const { headers, body } = await client.call("POST", MEMORIES, {
    body: { tenant_id: TENANT, content: "The tiller is made of ash." },
  });
  const written = Memory.parse(body);
  expect(headers.get("etag")).toBe(tagOf(written));
  expect((await client.call("GET", at(written.id), { query })).headers.get("etag")).toBe(tagOf(written));
  const patched = await client.call("PATCH", at(written.id), { query, body: { title: "Tiller" } });
  expect(patched.headers.get("etag")).toBe(tagOf(Memory.parse(patched.body)));
  expect(Memory.parse(patched.body).version).not.toBe(written.version);
  const now = await api.get(written.id);
  for (const { items } of [await api.search("What is the tiller made of?"), await api.list()])
    expect(items.find(({ id }) => id === written.id)?.version).toBe(now.version);
});

test("a version changes with all that a caller can change, and with nothing else", async () => {
  const other = await api.write({ content: "The harbour master is called Ines." });
  const { id, version } = await api.write({ content: "Ines opens the lock gate at six in the morning." });
  await settle();
  await api.search("When does Ines open the lock gate?", { caller_agent_id: "sam" });
  await settle();
  expect((await api.get(id)).recall_count).toBeGreaterThan(0);
  expect((await api.get(id)).version).toBe(version);
  const seen = new Set([version]);
  const patches = [
    { content: "Ines opens the lock gate at seven in the morning." },
    { title: "Lock gate" },
    { weight: 0.7 },
    { memory_type: "decision" },
    { metadata: { a: 1 } },
    { metadata: { a: 2 } },
    { source_uri: "https://example.org/lock" },
    { visibility: "scope_org" },
    { status: "confirmed" },
    { predicate: "opens" },
    { object_value: "lock gate" },
    { subject_entity_id: crypto.randomUUID() },
    { ts_valid_start: "2026-01-01T00:00:00Z" },
    { ts_valid_end: "2027-01-01T00:00:00Z" },
    { expires_at: "2999-01-01T00:00:00Z" },
  ];
  for (const body of patches) {
    await client.ok(Memory, "PATCH", at(id), { query, body });
    seen.add((await api.get(id)).version);
  }
  expect(seen.size).toBe(patches.length + 1);
  const before = await api.get(id);
  await client.ok(Memory, "PATCH", at(id), { query, body: { weight: 0.7 } });
  expect((await api.get(id)).version).toBe(before.version);
  expect((await api.get(other.id)).version).toBe(other.version);
});

test.each(CHANGES)("%s of a stale version is refused with the memory as it is, and changes nothing", async (_, of) => {
  const read = await api.write({ content: `Buoy ${crypto.randomUUID()} is red.` });
  await client.ok(Memory, "PATCH", at(read.id), { query, body: { title: "Somebody else's title" } });
  const now = await api.get(read.id);
  const { status, body } = await change(read.id, of, ifMatch(tagOf(read)));
  expect(status).toBe(412);
  expect(body).toMatchObject({
    error: {
      code: "PRECONDITION_FAILED",
      details: { current: { id: read.id, title: now.title, version: now.version } },
    },
  });
  expect(await api.get(read.id)).toEqual(now);
});

test.each(CHANGES)("%s of the version it names is made", async (_, of) => {
  for (const tags of [(own: string) => [own], (own: string) => ['"another"', own], () => ["*"]]) {
    const read = await api.write({ content: `Buoy ${crypto.randomUUID()} is green.` });
    expect((await change(read.id, of, ifMatch(...tags(tagOf(read))))).status).toBeLessThan(300);
  }
});

test("a weak ETag is nobody's version, and what is no ETag is refused as such", async () => {
  const read = await api.write({ content: "The anchor weighs forty kilos." });
  const patch = (tag: string) =>
    client.call("PATCH", at(read.id), { query, body: { weight: 0.2 }, headers: ifMatch(tag) });
  expect((await patch(`W/${tagOf(read)}`)).status).toBe(412);
  for (const tag of [read.version, "", `${tagOf(read)} and more`, `*, ${tagOf(read)}`])
    expect((await patch(tag)).status).toBe(422);
  expect((await patch(` W/"x" ,, ${tagOf(read)}`)).status).toBe(200);
});

test.each(CHANGES)("of two at once that name the same version, %s is made once", async (_, of) => {
  for (let round = 0; round < 5; round++) {
    const read = await api.write({ content: `Mooring ${crypto.randomUUID()} is free.` });
    const rival = { query, body: { content: `Mooring ${read.id} is taken.` }, headers: ifMatch(tagOf(read)) };
    const replies = await Promise.all([
      client.call("PATCH", at(read.id), rival),
      change(read.id, of, ifMatch(tagOf(read))),
      client.call("PATCH", at(read.id), { ...rival, body: { content: `Mooring ${read.id} is lost.` } }),
    ]);
    // Who comes after a deletion finds nothing to change.
    expect(replies.filter(({ status }) => status < 300)).toHaveLength(1);
    for (const { status } of replies) expect(status < 300 || status === 412 || status === 404).toBe(true);
  }
});

test("of two corrections of one version at once only one is written", async () => {
  const read = await api.write({ content: "The ferry leaves at nine." });
  const before = await api.count();
  const correct = (content: string) =>
    client.call("POST", `${at(read.id)}/correct`, { query, body: { content }, headers: ifMatch(tagOf(read)) });
  const replies = await Promise.all([correct("The ferry leaves at ten."), correct("The ferry leaves at noon.")]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 412]);
  expect((await api.get(read.id)).status).toBe("outdated");
  expect(await api.count()).toBe(before);
});

test("a repeated correction is answered again, whatever has become of the version it named", async () => {
  const read = await api.write({ content: "The cook is on leave until May." });
  const headers = { ...ifMatch(tagOf(read)), "idempotency-key": "cook-leave" };
  const correct = () =>
    client.ok(Corrected, "POST", `${at(read.id)}/correct`, {
      query,
      body: { content: "The cook is on leave until June." },
      headers,
    });
  const first = await correct();
  expect(await correct()).toEqual(first);
  const written = { tenant_id: TENANT, content: "The purser keeps the keys of the hold." };
  const write = () => client.call("POST", MEMORIES, { body: written, headers: { "idempotency-key": "purser" } });
  const [once, again] = [await write(), await write()];
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(again.headers.get("etag")).toBe(once.headers.get("etag"));
});

test("who names no version overwrites, as ever", async () => {
  const read = await api.write({ content: "The chart table is on port." });
  await client.ok(Memory, "PATCH", at(read.id), { query, body: { title: "One" } });
  expect(await client.ok(Memory, "PATCH", at(read.id), { query, body: { title: "Two" } })).toMatchObject({
    title: "Two",
  });
  const moved = { query, body: { status: "archived" } };
  expect(await client.ok(StatusChanged, "PATCH", `${at(read.id)}/status`, moved)).toMatchObject({
    new_status: "archived",
  });
});

test("an agent is not shown, by a refusal, what it may not read", async () => {
  const secret = await api.write({ content: "Bo hides the rum below.", agent_id: "bo", visibility: "scope_agent" });
  const asked = { query: { ...query, agent_id: "al" }, body: { weight: 0.1 }, headers: ifMatch('"stale"') };
  expect(refusalOf(await client.refused("PATCH", at(secret.id), asked))).toEqual([404, "NOT_FOUND"]);
});
