import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../support/app.ts";
import { cairnIn } from "../support/command-line.ts";

/** Against a hang alone. */
setDefaultTimeout(300_000);

const folder = temporaryFolder();
afterAll(() => folder.remove());
let count = 0;

/** Imports a folder of notes, one of them sound, into a Cairn of its own. */
async function importing(files: Readonly<Record<string, string>>, prepare: (notes: string) => void = () => {}) {
  const top = join(folder.path, String(++count));
  const notes = join(top, "notes");
  for (const [path, text] of Object.entries({
    ...files,
    "sound.md": "The heron fishes at the weir every morning.\n",
  })) {
    mkdirSync(dirname(join(notes, path)), { recursive: true });
    writeFileSync(join(notes, path), text);
  }
  prepare(notes);
  const startedAt = performance.now();
  const ran = await cairnIn(join(top, "data"), top)(["import", notes, "--from", "markdown"]);
  return { ...ran, took: performance.now() - startedAt };
}

const usual = await importing({});

test.each([
  ["quotes in one another", "> ".repeat(20_000)],
  ["quotes in one another, with more below", `\n${"> ".repeat(4_000)}\nx`],
  ["lists in one another", `${"- ".repeat(20_000)}a`],
  ["lists in one another, a line each", Array.from({ length: 800 }, (_, i) => `${"  ".repeat(i)}- a`).join("\n")],
])("a file of %s is refused by name, line and cause, and the others are read", async (_what, text) => {
  const { out, err, code, took } = await importing({ "deep.md": text });
  expect(code).toBe(1);
  expect(err).toMatch(/deep\.md:\d+: refused: Quotes and lists lie deeper than 32 in one another here/);
  expect(out).toContain("1 stored");
  expect(took).toBeLessThan(8 * Math.max(usual.took, 1_000));
});

test.each([
  ["beginnings of comments", "<!--".repeat(60_000)],
  ["beginnings of comments within a text", `x ${"<!--".repeat(60_000)}\n\nend`],
  ["beginnings of elements", "<a ".repeat(60_000)],
  ["half-emphasised words", `${"_a_b".repeat(60_000)}\n`],
  ["brackets", "[".repeat(200_000)],
  ["stars", "**a".repeat(60_000)],
  ["keys in front of it", `---\n${"[".repeat(200_000)}\n---\nText.`],
  ["mapped keys in front of it", `---\n${"a: b: c\n".repeat(20_000)}---\nText.`],
  [
    "aliases that multiply",
    `---\na: &a [x]\n${"bcdefghij"
      .split("")
      .map((name, i, all) => `${name}: &${name} [${`*${i === 0 ? "a" : all[i - 1]},`.repeat(9)}]`)
      .join("\n")}\n---\nText.`,
  ],
])("a file of %s is read or refused in time that grows as it does, and the others are read", async (_what, text) => {
  const { out, took } = await importing({ "hostile.md": text });
  expect(out).toMatch(/\d+ stored/);
  expect(took).toBeLessThan(8 * Math.max(usual.took, 1_000));
});

test("links, pipes and devices in a folder of notes are passed over, and a link to the folder above ends nowhere", async () => {
  const { out, err, code } = await importing({}, (notes) => {
    writeFileSync(join(notes, "../secret.md"), "The password of the weir is hunter2, as ever.\n");
    symlinkSync("../secret.md", join(notes, "secret.md"));
    symlinkSync("..", join(notes, "above"));
    symlinkSync("/dev/zero", join(notes, "zero.md"));
    Bun.spawnSync(["mkfifo", join(notes, "pipe.md")]);
  });
  expect([code, err.split("\n")]).toEqual([0, [expect.stringContaining("1 record, for everyone")]]);
  expect(out).toContain("1 stored");
});
