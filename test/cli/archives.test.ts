import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { temporaryFolder } from "../support/app.ts";
import { cairnIn } from "../support/command-line.ts";
import type { Zipped } from "./zip-of.ts";
import { toldElsewhere, zipOf } from "./zip-of.ts";

setDefaultTimeout(60_000);
const root = temporaryFolder();
afterAll(root.remove);

const Report = z.object({ format: z.string(), counts: z.looseObject({ created: z.int() }) });
const MEMORIES = JSON.stringify([
  { id: "a", memory: "The night ferry leaves from pier four.", created_at: "2026-03-01T10:00:00Z", user_id: "ana" },
  { id: "b", memory: "The harbour light is painted white.", created_at: "2026-03-02T10:00:00Z", user_id: "ana" },
]);
const CONVERSATIONS = JSON.stringify([
  {
    uuid: "c1",
    name: "Boats",
    created_at: "2026-03-01T10:00:00Z",
    chat_messages: [
      {
        uuid: "m1",
        sender: "human",
        text: "The night ferry leaves from pier four.",
        created_at: "2026-03-01T10:00:00Z",
      },
    ],
  },
]);
const NOTE = "The harbour light is painted white.\n";

const file = (name: string, bytes: Uint8Array): string => {
  const path = join(root.path, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return path;
};
let folders = 0;
const run = (words: readonly string[]) => cairnIn(join(root.path, `data-${++folders}`), root.path)(words);

describe("an archive is read as what it holds", () => {
  test.each<[name: string, bytes: () => Uint8Array, format: string, created: number]>([
    ["mem0.json.gz", () => gzipSync(MEMORIES), "mem0", 2],
    ["mem0.zip", () => zipOf({ "mem0.json": MEMORIES }), "mem0", 2],
    ["stored.zip", () => zipOf({ "mem0.json": { text: MEMORIES, method: 0 } }), "mem0", 2],
    ["wide.zip", () => zipOf({ "mem0.json": { text: MEMORIES, isWide: true } }), "mem0", 2],
    ["streamed.zip", () => zipOf({ "mem0.json": { text: MEMORIES, isStreamed: true } }), "mem0", 2],
    ["commented.zip", () => zipOf({ "mem0.json": MEMORIES }, "made by a tool"), "mem0", 2],
    ["claude.zip", () => zipOf({ "users.json": "[]", "conversations.json": CONVERSATIONS }), "claude", 1],
    ["nested.zip", () => zipOf({ "export/users.json": "[]", "export/conversations.json": CONVERSATIONS }), "claude", 1],
    [
      "notes.zip",
      () =>
        zipOf({
          "vault/": "",
          "vault/daily\\light.md": NOTE,
          "vault/.obsidian/plugin.md": "Of the program, hidden from people.\n",
          "__MACOSX/vault/._light.md": "\0\0",
          "vault/elsewhere.md": { text: "/etc/passwd", isLink: true },
        }),
      "markdown",
      1,
    ],
  ])("%s", async (name, bytes, format, created) => {
    const { code, out, err } = await run(["import", file(`read/${name}`, bytes()), "--json"]);
    expect([code, err]).toEqual([0, expect.any(String)]);
    expect(Report.parse(JSON.parse(out))).toMatchObject({ format, counts: { created } });
  });

  test("an export of ours that was packed since, and again what was read unpacked", async () => {
    const data = join(root.path, "own");
    const here = cairnIn(data, root.path);
    await here(["add", "The night ferry leaves from pier four."]);
    await here(["export", join(root.path, "all.jsonl")]);
    const packed = gzipSync(await Bun.file(join(root.path, "all.jsonl")).bytes());
    const again = await here(["import", file("own.jsonl.gz", packed), "--json"]);
    expect(Report.parse(JSON.parse(again.out))).toMatchObject({ format: "jsonl", counts: { created: 0 } });
    const zip = zipOf({ "all.jsonl": await Bun.file(join(root.path, "all.jsonl")).text() });
    const elsewhere = await run(["import", file("own.zip", zip), "--json"]);
    const { format, counts } = Report.parse(JSON.parse(elsewhere.out));
    expect([format, counts.created > 0]).toEqual(["jsonl", true]);
  });
});

describe("an archive is refused, by name and without a trace,", () => {
  const good = zipOf({ "mem0.json": MEMORIES });
  const bad = (bytes: Uint8Array, at: number): Uint8Array => {
    const changed = bytes.slice();
    changed[at] = (changed[at] ?? 0) ^ 0xff;
    return changed;
  };
  /** More than a number tells exactly. */
  const BEYOND = 2n ** 62n;
  const zeros = "0".repeat(80 * 1_048_576);
  let bomb: Uint8Array;
  beforeAll(() => {
    bomb = zipOf({ "mem0.json": zeros });
  });
  const one =
    (name: string, zipped: Zipped): (() => Uint8Array) =>
    () =>
      zipOf({ [name]: zipped, "b.json": MEMORIES });
  const only = (zipped: Zipped) => (): Uint8Array => zipOf({ "mem0.json": zipped });

  test.each<[why: string, bytes: () => Uint8Array, said: RegExp]>([
    ["that leads upwards", one("../../mem0.json", MEMORIES), /leads out of it/],
    ["that leads to the root", one("/etc/mem0.json", MEMORIES), /leads out of it/],
    ["that leads upwards by Windows' marks", one("a\\..\\..\\mem0.json", MEMORIES), /leads out of it/],
    ["that leads to a drive", one("C:\\mem0.json", MEMORIES), /leads out of it/],
    ["that unpacks to far more than it is", () => bomb, /unpacks to more than 200 times its size/],
    [
      "that lies about how much it unpacks to",
      () => zipOf({ "mem0.json": { text: zeros, toldBytes: 1_000 } }),
      /cannot be unpacked/,
    ],
    ["that is cut off", () => good.slice(0, good.length - 10), /cannot be unpacked/],
    ["of which a byte is another", () => bad(good, 60), /cannot be unpacked/],
    [
      "whose data is said to end behind any number",
      only({ text: MEMORIES, isWide: true, toldPacked: BEYOND }),
      /cannot be unpacked/,
    ],
    [
      "whose data is said to end behind it",
      only({ text: MEMORIES, isWide: true, toldPacked: 1_000_000n }),
      /cannot be unpacked/,
    ],
    [
      "of which a file is said to lie behind any number",
      only({ text: MEMORIES, isWide: true, toldAt: BEYOND }),
      /cannot be unpacked/,
    ],
    ["whose directory is said to lie behind any number", () => toldElsewhere(good, BEYOND), /cannot be unpacked/],
    ["that is encrypted", () => zipOf({ "mem0.json": { text: MEMORIES, isEncrypted: true } }), /is encrypted/],
    [
      "that is packed otherwise",
      () => zipOf({ "mem0.json": { text: MEMORIES, method: 14 } }),
      /packed in an unknown way/,
    ],
    ["that is empty", () => zipOf({}), /holds no files/],
  ])("%s", async (why, bytes, said) => {
    const { code, err } = await run([
      "import",
      file(`refused/${why.replace(/\W/g, "-")}.zip`, bytes()),
      "--from",
      "mem0",
    ]);
    expect([code, err]).toEqual([1, expect.stringMatching(said)]);
  });

  test("of two files of one name, and of one that gzip packed and that is broken or far too large", async () => {
    const twice = Buffer.from(zipOf({ "a.json": MEMORIES, "b.json": MEMORIES }));
    for (let at = twice.indexOf("b.json"); at >= 0; at = twice.indexOf("b.json", at)) twice.write("a.json", at);
    const packed = gzipSync(MEMORIES);
    for (const [name, bytes, said] of [
      ["twice.zip", twice, /two files of one name/],
      ["cut.json.gz", packed.subarray(0, packed.length - 20), /cut\.json\.gz cannot be unpacked/],
      ["bomb.json.gz", gzipSync(zeros), /unpacks to more than 200 times its size/],
    ] as const) {
      const { code, err } = await run(["import", file(name, bytes), "--from", "mem0"]);
      expect([name, code, err]).toEqual([name, 1, expect.stringMatching(said)]);
    }
  });
});
