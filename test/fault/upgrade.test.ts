import { Database } from "bun:sqlite";
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { restoreStorage } from "../../src/storage/open.ts";
import { migrations } from "../../src/storage/sqlite/migrations/all.ts";
import { SPACE } from "../support/builders.ts";
import { cairnIn } from "../support/command-line.ts";
import { aFolder, cleanUp, spawnServer, startAndKill } from "./server.ts";

setDefaultTimeout(300_000);
afterAll(cleanUp);

/** Moments at which an upgrade is killed; more of them by hand: CAIRN_TEST_MOMENTS=50. */
const MOMENTS = Number(process.env.CAIRN_TEST_MOMENTS ?? 3);
const RELEASE = join(import.meta.dir, "../storage/releases/0.1.0.db.zst");

function shapeOf(file: string): number {
  const db = new Database(file, { readonly: true });
  const { user_version } = db.query<{ user_version: number }, []>("pragma user_version").get() ?? expect.unreachable();
  db.close();
  return user_version;
}

test("killed at any moment, an upgrade leaves the shape of before or the new one, and no row less", async () => {
  const old = join(aFolder(), "old");
  await restoreStorage({ file: RELEASE, folder: old, stamp: "test", cacheDir: old });
  const before = shapeOf(join(old, "cairn.db"));
  const after = migrations(SPACE).length;
  const startedAt = performance.now();
  const whole = join(aFolder(), "whole");
  cpSync(old, whole, { recursive: true });
  await (await spawnServer({ folder: whole })).terminate();
  const takes = performance.now() - startedAt;
  for (let i = 1; i <= MOMENTS; i++) {
    const folder = join(aFolder(), "killed");
    cpSync(old, folder, { recursive: true });
    await startAndKill(folder, takes * (0.2 + (0.7 * i) / MOMENTS));
    const shape = shapeOf(join(folder, "cairn.db"));
    expect([before, after]).toContain(shape);
    if (shape === after) expect(existsSync(join(folder, "backups", `before-upgrade-from-${before}.db`))).toBe(true);
    const cairn = cairnIn(folder, folder);
    const listed = await cairn(["list", "--json", "--no-scope"]);
    expect(JSON.parse(listed.out).items.length).toBeGreaterThan(0);
    expect(await cairn(["check"])).toMatchObject({ code: 0 });
    expect(shapeOf(join(folder, "cairn.db"))).toBe(after);
  }
});
