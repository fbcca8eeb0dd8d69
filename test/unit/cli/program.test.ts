import { describe, expect, test } from "bun:test";
import { cutTo } from "../../../src/cli/columns.ts";
import { sayDate } from "../../../src/cli/dates.ts";
import { plainText } from "../../../src/cli/output.ts";
import { createProgram, OVERVIEW } from "../../../src/cli/program.ts";
import { tableLines } from "../../../src/cli/table.ts";
import { commandsFor } from "../../../src/startup/commands.ts";
import { createCliFactory } from "../../../src/startup/factory.ts";

const program = createProgram(createCliFactory({}), await commandsFor({}));

test("each command is found by its name alone, without the others", async () => {
  for (const name of program.commands.map((one) => one.name())) {
    const { commands } = createProgram(createCliFactory({}), await commandsFor({}, [name]));
    expect(commands.map((one) => one.name())).toContain(name);
    if (name !== "completion") expect(commands.length).toBeLessThan(3);
  }
});

describe("help", () => {
  test("of the whole fits a screen of 24 lines and 80 columns, and names every command", () => {
    const lines = OVERVIEW.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    for (const command of program.commands) expect(OVERVIEW).toMatch(new RegExp(`\\b${command.name()}\\b`));
  });

  test("of each command shows an example, or leads to its own commands", () => {
    for (const command of program.commands.filter((one) => !["help", "version", "licenses"].includes(one.name()))) {
      let help = "";
      command.configureOutput({
        writeOut: (text) => {
          help += text;
        },
      });
      command.outputHelp();
      expect([command.name(), help]).toEqual([command.name(), expect.stringMatching(/Example:|Commands:/)]);
    }
  });
});

/** The help of a command, in one line. */
function helpOf(name: string): string {
  let help = "";
  const command = program.commands.find((one) => one.name() === name);
  command?.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command?.outputHelp();
  return help.replace(/\s+/g, " ");
}

test.each([
  [
    "backup",
    ["keys as hashes", "deleted ones", "Models and the config file are not", "`cairn restore FILE`", "kept aside"],
  ],
  [
    "export",
    ["Keys, deleted memories, the audit log and vectors are not", "nothing is written over", "`cairn import`"],
  ],
  ["import", ["is here already stays", "stores nothing twice", "exit code 1", "unless the source is trusted"]],
])("the help of %s says what happens, and what is in it and what not", (name, said) => {
  const help = helpOf(name);
  for (const words of said) expect(help).toContain(words);
});

test("commands of a project say where it is told from", () => {
  expect(helpOf("add")).toContain("see `cairn project`");
  expect(helpOf("export")).toContain("else that of this folder");
});

test("a moment is told as people say it", () => {
  const now = Date.parse("2026-06-15T12:00:00Z");
  const said = (iso: string) => sayDate(iso, now);
  expect(said("2026-06-15T12:00:10Z")).toBe("now");
  expect(said("2026-06-15T09:00:00Z")).toBe("3 hours ago");
  expect(said("2026-06-14T12:00:00Z")).toBe("yesterday");
  expect(said("2026-06-25T12:00:00Z")).toBe("next week");
  expect(said("2020-06-15T12:00:00Z")).toBe("6 years ago");
  expect(said("no date")).toBe("no date");
});

describe("a table", () => {
  const columns = [
    { title: "ID", value: (row: { id: string }) => row.id },
    { title: "TEXT", value: (row: { id: string; text: string }) => row.text, isWide: true },
  ];

  test("fits the terminal, wide characters counted as two", () => {
    const rows = [
      { id: "1", text: "a long text that does not fit at all" },
      { id: "22", text: "日本語の長い長い長い長い長い文章" },
    ];
    const lines = tableLines(rows, columns, 24);
    for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(24);
    expect(lines[0]).toStartWith("ID  TEXT");
    expect(lines[1]).toEndWith("…");
  });

  test("cuts no character in two", () => {
    expect(cutTo("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3)).toBe("👩‍👩‍👧‍👦…");
  });
});

test("a text cannot order a terminal about", () => {
  expect(plainText("a\u001b[31mred\u0007 \u202eback\n\tb")).toBe("a\ufffd[31mred\ufffd \ufffdback b");
  expect(plainText("a\nb", { keepsLines: true })).toBe("a\nb");
});
