import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, closeSync, mkdirSync, openSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { inspectLog } from "../../../src/cli/doctor/log-size.ts";
import { aSoundFolder, doctor } from "../doctor.ts";
import { aFolder, cleanUp, openData } from "../server.ts";
import { mayMount, smallDisk } from "../small-disk.ts";

afterAll(cleanUp);

const PAGE_BYTES = 4096;

/** Overwrites the first page of a table that holds rows. */
function damage(folder: string, table: string): void {
  const db = openData(folder);
  db.exec("pragma wal_checkpoint(truncate)");
  const page = db
    .query<{ pageno: number }, [string]>("select pageno from dbstat where name = ? and pagetype = 'leaf' order by path")
    .get(table)?.pageno;
  db.close();
  if (page === undefined) throw new Error(`There is no table ${table}.`);
  const file = openSync(join(folder, "cairn.db"), "r+");
  writeSync(file, Buffer.alloc(PAGE_BYTES, "no such page"), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
  closeSync(file);
}

function changeData(folder: string, sql: string): void {
  const db = openData(folder);
  db.exec(sql);
  db.close();
}

describe("rows and indexes", () => {
  const LOSSES: readonly (readonly [what: string, sql: string])[] = [
    ["words", "delete from memory_words where rowid = (select min(id) from memory_words_docsize)"],
    ["codes", "delete from memory_codes where seq = (select min(seq) from memories)"],
    ["vectors", "delete from memory_vectors where seq = (select min(seq) from memories)"],
    ["links", "delete from memory_entities"],
  ];

  test.each(LOSSES)("%s that are missing are found, and made anew by --fix", async (_, sql) => {
    const folder = await aSoundFolder();
    changeData(folder, sql);
    const found = await doctor(folder);
    expect({ code: found.code, bad: found.bad }).toEqual({ code: 1, bad: ["data, integrity"] });
    expect(found.finding("data", "integrity")).toMatchObject({ fix: "rebuild", repair: "cairn doctor --fix" });
    const fixed = await doctor(folder, "--fix");
    expect({ code: fixed.code, bad: fixed.bad }).toEqual({ code: 0, bad: [] });
    expect(fixed.repairs).toMatchObject([{ fix: "rebuild", done: true }]);
    expect((await doctor(folder)).code).toBe(0);
  });

  test("a damaged page is found, and left to the owner to save what can be read", async () => {
    const folder = await aSoundFolder();
    damage(folder, "memories");
    for (const flags of [[], ["--fix"]]) {
      const { code, repairs, findings } = await doctor(folder, ...flags);
      expect({ code, repairs }).toEqual({ code: 1, repairs: [] });
      const faults = findings.filter(({ state }) => state === "fault").map(({ repair }) => repair);
      expect(faults).toContain("cairn stop; cairn rebuild");
    }
  });

  test("a data file that is none is found", async () => {
    const folder = await aSoundFolder();
    writeFileSync(join(folder, "cairn.db"), Buffer.alloc(100 * PAGE_BYTES, "no data of ours "));
    const { code, finding } = await doctor(folder);
    expect(code).toBe(1);
    expect(finding("server", "open")?.what).toContain("not a Cairn database");
    expect(finding("round", "through the API")?.state).toBe("unseen");
  });

  test("data of a newer Cairn is found", async () => {
    const folder = await aSoundFolder();
    changeData(folder, "pragma user_version = 9999");
    const { code, finding } = await doctor(folder);
    expect(code).toBe(1);
    expect(finding("server", "open")?.what).toContain("written by a newer Cairn (0.1.0, shape 9999");
  });

  test("an entry from the future is found", async () => {
    const folder = await aSoundFolder();
    changeData(folder, "update memories set created_at = '2999-01-01T00:00:00.000Z' where seq = 1");
    const { code, bad, finding } = await doctor(folder);
    expect({ code, bad }).toEqual({ code: 1, bad: ["clock, newest entry"] });
    expect(finding("clock", "newest entry")?.what).toContain("2999-01-01");
  });
});

describe("the folder", () => {
  test("that is not there, holds no data or is a file is found, and not made", async () => {
    const empty = aFolder();
    const file = join(empty, "notes.txt");
    writeFileSync(file, "x");
    const absent = join(empty, "absent");
    const expected = [
      [absent, "There is no folder"],
      [empty, "There is no data of Cairn"],
      [file, "is a file"],
    ] as const;
    for (const [folder, words] of expected) {
      const { code, finding } = await doctor(folder);
      expect(code).toBe(1);
      expect(finding("data", "folder")?.what).toContain(words);
      expect(finding("round", "through the API")?.state).toBe("unseen");
    }
    expect(statSync(absent, { throwIfNoEntry: false })).toBeUndefined();
  });

  test("that is open to others is found, and closed by --fix with what is in it", async () => {
    const folder = await aSoundFolder();
    chmodSync(folder, 0o755);
    const found = await doctor(folder);
    expect({ code: found.code, bad: found.bad }).toEqual({ code: 1, bad: ["data, mode"] });
    expect(found.finding("data", "mode")).toMatchObject({ repair: `chmod 700 ${folder}`, fix: "close_folder" });
    chmodSync(join(folder, "cairn.db"), 0o644);
    const fixed = await doctor(folder, "--fix");
    expect({ code: fixed.code, repairs: fixed.repairs.length }).toEqual({ code: 0, repairs: 1 });
    expect([folder, join(folder, "cairn.db")].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  });

  test.if(process.getuid?.() === 0)("that belongs to somebody else is found", async () => {
    const folder = await aSoundFolder();
    Bun.spawnSync(["chown", "-R", "65534", folder]);
    const { code, finding } = await doctor(folder);
    expect(code).toBe(1);
    expect(finding("data", "owner")?.what).toContain("belongs to user 65534");
  });

  test("whose log has grown beyond measure is found", () => {
    const folder = aFolder();
    const log = join(folder, "cairn.db-wal");
    writeFileSync(log, "");
    expect(inspectLog(folder).state).toBe("well");
    truncateSync(log, 300 * 1024 * 1024);
    expect(inspectLog(folder)).toMatchObject({ state: "fault", what: expect.stringContaining("300.0 MiB") });
  });
});

describe.if(mayMount)("a disk", () => {
  test("that is full is found, and is well once there is space", async () => {
    const disk = smallDisk(128);
    if (!disk) throw new Error("It could be mounted just now.");
    try {
      const folder = await aSoundFolder(join(disk.path, "data"));
      disk.fill();
      const full = await doctor(folder);
      expect(full.code).toBe(1);
      expect(full.finding("data", "space")?.what).toContain("0.0 MiB are free");
      expect(full.finding("data", "writable")?.what).toContain("ENOSPC");
      expect(full.findings.some(({ section, state }) => section === "round" && state === "well")).toBe(false);
      disk.free();
      const freed = await doctor(folder);
      expect({ code: freed.code, bad: freed.bad }).toEqual({ code: 0, bad: [] });
      expect(freed.findings.map(({ what }) => what).join()).toContain("lies in memory (tmpfs)");
    } finally {
      disk.remove();
    }
  });

  test("that may only be read is found", async () => {
    const disk = smallDisk(128);
    if (!disk) throw new Error("It could be mounted just now.");
    try {
      mkdirSync(join(disk.path, "data"), { mode: 0o700 });
      const folder = await aSoundFolder(join(disk.path, "data"));
      disk.setReadOnly(true);
      const { code, finding } = await doctor(folder);
      expect(code).toBe(1);
      expect(finding("data", "writable")?.what).toContain("EROFS");
      expect(finding("round", "write")?.state).toBe("fault");
      expect(finding("round", "find by words")?.state).toBe("unseen");
    } finally {
      disk.remove();
    }
  });
});
