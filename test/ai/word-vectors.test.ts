import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onnx } from "onnx-proto";
import { loadEmbeddingModel, type ServedModel } from "../../src/ai/models/embedding-model.ts";
import { modelFolder } from "../../src/ai/models/files.ts";
import { openTokenizer } from "../../src/ai/models/tokenizer.ts";
import { openWordVectors } from "../../src/ai/models/word-vectors.ts";

const FOLDER = modelFolder("multilingual-e5-notes-v1");
const TABLE = join(FOLDER, "word-vectors.bin");
const [WIDTH, HEADER, BLOCK] = [384, 16, 18];
const ROW = (WIDTH / 32) * BLOCK;
const table = readFileSync(TABLE);

/** The vector of one token, read by the letter of the format. */
function vectorOf(id: number): number[] {
  return Array.from({ length: WIDTH }, (_, place) => {
    const at = HEADER + id * ROW + Math.floor(place / 32) * BLOCK;
    const byte = table[at + 2 + (place % 16)] ?? 0;
    const half = place % 32 < 16 ? byte & 15 : byte >> 4;
    return Math.fround(
      (half - 8) * (new Float16Array([new DataView(table.buffer, table.byteOffset + at).getFloat16(0, true)])[0] ?? 0),
    );
  });
}

const rowOf = (ids: number[]) => ({ ids, second: ids.length, bounds: [], known: [1] });

test("rows have the vectors of their tokens, and zeros beyond their end", async () => {
  const vectors = await openWordVectors(TABLE);
  const rows = [rowOf([0, 250_001, 6, 2]), rowOf([0, 2]), rowOf([250_001])];
  const found = await vectors.lookUp(rows, 4);
  expect(found.length).toBe(rows.length * 4 * WIDTH);
  const expected = rows.flatMap(({ ids }) =>
    Array.from({ length: 4 }, (_, place) => {
      const id = ids[place];
      return id === undefined ? new Array<number>(WIDTH).fill(0) : vectorOf(id);
    }),
  );
  expect([...found]).toEqual(expected.flat());
});

test("more tokens than are kept are read again, by several at once", async () => {
  const vectors = await openWordVectors(TABLE);
  const all = Array.from({ length: 40_000 }, (_, at) => (at * 7919) % 250_002);
  const parts = [all.slice(0, 17_000), all.slice(5_000, 22_000), all.slice(0, 40_000)];
  const answers = await Promise.all(parts.map((ids) => vectors.lookUp([rowOf(ids)], ids.length)));
  for (const [part, ids] of parts.entries()) {
    for (const place of [0, 4_999, 16_999]) {
      const found = answers[part]?.subarray(place * WIDTH, (place + 1) * WIDTH) ?? [];
      expect([...found]).toEqual(vectorOf(ids[place] ?? 0));
    }
  }
});

describe("a folder whose network takes vectors", () => {
  let folder: string;
  let model: ServedModel;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "cairn-vectors-"));
    for (const name of ["config.json", "tokenizer.json", "tokenizer_config.json", "vocabulary.bin", "word-vectors.bin"])
      symlinkSync(join(FOLDER, name), join(folder, name));
    mkdirSync(join(folder, "onnx"));
    writeFileSync(join(folder, "onnx/model_quantized.onnx"), passingOn());
    model = await loadEmbeddingModel({ id: "vectors", task: "embed", folder, max_tokens: 512, width: WIDTH }, 1);
  });
  afterAll(async () => {
    await model.release();
    rmSync(folder, { recursive: true });
  });

  test("texts of many scripts, and turns, are read by their words' vectors, in any company", async () => {
    const texts = ["Das Buch", "発布 of version 2.3.4, which is longer than the others", "ⵉⵎⴷ, and known", ""];
    const rows = await model.run(texts.map((text) => ({ text })));
    const tokenizer = await openTokenizer(folder);
    for (const [row, text] of texts.entries()) {
      const found = rows.subarray(row * WIDTH, (row + 1) * WIDTH);
      expectNear(found, meanOf(tokenizer.encode(text)));
      expectNear(await model.run([{ text }]), [...found]);
    }
    const [, first, second] = ["before", "erste", "第二"].map((text) => tokenizer.encode(text).slice(1, -1));
    const turns = await model.run([{ text: "before", turns: ["erste", "第二"] }]);
    expectNear(turns.subarray(0, WIDTH), meanOf(first ?? []));
    expectNear(turns.subarray(2 * WIDTH, 3 * WIDTH), meanOf([...(second ?? []), 2]));
  });

  test("a table that is missing, cut or another's is told", async () => {
    const broken = mkdtempSync(join(tmpdir(), "cairn-table-"));
    try {
      const path = join(broken, "word-vectors.bin");
      await expect(openWordVectors(path)).rejects.toThrow("is missing");
      cpSync(TABLE, path);
      truncateSync(path, 1_000_000);
      await expect(openWordVectors(path)).rejects.toThrow("is no table of word vectors");
      writeFileSync(path, "Q4W1");
      await expect(openWordVectors(path)).rejects.toThrow("is no table of word vectors");
      const vectors = await openWordVectors(TABLE);
      await expect(vectors.lookUp([rowOf([250_002])], 1)).rejects.toThrow("asks for number 250002");
    } finally {
      rmSync(broken, { recursive: true });
    }
  });
});

function expectNear(found: ArrayLike<number>, expected: readonly number[]): void {
  const furthest = Math.max(...expected.map((value, at) => Math.abs(value - (found[at] ?? Number.NaN))));
  expect(furthest).toBeLessThan(1e-5);
}

/** Mean of the tokens' vectors, scaled to length one. */
function meanOf(ids: readonly number[]): number[] {
  const vectors = ids.map(vectorOf);
  const sum = Array.from({ length: WIDTH }, (_, at) => vectors.reduce((total, vector) => total + (vector[at] ?? 0), 0));
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

/** A network that answers with the vectors that it is given. */
function passingOn(): Uint8Array {
  const { FLOAT, INT64 } = onnx.TensorProto.DataType;
  const value = (name: string, elemType: number, ...width: number[]) =>
    onnx.ValueInfoProto.create({
      name,
      type: {
        tensorType: {
          elemType,
          shape: { dim: [{ dimParam: "batch" }, { dimParam: "length" }, ...width.map((dimValue) => ({ dimValue }))] },
        },
      },
    });
  const model = onnx.ModelProto.create({
    irVersion: 8,
    opsetImport: [{ domain: "", version: 17 }],
    graph: {
      name: "passing-on",
      node: [{ opType: "Identity", name: "same", input: ["inputs_embeds"], output: ["last_hidden_state"] }],
      input: [value("inputs_embeds", FLOAT, WIDTH), value("attention_mask", INT64)],
      output: [value("last_hidden_state", FLOAT, WIDTH)],
    },
  });
  return onnx.ModelProto.encode(model).finish();
}
