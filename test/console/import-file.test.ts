import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { batchesOf as batchesOfCommand } from "../../src/cli/transfer/batches.ts";
import { fingerprinted } from "../../src/cli/transfer/fingerprint.ts";
import { batchesOf } from "../../src/console/pages/operations/import/batches.ts";
import { readExport } from "../../src/console/pages/operations/import/export-file.ts";
import { sha256 } from "../../src/console/pages/operations/import/sha256.ts";
import { jsonl } from "../../src/formats/jsonl.ts";
import { openSource } from "../../src/formats/source.ts";

const HEADER =
  '{"record":"export","format":1,"release":"0.1.0","exported_at":"2026-01-01T00:00:00.000Z","tenant_id":"a","filter":{}}';
const memory = (i: number, more: object = {}) =>
  JSON.stringify({ record: "memory", content: `Statement ${i}, “quoted”, 日本 \u{1f600}`, ...more });
const end = (count: number) => JSON.stringify({ record: "end", counts: { memory: count } });
const range = (length: number) => Array.from({ length }, (_, i) => i);

const FILES: Readonly<Record<string, string>> = {
  "a few lines": [HEADER, ...range(3).map((i) => memory(i)), end(3)].join("\n"),
  "more than one batch of records": [HEADER, ...range(450).map((i) => memory(i)), end(450), ""].join("\n"),
  "more than one batch of bytes": [
    HEADER,
    ...range(30).map((i) => memory(i, { title: "x".repeat(90_000) })),
    end(30),
  ].join("\n"),
  "more than one batch of values": [
    HEADER,
    ...range(8).map((i) => memory(i, { metadata: { list: range(20_000) } })),
    end(8),
  ].join("\n"),
  "a mark before it, line ends of Windows, blank lines": `\ufeff${[HEADER, memory(1), "", "  ", memory(2), end(2)].join("\r\n")}`,
  "lines that are no records": [HEADER, memory(1), "no JSON", '{"record":"unknown"}', "[]", memory(2), end(5)].join(
    "\n",
  ),
  "no header": [memory(1), memory(2)].join("\n"),
};

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

for (const [name, text] of Object.entries(FILES)) {
  test(`the page and the command read the same and send the same: ${name}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "cairn-import-"));
    try {
      const path = join(folder, "all.jsonl");
      await Bun.write(path, text);
      const source = await openSource(path);
      const known = await fingerprinted(jsonl.name, () => jsonl.read(source));

      const read = () => readExport(new File([text], basename(path)), { bytes: () => {} });
      const digest = sha256();
      for await (const entry of read()) digest.update(JSON.stringify(entry));
      expect(`jsonl ${digest.end()}`).toBe(known.name);

      for (const from of [0, 2]) {
        const told: unknown[] = [];
        const own = await all(batchesOf(read(), from, (line, error) => told.push([line, error])));
        const toldByCommand: unknown[] = [];
        const refuse = ({ place, error }: { place: { line: number }; error: string }) =>
          toldByCommand.push([place.line, error]);
        const others = await all(batchesOfCommand(jsonl.read(source), from, refuse));
        const shape = others.map(({ records, places, position }) => ({
          records,
          lines: places.map(({ line }) => line),
          position,
        }));
        expect<unknown>(own).toEqual(shape);
        expect(told).toEqual(toldByCommand);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

const REFUSED: Readonly<Record<string, readonly [text: string, why: RegExp]>> = {
  "an export without its end": [[HEADER, memory(1)].join("\n"), /ends in the middle/],
  "an export that counts more": [
    [HEADER, memory(1), end(2)].join("\n"),
    /holds 1 records where its last line counts 2/,
  ],
  "an export of a later format": [HEADER.replace('"format":1', '"format":9'), /format 9/],
  "something else": ['{"messages":[]}', /is no export of Cairn/],
};

for (const [name, [text, why]] of Object.entries(REFUSED)) {
  test(`the page refuses ${name}`, async () => {
    await expect(all(readExport(new File([text], "a.jsonl"), { bytes: () => {} }))).rejects.toThrow(why);
  });
}

test("the page refuses what is not in UTF-8", async () => {
  const file = new File([new Uint8Array([0x7b, 0xff, 0xfe, 0x0a])], "a.jsonl");
  await expect(all(readExport(file, { bytes: () => {} }))).rejects.toThrow(/not in UTF-8/);
});

test("digests of texts of every length around a block", () => {
  for (const length of [...range(200), 1_000, 4_095, 4_096]) {
    const text = "aé€\u{1f600}".repeat(length).slice(0, length).toWellFormed();
    const digest = sha256();
    for (let i = 0; i < text.length; i += 7) digest.update(text.slice(i, i + 7).toWellFormed());
    const hash = new Bun.CryptoHasher("sha256");
    for (let i = 0; i < text.length; i += 7) hash.update(text.slice(i, i + 7).toWellFormed());
    expect(digest.end()).toBe(hash.digest("hex"));
  }
});
