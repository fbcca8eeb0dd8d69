import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isBinary, temporaryFolder } from "../support/app.ts";
import { HERMETIC } from "../support/in-process.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
const CAIRN = isBinary ? ["dist/cairn"] : [process.execPath, "src/main.ts"];

async function cairn(targets: string, ...words: string[]) {
  const env = {
    ...HERMETIC,
    HOME: process.env.HOME ?? tmpdir(),
    PATH: process.env.PATH ?? "",
    CAIRN_SKILL_TARGETS: targets,
  };
  const command = [...CAIRN, ...words, `--data=${join(folder.path, "data")}`];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe", env });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out: out.trimEnd(), err: err.trimEnd(), code };
}

test("cairn skills sync works on the folder itself, with targets from the environment", async () => {
  const dir = join(folder.path, "skills");
  const targets = JSON.stringify([{ dir, mode: "owned" }]);
  const dry = await cairn(targets, "skills", "sync", "--dry-run");
  expect([dry.code, dry.out, dry.err, existsSync(dir)]).toEqual([
    0,
    "",
    expect.stringContaining("Nothing was done"),
    false,
  ]);
  expect((await cairn(targets, "skills", "sync")).code).toBe(0);
  expect(JSON.parse(readFileSync(join(dir, ".cairn-skills.json"), "utf8"))).toEqual({ version: 1, skills: {} });
}, 180_000);

test.each([
  ["no JSON", "~/skills", "skill_targets"],
  ["an unknown mode", '[{"dir":"/tmp/x","mode":"all"}]', "skill_targets"],
  ["an unknown member", '[{"dir":"/tmp/x","mode":"owned","prune":true}]', "skill_targets"],
  ["a relative folder", '[{"dir":"skills","mode":"owned"}]', "absolute"],
  ["none", "[]", "CAIRN_SKILL_TARGETS"],
])(
  "targets that are %s are refused with a word on what to do",
  async (_, targets, hint) => {
    const { out, err, code } = await cairn(targets, "skills", "sync");
    expect([out, code]).toEqual(["", hint === "skill_targets" ? 1 : 2]);
    expect(err).toContain(hint);
  },
  30_000,
);
