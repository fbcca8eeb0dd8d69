import { afterAll, describe, expect, test } from "bun:test";
import { toTimestamp } from "../../../src/core/kernel/clock.ts";
import { Snapshot } from "../../../src/core/schema/keeping/snapshot.ts";
import { TOPICS } from "../../../src/core/schema/observing/changes.ts";
import { operations } from "../../../src/http/routes/all.ts";
import type { EventReader } from "../../support/api/event-stream.ts";
import { openEvents } from "../../support/api/event-stream.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { isBinary, temporaryFolder } from "../../support/app.ts";
import { aMemory, aStatement, TENANT } from "../../support/builders.ts";
import { GATEWAY, mint, refusalOf, viaGateway } from "../../support/credentials.ts";
import type { InProcessOptions } from "../../support/in-process.ts";
import { openApp } from "../../support/in-process.ts";
import { onSqlite } from "../../support/postgres/engine.ts";

const stops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

/** A server that listens, without jobs of its own unless the test asks for them. */
async function listening(options: InProcessOptions = {}) {
  const opened = await openApp({ ...options, flags: [GATEWAY, ...(options.flags ?? [])] });
  const { url } = opened.app.listen();
  stops.push(() => opened.app.stop());
  return { ...opened, url };
}

/** Forgets what was told before, the jobs of the start among it. */
async function quiet(...readers: readonly EventReader[]): Promise<void> {
  await Bun.sleep(900);
  for (const { told } of readers) expect(told[0]?.event).toBe("hello");
}
const since = ({ told }: EventReader, count: number) => told.slice(count).filter(({ event }) => event === "change");

describe.skipIf(isBinary)("the stream of events", () => {
  test("begins with hello, and tells of a write within a second, with topics and nothing else", async () => {
    const { app, client, url } = await listening();
    const reader = await openEvents(url);
    expect(reader.response.status).toBe(200);
    expect(reader.response.headers.get("Content-Type")).toBe("text/event-stream");
    await quiet(reader);
    const started = { server_started_at: toTimestamp(app.services.started_at), release: "0.1.0" };
    expect(reader.told[0]).toMatchObject({ event: "hello", data: started });
    const before = reader.told.length;
    const writtenAt = performance.now();
    await memoriesApi(client).write({ content: "The harbour crane is painted green, says quokka." });
    await reader.until((told) => told.length > before);
    const [first] = since(reader, before);
    expect((first?.at_ms ?? Number.POSITIVE_INFINITY) - writtenAt).toBeLessThan(1_000);
    expect(reader.topics()).toContain("memories");
    expect(JSON.stringify(reader.told)).not.toContain("quokka");
    reader.abort();
  });

  test("tells of one's own tenant, and of none else", async () => {
    const { client, url } = await listening();
    const acme = await openEvents(url, viaGateway("acme"));
    const globex = await openEvents(url, viaGateway("globex"));
    await quiet(acme, globex);
    const [ofAcme, ofGlobex] = [acme.told.length, globex.told.length];
    await memoriesApi(client.as(viaGateway("acme")), "acme").write();
    await acme.until((told) => told.length > ofAcme);
    await Bun.sleep(700);
    expect(since(globex, ofGlobex)).toEqual([]);
    // The owner of the machine erases in any tenant: that is told where it happened.
    const forget = { tenant_id: "globex", match: "nothing like it" };
    await client.call("POST", "/api/v1/admin/forget", { body: forget });
    await globex.until((told) => told.length > ofGlobex);
    for (const reader of [acme, globex]) reader.abort();
  });

  test("tells what changes within 300 ms once", async () => {
    const { app, url } = await listening();
    const reader = await openEvents(url, viaGateway("acme"));
    await quiet(reader);
    const before = reader.told.length;
    for (let i = 0; i < 5_000; i++) app.services.changes.publish("acme", [TOPICS[i % 3] ?? "jobs"]);
    await reader.until((told) => told.length > before);
    await Bun.sleep(500);
    const told = since(reader, before);
    expect(told.map(({ data }) => data)).toEqual([
      expect.objectContaining({ topics: ["memories", "documents", "entities"] }),
    ]);
    reader.abort();
  });

  test("tells of finished jobs, checks of the indexes, and, to the owner alone, of backups", async () => {
    const folder = temporaryFolder();
    const { app, client, url } = await listening({ folder: folder.path });
    const owner = await openEvents(url);
    const { raw_key } = await mint(client, { admin: true });
    const other = await openEvents(url, { "X-API-Key": raw_key });
    await quiet(owner, other);
    for (const [path, body, topic] of [
      ["/api/v1/integrity/run", { kind: "check" }, "jobs"],
      ["/api/v1/admin/backups", {}, "backups"],
    ] as const) {
      const before = owner.told.length;
      await client.call("POST", path, { body });
      await owner.until((told) => told.length > before && owner.topics().includes(topic));
    }
    await memoriesApi(client).write();
    await app.runner.drain();
    // Its job is done after the write was told.
    await owner.until(() => owner.topics().includes("entities"));
    await Bun.sleep(500);
    expect(other.topics()).toContain("memories");
    expect(other.topics()).not.toContain("backups");
    await app.stop();
    folder.remove();
  });

  onSqlite("a snapshot is of what is in memory").test(
    "goes on when everything is put back to a snapshot, and tells so",
    async () => {
      const { client, url } = await listening();
      const reader = await openEvents(url);
      await client.ok(Snapshot, "POST", "/api/v1/admin/snapshot");
      await quiet(reader);
      await client.call("POST", "/api/v1/admin/snapshot/restore");
      await reader.until(() => TOPICS.every((topic) => reader.topics().includes(topic)));
      await Bun.sleep(700);
      const before = reader.told.length;
      await memoriesApi(client).write();
      await reader.until((told) => told.length > before);
      reader.abort();
    },
  );

  test("asks for a credential, and refuses one that it does not know", async () => {
    const { client } = await listening({ flags: ["--no-standalone"] });
    expect(refusalOf(await client.refused("GET", "/api/v1/events"))).toEqual([401, "UNAUTHORIZED"]);
    const stranger = client.as({ "X-API-Key": `mc_${"0".repeat(43)}` });
    expect(refusalOf(await stranger.refused("GET", "/api/v1/events"))).toEqual([401, "INVALID_API_KEY"]);
  });
});

/** What reads though it is no GET. */
const READING = [
  "searchMemories",
  "recallMemories",
  "whyNot",
  "searchDocuments",
  "queryDocuments",
  "installableSkills",
  // What it learns by the way changes nothing that a page shows.
  "resolveProject",
];

test("every operation that may write says what it changes", () => {
  const writing = operations.filter(({ method, id }) => method !== "GET" && !READING.includes(id));
  expect(writing.filter(({ changes }) => changes === undefined).map(({ id }) => id)).toEqual([]);
  const told = operations.filter(({ changes }) => changes !== undefined);
  expect(told.map(({ id }) => id).sort()).toEqual(writing.map(({ id }) => id).sort());
  expect(new Set(told.flatMap(({ changes }) => changes))).toEqual(new Set(TOPICS));
});

const KEYED = { tenant_id: TENANT, collection: "notes", doc_id: "one" };

describe.skipIf(isBinary)("a call that writes is told", () => {
  test.each([
    ["memories", "POST", MEMORIES, aMemory()],
    ["documents", "POST", "/api/v1/documents", { ...KEYED, data: { summary: aStatement() } }],
    ["entities", "POST", "/api/v1/entities/upsert", { entity_type: "concept", canonical_name: "Harbour" }],
    ["settings", "PATCH", "/api/v1/settings", { skills_factory: { enabled: true } }],
    ["access", "POST", "/api/v1/keys", { label: "of a test" }],
    ["imports", "POST", "/api/v1/import", { records: [{ record: "memory", content: aStatement() }] }],
  ] as const)("as %s: %s %s", async (topic, method, path, body) => {
    const { app, client } = await openApp();
    const told: string[] = [];
    app.services.changes.subscribe(TENANT, { changed: (topics) => told.push(...topics), ended: () => {} });
    const refused = await client.call(method, path, { body: { tenant_id: 7 } });
    expect(refused.status).toBe(422);
    expect(told).toEqual([]);
    expect((await client.call(method, path, { body })).status).toBeLessThan(300);
    expect(told).toContain(topic);
    await app.stop();
  });
});
