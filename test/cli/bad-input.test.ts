import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "../support/app.ts";
import { cairnIn } from "../support/command-line.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
const cairn = cairnIn(folder.path, folder.path);

const LATIN1 = Buffer.from("The caf\xe9 opens at seven.", "latin1");

test("bytes that are no UTF-8 are refused from standard input and from a file, and not written", async () => {
  const file = join(folder.path, "note.txt");
  await Bun.write(file, LATIN1);
  for (const words of [
    ["add", "-"],
    ["add", "--file", file],
  ]) {
    const { code, err } = await cairn(words, LATIN1);
    expect([code, err]).toEqual([2, expect.stringMatching(/bytes that are no text in UTF-8/)]);
  }
  expect(JSON.parse((await cairn(["list", "--json"])).out).items).toEqual([]);
});

test.each([
  ["search x --limit 3", "--top"],
  ["docs search x --limit=3", "--top"],
  ["list --top-k 3", "--limit"],
])("`cairn %s` is told the flag that it has", async (words, flag) => {
  const { code, err } = await cairn(words.split(" "));
  expect([code, err]).toEqual([2, expect.stringContaining(`Did you mean '${flag}'?`)]);
});

test.each(["search", "recall", "docs search"])("an empty query of `cairn %s` is called so", async (words) => {
  for (const query of ["", "  "]) {
    const { code, err } = await cairn([...words.split(" "), query]);
    expect([code, err]).toEqual([2, expect.stringMatching(/^cairn: The query is empty: say what to look for/)]);
  }
});

const WRONG_VALUES: readonly (readonly string[])[] = [
  ["list", "--agent", "a".repeat(400)],
  ["list", "--project", "a".repeat(400)],
  ["add", "The quay is long.", "--source", "a".repeat(4_000)],
  ["list", "--sort", "size"],
  ["search", "quay", "--min-score", "2"],
  ["list", "--as-of", "2026-02-30"],
  ["list", "--happened-from", "-5"],
  ["keys", "create", "--agent", "anna", "--trust", "9"],
  ["settings", "set", "skills_factory.enabled", "perhaps"],
  ["settings", "set", "no.such.setting", "1"],
  ["reembed", "--model", "none"],
  ["import", "nowhere.jsonl", "--from", "word"],
  ["export", "all.jsonl", "--format", "word"],
  ["backup", "backups", "--every", "often"],
  ["serve", "--port", "abc"],
  ["serve", "--embedder", "word"],
  ["mcp", "--project", "a".repeat(400)],
  ["setup", "claude", "--hooks", "loud", "--dry-run"],
  ["brief", "--harness", "emacs"],
];
test.each(WRONG_VALUES.map((words) => [words.join(" ").slice(0, 60), words] as const))(
  "a value that a flag does not take is called so: `cairn %s`",
  async (_, words) => {
    const { code, err } = await cairn(words);
    expect([code, err]).toEqual([2, expect.stringMatching(/^cairn: \S/)]);
  },
);

test("JSON that is broken is called so, on the command line, in a file and in a request", async () => {
  const file = join(folder.path, "export.json");
  await Bun.write(file, '{"memories": [{"id": "a", "memory": "The quay is long."');
  for (const from of ["auto", "mem0", "claude", "chatgpt", "letta"]) {
    const { code, err } = await cairn(["import", file, "--from", from]);
    expect([from, code, err]).toEqual([from, 1, expect.stringMatching(/export\.json is not JSON: /)]);
  }
  const put = await cairn(["docs", "put", "plans", "launch", '{"day":']);
  expect([put.code, put.err]).toEqual([2, expect.stringMatching(/^cairn: That is no JSON \(/)]);
});

test("a row that a recall quotes is not listed once more", async () => {
  const { out: id } = await cairn(["add", "The lantern of the north quay burns green."]);
  const { out } = await cairn(["recall", "which colour has the lantern of the north quay?"]);
  expect(out.split(id).length - 1).toBe(1);
});

/** What a hook says first on a machine that is busy. */
const LATE = /^cairn hook user-prompt: no answer within .*\n/;

test("a hook says in a sentence what it cannot read, and only when asked", async () => {
  for (const [input, told] of [
    ['{"prompt": 3}', /^cairn hook user-prompt: What the harness wrote to its hook does not fit: prompt: .*\.$/],
    ["{", /^cairn hook user-prompt: Standard input holds no JSON, .*\.$/],
  ] as const) {
    const { err, ...rest } = await cairn(["hook", "user-prompt", "--debug"], input);
    expect(rest).toEqual({ code: 0, out: "" });
    expect(err.replace(LATE, "")).toMatch(told);
    expect(await cairn(["hook", "user-prompt"], input)).toEqual({ code: 0, out: "", err: "" });
  }
});

test.if(process.platform === "linux")("a folder that takes no files is refused by name", async () => {
  const { code, err } = await cairnIn("/proc/1", folder.path)(["list"]);
  expect([code, err]).toEqual([1, "cairn: No file can be made in /proc/1. Choose another folder with --data."]);
});
