import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { holdFolder } from "../../../src/core/kernel/files/held-folder.ts";
import type { Backup, BackupManifest } from "../../../src/core/schema/keeping/backup.ts";
import { manifestFrame } from "../../../src/storage/sqlite/backup/file-format.ts";
import { pruneBeside } from "../../../src/storage/sqlite/backup/prune.ts";
import { aFolder, cleanUp } from "../../fault/server.ts";
import { folderOf, hasUsers, NEIGHBOUR, run, VICTIM } from "./users.ts";

// `cairn backup --keep` removes files: which ones, nobody but their owner may decide.

/** Against a hang alone. */
setDefaultTimeout(120_000);
afterAll(cleanUp);

const manifest = (created_at: string): BackupManifest => ({
  ...{ format: 1, release: "0.1.0", shape: 1, created_at, models: [], counts: {}, bytes: 1, sha256: "0".repeat(64) },
});

/** A file that says of itself that it is a backup of that moment. */
function plant(folder: string, name: string, created_at: string, owner?: number) {
  const file = join(folder, `${name}.db.zst`);
  writeFileSync(file, manifestFrame(manifest(created_at)));
  if (owner !== undefined) chownSync(file, owner, owner);
  return { file, bytes: 1, manifest: manifest(created_at) };
}

function prune(path: string, made: Backup, all: readonly Backup[], keep: number): string[] {
  const folder = holdFolder(path, { follows: true });
  try {
    return pruneBeside(folder, made, all, keep);
  } finally {
    folder.close();
  }
}

describe("of the backups in a folder", () => {
  test("those dated later count for nothing, and the one just made is never removed", () => {
    const folder = aFolder();
    const planted = [1, 2, 3].map((at) => plant(folder, `zz${at}`, `9999-12-3${at % 2}T00:00:00.000Z`));
    const old = [1, 2, 3].map((at) => plant(folder, `old${at}`, `2026-11-0${at}T00:00:00.000Z`)).reverse();
    const made = plant(folder, "made", "2026-11-24T00:00:00.000Z");
    const left = prune(folder, made, [...planted, made, ...old], 2);
    expect(left.sort()).toEqual(planted.map(({ file }) => file).sort());
    expect(readdirSync(folder).sort()).toEqual(["made", "old3", "zz1", "zz2", "zz3"].map((name) => `${name}.db.zst`));
    prune(folder, made, [...planted, made], 1);
    expect(existsSync(made.file)).toBe(true);
  });

  test("those in a folder that has come to have its path meanwhile, and links, stay", () => {
    const [folder, elsewhere] = [aFolder(), aFolder()];
    const [made, old, linked] = ["made", "old", "linked"].map((name) =>
      plant(folder, name, "2026-11-01T00:00:00.000Z"),
    );
    if (!made || !old || !linked) return expect.unreachable();
    const precious = plant(elsewhere, "old", "2026-11-01T00:00:00.000Z").file;
    rmSync(linked.file);
    symlinkSync(precious, linked.file);
    const held = holdFolder(folder, { follows: true });
    renameSync(folder, `${folder}-moved`);
    symlinkSync(elsewhere, folder);
    pruneBeside(held, made, [made, old, linked], 1);
    held.close();
    expect(readdirSync(elsewhere)).toEqual(["old.db.zst"]);
    expect(readdirSync(`${folder}-moved`).sort()).toEqual(["linked.db.zst", "made.db.zst"]);
    rmSync(folder);
    renameSync(`${folder}-moved`, folder);
  });

  test.skipIf(process.geteuid?.() !== 0)("those of other users count for nothing", () => {
    const folder = aFolder();
    const planted = [1, 2, 3].map((at) => plant(folder, `zz${at}`, `2026-11-2${at}T00:00:00.000Z`, NEIGHBOUR));
    const old = [1, 2].map((at) => plant(folder, `old${at}`, `2026-11-0${at}T00:00:00.000Z`)).reverse();
    const made = plant(folder, "made", "2026-11-24T00:00:00.000Z");
    expect(prune(folder, made, [made, ...planted, ...old], 2)).toHaveLength(3);
    expect(readdirSync(folder).sort()).toEqual(["made", "old2", "zz1", "zz2", "zz3"].map((name) => `${name}.db.zst`));
  });
});

describe.skipIf(!hasUsers)("a folder of backups into which a neighbour writes, too", () => {
  let home: string;
  let shared: string;
  beforeEach(() => {
    home = folderOf(VICTIM);
    shared = folderOf(0, 0o1777);
  });

  const backUp = () => {
    const { stdout, code } = run(home, ["backup", shared, "--keep", "2", "--data", join(home, "data"), "--json"]);
    expect(code).toBe(0);
    return basename(String(JSON.parse(stdout).file));
  };

  test("is no way to one's own elsewhere: through a neighbour's link nothing is removed", () => {
    const data = join(home, "data");
    run(home, ["add", "Deploys go out on Tuesdays.", "--data", data]);
    const own = join(home, "own");
    for (const _ of [1, 2, 3]) expect(run(home, ["backup", `${own}/`, "--data", data]).code).toBe(0);
    const link = join(shared, "b");
    symlinkSync(own, link);
    lchownSync(link, NEIGHBOUR, NEIGHBOUR);
    const { out, code } = run(home, ["backup", `${link}/`, "--keep", "1", "--data", data]);
    expect([code, out]).toEqual([1, expect.stringContaining(`${link} is a link of another account`)]);
    expect(readdirSync(own).filter((name) => !name.startsWith("."))).toHaveLength(3);
    run(home, ["stop", "--data", data]);
  });

  test("keeps the newest of one's own, whatever lies there", () => {
    run(home, ["add", "Deploys go out on Tuesdays.", "--data", join(home, "data")]);
    for (const at of [1, 2, 3]) plant(shared, `zz${at}`, `9999-12-31T00:00:0${at}.000Z`, NEIGHBOUR);
    // As one that was interrupted leaves it, and closed to others.
    const leftover = join(shared, ".a.db.zst-999999999-abcdef");
    mkdirSync(join(leftover, "inner"), { recursive: true });
    writeFileSync(join(leftover, "inner", "copy.db"), "");
    for (const path of [join(leftover, "inner", "copy.db"), join(leftover, "inner"), leftover])
      chownSync(path, NEIGHBOUR, NEIGHBOUR);
    chmodSync(leftover, 0o700);
    const made = [backUp(), backUp(), backUp()];
    const there = readdirSync(shared).filter((name) => !name.startsWith("."));
    expect(there.sort()).toEqual([...made.slice(1), "zz1.db.zst", "zz2.db.zst", "zz3.db.zst"].sort());
    const { out } = run(home, ["backup", shared, "--keep", "2", "--data", join(home, "data")]);
    expect(out).toContain("Left, since others wrote it");
    run(home, ["stop", "--data", join(home, "data")]);
  });
});
