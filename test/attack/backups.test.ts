import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { BackupManifest } from "../../src/core/schema/keeping/backup.ts";
import { manifestFrame, readBackup } from "../../src/storage/sqlite/backup/file-format.ts";
import { CAIRN } from "../fault/server.ts";
import { temporaryFolder } from "../support/app.ts";
import type { Ran } from "../support/command-line.ts";
import { cairnIn } from "../support/command-line.ts";

/** Only against a hang: each case starts processes. */
setDefaultTimeout(180_000);

const root = temporaryFolder();
afterAll(root.remove);
const place = (name: string): string => join(root.path, name);
const RELEASES = resolve(import.meta.dir, "../storage/releases");
const genuine = place("genuine.db.zst");

beforeAll(async () => {
  const cairn = cairnIn(place("data"), root.path);
  expect(await cairn(["add", "The harbour office opens at seven."])).toMatchObject({ code: 0 });
  expect(await cairn(["backup", genuine])).toMatchObject({ code: 0 });
});

/** Writes a backup of its own making: any bytes behind any manifest. */
function forge(name: string, packed: Uint8Array, manifest: Partial<BackupManifest>): string {
  const file = place(`${name}.db.zst`);
  writeFileSync(file, Buffer.concat([manifestFrame({ ...readBackup(genuine).manifest, ...manifest }), packed]));
  return file;
}

/** A backup whose data file somebody changed, and whose manifest fits that. */
function changed(name: string, statements: string): string {
  const path = place(`${name}.db`);
  writeFileSync(path, Bun.zstdDecompressSync(readFileSync(genuine)));
  const db = new Database(path, { readwrite: true });
  db.exec(statements);
  db.close();
  return packed(name, readFileSync(path));
}

/** A backup of any bytes, whose manifest fits them. */
function packed(name: string, bytes: Buffer): string {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return forge(name, Bun.zstdCompressSync(bytes), { bytes: bytes.length, sha256 });
}

const BOMB_BYTES = 1 << 28;
/** What a command may write into one file, in 512 bytes: far more than a small backup needs, a quarter of the bomb. */
const BLOCKS = BOMB_BYTES / 4 / 512;

/** A command that is killed when it writes a large file. */
async function bounded(words: readonly string[]): Promise<Ran> {
  const limited = ["sh", "-c", `ulimit -f ${BLOCKS}; exec "$@"`, "sh", ...CAIRN, ...words];
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: root.path,
    XDG_CONFIG_HOME: "/nonexistent",
    CAIRN_EMBEDDER: "hash",
  };
  const child = Bun.spawn(limited, { cwd: root.path, stdout: "pipe", stderr: "pipe", env });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { out, err, code: await child.exited };
}

/** Both commands that unpack a backup refuse it, and the folder to be filled stays without data. */
async function bothRefuse(file: string, said: RegExp): Promise<void> {
  const folder = place("target");
  for (const words of [
    ["backup", "verify", file],
    ["restore", file],
  ]) {
    const { err, code } = await bounded([...words, "--data", folder]);
    expect([code, err]).toEqual([1, expect.stringMatching(said)]);
    const left = existsSync(folder) ? readdirSync(folder) : [];
    expect(left.filter((name) => name.startsWith("cairn.db"))).toEqual([]);
  }
}

describe("a small file that unpacks to a large one", () => {
  const zeros = () => Bun.zstdCompressSync(new Uint8Array(BOMB_BYTES));

  test("is refused at the first byte beyond its manifest", async () => {
    const data = Bun.zstdDecompressSync(readFileSync(genuine));
    const file = forge("more", Buffer.concat([Bun.zstdCompressSync(data), zeros()]), {});
    expect(Bun.file(file).size).toBeLessThan(BOMB_BYTES / 500);
    await bothRefuse(file, /was altered: it does not unpack to what its manifest says/);
  });

  test("is refused at its head where that is of no data file of the size told", async () => {
    await bothRefuse(forge("zeros", zeros(), { bytes: BOMB_BYTES }), /was altered/);
    const data = Bun.zstdDecompressSync(readFileSync(genuine));
    const padded = Buffer.concat([Bun.zstdCompressSync(data), zeros()]);
    await bothRefuse(forge("padded", padded, { bytes: data.length + BOMB_BYTES }), /was altered/);
  });

  test("is refused before anything is written where the disk has no room for what it tells", async () => {
    await bothRefuse(forge("petabyte", zeros(), { bytes: 2 ** 50 }), /has no room for this backup/);
  });

  test("is refused for a manifest that is none of ours", async () => {
    const counts = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`t${i}`, 0]));
    await bothRefuse(forge("counts", zeros(), { counts }), /manifest .* cannot be read/);
    await bothRefuse(forge("models", zeros(), { models: ["m".repeat(500)] }), /manifest .* cannot be read/);
    await bothRefuse(forge("long", zeros(), { models: ["m".repeat(100_000)] }), /no backup of Cairn/);
    await bothRefuse(forge("escape", zeros(), { release: "9\u001b[2J" }), /manifest .* cannot be read/);
    await bothRefuse(forge("negative", zeros(), { bytes: -1 }), /manifest .* cannot be read/);
  });
});

const EVIL = "insert into audit_log select * from audit_log";
/** What a data file may have that acts on what is written or read later, with how it is named. */
const FOREIGN: readonly (readonly [what: string, statements: string, named: string])[] = [
  ["a trigger", `create trigger evil after insert on memories begin ${EVIL}; end`, "trigger evil on memories"],
  [
    "a trigger of the deleted",
    "create trigger evil before delete on api_keys begin select raise(ignore); end",
    "evil on api_keys",
  ],
  ["a view", "create view evil as select * from api_keys", "view evil"],
  ["a table", "create table evil (x text)", "table evil"],
  ["an index", "create index evil on memories (content)", "index evil on memories"],
  ["a virtual table", "create virtual table evil using fts5(x)", "table evil"],
  ["a generated column", "alter table memories add column evil text as (hex(content))", "table memories"],
  [
    "another trigger in place of ours",
    `drop trigger links_go; create trigger links_go after delete on memories begin ${EVIL}; end`,
    "trigger links_go on memories",
  ],
  ["no trigger of ours", "drop trigger links_wait", "no trigger links_wait on memories"],
  ["the mark of another program", "pragma application_id = 7", "application_id 7"],
  [
    "a view without end in place of a table",
    `drop table findings; create view findings as
       with recursive n(i) as (select 1 union all select i + 1 from n) select i from n`,
    "view findings",
  ],
];

describe("a backup with what no Cairn made", () => {
  test.each(FOREIGN)("%s is refused, and named", async (what, statements, named) => {
    const file = changed(what.replaceAll(" ", "-"), statements);
    await bothRefuse(file, new RegExp(`differs from what a Cairn of its shape makes, by .*${named}`));
  });

  /** Other words of the same length in the data file itself, where SQLite would not let them be changed. */
  test.each([
    ["another check of a table", "check (id = 1)", "check (id > 0)", /makes, by table folder_owner/],
    ["a statement that cannot be read", "CREATE TABLE folder_owner", "CREATE TABEL folder_owner", /was altered/],
  ])("%s is refused", async (what, ours, theirs, said) => {
    const data = Buffer.from(Bun.zstdDecompressSync(readFileSync(genuine)));
    expect(data.indexOf(ours)).toBeGreaterThan(0);
    data.write(theirs, data.indexOf(ours));
    await bothRefuse(packed(what.replaceAll(" ", "-"), data), said);
  });
});

test("a folder of an earlier release is upgraded only as that left it", async () => {
  const folder = place("older");
  const [release = ""] = readdirSync(RELEASES);
  expect(await bounded(["restore", join(RELEASES, release), "--data", folder])).toMatchObject({ code: 0 });
  const db = new Database(join(folder, "cairn.db"), { readwrite: true });
  db.exec(`create trigger evil after insert on memories begin ${EVIL}; end`);
  db.close();
  const { err, code } = await bounded(["list", "--data", folder]);
  expect([code, err]).toEqual([1, expect.stringContaining("by trigger evil on memories")]);
});

describe("what Cairn made is sound", () => {
  test.each(readdirSync(RELEASES))("the backup of release %s", async (name) => {
    const file = join(RELEASES, name);
    expect(await bounded(["backup", "verify", file])).toMatchObject({ code: 0 });
    expect(await bounded(["restore", file, "--data", place(name)])).toMatchObject({ code: 0 });
  });

  test("a file with statistics for the planner is backed up, restored and upgraded", async () => {
    const file = changed("analyzed", "analyze");
    expect(await bounded(["restore", file, "--data", place("analyzed")])).toMatchObject({ code: 0 });
    const cairn = cairnIn(place("analyzed"), root.path);
    expect(await cairn(["backup", place("again.db.zst")])).toMatchObject({ code: 0 });
    expect(await bounded(["backup", "verify", place("again.db.zst")])).toMatchObject({ code: 0 });
  });

  test("what a restore refuses is told when the backup is taken", async () => {
    expect(await bounded(["restore", genuine, "--data", place("foreign")])).toMatchObject({ code: 0 });
    const db = new Database(join(place("foreign"), "cairn.db"), { readwrite: true });
    db.exec("create table _litestream_seq (id integer)");
    db.close();
    const { code, err } = await cairnIn(place("foreign"), root.path)(["backup", place("refused.db.zst")]);
    expect([code, err]).toEqual([1, expect.stringMatching(/by table _litestream_seq.* none was written/)]);
    expect(existsSync(place("refused.db.zst"))).toBe(false);
  });

  test("a present one, with and without sqlite-vec", async () => {
    expect(await bounded(["backup", "verify", genuine])).toMatchObject({ code: 0 });
    const plain = cairnIn(place("plain"), root.path, { CAIRN_VECTOR_EXTENSION: "false" });
    expect(await plain(["add", "The night ferry leaves at ten."])).toMatchObject({ code: 0 });
    expect(await plain(["backup", place("plain.db.zst")])).toMatchObject({ code: 0 });
    expect(await bounded(["backup", "verify", place("plain.db.zst")])).toMatchObject({ code: 0 });
  });
});
