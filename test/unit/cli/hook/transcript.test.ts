import { afterAll, describe, expect, test } from "bun:test";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isTranscript, lengthOf, saidSince } from "../../../../src/cli/hook/told/transcript.ts";
import { temporaryFolder } from "../../../support/app.ts";

const home = temporaryFolder();
afterAll(() => home.remove());
let files = 0;
const aPath = () => join(home.path, `${++files}.jsonl`);
function aFile(...lines: readonly (object | string)[]): string {
  const path = aPath();
  writeFileSync(path, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  return path;
}
const said = (path: string, offset = 0) => saidSince(path, offset)?.map(({ by, texts }) => [by, ...texts]);

const timestamp = "2026-03-01T10:00:00.000Z";
const claude = (role: string, content: unknown) => ({ type: role, message: { role, content }, timestamp });
const codex = (payload: object) => ({ type: "response_item", payload, timestamp });

test("what an agent wrote and gave to tools is told from what it was given, and from what it thought", () => {
  const path = aFile(
    claude("user", "How hot?"),
    claude("assistant", [
      { type: "thinking", thinking: "Hidden." },
      { type: "text", text: "It is hot." },
      { type: "tool_use", name: "Bash", input: { command: "kiln --fire", deep: [{ at: "1240" }] } },
    ]),
    claude("user", [{ type: "tool_result", content: [{ type: "text", text: "Fired." }] }]),
    claude("user", 'As told: <cairn-memory project="x">The kiln is hot.</cairn-memory>'),
    { type: "attachment", attachment: { content: "Told by a hook." } },
  );
  expect(saidSince(path, 0)?.[0]).toEqual({ by: "others", offset: 0, at: Date.parse(timestamp), texts: ["How hot?"] });
  expect(said(path)).toEqual([
    ["others", "How hot?"],
    ["agent", "It is hot.", "kiln --fire", "1240"],
    ["others", "tool_result", "text", "Fired."],
  ]);
});

test("entries of another harness are read, too", () => {
  const path = aFile(
    { type: "session_meta", payload: { id: "1", instructions: "Be kind." }, timestamp },
    codex({ type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] }),
    codex({ type: "message", role: "user", content: [{ type: "input_text", text: "How hot?" }] }),
    codex({ type: "reasoning", summary: [{ text: "Hidden." }] }),
    codex({ type: "message", role: "assistant", content: [{ type: "output_text", text: "Hot." }] }),
    codex({ type: "function_call", name: "shell", arguments: '{"command":["kiln","a\\nb"]}' }),
    codex({ type: "custom_tool_call", name: "apply_patch", input: "*** kiln.ts" }),
    codex({ type: "function_call_output", call_id: "1", output: "Fired." }),
    { type: "event_msg", payload: { type: "agent_message", message: "Hot." } },
  );
  expect(said(path)).toEqual([
    ["others", "input_text", "How hot?"],
    ["agent", "Hot."],
    ["agent", "kiln", "a\nb"],
    ["agent", "*** kiln.ts"],
    ["others", "Fired."],
  ]);
});

test("from an offset on, whole lines are read; a file that became shorter is another one", () => {
  const path = aFile(claude("assistant", "First."));
  const offset = lengthOf(path);
  writeFileSync(path, `${JSON.stringify(claude("assistant", "Second."))}\n{"half`, { flag: "a" });
  expect(said(path)).toEqual([
    ["agent", "First."],
    ["agent", "Second."],
  ]);
  expect(said(path, offset)).toEqual([["agent", "Second."]]);
  expect(said(path, offset + 1)).toEqual([]);
  expect(said(path, 1_000_000)).toHaveLength(2);
});

describe("a hostile transcript", () => {
  test("of any size is read for its last 256 KB", () => {
    const path = aFile(
      claude("assistant", "Lost."),
      claude("assistant", "x".repeat(3_000_000)),
      ...Array.from({ length: 100 }, () => claude("assistant", "y".repeat(1_000))),
      claude("assistant", "Kept."),
    );
    const texts = said(path)?.flat() ?? [];
    expect([texts.includes("Lost."), texts.includes("Kept.")]).toEqual([false, true]);
    expect(texts.join("").length).toBeLessThan(256 * 1024);
    expect(said(aFile("z".repeat(3_000_000)))).toEqual([]);
  });

  test("of no JSON, of JSON of other forms and of deep JSON is passed over", () => {
    const deep = "[".repeat(100_000);
    const nested = `{"message":{"role":"assistant","content":${deep}${"]".repeat(100_000)}}}`;
    const path = aFile(
      ...[
        "no json",
        "null",
        "7",
        '"assistant"',
        "[]",
        "{}",
        deep,
        "\0\0",
        '{"message":null}',
        '{"message":{"role":7}}',
      ],
      ...[
        nested,
        '{"message":{"role":"assistant","content":7}}',
        '{"message":{"role":"assistant","content":[null,7,[]]}}',
      ],
      ...['{"role":"assistant","content":"Plain.","timestamp":"never"}', '{"payload":{"type":["function_call"]}}'],
      ...[
        '{"payload":{"type":"function_call","arguments":"{no json"}}',
        '{"__proto__":{"role":"assistant"},"content":"No."}',
      ],
    );
    expect(said(path)).toEqual([
      ["agent", "Plain."],
      ["agent", "{no json"],
    ]);
    expect(saidSince(path, 0)?.[0]?.at).toBeNull();
  });

  test("that is a link, a folder, a pipe or nothing is not read, and nobody waits for it", () => {
    const file = aFile(claude("assistant", "Read."));
    const [link, folder, pipe] = [aPath(), aPath(), aPath()];
    symlinkSync(file, link);
    mkdirSync(folder);
    expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
    for (const path of [link, folder, pipe, aPath(), "/dev/zero", "/etc/passwd", "relative.jsonl"])
      expect([path, saidSince(path, 0), lengthOf(path)]).toEqual([path, null, 0]);
    const other = aPath();
    linkSync(file, other);
    expect(said(other)).toEqual([["agent", "Read."]]);
  });

  test.each(["", "a.jsonl", "/a.json", "/a.jsonl\0", "~/a.jsonl", "file:///a.jsonl"])("is not at %j", (path) => {
    expect(isTranscript(path)).toBe(false);
  });
});
