import { expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { modelFolder } from "../../src/ai/models/files.ts";
import type { TextTokenizer } from "../../src/ai/models/text-tokenizer.ts";
import { encode, openTokenizer } from "../../src/ai/models/tokenizer.ts";
import { unigramEncoder } from "../../src/ai/models/unigram.ts";
import { readVocabulary } from "../../src/ai/models/unigram-vocabulary.ts";
import type { ModelInput } from "../../src/ai/worker/protocol.ts";

const FOLDER = modelFolder("multilingual-e5-notes-v1");
const VOCABULARY = join(FOLDER, "vocabulary.bin");
/** Texts of seventy languages and of chance, with what scripts/models/multilingual/fixture.py says of them. */
const REFERENCE = join(import.meta.dir, "fixtures", "multilingual.jsonl");
const [OPENING, CLOSING, UNKNOWN] = [0, 2, 3];
const LIMIT = 512;

const tokenizer = await openTokenizer(FOLDER);

test("texts of any script have the reference's tokens", async () => {
  const lines = (await Bun.file(REFERENCE).text()).trimEnd().split("\n");
  const rows = lines.map((line): [text: string, ids: number[]] => JSON.parse(line));
  expect(rows.length).toBeGreaterThan(800);
  const others = rows.filter(([text, ids]) => tokenizer.encode(text).join() !== ids.join());
  expect(others.map(([text]) => text)).toEqual([]);
});

const unknownOf = (of: TextTokenizer, input: ModelInput): number =>
  encode(of, input, LIMIT).ids.filter((id) => id === of.unknown).length;

test("what no piece covers is one unknown token, however long", () => {
  const count = (text: string) => unknownOf(tokenizer, { text });
  expect(count("All of this is known. 全部 всё 🚀")).toBe(0);
  expect(count("ⵉⵎⴷⴰⵏⵏ")).toBe(1);
  expect(count("ⵉⵎⴷⴰⵏⵏ ⴰⴽⴽⵯ, and English")).toBe(2);
  expect(unknownOf(tokenizer, { text: "ⵉⵎⴷ", pair: "ⵉⵎⴷ" })).toBe(2);
  expect(unknownOf(tokenizer, { text: "", turns: ["ⵉⵎⴷ", "known"] })).toBe(1);
  expect(tokenizer.unknown).toBe(UNKNOWN);
});

test("a vocabulary of word pieces counts its unknown tokens, too", async () => {
  const english = await openTokenizer(join(import.meta.dir, "fixtures/word-pieces"));
  expect(unknownOf(english, { text: "known words" })).toBe(0);
  expect(unknownOf(english, { text: "ⵉⵎⴷ known ⵉⵎⴷ" })).toBe(2);
});

test("long texts, pairs and turns are cut to the limit and keep their closing token", () => {
  const text = "發佈 a new version ".repeat(200);
  const limit = 64;
  const one = encode(tokenizer, { text }, limit);
  expect(one.ids).toHaveLength(limit);
  expect([one.ids[0], one.ids.at(-1)]).toEqual([OPENING, CLOSING]);
  const { ids, second } = encode(tokenizer, { text, pair: "short" }, limit);
  expect(ids.length).toBeLessThanOrEqual(limit);
  expect([ids[second - 1], ids.at(-1)]).toEqual([CLOSING, CLOSING]);
  expect(ids.slice(second, -1)).toEqual(tokenizer.encode("short").slice(1, -1));
  const turns = encode(tokenizer, { text: "before", turns: ["erste Frage", text, "第二"] }, limit);
  expect(turns.ids.length).toBeLessThanOrEqual(limit);
  expect(turns.bounds).toHaveLength(4);
});

test("a text without a space takes time in proportion to its length", () => {
  const kinds = ["a", "本", "ⵉ", "e\u0301", "\u0316\u0301", "👩‍👩‍👧", "▁", "ab\u0000", "นั้น", "\ud800"];
  for (const kind of kinds) {
    const time = (length: number): number => {
      const text = kind.repeat(length / kind.length);
      const times = Array.from({ length: 3 }, () => {
        // Of the processor: what else the machine does is no matter.
        const start = process.cpuUsage();
        tokenizer.encode(text);
        const { user, system } = process.cpuUsage(start);
        return user + system;
      });
      return Math.min(...times);
    };
    time(10_000);
    // Twenty times the length: four hundred times the time, were it not so.
    expect([kind, time(100_000) / time(5_000) < 100]).toEqual([kind, true]);
  }
});

test("pieces of any length are found where they begin and end, and the likeliest way is taken", () => {
  const vocabulary = readVocabulary(VOCABULARY);
  const pieces = unigramEncoder(vocabulary);
  // The way of one piece is likelier than that of any two of them, whichever comes first.
  expect(pieces(["▁", "▁a"])).toHaveLength(2);
  expect(pieces([""])).toEqual([]);
  expect(pieces(["\u0000"])).toEqual([vocabulary.unknown]);
  expect(vocabulary.units.byteLength + vocabulary.scores.byteLength).toBeLessThan(6_000_000);
});

test("a vocabulary that the executable carries compressed is the same", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-vocabulary-"));
  try {
    for (const name of ["tokenizer_config.json", "config.json"]) cpSync(join(FOLDER, name), join(folder, name));
    // Another text, so that it is not the tokenizer that is open already.
    const text = readFileSync(join(FOLDER, "tokenizer.json"), "utf8");
    writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(JSON.parse(text)));
    writeFileSync(join(folder, "vocabulary.bin.zst"), zstdCompressSync(readFileSync(VOCABULARY)));
    const unpacked = await openTokenizer(folder);
    expect(unpacked).not.toBe(tokenizer);
    expect(unpacked.encode("全部 всё 🚀 ⵉⵎⴷ")).toEqual(tokenizer.encode("全部 всё 🚀 ⵉⵎⴷ"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a file that is no vocabulary is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-vocabulary-"));
  try {
    const path = join(folder, "vocabulary.bin");
    writeFileSync(path, "something else than that");
    expect(() => readVocabulary(path)).toThrow("is not a vocabulary");
    writeFileSync(path, "UNI1");
    expect(() => readVocabulary(path)).toThrow("is not a vocabulary");
    const bytes = new Uint8Array(readVocabulary(VOCABULARY).units.buffer);
    writeFileSync(path, bytes.subarray(0, bytes.length - 4));
    expect(() => readVocabulary(path)).toThrow("is not a vocabulary");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
