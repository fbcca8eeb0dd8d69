import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { checkModelFiles, modelFolder, readModelFile } from "../../src/ai/models/files.ts";
import { JUDGE_MODEL } from "../../src/ai/open.ts";

const NETWORK = "onnx/model_quantized.onnx";
const ORIGINAL = join(modelFolder(JUDGE_MODEL), NETWORK);

/** A model's folder as the executable carries it: its network is compressed. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cairn-model-"));
  cpSync(modelFolder(JUDGE_MODEL), folder, { recursive: true });
  rmSync(join(folder, NETWORK));
  writeFileSync(join(folder, `${NETWORK}.zst`), zstdCompressSync(readFileSync(ORIGINAL)));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a compressed file has the bytes of its manifest", () => {
  expect(checkModelFiles(folder, { digests: true })).toEqual([]);
  expect(Buffer.compare(readModelFile(join(folder, NETWORK)), readFileSync(ORIGINAL))).toBe(0);
});

test("a compressed file that is damaged or another's is told, and so is one that is missing", () => {
  truncateSync(join(folder, `${NETWORK}.zst`), 1_000);
  expect(checkModelFiles(folder, { digests: true })).toEqual([expect.stringContaining("differs")]);
  writeFileSync(join(folder, `${NETWORK}.zst`), zstdCompressSync("another"));
  expect(checkModelFiles(folder, { digests: true })).toEqual([expect.stringContaining("differs")]);
  rmSync(join(folder, `${NETWORK}.zst`));
  expect(checkModelFiles(folder, { digests: false })).toEqual([expect.stringContaining("is missing")]);
});
