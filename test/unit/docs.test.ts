import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { consoleTypes } from "../../scripts/console/api-types.ts";
import { generatedDocs } from "../../scripts/generated-docs.ts";
import { createProgram } from "../../src/cli/program.ts";
import { commandsFor } from "../../src/startup/commands.ts";
import { createCliFactory } from "../../src/startup/factory.ts";

const program = createProgram(createCliFactory({}), await commandsFor({}));

import { SETTINGS } from "../../src/config/settings.ts";

const PAPERS = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...readdirSync("docs").map((name) => `docs/${name}`),
].filter((file) => file.endsWith(".md") && existsSync(file));
const texts = new Map(await Promise.all(PAPERS.map(async (file) => [file, await Bun.file(file).text()] as const)));

test("there are papers", () => {
  expect(PAPERS.length).toBeGreaterThan(10);
});

test("the generated parts of docs are as the code has them (bun scripts/generated-docs.ts)", async () => {
  for (const [file, text] of await generatedDocs()) expect(text).toBe(await Bun.file(file).text());
});

test("the console's types of the interface are as the code has them (bun scripts/console/api-types.ts)", async () => {
  for (const [file, text] of consoleTypes()) expect(text).toBe(await Bun.file(file).text());
});

test("every table of docs/benchmarks.md names the day, the machine and a command that is there", () => {
  const parts = [
    ...(texts.get("docs/benchmarks.md") ?? "").matchAll(/<!-- begin: (\S+) -->([\s\S]*?)<!-- end: \1 -->/g),
  ];
  expect(parts.length).toBeGreaterThan(8);
  for (const [, name, part = ""] of parts) {
    const [, script] =
      /^\d{4}-\d\d-\d\d, \d+ cores, \d+ GiB: `bun (\S+\.ts)[^`]*`$/.exec(part.trim().split("\n").at(-1) ?? "") ?? [];
    expect({ name, script, isThere: existsSync(script ?? "") }).toEqual({ name, script, isThere: true });
  }
});

/** The fragment that a heading is reached by. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));

describe.each(PAPERS)("%s", (file) => {
  const text = texts.get(file) ?? "";

  test("links to files and headings that are there", () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    const broken = links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? file : normalize(join(dirname(file), path));
      if (!existsSync(target)) return true;
      return anchor !== undefined && !anchorsOf(texts.get(target) ?? "").includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test("names files of the repository that are there", () => {
    const named = [...text.matchAll(/`((?:src|test|scripts|docs|models|examples)\/[\w./-]+)`?/g)].map(
      ([, path = ""]) => path,
    );
    expect(named.filter((path) => !existsSync(path.replace(/[.,]$/, "")))).toEqual([]);
  });

  test("names settings that are there", () => {
    const known = new Set([
      ...Object.keys(SETTINGS).map((name) => `CAIRN_${name.toUpperCase()}`),
      "CAIRN_URL",
      "CAIRN_KEY",
      "CAIRN_IMPORT_KEY",
      "CAIRN_BINARY",
      "CAIRN_CONFIG",
    ]);
    const named = [...text.matchAll(/\bCAIRN_[A-Z_]+\b/g)].map(([name]) => name);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  test("shows commands and flags that are there", () => {
    const lines = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = ""]) => block.split("\n"));
    const wrong = lines.flatMap((line) => {
      const [, command, rest = ""] = /(?:^|\s)(?:\.\/dist\/)?cairn ([a-z]+)(.*)/.exec(line.replace(/#.*/, "")) ?? [];
      if (command === undefined) return [];
      const found = program.commands.find((one) => one.name() === command);
      if (!found) return [line];
      const known = [found, ...found.commands].flatMap(({ options }) => options.map(({ long }) => long));
      const settings = command === "serve" ? Object.keys(SETTINGS).map((name) => `--${name.replaceAll("_", "-")}`) : [];
      return (rest.match(/--[a-z-]+/g) ?? [])
        .filter((flag) => ![...known, ...settings].includes(flag))
        .map((flag) => `${command} ${flag}`);
    });
    expect(wrong).toEqual([]);
  });
});
