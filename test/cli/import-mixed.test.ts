import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/app.ts";
import { cairnIn } from "../support/command-line.ts";
import { zipOf } from "./zip-of.ts";

setDefaultTimeout(60_000);
const root = temporaryFolder();
afterAll(root.remove);
const mixed = join(root.path, "my exports");
const cairn = cairnIn(join(root.path, "data"), root.path);

const FILES = {
  "mem0.json": JSON.stringify({ results: [{ id: "1", memory: "Prefers tea to coffee.", user_id: "ada" }] }),
  "memory.jsonl": '{"type":"entity","name":"Ada","entityType":"person","observations":["Keeps the spare oars"]}\n',
  "notes.txt": "The harbour light is painted white.\n",
  "empty.md": "",
  "photo.png": "\x89PNG",
  "settings.json": '{"theme":"dark"}',
};

beforeAll(() => {
  mkdirSync(mixed);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(mixed, name), text);
});

test("files of a folder that are of other formats are named, each with the command that reads it", async () => {
  const { err, out, code } = await cairn(["import", mixed, "--dry-run"]);
  expect([code, out]).toEqual([0, expect.stringContaining("Read as mem0: 1 would be stored")]);
  const commands = Array.from(err.matchAll(/^(\S+) was not read, as it is of (\S+): cairn import '(.*)'$/gm), (one) =>
    one.slice(1),
  );
  expect(commands).toEqual([
    ["empty.md", "markdown", join(mixed, "empty.md")],
    ["memory.jsonl", "mcp-memory", join(mixed, "memory.jsonl")],
    ["notes.txt", "markdown", join(mixed, "notes.txt")],
  ]);
  for (const [, format, path] of commands) {
    const read = await cairn(["import", path ?? "", "--json"]);
    expect(JSON.parse(read.out)).toMatchObject({ format, unread: [] });
  }
});

test("a program is told of them too", async () => {
  const { out } = await cairn(["import", mixed, "--dry-run", "--json"]);
  expect(JSON.parse(out).unread).toContainEqual({ path: "notes.txt", format: "markdown" });
});

test("in an archive they are named without a command, and notes of one kind are all read", async () => {
  const archive = join(root.path, "exports.zip");
  writeFileSync(archive, zipOf(FILES));
  expect((await cairn(["import", archive, "--dry-run"])).err).toContain(
    "notes.txt was not read, as it is of markdown. Unpack the archive, and import it by itself.",
  );
  const notes = join(root.path, "notes");
  mkdirSync(notes);
  writeFileSync(join(notes, "CLAUDE.md"), "- Use tabs\n");
  writeFileSync(join(notes, "plan.md"), "We sweep the quay on Mondays.\n");
  writeFileSync(join(notes, "empty.md"), "");
  expect((await cairn(["import", notes, "--dry-run"])).err).not.toContain("not read");
});
