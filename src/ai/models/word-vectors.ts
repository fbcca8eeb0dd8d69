import { existsSync } from "node:fs";
import type { TokenRow } from "./tokenizer.ts";

/** The vectors of a model's tokens, for networks that take these instead of numbers of tokens. */
export interface WordVectors {
  readonly width: number;
  /** Vectors of rows of tokens, each padded with zeros to `length` tokens. */
  lookUp(rows: readonly TokenRow[], length: number): Promise<Float32Array<ArrayBuffer>>;
}

/** Beside a network that takes vectors; scripts/models/multilingual/words.py writes it. The executable carries it as it is. */
export const WORD_VECTORS_FILE = "word-vectors.bin";

const MAGIC = "Q4W1";
const HEADER_BYTES = 16;
/** A block: a scale in half precision, then the numbers, of which byte j has number j in its low half and j + 16 in its high one. */
const BLOCK = { numbers: 32, scaleBytes: 2, bytes: 18, middle: 8 } as const;
/** Rows that are kept when they were read: some six megabytes, and nearly all that texts of a few languages ask for. */
const KEPT_ROWS = 16_384;

/** By their paths: models that share a table share what was read of it. */
const opened = new Map<string, Promise<WordVectors>>();

/** The word vectors in a file. Throws what is wrong with it. */
export function openWordVectors(path: string): Promise<WordVectors> {
  const known = opened.get(path) ?? openFrom(path);
  opened.set(path, known);
  // One that is mended is opened anew.
  known.catch(() => opened.delete(path));
  return known;
}

/**
 * Opens a file of four-bit vectors. It stays where it is: what a text needs is read when it is asked for, so that neither threads
 * nor processes have a copy of its 54 megabytes, and no start waits for it.
 */
async function openFrom(path: string): Promise<WordVectors> {
  if (!existsSync(path)) throw new Error(`${path} is missing.`);
  const file = Bun.file(path);
  const header = await file.slice(0, HEADER_BYTES).bytes();
  const [, rows = 0, width = 0] = header.length < HEADER_BYTES ? [] : new Uint32Array(header.slice().buffer);
  const rowBytes = (width / BLOCK.numbers) * BLOCK.bytes;
  const isWhole = width > 0 && file.size === HEADER_BYTES + rows * rowBytes;
  if (!isWhole || new TextDecoder().decode(header.subarray(0, MAGIC.length)) !== MAGIC)
    throw new Error(`${path} is no table of word vectors as this version reads it.`);
  const kept = new Map<number, Uint8Array>();

  async function readRow(id: number): Promise<Uint8Array> {
    if (id >= rows) throw new Error(`${path} has ${rows} vectors, and the tokenizer asks for number ${id}.`);
    const start = HEADER_BYTES + id * rowBytes;
    const bytes = await file.slice(start, start + rowBytes).bytes();
    if (bytes.length !== rowBytes) throw new Error(`${path} ends before its vector ${id}.`);
    if (kept.size >= KEPT_ROWS) kept.clear();
    kept.set(id, bytes);
    return bytes;
  }

  return {
    width,
    async lookUp(asked, length) {
      const ids = new Set(asked.flatMap((row) => row.ids));
      const read = Array.from(ids, async (id) => [id, kept.get(id) ?? (await readRow(id))] as const);
      const packed = new Map(await Promise.all(read));
      const vectors = new Float32Array(asked.length * length * width);
      for (const [row, { ids }] of asked.entries()) {
        for (const [place, id] of ids.entries()) {
          const bytes = packed.get(id);
          if (bytes) unpack(bytes, vectors, (row * length + place) * width);
        }
      }
      return vectors;
    },
  };
}

const halves = new Float16Array(1);
const halfBits = new Uint16Array(halves.buffer);

function unpack(row: Uint8Array, vectors: Float32Array, to: number): void {
  let at = to;
  for (let block = 0; block < row.length; block += BLOCK.bytes) {
    halfBits[0] = (row[block] ?? 0) | ((row[block + 1] ?? 0) << 8);
    const scale = halves[0] ?? 0;
    const first = block + BLOCK.scaleBytes;
    for (let j = 0; j < BLOCK.numbers / 2; j++) {
      const byte = row[first + j] ?? 0;
      vectors[at + j] = ((byte & 15) - BLOCK.middle) * scale;
      vectors[at + j + BLOCK.numbers / 2] = ((byte >> 4) - BLOCK.middle) * scale;
    }
    at += BLOCK.numbers;
  }
}
