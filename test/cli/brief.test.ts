import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/app.ts";
import { cairnIn } from "../support/command-line.ts";
import { git } from "../support/git.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
const repository = join(folder.path, "tide");
const cairn = cairnIn(folder.path, repository);

beforeAll(async () => {
  mkdirSync(repository);
  git(repository, "init", "-q", "-b", "fix/lantern-north-quay");
  for (const text of ["The lantern of the north quay burns green.", "Lunch is at twelve."])
    expect((await cairn(["add", text])).code).toBe(0);
});

test("`cairn brief` prints what a session that starts here is told: what bears on its branch before the latest", async () => {
  const { out, code } = await cairn(["brief"]);
  expect(code).toBe(0);
  const [hand, noted, lantern, lunch] = [
    '(branch "fix/lantern-north-quay"):',
    "Noted lately:",
    "burns green",
    "at twelve",
  ].map((text) => out.indexOf(text));
  expect([hand, lantern, noted, lunch]).toEqual([hand, lantern, noted, lunch].toSorted((a = -1, b = -1) => a - b));
  expect(hand).toBeGreaterThan(0);
  const { brief } = JSON.parse((await cairn(["brief", "--json"])).out);
  expect(out).toStartWith(brief);
});

test("`cairn brief` tells what was left open", async () => {
  expect((await cairn(["add", "--type", "task", "Grease the hinges of the lock gate."])).code).toBe(0);
  expect((await cairn(["brief"])).out).toMatch(/Left open:\n- \[[^\n]*Grease the hinges/);
});

test("`cairn brief` tells no more than fits, and refuses a budget of nothing", async () => {
  const { out } = await cairn(["brief", "--json", "--budget", "400"]);
  expect(JSON.parse(out).brief.length).toBeLessThanOrEqual(400);
  expect(await cairn(["brief", "--budget", "0"])).toMatchObject({ code: 2, err: expect.stringContaining("--budget") });
});
