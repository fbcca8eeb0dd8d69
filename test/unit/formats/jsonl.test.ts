import { describe, expect, test } from "bun:test";
import { chooseReader } from "../../../src/formats/all.ts";
import { jsonl } from "../../../src/formats/jsonl.ts";
import { read, readAll, sourceOf } from "./support.ts";

const HEADER = JSON.stringify({ record: "export", format: 1, release: "0.1.0", filter: {} });
const MEMORY = JSON.stringify({ record: "memory", content: "The build runs on Tuesdays." });

const endOf = (memory: number) => JSON.stringify({ record: "end", counts: { memory } });
const END = endOf(1);

test("an export is its records, with their lines", async () => {
  const source = await sourceOf({ "e.jsonl": `${HEADER}\n\n${MEMORY}\n${END}\n` });
  expect(await readAll(jsonl, source)).toEqual([
    { place: { file: "e.jsonl", line: 3 }, record: { record: "memory", content: "The build runs on Tuesdays." } },
  ]);
});

describe("a line that is no record is told by its number:", () => {
  test.each([
    ["no JSON", "{oops", /^e\.jsonl:2 It is no JSON/],
    ["cut off", MEMORY.slice(0, -4), /^e\.jsonl:2 It is no JSON: was the file cut off/],
    ["a list", "[1]", /^e\.jsonl:2 It is no record/],
    ["of no kind", '{"record":"spell"}', /^e\.jsonl:2 It is no record .*settings, projects, agent, /],
  ])("%s", async (_what, line, fault) => {
    const { faults, memories } = await read(jsonl, { "e.jsonl": `${HEADER}\n${line}\n${MEMORY}\n${endOf(2)}` });
    expect(faults).toEqual([expect.stringMatching(fault)]);
    expect(memories).toHaveLength(1);
  });
});

test("an export without its end is refused", async () => {
  await expect(read(jsonl, { "e.jsonl": `${HEADER}\n${MEMORY}\n` })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message: expect.stringContaining("ends in the middle"),
  });
});

test("an export of which lines are lost is refused", async () => {
  await expect(read(jsonl, { "e.jsonl": `${HEADER}\n${MEMORY}\n${endOf(3)}\n` })).rejects.toMatchObject({
    message: expect.stringContaining("holds 1 records where its last line counts 3"),
  });
});

test("an export of a later format is refused, saying what to do", async () => {
  const later = HEADER.replace('"format":1', '"format":2');
  await expect(read(jsonl, { "e.jsonl": `${later}\n${MEMORY}` })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message: expect.stringMatching(/e\.jsonl is an export of format 2; .*Upgrade/),
  });
});

describe("the reader is chosen", () => {
  const chosen = async (files: Record<string, string>, name = "auto") =>
    (await chooseReader(name, await sourceOf(files))).name;

  test.each([
    ["jsonl", { "e.jsonl": HEADER }],
    ["jsonl", { "a.jsonl": HEADER, "b.ndjson": HEADER }],
    ["jsonl", { backup: `${HEADER}\n${MEMORY}` }],
    ["markdown", { "a.md": "# A" }],
    ["markdown", { "a.txt": "A", "b.png": "B" }],
    ["cairn", { "cairn.jsonl": HEADER, "memories/a.md": "---\ncairn: 1\n---\n\nThe text" }],
    ["markdown", { "deeper/cairn.jsonl": HEADER, "memories/a.md": "---\ncairn: 1\n---\n\nThe text" }],
    ["markdown", { "cairn.jsonl": MEMORY, "memories/a.md": "---\ncairn: 1\n---\n\nThe text" }],
    ["agent-files", { "CLAUDE.md": "- Use tabs" }],
    ["agent-files", { "AGENTS.md": "- Use tabs", ".cursorrules": "x", "src/main.ts": "x" }],
    ["agent-files", { "MEMORY.md": "- [a](a.md)", "a.md": "A" }],
    ["markdown", { "AGENTS.md": "- Use tabs", "notes.md": "Other things" }],
  ])("%s for %j", async (expected, files) => {
    expect(await chosen(files)).toBe(expected);
  });

  test("by its name, whatever the source looks like", async () => {
    expect(await chosen({ "a.md": "# A" }, "jsonl")).toBe("jsonl");
  });

  test("or refused: of a wrong name, of nothing known, of no text", async () => {
    await expect(chosen({ "a.md": "# A" }, "markdwn")).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringMatching(/no format "markdwn"\. Did you mean "markdown"\? Known: auto, jsonl, /),
    });
    await expect(chosen({ "a.png": "x", "b.png": "y" })).rejects.toMatchObject({
      message: expect.stringMatching(/Name one: .*markdown/),
    });
    await expect(chosen({ "e.jsonl": "\ufeff\0" })).rejects.toMatchObject({ message: expect.stringMatching(/NUL/) });
  });
});
