import { describe, expect, test } from "bun:test";
import { markdown } from "../../../src/formats/markdown/reader.ts";
import { speakerLabel } from "../../../src/text/words/speaker-label.ts";
import type { Read } from "./support.ts";
import { contents, read } from "./support.ts";

const notes = (text: string, path = "notes.md"): Promise<Read> => read(markdown, { [path]: text });
const found = async (text: string): Promise<string[]> => contents(await notes(text));

describe("what says nothing of itself", () => {
  test.each(["TODO", "tbd", "N/A.", "TODO:", "-", "...", "**To be decided**", "[ ] TODO"])(
    "is left out, and told: '%s'",
    async (words) => {
      const { memories, faults, lines } = await notes(
        `# Incident: duplicate orders\n\n- ${words}\n- The queue was full.\n`,
      );
      expect(memories.map(({ content }) => content)).toEqual(["Incident: duplicate orders — The queue was full."]);
      expect(faults).toEqual([]);
      expect(lines.flatMap((line) => ("leftOut" in line ? [[line.place.line, line.leftOut]] : []))).toEqual([
        [3, expect.stringContaining("says nothing of itself")],
      ]);
    },
  );

  test.each(["None", "TODO: name an owner", "Todo lists are kept in Linear.", "✅", "7"])(
    "is not '%s'",
    async (words) => {
      const { memories, lines } = await notes(`# Known issues of the shop\n\n- ${words}\n`);
      expect([memories.length, lines.length]).toEqual([1, 1]);
    },
  );
});

describe("one memory is", () => {
  test.each([
    [
      "a paragraph",
      "The API speaks JSON\nand nothing else.\n\nIt is versioned.",
      ["The API speaks JSON and nothing else.", "It is versioned."],
    ],
    ["an item of a list", "- The API speaks JSON.\n- It is versioned.", ["The API speaks JSON.", "It is versioned."]],
    ["a short item with those below it", "- Backend languages\n  - Go\n  - Rust", ["Backend languages\n- Go\n- Rust"]],
    [
      "a row of a table",
      "| Service | Port |\n|---|---|\n| api | 8080 |\n| web | |",
      ["Service: api; Port: 8080", "Service: web"],
    ],
    [
      "a quotation",
      "> [!note] Mind this\n> The token expires.\n>\n> After an hour.",
      ["Mind this The token expires.\nAfter an hour."],
    ],
    [
      "a paragraph with its code",
      "Build it so\n\n```sh\n# all\nmake\n\nmake x\n```\n\nNext thing said.",
      ["Build it so\n```sh\n# all\nmake\n\nmake x\n```", "Next thing said."],
    ],
    ["code that stands alone", "```sql\nselect 1;\n```", ["```sql\nselect 1;\n```"]],
    ["an item with its code", "- Build it so\n  ```sh\n  make\n  ```", ["Build it so\n```sh\nmake\n```"]],
    ["a heading with nothing below it that says something", "# We moved to Lisbon\n\n# Next", ["We moved to Lisbon"]],
  ])("%s", async (_what, text, expected) => {
    expect(await found(text)).toEqual(expected);
  });

  test("each item of a long list, under the words of those above it", async () => {
    const long = "which is told at some length, so that nobody would keep it in one piece with all others";
    const text = `# API\n\n- Authentication:\n  - Tokens expire, ${long}.\n  - Keys stay, ${long}.\n    - Admin keys too, ${long}.\n`;
    expect(await found(text)).toEqual([
      `API > Authentication — Tokens expire, ${long}.`,
      `API > Authentication — Keys stay, ${long}.\n- Admin keys too, ${long}.`,
    ]);
  });

  test("an item under the paragraph that leads to its list, which says nothing itself", async () => {
    expect(await found("Our servers run:\n\n- Debian\n- Postgres")).toEqual([
      "Our servers run — Debian",
      "Our servers run — Postgres",
    ]);
  });

  test("each task, with where it stands", async () => {
    const { memories } = await notes(
      "# Roadmap\n\n- [ ] Write the guide\n- [x] Ship version 2\n- Release notes\n  - [ ] Proofread",
    );
    expect(memories.map(({ content, memory_type, status }) => [content, memory_type, status])).toEqual([
      ["Roadmap — Write the guide", "task", "pending"],
      ["Roadmap — [x] Ship version 2", "task", "active"],
      ["Roadmap — Release notes", undefined, undefined],
      ["Roadmap > Release notes — Proofread", "task", "pending"],
    ]);
  });
});

describe("of a text", () => {
  test.each([
    ["marks of emphasis go", "**Never** use _tabs_ or ***spaces*** here.", "Never use tabs or spaces here."],
    ["code and what is struck out stay", "Run `npm ci`, ~~not yarn~~ at all.", "Run `npm ci`, ~~not yarn~~ at all."],
    [
      "targets of links stay, references too",
      "See [docs](http://d/x) and [this][r] and <http://a/b>.\n\n[r]: http://r",
      "See [docs](http://d/x) and [this](http://r) and http://a/b.",
    ],
    ["links of wikis stay", "Asked [[Anna Keller|Anna]] about it.", "Asked [[Anna Keller|Anna]] about it."],
    ["comments go", "Before it. <!-- not\nthis --> After it.", "Before it. After it."],
    [
      "elements of HTML go, what else stands in brackets stays",
      "Press <kbd>Ctrl</kbd> for Array<string> &amp; more.",
      "Press Ctrl for Array<string> & more.",
    ],
    ["breaks of lines stay where they are meant", "First line  \nsecond line", "First line\nsecond line"],
  ])("%s", async (_what, text, expected) => {
    expect(await found(text)).toEqual([expected]);
  });

  test("comments between paragraphs go; one without an end is told", async () => {
    expect(await found("<!-- x\n\ny -->\n\nThe text itself.")).toEqual(["The text itself."]);
    const open = await notes("The text before.\n\n<!-- x\n\nThe text after.");
    expect(contents(open)).toEqual(["The text before."]);
    expect(open.faults).toEqual([expect.stringMatching(/^notes\.md:3 A comment begins here that has no end/)]);
  });
});

describe("what a short text is about stands before it", () => {
  test("from the widest heading to the nearest", async () => {
    expect(await found("# Shop API\n\n## Code style\n\n- Tabs, never spaces\n\n## Port\n\n5433")).toEqual([
      "Shop API > Code style — Tabs, never spaces",
      "Shop API > Port — 5433",
    ]);
  });

  test("but no speaker: a heading must not become a person", async () => {
    for (const content of await found("# Decisions\n\n- We use Redis for queues\n\n# Deployment\n\nOn Tuesdays only"))
      expect([content, speakerLabel(content)]).toEqual([content, null]);
  });

  test("not dates, not names of kinds of files, not what the text names itself", async () => {
    const text = "# Notes\n\n## 2026-03-04\n\n### Redis\n\nWe chose Redis for queues.";
    expect(await found(text)).toEqual(["We chose Redis for queues."]);
  });

  test("the file's name where there is no heading, if it tells", async () => {
    const said = async (path: string) => contents(await notes("Runs on port 5433", path));
    expect(await said("billing-service.md")).toEqual(["billing-service — Runs on port 5433"]);
    expect(await said("Bank 0123456789abcdef0123456789abcdef.md")).toEqual(["Bank — Runs on port 5433"]);
    expect(await said("2026-03-04.md")).toEqual(["Runs on port 5433"]);
    expect(await said("README.md")).toEqual(["Runs on port 5433"]);
  });

  test("a long text stands alone and has it as its title", async () => {
    const long = "This is said at length. ".repeat(30).trim();
    const { memories } = await notes(`# API\n\n## Limits\n\n${long}`);
    expect(memories).toMatchObject([{ content: long, title: "API > Limits" }]);
  });

  test("all headings are told, with the file and the line", async () => {
    const { memories, lines } = await notes("# Notes\n\n## 2026-03-04\n\n- We chose Redis.\n", "a/b.md");
    expect(memories[0]?.source_uri).toBe("a/b.md");
    expect(memories[0]?.metadata).toEqual({
      imported_from: { format: "markdown", file: "a/b.md", line: 5, headings: ["Notes", "2026-03-04"] },
    });
    expect(lines[0]?.place).toEqual({ file: "a/b.md", line: 5 });
  });
});

describe("length", () => {
  test("a text that is too short, whatever it is about, is told by its line", async () => {
    const { faults, memories } = await notes("- Yes\n- The second one is fine.");
    expect(memories).toHaveLength(1);
    expect(faults).toEqual([expect.stringMatching(/^notes\.md:1 "Yes" is too short for a memory \(3 of 10/)]);
  });

  test("a text that is too long is parted between sentences, code between lines, and nothing is lost", async () => {
    const sentences = Array.from({ length: 900 }, (_, i) => `Sentence number ${i} says a little.`);
    const code = Array.from({ length: 900 }, (_, i) => `const value${i} = ${i};`);
    const read = await notes(`${sentences.join(" ")}\n\n# Code\n\n\`\`\`ts\n${code.join("\n")}\n\`\`\``);
    expect(read.faults).toEqual([]);
    expect(read.memories.length).toBeGreaterThan(4);
    for (const { content } of read.memories) expect(content.length).toBeLessThanOrEqual(10_000);
    const whole = contents(read).join(" ");
    expect([...sentences, ...code].filter((part) => !whole.includes(part))).toEqual([]);
  });

  test("a word of any length is parted, never within a character", async () => {
    const read = await notes("🎉".repeat(12_000));
    expect(contents(read).join("")).toBe("🎉".repeat(12_000));
    expect(contents(read).every((content) => content.isWellFormed())).toBe(true);
  });
});
