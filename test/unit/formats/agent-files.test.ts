import { describe, expect, test } from "bun:test";
import { agentFiles } from "../../../src/formats/agent-files.ts";
import { contents, read } from "./support.ts";

test("instructions are preferences, under their headings; other statements are left to be read", async () => {
  const { memories } = await read(agentFiles, {
    "CLAUDE.md":
      "# CLAUDE.md\n\n## Code style\n\n- Tabs, never spaces\n- Use `bun test`\n\n## Layout\n\n- The API lives in `src/api`\n",
  });
  expect(memories.map(({ content, memory_type }) => [content, memory_type])).toEqual([
    ["Code style — Tabs, never spaces", "preference"],
    ["Code style — Use `bun test`", "preference"],
    ["Layout — The API lives in `src/api`", undefined],
  ]);
  expect(memories[0]).toMatchObject({
    source_uri: "CLAUDE.md",
    metadata: {
      imported_from: { format: "agent-files", file: "CLAUDE.md", line: 5, headings: ["CLAUDE.md", "Code style"] },
    },
  });
  expect(memories.every(({ fleet_id }) => fleet_id === undefined)).toBe(true);
});

test.each(["AGENTS.md", "GEMINI.md", ".cursorrules", "pkg/AGENTS.md", "docs/style.mdc", "copilot-instructions.md"])(
  "%s is read in a folder with code",
  async (path) => {
    const found = await read(agentFiles, {
      [path]: "Always run the linter.",
      "main.ts": "code",
      "README.md": "A readme.",
    });
    expect(contents(found).map((content) => content.split(" — ").at(-1))).toEqual(["Always run the linter."]);
  },
);

describe("a folder with MEMORY.md", () => {
  const FOLDER = {
    "MEMORY.md":
      "# Memory\n\n- [Tests](feedback_tests.md) — real database\n- [Gone](gone.md) — the server is called Atlas\n\nThe user works in Lisbon.\n",
    "feedback_tests.md":
      "---\nname: feedback_tests\ndescription: Tests must hit a real database\ntype: feedback\n---\n\nIntegration tests must hit a real database.\n\n**Why:** mocks hid a broken migration.\n",
    "user_role.md": "---\nname: Role of the user\ndescription: d\ntype: user\n---\n\nIs a data scientist.\n",
  };

  test("is its files, one memory each, and what its index says itself", async () => {
    const { memories, faults } = await read(agentFiles, FOLDER);
    expect(faults).toEqual([]);
    expect(memories.map(({ content, title, memory_type }) => ({ content, title, memory_type }))).toEqual([
      { content: "[Gone](gone.md) — the server is called Atlas", title: undefined, memory_type: undefined },
      { content: "The user works in Lisbon.", title: undefined, memory_type: undefined },
      {
        content: "Integration tests must hit a real database.\n\n**Why:** mocks hid a broken migration.",
        title: "Tests must hit a real database",
        memory_type: "preference",
      },
      { content: "Role of the user — Is a data scientist.", title: "Role of the user", memory_type: "fact" },
    ]);
    expect(memories[2]?.metadata).toMatchObject({ description: "Tests must hit a real database", type: "feedback" });
  });

  test("tells what cannot be read of it", async () => {
    const { faults } = await read(agentFiles, { ...FOLDER, "bad.md": "---\nname: a: b: c\n---\n\nThe text." });
    expect(faults).toEqual([expect.stringMatching(/^bad\.md:2 Its front matter is no YAML/)]);
  });
});
