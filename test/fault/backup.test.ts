import { Database } from "bun:sqlite";
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { BackupState } from "../../src/core/schema/keeping/backup.ts";
import { restoreStorage } from "../../src/storage/open.ts";
import { memoriesApi } from "../support/api/memories.ts";
import { temporaryFolder } from "../support/app.ts";
import { cairnIn } from "../support/command-line.ts";
import { openApp } from "../support/in-process.ts";
import { CAIRN } from "./server.ts";

setDefaultTimeout(120_000);
const root = temporaryFolder();
afterAll(root.remove);
const PATH = "/api/v1/admin/backups";
const WRITERS = 8;
/** Rows that each has written before the backup begins, at least. */
const HEAD_START = 20;

test("while eight write, a backup holds exactly the rows of one moment", async () => {
  const { app, client } = await openApp({ folder: join(root.path, "busy") });
  const api = memoriesApi(client);
  let isOver = false;
  /** What each writer has been told is stored, in order. */
  const written = Array.from({ length: WRITERS }, (): string[] => []);
  const writers = written.map(async (own, writer) => {
    while (!isOver) own.push((await api.write({ content: `Row ${own.length} by writer ${writer} of the ledger.` })).id);
  });
  while (written.some(({ length }) => length < HEAD_START)) await Bun.sleep(5);
  const before = written.map((own) => [...own]);
  let { run } = await client.ok(BackupState, "POST", PATH, { body: {} });
  while (run?.state === "running") {
    await Bun.sleep(5);
    ({ run } = await client.ok(BackupState, "GET", PATH));
  }
  await Bun.sleep(50);
  isOver = true;
  await Promise.all(writers);
  await app.stop();

  const folder = join(root.path, "restored");
  const { manifest } = await restoreStorage({ file: run?.backup?.file ?? "", folder, stamp: "now", cacheDir: folder });
  const idsIn = (file: string): string[] => {
    const db = new Database(file, { readonly: true });
    const rows = db.query<{ id: string }, []>("select id from memories order by seq").all();
    db.close();
    return rows.map(({ id }) => id);
  };
  const held = idsIn(join(folder, "cairn.db"));
  expect(held).toHaveLength(manifest.counts.memories ?? 0);
  // One moment: the first so many of all that were ever committed, with every row acknowledged before it began.
  expect(idsIn(join(root.path, "busy", "cairn.db")).slice(0, held.length)).toEqual(held);
  expect(before.flat().filter((id) => !held.includes(id))).toEqual([]);
  expect(held.length).toBeLessThan(written.flat().length);
});

test("killed at any moment, a restore leaves what was there, what is to come, or a folder that says so", async () => {
  const made = cairnIn(join(root.path, "source"), root.path);
  for (let i = 0; i < 5; i++) await made(["add", `Row ${i} of the backup.`]);
  const file = join(root.path, "kill.db.zst");
  expect(await made(["backup", file])).toMatchObject({ code: 0 });
  const old = join(root.path, "old");
  await cairnIn(old, root.path)(["add", "The only row of before."]);

  const env = { PATH: process.env.PATH ?? "", HOME: root.path, CAIRN_EMBEDDER: "hash" };
  const restore = (folder: string) =>
    Bun.spawn([...CAIRN, "restore", file, "--data", folder], { env, stdout: "ignore", stderr: "ignore" });
  const startedAt = performance.now();
  cpSync(old, join(root.path, "whole"), { recursive: true });
  expect(await restore(join(root.path, "whole")).exited).toBe(0);
  const takes = performance.now() - startedAt;

  const MOMENTS = 10;
  for (let i = 1; i <= MOMENTS; i++) {
    const folder = join(root.path, `killed-${i}`);
    cpSync(old, folder, { recursive: true });
    const child = restore(folder);
    // Most of the time goes by before it begins.
    await Bun.sleep(takes * (0.5 + (0.6 * i) / MOMENTS));
    child.kill("SIGKILL");
    await child.exited;
    const cairn = cairnIn(folder, root.path);
    let listed = await cairn(["list", "--json"]);
    if (listed.code !== 0) {
      expect(listed.err).toContain("was interrupted");
      expect(await cairn(["restore", file])).toMatchObject({ code: 0 });
      listed = await cairn(["list", "--json"]);
    }
    const count: number = JSON.parse(listed.out).items.length;
    expect([1, 5]).toContain(count);
    expect(await cairn(["check"])).toMatchObject({ code: 0 });
  }
});
