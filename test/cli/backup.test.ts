import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { Backup } from "../../src/core/schema/keeping/backup.ts";
import { CAIRN } from "../fault/server.ts";
import { temporaryFolder } from "../support/app.ts";
import { cairnIn } from "../support/command-line.ts";

const root = temporaryFolder();
afterAll(root.remove);
const data = join(root.path, "data");
const cairn = cairnIn(data, root.path);
const place = (name: string): string => join(root.path, name);
const HANG_GUARD_MS = 180_000;

const ROWS = ["The harbour office opens at seven.", "The night ferry leaves from pier four."];
let backup = "";

beforeAll(async () => {
  for (const row of ROWS) expect(await cairn(["add", row])).toMatchObject({ code: 0 });
  const { out, code } = await cairn(["backup", place("one.db.zst"), "--json"]);
  expect(code).toBe(0);
  backup = Backup.parse(JSON.parse(out)).file;
}, HANG_GUARD_MS);

const contentsIn = async (folder: string): Promise<string[]> => {
  const { out } = await cairnIn(folder, root.path)(["list", "--json"]);
  const { items } = z.object({ items: z.array(z.object({ content: z.string() })) }).parse(JSON.parse(out));
  return items.map(({ content }) => content).sort();
};

describe("cairn backup", () => {
  test("writes a file that any zstd tool unpacks to the data", () => {
    const head = readFileSync(backup).readUInt32LE(0);
    expect(head & 0xfffffff0).toBe(0x184d2a50);
    expect(Bun.zstdDecompressSync(readFileSync(backup)).subarray(0, 15).toString()).toBe("SQLite format 3");
  });

  test("verify opens it elsewhere, checks every index and searches in it", async () => {
    const { out, err, code } = await cairn(["backup", "verify", backup]);
    expect(code).toBe(0);
    expect(out).toContain("ok     memory keywords: as it should be");
    expect(out).toContain("ok     search: finds the newest memory");
    expect(err).toContain("2 memories and 0 documents");
  });

  test.each([
    ["--every", "soon", "--every takes a time"],
    ["--keep", "0", "--keep takes a whole number"],
  ])("%s %s is told to be written wrongly", async (flag, value, said) => {
    expect(await cairn(["backup", flag, value])).toMatchObject({ code: 2, err: expect.stringContaining(said) });
  });
});

describe("cairn backup into a place where nothing is", () => {
  /** Starts it, waits for what it writes first, and ends it as a person would. */
  const begun = async (words: readonly string[]): Promise<string> => {
    const child = Bun.spawn([...CAIRN, "backup", ...words, "--data", data], {
      cwd: root.path,
      stdout: "pipe",
      stderr: "pipe",
      env: { PATH: process.env.PATH ?? "", HOME: data, XDG_CONFIG_HOME: "/nonexistent", CAIRN_EMBEDDER: "hash" },
    });
    for await (const said of child.stdout) {
      child.kill("SIGINT");
      await child.exited;
      return new TextDecoder().decode(said);
    }
    return await new Response(child.stderr).text();
  };

  test("with --every and --keep makes a folder, however often it is started", async () => {
    const folder = join(data, "backups");
    for (const runs of [1, 2, 3]) {
      expect(await begun([folder, "--every", "1h", "--keep", "24"])).toContain("2 memories");
      expect(readdirSync(folder)).toHaveLength(runs);
    }
    expect(await cairn(["backup"])).toMatchObject({ code: 0 });
  });

  test("says whether it made a file or a folder", async () => {
    const single = await cairn(["backup", place("single")]);
    expect(single).toMatchObject({ code: 0, err: expect.stringContaining("it was made a file") });
    const ended = await cairn(["backup", `${place("ended")}/`]);
    expect(ended).toMatchObject({ code: 0, err: expect.stringContaining(`the folder ${place("ended")} was made`) });
    expect(ended.out).toStartWith(`${place("ended")}/cairn-`);
    const again = await cairn(["backup", place("ended")]);
    expect(again.err).not.toContain("was made");
  });

  test("names a file where a folder is wanted, and a folder where a file is", async () => {
    const file = place("single");
    expect(await cairn(["backup", file, "--keep", "2"])).toMatchObject({
      code: 1,
      err: expect.stringMatching(new RegExp(`^cairn: ${file} is a file, .* \\(CONFLICT\\)$`)),
    });
    for (const words of [["backup", "verify"], ["restore"]])
      expect(await cairn([...words, place("ended")])).toMatchObject({
        code: 1,
        err: expect.stringContaining(`${place("ended")} is no backup: it is no file but a folder`),
      });
  });
});

test("an upgrade names a file where its copy would lie, and goes on once that is moved", async () => {
  const releases = resolve(import.meta.dir, "../storage/releases");
  const [release = ""] = readdirSync(releases);
  const folder = place("older");
  const older = cairnIn(folder, root.path);
  expect(await older(["restore", join(releases, release)])).toMatchObject({ code: 0 });
  writeFileSync(join(folder, "backups"), "a file");
  const { code, err } = await older(["list"]);
  expect([code, err]).toEqual([1, expect.stringContaining(`${join(folder, "backups")} cannot be made (it is a file)`)]);
  renameSync(join(folder, "backups"), place("moved"));
  expect(await older(["list"])).toMatchObject({ code: 0 });
});

describe("cairn restore", () => {
  test("fills an empty folder", async () => {
    const { out, code } = await cairnIn(place("fresh"), root.path)(["restore", backup]);
    expect([code, out]).toEqual([0, expect.stringContaining("holds 2 memories")]);
    expect(await contentsIn(place("fresh"))).toEqual([...ROWS].sort());
  });

  test("takes the place of what is there, which is kept whole", async () => {
    const later = cairnIn(place("later"), root.path);
    await later(["add", "Written after the backup."]);
    const { err, code } = await later(["restore", backup]);
    expect(code).toBe(0);
    expect(await contentsIn(place("later"))).toEqual([...ROWS].sort());
    const kept = /kept in (.*)\.$/m.exec(err)?.[1] ?? "";
    expect(await contentsIn(kept)).toEqual(["Written after the backup."]);
  });

  test("that was interrupted between the files is said by every start, and done by the same command again", async () => {
    const folder = place("halfway");
    const halfway = cairnIn(folder, root.path);
    await halfway(["add", "Written before the restore."]);
    // As it is when the old file is moved away and the new one has yet to come.
    const kept = join(folder, "before-restore-then");
    cpSync(join(folder, "cairn.db"), join(kept, "cairn.db"), { recursive: true });
    writeFileSync(join(folder, "cairn.restoring"), kept);
    const refused = await halfway(["list"]);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("was interrupted")]);
    expect(refused.err).toContain(kept);
    expect(await halfway(["restore", backup])).toMatchObject({ code: 0 });
    expect(await contentsIn(folder)).toEqual([...ROWS].sort());
    expect(await contentsIn(kept)).toEqual(["Written before the restore."]);
  });

  const spoilt = (name: string, spoil: (path: string) => void): string => {
    const path = place(name);
    cpSync(backup, path);
    spoil(path);
    return path;
  };
  test.each([
    ["is cut off", () => spoilt("cut.db.zst", (path) => truncateSync(path, 5_000)), /is cut off|was altered/],
    ["is cut off within its manifest", () => spoilt("head.db.zst", (path) => truncateSync(path, 50)), /is cut off/],
    [
      "was altered",
      () =>
        spoilt("altered.db.zst", (path) => {
          const bytes = readFileSync(path);
          bytes.writeUInt8(bytes.readUInt8(bytes.length - 60) ^ 0xff, bytes.length - 60);
          writeFileSync(path, bytes);
        }),
      /was altered/,
    ],
    [
      "has another manifest",
      () =>
        spoilt("counted.db.zst", (path) => {
          const bytes = readFileSync(path);
          const at = bytes.indexOf('"memories":2');
          bytes.write('"memories":3', at);
          writeFileSync(path, bytes);
        }),
      /do not agree/,
    ],
    [
      "is of a newer Cairn",
      () =>
        spoilt("newer.db.zst", (path) => {
          const bytes = readFileSync(path);
          const at = bytes.indexOf('"shape":');
          bytes.write('"shape":99', at);
          writeFileSync(path, bytes);
        }),
      /newer than this one/,
    ],
    ["is none", () => spoilt("none.db.zst", (path) => writeFileSync(path, "hello, I am a text")), /is no backup/],
    ["is not there", () => place("nowhere.db.zst"), /There is no file/],
  ])("of a backup that %s is refused, and leaves what is there", async (_, path, said) => {
    const folder = place("guarded");
    const guarded = cairnIn(folder, root.path);
    if (!existsSync(folder)) await guarded(["add", "Still here."]);
    const { code, err } = await guarded(["restore", path()]);
    expect([code, err]).toEqual([1, expect.stringMatching(said)]);
    expect(await contentsIn(folder)).toEqual(["Still here."]);
    expect(readdirSync(folder).filter((name) => name.includes("restor"))).toEqual([]);
  });
});
