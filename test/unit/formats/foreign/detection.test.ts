import { describe, expect, test } from "bun:test";
import { foreignReaders } from "../../../../src/formats/foreign/all.ts";
import { expectRefused, readAll, sourceOf } from "../../../support/memory-source.ts";
import { SAMPLES } from "./samples.ts";

/** What none of them wrote. */
const OTHERS: Readonly<Record<string, string>> = {
  "empty.json": "",
  "blank.md": "\n\n",
  "list.json": "[]",
  "number.json": "42",
  "export.jsonl":
    '{"record":"export","format":1,"release":"0.1.0","exported_at":"2026-01-01T00:00:00Z","tenant_id":"t","filter":{}}\n{"record":"memory","content":"A statement of Cairn","id":"x","state":"active"}',
  "plain.jsonl": '{"content":"A statement in a line of its own"}',
  "settings.json": '{"name":"shop","memory":"512 MB","sessions":4}',
  "README.md": "# A title\n\nSome words on [a link](x).\n\n- [ ] one\n- [x] two\n",
  "page.md": "---\ntitle: A page\nlayout: post\npermalink: /about\n---\n\nSome words.\n",
};

describe("each sample is detected by its own reader alone", () => {
  for (const { reader, path, text } of SAMPLES) {
    test(`${reader}: ${path}`, async () => {
      // A name of its own must not decide: people rename files.
      const ending = path.slice(path.lastIndexOf("."));
      for (const source of [sourceOf({ [path]: text }), sourceOf({ [`renamed${ending}`]: text, "chat.html": "<p>" })])
        expect(await detecting(source)).toEqual([reader]);
    });
  }
});

for (const [path, text] of Object.entries(OTHERS))
  test(`nobody takes ${path} for its own`, async () => {
    expect(await detecting(sourceOf({ [path]: text }))).toEqual([]);
  });

describe("a file of another format is refused as a whole", () => {
  for (const reader of foreignReaders) {
    test(reader.name, async () => {
      for (const path of ["empty.json", "number.json", "settings.json", "blank.md"])
        await expectRefused(reader, sourceOf({ [path]: OTHERS[path] ?? "" }));
      for (const sample of SAMPLES.filter((one) => one.reader !== reader.name && /json|\.af$/.test(one.path)))
        await expectRefused(reader, sourceOf({ [sample.path]: sample.text }));
    });
  }
});

test("text that is cut off is refused where it is one value", async () => {
  for (const { reader, path, text } of SAMPLES.filter((one) => /\.json$|\.af$/.test(one.path))) {
    const owner = foreignReaders.find(({ name }) => name === reader);
    if (owner) await expectRefused(owner, sourceOf({ [path]: text.slice(0, -5) }));
  }
});

test("the same file read twice gives the same ids, each once; every memory says where it is from", async () => {
  for (const { reader, path, text } of SAMPLES) {
    const owner = foreignReaders.find(({ name }) => name === reader);
    if (!owner) throw new Error(`No reader ${reader}`);
    const [once, again] = [
      await readAll(owner, sourceOf({ [path]: text })),
      await readAll(owner, sourceOf({ [path]: text })),
    ];
    const ids = once.memories.map(({ id }) => id);
    expect(once.faults).toEqual([]);
    expect(once.records.length).toBeGreaterThan(0);
    expect(again.memories.map(({ id }) => id)).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { metadata } of once.memories) expect(metadata?.imported_from).toMatchObject({ format: reader });
  }
});

async function detecting(source: ReturnType<typeof sourceOf>): Promise<string[]> {
  const names: string[] = [];
  for (const reader of foreignReaders) if (await reader.detects(source)) names.push(reader.name);
  return names;
}
