import { afterAll, describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { Bounds } from "../../../src/core/schema/observing/bounds.ts";
import { Status } from "../../../src/core/schema/system.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp, temporaryFolder } from "../../support/app.ts";
import { GATEWAY, holder, refusalOf, viaGateway } from "../../support/credentials.ts";

const PATH = "/api/v1/limits";
const folder = temporaryFolder();
const flags = [
  GATEWAY,
  "--rate-writes=7",
  "--rate-searches=0",
  "--memories-limit=40",
  "--documents-limit=30",
  "--metadata-bytes-limit=2048",
  "--document-bytes-limit=4096",
  "--requests-limit=90",
];
const app = await startApp({ folder: folder.path, flags });
afterAll(async () => {
  await app.stop();
  folder.remove();
});
const { client } = app;

describe("the limits", () => {
  test("are those that the server was started with, and what is used of them", async () => {
    await memoriesApi(client).write();
    expect(await client.ok(Bounds, "GET", PATH)).toMatchObject({
      rates: { write: 7, bulk: 0, search: 0, read: 0 },
      memories: { limit: 40, used: 1 },
      documents: { limit: 30, used: 0 },
      sizes: { body_bytes: 4 * 1024 * 1024, document_bytes: 4096, metadata_bytes: 2048, reply_bytes: 8 * 1024 * 1024 },
      streams: { caller: 8, server: 64 },
      server: { requests: 90 },
    });
  });

  test("are of one's own tenant, without those of the server for who does not own it", async () => {
    for (const other of [await holder(client, { admin: true }), client.as(viaGateway("acme"))])
      expect((await other.ok(Bounds, "GET", PATH)).server).toBeNull();
    expect((await client.as(viaGateway("acme")).ok(Bounds, "GET", PATH)).memories.used).toBe(0);
  });

  test("are what is refused beyond", async () => {
    const { sizes } = await client.ok(Bounds, "GET", PATH);
    const metadata = { text: "x".repeat(sizes.metadata_bytes) };
    const body = { content: "The crane is oiled every spring.", metadata };
    expect(refusalOf(await client.refused("POST", "/api/v1/memories", { body }))).toEqual([422, "INVALID_ARGUMENTS"]);
  });
});

describe("the status of the storage", () => {
  test("tells its owner the bytes of its files and of the disk", async () => {
    const { storage } = await client.ok(Status, "GET", "/api/v1/status");
    expect(storage.data_bytes).toBe(statSync(join(folder.path, "cairn.db")).size);
    expect(storage.log_bytes).toBeGreaterThanOrEqual(0);
    expect(storage.free_bytes).toBeGreaterThan(1024);
  });

  test("tells nobody else, and nothing where all lies in memory", async () => {
    const none = { data_bytes: null, log_bytes: null, free_bytes: null };
    const memory = await startApp();
    for (const other of [client.as(viaGateway("acme")), await holder(client, { admin: true }), memory.client])
      expect((await other.ok(Status, "GET", "/api/v1/status")).storage).toMatchObject(none);
    await memory.stop();
  });
});
