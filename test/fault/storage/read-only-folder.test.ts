import { afterAll, afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Memory } from "../../../src/core/schema/memory.ts";
import { RecallReply, SearchReply } from "../../../src/core/schema/retrieval.ts";
import { Health, Status } from "../../../src/core/schema/system.ts";
import { operations } from "../../../src/http/routes/all.ts";
import type { Client } from "../../support/api/client.ts";
import type { Server } from "../server.ts";
import { checkData, cleanUp, runToEnd, spawnServer, until, untilSettled } from "../server.ts";
import type { SmallDisk } from "../small-disk.ts";
import { mayMount, smallDisk } from "../small-disk.ts";

setDefaultTimeout(60_000);
afterAll(cleanUp);

const DISK_MEGABYTES = 24;
const TENANT = { tenant_id: "default" };
const SENTENCE = "The heron fishes by the weir.";
const write = (content: string) => ({ body: { ...TENANT, agent_id: "ann", content } });
const health = async (client: Client): Promise<Health> =>
  Health.parse((await client.call("GET", "/api/v1/health")).body);

async function findsHeron(client: Client, id: string): Promise<void> {
  for (const [ask, schema] of [
    ["search", SearchReply],
    ["recall", RecallReply],
  ] as const) {
    const body = { ...TENANT, query: "where does the heron fish?", caller_agent_id: "ann" };
    const { items = [] } = await client.ok<SearchReply | RecallReply>(schema, "POST", `/api/v1/${ask}`, { body });
    expect(items[0]?.id).toBe(id);
  }
}

/** Reads answer, writes are refused with cause and next step, health says degraded. */
async function expectReadOnly(client: Client, id: string, cause: RegExp): Promise<void> {
  await findsHeron(client, id);
  for (const { method, path } of operations.filter((one) => one.method === "GET" && !one.path.includes("{"))) {
    expect([path, (await client.call(method, path)).status < 500]).toEqual([path, true]);
  }
  const address = `/api/v1/memories/${id}`;
  const refusals = [
    await client.refused("POST", "/api/v1/memories", write("Nothing of this is ever kept.")),
    await client.refused("PATCH", address, { query: TENANT, body: { weight: 1 } }),
    await client.refused("DELETE", address, { query: TENANT }),
    await client.refused("POST", "/api/v1/documents", {
      body: { ...TENANT, collection: "notes", doc_id: "one", data: { a: 1 } },
    }),
  ];
  for (const { status, body } of refusals) {
    expect({ status, code: body.error.code }).toEqual({ status: 503, code: "UNAVAILABLE" });
    expect(body.error.message).toMatch(cause);
    expect(body.error.message).toMatch(/nothing was written\. (?:Make it writable|Free some space)/);
  }
  expect(await health(client)).toMatchObject({ status: "degraded", storage: "read_only", event_bus: "ok" });
  expect((await client.call("GET", "/api/v1/health")).status).toBe(200);
  expect((await client.ok(Status, "GET", "/api/v1/status")).health).toBe("degraded");
}

const troubles = (server: Server) => server.log().match(/"event":"data folder cannot be written"/g)?.length ?? 0;

async function expectRecovery({ client }: Server): Promise<void> {
  await until("the folder is written again", async () => (await health(client)).status === "ok");
  await client.ok(Memory, "POST", "/api/v1/memories", write("The kingfisher is back."));
}

describe.skipIf(!mayMount)("a folder with data that cannot be written", () => {
  let disk: SmallDisk;
  let folder: string;
  beforeEach(() => {
    const mounted = smallDisk(DISK_MEGABYTES);
    if (!mounted) throw new Error("This machine let a test mount a moment ago.");
    disk = mounted;
    folder = join(disk.path, "data");
  });
  afterEach(() => disk.remove());

  const withData = async (end: (server: Server) => Promise<unknown>): Promise<string> => {
    const server = await spawnServer({ folder });
    const { id } = await server.client.ok(Memory, "POST", "/api/v1/memories", write(SENTENCE));
    await untilSettled(server);
    await end(server);
    return id;
  };

  for (const [how, end] of [
    ["stopped", (server: Server) => server.terminate()],
    ["killed", (server: Server) => server.kill()],
  ] as const) {
    test(`is read after its last server was ${how}, and written as soon as it can be`, async () => {
      const id = await withData(end);
      disk.setReadOnly(true);
      const server = await spawnServer({ folder });
      await expectReadOnly(server.client, id, /read-only/);
      const looked = performance.now();
      await until("it was looked at a few times", async () => performance.now() - looked > 3_000);
      expect(troubles(server)).toBe(1);
      expect(server.log()).not.toMatch(/"event":"(?:after reply|job loop)"/);
      disk.setReadOnly(false);
      await expectRecovery(server);
      await findsHeron(server.client, id);
      await untilSettled(server);
      expect(await server.terminate()).toBe(0);
      checkData(folder);
    });
  }

  test("is read where the disk is full at the start, and written as soon as there is room", async () => {
    const id = await withData((server) => server.terminate());
    disk.fill();
    const checked = await runToEnd(["check", "--embedder=hash", `--data=${folder}`]);
    expect([checked.code, checked.stderr]).toEqual([0, expect.stringMatching(/agree with their rows/)]);
    const server = await spawnServer({ folder });
    await expectReadOnly(server.client, id, /full/);
    disk.free();
    await expectRecovery(server);
    await untilSettled(server);
    expect(await server.terminate()).toBe(0);
    checkData(folder);
  });

  test("keeps whoever could write it out while it is read, and may be read by several", async () => {
    const id = await withData((server) => server.terminate());
    const view = join(disk.path, "view");
    mkdirSync(view);
    const mount = (...args: readonly string[]) => expect(Bun.spawnSync(["mount", ...args]).success).toBe(true);
    mount("--bind", folder, view);
    mount("-o", "remount,ro,bind", view);
    try {
      const readers = [await spawnServer({ folder: view }), await spawnServer({ folder: view })];
      for (const { client } of readers) await expectReadOnly(client, id, /read-only/);
      const { stderr, code } = await runToEnd(["serve", "--port=0", "--embedder=hash", `--data=${folder}`]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/another cairn/i)]);
      for (const reader of readers) expect(await reader.terminate()).toBe(0);
      const writer = await spawnServer({ folder });
      const late = await runToEnd(["serve", "--port=0", "--embedder=hash", `--data=${view}`]);
      expect([late.code, late.stderr]).toEqual([1, expect.stringMatching(/another cairn/i)]);
      expect(await writer.terminate()).toBe(0);
    } finally {
      Bun.spawnSync(["umount", view]);
    }
  });
});
