import { afterAll, expect, test } from "bun:test";
import { configOf } from "../../../src/config/load.ts";
import { databaseNamed } from "../../../src/core/kernel/address.ts";
import { migrate, targetOf } from "../../../src/startup/migrate/migrate.ts";
import { MEMORIES } from "../../support/api/memories.ts";
import { temporaryFolder } from "../../support/app.ts";
import { openApp } from "../../support/in-process.ts";
import { sharedDatabase } from "../../support/postgres/engine.ts";

const TENANT = { tenant_id: "default" };
const URL = "postgres://cairn:quokka@db.internal:5433/memory";
const folders = [temporaryFolder(), temporaryFolder()];
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
  expect(() => targetOf(inDatabase, URL)).toThrow("The data is there already: name another place.");
  expect(() => targetOf(inFolder(source), source)).toThrow("The data is there already");
  expect(databaseNamed(URL)).not.toContain("quokka");
});
