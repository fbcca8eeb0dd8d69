import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { manifestFrame, readBackup } from "../../../src/storage/sqlite/backup/file-format.ts";
import { CAIRN } from "../../fault/server.ts";
import { temporaryFolder } from "../../support/app.ts";
import { cairnIn } from "../../support/command-line.ts";

// A file of SQLite is pages that lead to pages. Some that all lead to one child, level upon level, are a table without end.

/** Against a hang alone: each case starts processes. */
setDefaultTimeout(180_000);

const root = temporaryFolder();
afterAll(root.remove);
const place = (name: string): string => join(root.path, name);
const genuine = place("genuine.db.zst");

beforeAll(async () => {
  const cairn = cairnIn(place("data"), root.path);
  expect(await cairn(["add", "The harbour office opens at seven."])).toMatchObject({ code: 0 });
  expect(await cairn(["backup", genuine])).toMatchObject({ code: 0 });
});

const [TABLE_INTERIOR, INDEX_INTERIOR] = [5, 2];
const [CELLS, LEVELS] = [500, 5];

/** A page of so many cells, all of which lead to one child. */
function interior(kind: number, child: number, pageSize: number): Buffer {
  const page = Buffer.alloc(pageSize);
  const cells: number[] = [];
  let end = pageSize;
  for (let i = 0; i < CELLS; i++) {
    const cell = Buffer.alloc(6);
    cell.writeUInt32BE(child, 0);
    // A row's number in two bytes; or a record of one byte, that says that it has no columns.
    cell.set(kind === INDEX_INTERIOR ? [1, 1] : [0x81, i & 0x7f], 4);
    end -= cell.length;
    page.set(cell, end);
    cells.push(end);
  }
  page[0] = kind;
  page.writeUInt16BE(CELLS, 3);
  page.writeUInt16BE(end, 5);
  page.writeUInt32BE(child, 8);
  cells.forEach((at, i) => {
    page.writeUInt16BE(at, 12 + 2 * i);
  });
  return page;
}

/** The genuine backup with the trees of a table and its indexes without end, and a manifest that fits. */
function endless(table: string): string {
  const path = place(`${table}.db`);
  let bytes = Buffer.from(Bun.zstdDecompressSync(readFileSync(genuine)));
  writeFileSync(path, bytes);
  const db = new Database(path, { readonly: true });
  const trees = db
    .query<{ type: string; rootpage: number }, [string]>("select type, rootpage from sqlite_schema where tbl_name = ?")
    .all(table);
  db.close();
  const pageSize = bytes.readUInt16BE(16);
  for (const { type, rootpage } of trees.filter((tree) => tree.rootpage > 0)) {
    const kind = type === "index" ? INDEX_INTERIOR : TABLE_INTERIOR;
    const at = (rootpage - 1) * pageSize;
    bytes = Buffer.concat([bytes, bytes.subarray(at, at + pageSize)]);
    for (let i = 0; i < LEVELS; i++) bytes = Buffer.concat([bytes, interior(kind, bytes.length / pageSize, pageSize)]);
    bytes.set(interior(kind, bytes.length / pageSize, pageSize), at);
  }
  bytes.writeUInt32BE(bytes.length / pageSize, 28);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const manifest = { ...readBackup(genuine).manifest, counts: {}, bytes: bytes.length, sha256 };
  const file = place(`${table}.db.zst`);
  writeFileSync(file, Buffer.concat([manifestFrame(manifest), Bun.zstdCompressSync(bytes)]));
  return file;
}

test.each(["audit_log", "memories", "kept_replies", "memory_words_data"])(
  "a backup whose table %s has no end is refused, and nothing of it is left",
  async (table) => {
    const file = endless(table);
    const temporary = place(`tmp-${table}`);
    mkdirSync(temporary, { recursive: true });
    for (const words of [
      ["backup", "verify", file],
      ["restore", file],
    ]) {
      const { exitCode, stderr } = Bun.spawnSync([...CAIRN, ...words, "--data", place("target")], {
        cwd: root.path,
        timeout: 60_000,
        env: { PATH: process.env.PATH, HOME: root.path, CAIRN_EMBEDDER: "hash", TMPDIR: temporary },
      });
      expect([exitCode, stderr.toString()]).toEqual([1, expect.stringContaining("was altered")]);
    }
    expect(readdirSync(temporary).filter((name) => name.startsWith("cairn-verify-"))).toEqual([]);
    const left = existsSync(place("target")) ? readdirSync(place("target")) : [];
    expect(left.filter((name) => name.startsWith("cairn.db"))).toEqual([]);
  },
);
