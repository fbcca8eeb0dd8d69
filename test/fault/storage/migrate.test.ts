import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { configOf } from "../../../src/config/load.ts";
import { databaseNamed } from "../../../src/core/kernel/address.ts";
import { migrate, sourceOf, targetOf } from "../../../src/startup/migrate/migrate.ts";
import { MEMORIES } from "../../support/api/memories.ts";
import { temporaryFolder } from "../../support/app.ts";
import { openApp } from "../../support/in-process.ts";
import { sharedDatabase } from "../../support/postgres/engine.ts";
import { cleanUp, runToEnd } from "../server.ts";

const TENANT = { tenant_id: "default" };
const URL = "postgres://cairn:quokka@db.internal:5433/memory";
const folders = [temporaryFolder(), temporaryFolder()];
afterAll(cleanUp);
afterAll(() => {
  for (const { remove } of folders) remove();
});
const [source = "", back = ""] = folders.map(({ path }) => path);
const settings = { embedder: "hash", cache: "/dev/null/cache" };
const inFolder = (data: string) => configOf({ ...settings, data });
const inDatabase = targetOf(inFolder(source), URL);

async function fill(): Promise<void> {
  const { app, client, settle } = await openApp({ folder: source });
  for (let i = 0; i < 12; i++) {
    const content = `The ship Halcyon ${i} berths at pier ${i * 7}.`;
    const { status } = await client.call("POST", MEMORIES, {
      body: { ...TENANT, content, agent_id: `agent-${i % 3}` },
    });
    expect(status).toBe(201);
  }
  await settle();
  await app.stop();
}

test("what a folder holds goes into a database and back, the same by every hash", async () => {
  await fill();
  const open = await sharedDatabase();
  // The database is kept between both moves.
  const kept = await open();
  const from = { from: {}, to: { openDatabase: open } };
  const there = await migrate({ from: inFolder(source), to: inDatabase, overrides: from });
  expect(there).toMatchObject({ from: source, to: "postgres://cairn@db.internal:5433/memory", tenants: 1 });
  expect(there.counts).toMatchObject({ memory: 12, agent: 3 });
  expect(there.agreement).toBeGreaterThan(0.95);
  await expect(migrate({ from: inFolder(source), to: inDatabase, overrides: from })).rejects.toMatchObject({
    code: "CONFLICT",
  });
  const home = { from: { openDatabase: open }, to: {} };
  const again = await migrate({ from: inDatabase, to: inFolder(back), overrides: home });
  expect(again).toMatchObject({ counts: there.counts, searches: there.searches });
  await kept.close();
}, 180_000);

test("a target that is the source is refused, and no message tells a password", () => {
  const there = "The data is in postgres://cairn@db.internal:5433/memory already: name another place with --to";
  expect(() => targetOf(inDatabase, URL)).toThrow(there);
  expect(() => targetOf(inFolder(source), source)).toThrow(`The data is in ${source} already`);
  expect(databaseNamed(URL)).not.toContain("quokka");
});

test("a folder that a flag names is what is moved, whatever database a variable names", async () => {
  const named = { ...inFolder(source), database_url: URL };
  expect(targetOf(sourceOf(named, { data: source }), URL).database_url).toBe(URL);
  expect(() => targetOf(sourceOf(named, {}), URL)).toThrow("already");
  const moved = await runToEnd(
    ["migrate", "--to", join(back, "again"), "--data", source, "--embedder", "hash", "--json"],
    { CAIRN_DATABASE_URL: "postgres://cairn@127.0.0.1:1/none" },
  );
  expect(JSON.parse(moved.stdout)).toMatchObject({ from: source, to: join(back, "again"), counts: { memory: 12 } });
}, 60_000);
