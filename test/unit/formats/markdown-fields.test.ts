import { describe, expect, test } from "bun:test";
import { markdown } from "../../../src/formats/markdown/reader.ts";
import type { Read } from "./support.ts";
import { CHANGED_AT, contents, read } from "./support.ts";

const notes = (text: string, path = "notes.md"): Promise<Read> => read(markdown, { [path]: text });
const found = async (text: string): Promise<string[]> => contents(await notes(text));

describe("when it was said", () => {
  const times = async (text: string, path?: string) =>
    (await notes(text, path)).memories.map(({ created_at }) => created_at);

  test.each([
    ["a heading's day", "## 2026-03-04\n\n- We chose Redis.", "2026-03-04T00:00:00.000Z"],
    ["a heading's day in words", "## Wednesday, March 4, 2026\n\nWe chose Redis.", "2026-03-04T00:00:00.000Z"],
    ["a day beside other words", "## Standup of 4 March 2026\n\nWe chose Redis.", "2026-03-04T00:00:00.000Z"],
    ["a day above another heading", "# 2026-03-04\n\n## Queue\n\nWe chose Redis.", "2026-03-04T00:00:00.000Z"],
    ["the nearest day", "# 2026-03-04\n\n## 2026-03-05\n\nWe chose Redis.", "2026-03-05T00:00:00.000Z"],
    ["an entry's own day", "# Log\n\n- 2026-03-06: We chose Redis.", "2026-03-06T00:00:00.000Z"],
    ["a paragraph's that is only a day", "# Log\n\n**March 4, 2026**\n\nWe chose Redis.", "2026-03-04T00:00:00.000Z"],
    ["an item's above it", `- 2026-03-04:\n  - ${"We chose Redis. ".repeat(20)}`, "2026-03-04T00:00:00.000Z"],
    ["the front matter's", "---\ndate: 2026-03-04 10:00:00 +0100\n---\n\nWe chose Redis.", "2026-03-04T09:00:00.000Z"],
    ["the file's", "We chose Redis.\n", CHANGED_AT],
    ["not what is counted from now", "## 3 days ago\n\nWe chose Redis.", CHANGED_AT],
    ["not a year, a quarter or a version", "## Plans of 2025\n\nWe chose Redis.", CHANGED_AT],
  ])("%s", async (_what, text, expected) => {
    expect(await times(text)).toEqual([expected]);
  });

  test.each([
    ["daily/2026-03-04.md", "2026-03-04T00:00:00.000Z"],
    ["journals/2026_03_04.md", "2026-03-04T00:00:00.000Z"],
    ["2026/03/04.md", "2026-03-04T00:00:00.000Z"],
    ["_posts/2026-03-04-queues.md", "2026-03-04T00:00:00.000Z"],
    ["20260304 Standup.md", "2026-03-04T00:00:00.000Z"],
    ["2026-13-40.md", CHANGED_AT],
    ["ticket-12026030499.md", CHANGED_AT],
  ])("the day in the name %s", async (path, expected) => {
    expect(await times("We chose Redis.", path)).toEqual([expected]);
  });

  test("later in the text is newer, within a day and across files; days come in their order", async () => {
    const { memories } = await read(markdown, {
      "b.md": "## 2026-03-05\n\n- Third thing said.\n\n## 2026-03-04\n\n- First thing said.\n- Second thing said.",
      "c.md": "## 2026-03-05\n\n- Fourth thing said.",
    });
    expect(memories.map(({ content, created_at }) => [content, created_at])).toEqual(
      [
        ["First thing said.", "2026-03-04T00:00:00.000Z"],
        ["Second thing said.", "2026-03-04T00:00:00.001Z"],
        ["Third thing said.", "2026-03-05T00:00:00.000Z"],
        ["Fourth thing said.", "2026-03-05T00:00:00.001Z"],
      ].map(([content, at]) => [expect.stringContaining(content ?? ""), at]),
    );
  });
});

describe("front matter", () => {
  test("of other tools is read: title, dates, tags, author, type, address; the rest is kept", async () => {
    const { memories } = await notes(
      [
        "---",
        "title: Queue",
        "created: 2026-03-04T09:00:00Z",
        "updated: 2026-04-01",
        'tags: ["#infra", queue]',
        "author: Anna Keller",
        "type: decision",
        "url: http://wiki/queue",
        "aliases: [broker]",
        "---",
        "",
        "We chose Redis.",
      ].join("\n"),
    );
    expect(memories).toEqual([
      {
        record: "memory",
        id: expect.any(String),
        content: "Queue — We chose Redis.",
        title: "Queue",
        created_at: "2026-03-04T09:00:00.000Z",
        tags: ["infra", "queue"],
        agent_id: "Anna Keller",
        memory_type: "decision",
        source_uri: "http://wiki/queue",
        metadata: {
          updated: "2026-04-01",
          aliases: ["broker"],
          imported_from: { format: "markdown", file: "notes.md", line: 12, headings: [] },
        },
      },
    ]);
  });

  test.each([
    ["tags: a b", ["a", "b"]],
    ["tags: one tag, two", ["one tag", "two"]],
    ["categories: [a]\ntags: [a, b]", ["a", "b"]],
    ["tags:", undefined],
  ])("%s is %j", async (yaml, tags) => {
    expect((await notes(`---\n${yaml}\n---\nThe text itself.`)).memories[0]?.tags).toEqual(tags);
  });

  test("a type that only Cairn writes, or none of its own, is no type", async () => {
    const typed = async (type: string) => (await notes(`---\ntype: ${type}\n---\nThe text itself.`)).memories[0];
    expect((await typed("rule"))?.memory_type).toBeUndefined();
    expect((await typed("rule"))?.metadata).toMatchObject({ type: "rule" });
    expect((await typed("note"))?.metadata).toMatchObject({ type: "note" });
  });

  test.each([
    ["no YAML", "---\ntitle: a: b: c\n---\n\nThe text.", /^a\.md:2 Its front matter is no YAML: .*in quotes/],
    ["without an end", "---\ntitle: A\n\nThe text.", /^a\.md:1 Its front matter has no end/],
    ["a key twice", "---\na: 1\nb: 2\na: 3\n---\n\nThe text.", /^a\.md:4 Its front matter is no YAML/],
    ["TOML", '+++\ntitle = "A"\n+++\n\nThe text.', /^a\.md:1 Its front matter is TOML/],
    [
      "a bomb of aliases",
      `---\na: &a [x]\n${"bcdefgh"
        .split("")
        .map((key, i) => `${key}: &${key} [${`*${"abcdefg"[i]},`.repeat(20)}]`)
        .join("\n")}\n---\n`,
      /^a\.md:2 Its front matter is no YAML/,
    ],
  ])("%s is told, and other files are read", async (_what, text, fault) => {
    const { faults, memories } = await read(markdown, { "a.md": text, "b.md": "The other file." });
    expect(faults).toEqual([expect.stringMatching(fault)]);
    expect(memories).toHaveLength(1);
  });

  test("lines that only look like it are text", async () => {
    expect(await found("---\n\nThe text itself.\n\n---\n\nMore of the text.")).toEqual([
      "The text itself.",
      "More of the text.",
    ]);
  });
});

test("of several files, one in another encoding is told and the others are read; alone it is refused", async () => {
  const latin = Buffer.from("caf\u00e9 au lait", "latin1");
  const { faults, memories } = await read(markdown, { "a.md": latin, "b.md": "The other file." });
  expect(faults).toEqual([expect.stringMatching(/^a\.md:1 a\.md is not in UTF-8 \(line 1\)/)]);
  expect(memories).toHaveLength(1);
  await expect(read(markdown, { "a.md": latin })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

describe("ids", () => {
  const ids = async (text: string) => new Map((await notes(text)).memories.map(({ content, id }) => [content, id]));

  test("are the same each time, and when something is written above", async () => {
    const before = await ids("# A\n\n- The first.\n- The second.");
    const after = await ids("New above.\n\n# A\n\n- The one before.\n- The first.\n- The second.");
    for (const [content, id] of before) expect(after.get(content)).toBe(id);
    expect(new Set(after.values()).size).toBe(4);
  });

  test("of the same text twice in a file are two", async () => {
    const { memories } = await notes("- The same text.\n- The same text.");
    expect(new Set(memories.map(({ id }) => id)).size).toBe(2);
  });
});
