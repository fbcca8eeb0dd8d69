import { afterAll, afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BulkResult, Memory, MemoryDetail } from "../../../src/core/schema/memory.ts";
import { MemoryPage } from "../../../src/core/schema/memory-query.ts";
import { RecallReply, SearchReply } from "../../../src/core/schema/retrieval.ts";
import { Health } from "../../../src/core/schema/system.ts";
import type { Client } from "../../support/api/client.ts";
import { temporaryFolder } from "../../support/app.ts";
import { openApp } from "../../support/in-process.ts";
import { checkData, cleanUp, runToEnd, spawnServer, until, untilSettled } from "../server.ts";
import type { SmallDisk } from "../small-disk.ts";
import { mayMount, smallDisk } from "../small-disk.ts";

const DISK_MEGABYTES = 24;
const WRITES_MAX = 5_000;
const HANG_GUARD_MS = 180_000;
setDefaultTimeout(HANG_GUARD_MS);

if (!mayMount) console.warn("Skipped: a full disk is only tested where the tests may mount a small one (as root).");

afterAll(cleanUp);

let disk: SmallDisk;
let serial = 0;
const statement = (): string => `Statement ${++serial}: ${"the well in the yard is dry again. ".repeat(20)}`;
const write = (content = statement()) => ({ body: { tenant_id: "default", agent_id: "ann", content } });
const many = () => ({
  body: { tenant_id: "default", items: Array.from({ length: 20 }, () => ({ content: statement() })) },
});
const address = (id: string) => [`/api/v1/memories/${id}`, { query: { tenant_id: "default" } }] as const;
const health = async (client: Client): Promise<Health> =>
  Health.parse((await client.call("GET", "/api/v1/health")).body);

/** Writes until the disk has no room for one more, and returns what was acknowledged. */
async function writeUntilFull(client: Client): Promise<Map<string, string>> {
  const acknowledged = new Map<string, string>();
  for (let i = 0; i < WRITES_MAX; i++) {
    const content = statement();
    const { status, body } = await client.call("POST", "/api/v1/memories", write(content));
    if (status === 201) acknowledged.set(Memory.parse(body).id, content);
    else return acknowledged;
  }
  throw new Error("The disk never got full.");
}

async function expectFull(client: Client, method: string, path: string, options: object): Promise<void> {
  const { status, body } = await client.refused(method, path, options);
  expect({ status, code: body.error.code }).toEqual({ status: 503, code: "UNAVAILABLE" });
  expect(body.error.message).toMatch(/disk is full.*nothing was written/i); // The cause,
  expect(body.error.message).toMatch(/free some space/i); // and what to do about it.
}

test("health tells when the data file is gone", async () => {
  const folder = temporaryFolder();
  const { app, client } = await openApp({ folder: folder.path });
  expect((await health(client)).status).toBe("ok");
  renameSync(join(folder.path, "cairn.db"), join(folder.path, "elsewhere.db"));
  expect(await health(client)).toMatchObject({ status: "unhealthy", storage: "unreachable" });
  renameSync(join(folder.path, "elsewhere.db"), join(folder.path, "cairn.db"));
  expect((await health(client)).status).toBe("ok");
  await app.stop();
  folder.remove();
});

describe.skipIf(!mayMount)("on a disk that gets full", () => {
  beforeEach(() => {
    const mounted = smallDisk(DISK_MEGABYTES);
    if (!mounted) throw new Error("This machine let a test mount a moment ago.");
    disk = mounted;
  });
  afterEach(() => disk.remove());

  test("writes are refused whole, reads and searches go on, health tells, and freed space is enough to recover", async () => {
    const folder = join(disk.path, "data");
    const { app, client, settle } = await openApp({ folder });
    app.listen();
    const before = await client.ok(Memory, "POST", "/api/v1/memories", write("The heron fishes by the weir."));
    expect((await health(client)).status).toBe("ok");

    disk.fill();
    const acknowledged = await writeUntilFull(client);
    for (let i = 0; i < 3; i++) {
      await expectFull(client, "POST", "/api/v1/memories", write());
      await expectFull(client, "POST", "/api/v1/memories/bulk", many());
      await expectFull(client, "PATCH", address(before.id)[0], { ...address(before.id)[1], body: { weight: 1 } });
      await expectFull(client, "DELETE", ...address(before.id));
    }

    expect(await health(client)).toMatchObject({ status: "degraded", storage: "read_only" });
    expect((await client.call("GET", "/api/v1/health")).status).toBe(200);
    for (const ask of ["search", "recall"] as const) {
      const schema = { search: SearchReply, recall: RecallReply }[ask];
      const body = { tenant_id: "default", query: "where does the heron fish?", caller_agent_id: "ann" };
      const { items = [] } = await client.ok<SearchReply | RecallReply>(schema, "POST", `/api/v1/${ask}`, { body });
      expect(items[0]?.id).toBe(before.id);
    }
    expect((await client.ok(MemoryDetail, "GET", ...address(before.id))).weight).toBe(0.5);
    const listed = await client.ok(MemoryPage, "GET", "/api/v1/memories", { query: { limit: 500 } });
    expect(listed.items.length).toBe(Math.min(500, acknowledged.size + 1));

    disk.free();
    await client.ok(Memory, "POST", "/api/v1/memories", write());
    await client.ok(BulkResult, "POST", "/api/v1/memories/bulk", many());
    await settle();
    await untilSettled({ client });
    await until("health is well", async () => (await health(client)).status === "ok");
    for (const [id, content] of acknowledged) {
      expect((await client.ok(MemoryDetail, "GET", ...address(id))).content).toBe(content.trim());
    }
    await app.stop();
    checkData(folder);
  });

  test("health tells that writes are refused while the disk has room for a page or two, and no longer than that", async () => {
    const folder = join(disk.path, "data");
    const { app, client } = await openApp({ folder });
    await client.ok(Memory, "POST", "/api/v1/memories", write());
    const spare = join(disk.path, "spare");
    writeFileSync(spare, new Uint8Array(12 * 1024));
    disk.fill();
    await writeUntilFull(client);
    rmSync(spare);
    await expectFull(client, "POST", "/api/v1/memories/bulk", many());
    expect(await health(client)).toMatchObject({ status: "degraded", storage: "read_only" });
    disk.free();
    expect(await health(client)).toMatchObject({ status: "ok", storage: "connected" });
    expect(readdirSync(folder).filter((name) => name.includes("probe"))).toEqual([]);
    await client.ok(BulkResult, "POST", "/api/v1/memories/bulk", many());
    await app.stop();
  });

  test("a server can be stopped, and starts again with everything it had acknowledged", async () => {
    const folder = join(disk.path, "data");
    const server = await spawnServer({ folder });
    await server.client.ok(BulkResult, "POST", "/api/v1/memories/bulk", many());
    disk.fill();
    const acknowledged = await writeUntilFull(server.client);
    expect(await server.terminate()).toBe(0);
    disk.free();
    checkData(folder);

    const next = await spawnServer({ folder });
    for (const [id, content] of acknowledged) {
      expect((await next.client.ok(MemoryDetail, "GET", ...address(id))).content).toBe(content.trim());
    }
    await untilSettled(next);
    expect(await next.terminate()).toBe(0);
    checkData(folder);
  });

  test("a start on a disk that is read-only, without data, is refused with the cause, and succeeds once it is writable", async () => {
    const folder = join(disk.path, "data");
    mkdirSync(folder);
    disk.setReadOnly(true);
    const { stdout, stderr, code } = await runToEnd(["serve", "--port=0", "--embedder=hash", `--data=${folder}`]);
    expect({ stdout, code }).toEqual({ stdout: "", code: 1 });
    expect(stderr).toMatch(/^cairn: .*(?:read-only|writable)/);
    disk.setReadOnly(false);
    const next = await spawnServer({ folder });
    expect(await next.terminate()).toBe(0);
  });
});
