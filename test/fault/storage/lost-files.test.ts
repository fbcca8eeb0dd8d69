import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Memory } from "../../../src/core/schema/memory.ts";
import { MemoryPage } from "../../../src/core/schema/memory-query.ts";
import { Health } from "../../../src/core/schema/system.ts";
import type { Client } from "../../support/api/client.ts";
import { aFolder, checkData, cleanUp, runToEnd, spawnServer, startAndKill, until, untilSettled } from "../server.ts";

setDefaultTimeout(60_000);
afterAll(cleanUp);

let serial = 0;
const statement = () => ({ body: { tenant_id: "default", content: `Statement number ${++serial} of this test.` } });
const write = (client: Client) => client.ok(Memory, "POST", "/api/v1/memories", statement());
const health = async (client: Client): Promise<Health> =>
  Health.parse((await client.call("GET", "/api/v1/health")).body);
const stored = async (client: Client): Promise<number> =>
  (await client.ok(MemoryPage, "GET", "/api/v1/memories", { query: { limit: 500 } })).items.length;
const startIn = (folder: string) => runToEnd(["serve", "--port=0", "--embedder=hash", `--data=${folder}`]);

async function expectRefused(folder: string, says: RegExp): Promise<void> {
  const { stdout, stderr, code } = await startIn(folder);
  expect({ stdout, code }).toEqual({ stdout: "", code: 1 });
  expect(stderr).toMatch(says);
}

async function expectUnwritable(client: Client, says: RegExp): Promise<void> {
  const { status, body } = await client.refused("POST", "/api/v1/memories", statement());
  expect({ status, code: body.error.code }).toEqual({ status: 503, code: "UNAVAILABLE" });
  expect(body.error.message).toMatch(says);
}

test("a data file that was cut to nothing is never taken for a fresh start", async () => {
  const folder = aFolder();
  const server = await spawnServer({ folder });
  await write(server.client);
  expect(await server.terminate()).toBe(0);
  truncateSync(join(folder, "cairn.db"), 0);
  await expectRefused(folder, /cairn\.db is empty.*lost or cut off.*Restore it from a backup, or remove .*cairn\.db/);
  expect(statSync(join(folder, "cairn.db")).size).toBe(0);
  rmSync(join(folder, "cairn.db"));
  const next = await spawnServer({ folder });
  expect(await next.terminate()).toBe(0);
});

test("a log without its data file is never thrown away", async () => {
  const folder = aFolder();
  const server = await spawnServer({ folder });
  await write(server.client);
  await server.kill();
  renameSync(join(folder, "cairn.db"), join(folder, "elsewhere.db"));
  const log = await Bun.file(join(folder, "cairn.db-wal")).bytes();
  await expectRefused(folder, /cairn\.db is gone.*cairn\.db-wal/);
  expect(await Bun.file(join(folder, "cairn.db-wal")).bytes()).toEqual(log);
  renameSync(join(folder, "elsewhere.db"), join(folder, "cairn.db"));
  const next = await spawnServer({ folder });
  expect(await stored(next.client)).toBe(1);
  expect(await next.terminate()).toBe(0);
});

test("a first start that was killed at any moment leaves a folder in which the next one starts", async () => {
  for (let afterMs = 100; afterMs <= 600; afterMs += 100) {
    const folder = aFolder();
    await startAndKill(folder, afterMs);
    const server = await spawnServer({ folder });
    expect(await server.terminate()).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(["cairn.db", "cairn.lock"]);
  }
});

test("a lock file that vanished under a running server is made again, and keeps a second server out", async () => {
  const folder = aFolder();
  const lock = join(folder, "cairn.lock");
  const server = await spawnServer({ folder });
  await write(server.client);
  rmSync(lock);
  expect((await health(server.client)).status).toBe("ok");
  expect(statSync(lock).isFile()).toBe(true);
  await expectRefused(folder, /another cairn/i);
  rmSync(lock);
  await write(server.client);
  expect(statSync(lock).isFile()).toBe(true);
  await expectRefused(folder, /another cairn/i);
  await untilSettled(server);
  expect(await server.terminate()).toBe(0);
  checkData(folder);
});

test("a second server never becomes the owner through a lock file of its own", async () => {
  const folder = aFolder();
  const server = await spawnServer({ folder });
  await write(server.client);
  process.kill(server.pid, "SIGSTOP"); // Else it makes its lock again at once.
  try {
    rmSync(join(folder, "cairn.lock"));
    await expectRefused(folder, /another cairn/i);
    writeFileSync(join(folder, "cairn.lock"), "");
    await expectRefused(folder, /another cairn/i);
  } finally {
    process.kill(server.pid, "SIGCONT");
  }
  await write(server.client);
  await untilSettled(server);
  expect(await server.terminate()).toBe(0);
  checkData(folder);
});

for (const name of ["cairn.db", "cairn.db-wal"]) {
  test(`nothing is written once ${name} was moved or replaced under a running server`, async () => {
    const folder = aFolder();
    const file = join(folder, name);
    const server = await spawnServer({ folder });
    const { client } = server;
    await write(client);
    await untilSettled(server);
    renameSync(file, `${file}.away`);
    await expectUnwritable(client, new RegExp(`${name} in .* is gone.*nothing was written`));
    expect(await health(client)).toMatchObject({ status: "unhealthy", storage: "unreachable" });
    writeFileSync(file, await Bun.file(`${file}.away`).bytes());
    await expectUnwritable(client, new RegExp(`${name} in .* was replaced.*nothing was written`));
    renameSync(`${file}.away`, file);
    await until("health is well", async () => (await health(client)).status === "ok");
    await write(client);
    await untilSettled(server);
    expect(await server.terminate()).toBe(0);
    checkData(folder);
  });
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test("files of the data folder are its owner's alone, and the folder too when Cairn makes it", async () => {
  const folder = join(aFolder(), "made", "data");
  const server = await spawnServer({ folder });
  await write(server.client);
  expect(modeOf(folder)).toBe("700");
  const expectClosed = () => {
    const names = readdirSync(folder);
    expect(names).toEqual(expect.arrayContaining(["cairn.db", "cairn.db-shm", "cairn.db-wal", "cairn.lock"]));
    expect(names).toContain("server.json");
    expect(names.filter((name) => modeOf(join(folder, name)) !== "600")).toEqual([]);
  };
  expectClosed();
  expect(server.log()).not.toMatch(/open to others/);
  await server.kill();
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
  const next = await spawnServer({ folder });
  expectClosed();
  expect(await next.terminate()).toBe(0);
});

test("a data folder that is open to others is said to be so, once, and served", async () => {
  const folder = join(aFolder(), "data");
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  const server = await spawnServer({ folder });
  await write(server.client);
  expect(server.log().match(/"event":"data folder is open to others".*"mode":"0755"/g)?.length).toBe(1);
  expect(modeOf(folder)).toBe("755");
  expect(modeOf(join(folder, "cairn.db"))).toBe("600");
  expect(await server.terminate()).toBe(0);
});
