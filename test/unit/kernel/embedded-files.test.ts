import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { describeFile, type EmbeddedFile, extractFiles } from "../../../src/core/kernel/files/embedded-files.ts";

let folder: string;
let file: EmbeddedFile;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cairn-extract-"));
  writeFileSync(join(folder, "library.so"), "native code");
  file = describeFile(join(folder, "library.so"));
});
afterEach(() => {
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true });
});

const target = (path: string) => join(path, "library.so");

test("files are copied under their names into a folder named by their content", () => {
  const first = extractFiles("lib", [file], join(folder, "cache"));
  expect(readFileSync(target(first), "utf8")).toBe("native code");
  writeFileSync(join(folder, "library.so"), "newer code!");
  const second = extractFiles("lib", [describeFile(file.path)], join(folder, "cache"));
  expect(second).not.toBe(first);
});

test("a compressed file is decompressed under its own name", () => {
  const path = join(folder, "library.so.zst");
  writeFileSync(path, zstdCompressSync("native code"));
  const found = extractFiles("lib", [{ ...file, path }], join(folder, "cache"));
  expect(readFileSync(target(found), "utf8")).toBe("native code");
});

test("what is complete is left alone, and no draft stays behind", () => {
  const first = extractFiles("lib", [file], join(folder, "cache"));
  const before = statSync(target(first)).mtimeMs;
  extractFiles("lib", [file], join(folder, "cache"));
  expect(statSync(target(first)).mtimeMs).toBe(before);
  expect(readdirSync(first).sort()).toEqual(["library.so", "verified.json"]);
});

test("a damaged copy is replaced", () => {
  const first = extractFiles("lib", [file], join(folder, "cache"));
  writeFileSync(target(first), "nat");
  extractFiles("lib", [file], join(folder, "cache"));
  expect(readFileSync(target(first), "utf8")).toBe("native code");
});

test("a cache that cannot be written is replaced by a private temporary folder", () => {
  // A file in the way of the folder cannot be written into by anyone, not even by root.
  const found = extractFiles("lib", [file], file.path);
  expect(found.startsWith(tmpdir())).toBe(true);
  expect(readFileSync(target(found), "utf8")).toBe("native code");
  rmSync(found, { recursive: true });
});
