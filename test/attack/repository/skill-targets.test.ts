import { afterAll, afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncSkills } from "../../../src/cli/skills/sync.ts";
import { enableFactory, skillsApi } from "../../support/api/skills.ts";
import { temporaryFolder } from "../../support/app.ts";
import { openApp } from "../../support/in-process.ts";

// Skills go into the folder of a harness within a repository, of which others choose what is a link.

/** Against a hang alone. */
setDefaultTimeout(120_000);

const { app, client } = await openApp();
afterAll(() => app.stop());
await enableFactory(client);
await skillsApi(client).write("tidy", { source: "manual", status: "active", content: "Put it back.\n" });

let folder = temporaryFolder();
beforeEach(() => {
  folder = temporaryFolder();
  put("home/.claude/skills/mine/SKILL.md", "Mine.");
  put("home/repo/.git/config", "");
});
afterEach(() => folder.remove());

const at = (path: string): string => join(folder.path, path);
function put(path: string, text: string): string {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  return at(path);
}
function link(target: string, path: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  symlinkSync(at(target), at(path));
}
const sync = (...dirs: readonly string[]) => {
  const targets = dirs.map((dir) => ({ dir: at(dir), mode: "owned" as const, register: false }));
  return syncSkills(app.call, { prune: true }, { targets, home: at("home") });
};

test.each([
  ["itself", "home/.claude/skills", "home/repo/.claude/skills"],
  ["by a folder above it", "home/.claude", "home/repo/.claude"],
  ["by a folder above it that has none of it yet", "home/.config", "home/repo/.claude"],
])("a target in a repository that leads out of it %s is refused, and nothing is touched", async (_, target, path) => {
  mkdirSync(at("home/.config"), { recursive: true });
  link(target, path);
  await expect(sync("home/repo/.claude/skills")).rejects.toThrow("leads out of it");
  expect(readFileSync(at("home/.claude/skills/mine/SKILL.md"), "utf8")).toBe("Mine.");
  expect([existsSync(at("home/.claude/skills/tidy")), existsSync(at("home/.config/skills"))]).toEqual([false, false]);
});

test("a link within a repository, and one of a person's own settings, are followed", async () => {
  put("home/.git/config", "");
  mkdirSync(at("home/repo/skills"));
  link("home/repo/skills", "home/repo/.claude/skills");
  mkdirSync(at("dotfiles"));
  link("dotfiles", "home/.agents");
  await sync("home/repo/.claude/skills", "home/.agents");
  expect([existsSync(at("home/repo/skills/tidy/SKILL.md")), existsSync(at("dotfiles/tidy/SKILL.md"))]).toEqual([
    true,
    true,
  ]);
});

test("a repository whose .git leads nowhere is one", async () => {
  rmSync(at("home/repo/.git"), { recursive: true });
  link("home/nowhere", "home/repo/.git");
  link("home/.claude", "home/repo/.claude");
  await expect(sync("home/repo/.claude/skills")).rejects.toThrow("leads out of it");
  expect(readFileSync(at("home/.claude/skills/mine/SKILL.md"), "utf8")).toBe("Mine.");
});

test("through a link in a folder that is no repository nothing of a person's own is replaced or removed", async () => {
  rmSync(at("home/repo/.git"), { recursive: true });
  put("home/.claude/skills/tidy/SKILL.md", "My own way to tidy.");
  link("home/.claude", "home/repo/.claude");
  const { lines } = await sync("home/repo/.claude/skills");
  expect(lines.join("\n")).toContain("a link leads there");
  expect(readFileSync(at("home/.claude/skills/mine/SKILL.md"), "utf8")).toBe("Mine.");
  expect(readFileSync(at("home/.claude/skills/tidy/SKILL.md"), "utf8")).toBe("My own way to tidy.");
  await sync("home/.claude/skills");
  expect(existsSync(at("home/.claude/skills/mine"))).toBe(false);
});

test("a file of gigabytes in one target keeps no other from being brought in line", async () => {
  truncateSync(put("home/repo/.claude/skills/tidy/SKILL.md", ""), 3_500_000_000);
  await sync("home/repo/.claude/skills", "home/other");
  for (const dir of ["home/repo/.claude/skills", "home/other"])
    expect(readFileSync(at(`${dir}/tidy/SKILL.md`), "utf8")).toContain("Put it back.");
});
