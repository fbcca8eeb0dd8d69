import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { chownSync, cpSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ProjectError } from "../../../../src/projects/folder/error.ts";
import { evidenceOf } from "../../../../src/projects/folder/evidence.ts";
import { personOf } from "../../../../src/projects/folder/person.ts";
import { temporaryFolder } from "../../../support/app.ts";
import { git } from "../../../support/git.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
let home = "";
let count = 0;
beforeEach(() => {
  home = join(realpathSync(folder.path), String(++count));
  mkdirSync(home);
});

const person = (trusted: readonly string[] = []) => ({
  ...personOf({}),
  home,
  machine: "desk",
  trusted: () => trusted,
});
const at = (path: string) => join(home, path);
const place = (path: string) => `desk:${at(path)}`;
const gathered = (path: string, save = false) => evidenceOf(at(path), person(), { save });
const look = (path: string) => {
  const { evidence, warnings } = gathered(path);
  expect(warnings).toEqual([]);
  return evidence;
};
const saved = (path: string) => gathered(path, true).evidence;
/** The id that a save keeps. */
function keptAt(path: string): string {
  const { kept } = saved(path);
  if (kept === undefined) throw new Error(`${path} keeps no id`);
  return kept;
}
const write = (path: string, text: string) => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};
/** A repository with a commit, and with a remote where one is named. */
function repository(path: string, remote?: string): void {
  mkdirSync(at(path), { recursive: true });
  git(at(path), "init", "--quiet");
  git(at(path), "commit", "--quiet", "--allow-empty", "-m", "begin");
  if (remote !== undefined) git(at(path), "remote", "add", "origin", remote);
}

test("two repositories of one name are two, by their remotes and without any", () => {
  repository("a/api", "git@github.com:clientA/api.git");
  repository("b/api", "https://github.com/clientB/api");
  expect(look("a/api")).toEqual({
    remote: "github.com/clienta/api",
    folder: place("a/api/.git"),
    at: place("a/api"),
  });
  expect(look("b/api").remote).toBe("github.com/clientb/api");
  repository("c/api");
  repository("d/api");
  expect(look("c/api")).toEqual({ folder: place("c/api/.git"), at: place("c/api") });
  const [one, other] = [saved("c/api"), saved("d/api")];
  expect(one).toEqual({
    kept: expect.stringMatching(/^[0-9a-f-]{36}$/),
    folder: place("c/api/.git"),
    at: place("c/api"),
  });
  expect(other.kept).not.toBe(one.kept);
  expect(look("c/api")).toEqual(one);
  expect(saved("c/api")).toEqual(one);
});

test("only a save keeps an id, and git sees nothing of it", () => {
  repository("shop", "git@github.com:me/shop.git");
  look("shop");
  expect(Array.from(new Bun.Glob("**/*").scanSync({ cwd: at("shop/.git") })).join()).not.toContain("cairn");
  expect(saved("shop")).toEqual({
    kept: expect.any(String),
    remote: "github.com/me/shop",
    folder: place("shop/.git"),
    at: place("shop"),
  });
  expect(Bun.spawnSync(["git", "status", "--porcelain"], { cwd: at("shop") }).stdout.toString()).toBe("");
});

test("a subfolder, also by a link, is of its repository", () => {
  repository("shop");
  mkdirSync(at("shop/src/deep"), { recursive: true });
  symlinkSync(at("shop/src"), at("way"));
  const kept = keptAt("shop/src/deep");
  for (const path of ["shop", "shop/src/deep", "way/deep", "way", "shop/.git/hooks"])
    expect(look(path)).toEqual({ kept, folder: place("shop/.git"), at: place("shop") });
});

test("the work trees of a repository are one project, each at its own place", () => {
  repository("shop");
  git(at("shop"), "worktree", "add", "--quiet", at("trees/next"), "-b", "next");
  expect(look("trees/next")).toEqual({ folder: place("shop/.git"), at: place("trees/next") });
  const kept = keptAt("trees/next");
  expect(look("shop")).toEqual({ kept, folder: place("shop/.git"), at: place("shop") });
  git(at("shop"), "remote", "add", "origin", "../hub/shop.git");
  expect([look("shop").remote, look("trees/next").remote]).toEqual(Array(2).fill(`file${at("hub/shop")}`));
});

test("the work trees of a bare repository are one project, and its own folder is outside of any", () => {
  repository("seed");
  git(home, "clone", "--quiet", "--bare", at("seed"), at("shop.git"));
  git(at("shop.git"), "worktree", "add", "--quiet", at("shop.git/main"), "-b", "main2");
  expect(look("shop.git/main").folder).toBe(place("shop.git"));
  expect(saved("shop.git/main").kept).toBeDefined();
  expect(look("shop.git")).toEqual({ at: place("shop.git") });
});

test("a nested repository and a submodule are projects of their own", () => {
  repository("outer", "git@github.com:me/outer.git");
  repository("outer/vendor/inner");
  repository("part", "git@github.com:me/part.git");
  git(at("outer"), "submodule", "--quiet", "add", at("part"), "part");
  const [outer, inner, part] = [saved("outer"), saved("outer/vendor/inner"), saved("outer/part")];
  expect(new Set([outer.kept, inner.kept, part.kept]).size).toBe(3);
  expect([outer.remote, inner.remote, part.remote]).toEqual(["github.com/me/outer", undefined, `file${at("part")}`]);
  expect([inner.at, part.at]).toEqual([place("outer/vendor/inner"), place("outer/part")]);
});

test("outside of a repository only the place is told", () => {
  mkdirSync(at("notes"));
  expect(gathered("notes", true)).toEqual({ evidence: { at: place("notes") }, warnings: [] });
});

describe("a copy of a repository", () => {
  const copy = (from: string, to: string) => cpSync(at(from), at(to), { recursive: true, preserveTimestamps: true });

  test("with the same remote is the same project", () => {
    repository("one", "git@github.com:me/one.git");
    const kept = keptAt("one");
    copy("one", "two");
    expect(look("two")).toEqual({ kept, remote: "github.com/me/one", folder: place("two/.git"), at: place("two") });
  });

  test("with another remote is another, and is told how to get its own id", () => {
    repository("one", "git@github.com:me/one.git");
    const kept = keptAt("one");
    copy("one", "two");
    git(at("two"), "remote", "set-url", "origin", "git@github.com:me/two.git");
    for (const save of [false, true]) {
      const { evidence, warnings } = gathered("two", save);
      expect(evidence).toEqual({ remote: "github.com/me/two", folder: place("two/.git"), at: place("two") });
      expect(warnings).toEqual([expect.stringContaining(at("two/.git/cairn/project.json"))]);
      expect(warnings[0]).toContain("Remove it");
    }
    rmSync(at("two/.git/cairn/project.json"));
    expect(saved("two").kept).not.toBe(kept);
    expect(look("one").kept).toBe(kept);
  });

  test("without a remote is another while the first one stands, also where it is given one", () => {
    repository("one");
    const kept = keptAt("one");
    copy("one", "two");
    expect(gathered("two").evidence).toEqual({ folder: place("two/.git"), at: place("two") });
    expect(gathered("two").warnings).toHaveLength(1);
    git(at("two"), "remote", "add", "origin", "git@github.com:me/two.git");
    expect(gathered("two").evidence.kept).toBeUndefined();
    expect(look("one").kept).toBe(kept);
  });

  test("a move takes its id along, without a remote as well", () => {
    repository("one");
    const kept = keptAt("one");
    renameSync(at("one"), at("two"));
    expect(look("two")).toEqual({ kept, folder: place("two/.git"), at: place("two") });
    repository("one");
    expect(look("two").kept).toBe(kept);
    expect(saved("one").kept).not.toBe(kept);
    expect(look("two").kept).toBe(kept);
  });
});

test("a first, a changed and a removed remote at the same path leave the id", () => {
  const there = { folder: place("shop/.git"), at: place("shop") };
  repository("shop");
  const kept = keptAt("shop");
  git(at("shop"), "remote", "add", "origin", "git@github.com:me/shop.git");
  expect(look("shop")).toEqual({ ...there, kept, remote: "github.com/me/shop" });
  git(at("shop"), "remote", "set-url", "origin", "git@github.com:us/shop.git");
  expect(look("shop")).toEqual({ ...there, kept, remote: "github.com/us/shop" });
  git(at("shop"), "remote", "remove", "origin");
  expect(look("shop").kept).toBe(kept);
});

test("of several remotes without an origin none tells, and one alone does", () => {
  repository("shop");
  git(at("shop"), "remote", "add", "upstream", "git@github.com:us/shop.git");
  expect(look("shop").remote).toBe("github.com/us/shop");
  git(at("shop"), "remote", "add", "fork", "git@github.com:me/shop.git");
  expect(look("shop").remote).toBeUndefined();
  git(at("shop"), "remote", "add", "origin", "git@github.com:we/shop.git");
  expect(look("shop").remote).toBe("github.com/we/shop");
});

test("a remote that names no repository is passed over, and no secret of it is told", () => {
  repository("shop", "https://me:sec/ret@github.com/me/shop");
  const { evidence, warnings } = gathered("shop");
  expect(evidence.remote).toBeUndefined();
  expect(warnings).toEqual([expect.stringContaining(at("shop/.git/config"))]);
  expect(warnings.join()).not.toContain("ret@");
});

test("a .cairn.json where a repository begins names it, and nothing is kept for it", () => {
  repository("shop", "git@github.com:me/shop.git");
  write("shop/.cairn.json", '{"project": "till"}');
  mkdirSync(at("shop/src"));
  const told = { remote: "github.com/me/shop", folder: place("shop/.git"), at: place("shop") };
  for (const save of [false, true])
    expect(gathered("shop/src", save)).toEqual({
      evidence: { ...told, file: { name: "till", place: place("shop") } },
      warnings: [],
    });
});

test("one deeper in a repository, or above it, names what lies there, of which the repository tells nothing", () => {
  repository("work/shop", "git@github.com:me/shop.git");
  write("work/shop/api/.cairn.json", '{"project": "api"}');
  const api = { file: { name: "api", place: place("work/shop/api") }, at: place("work/shop/api") };
  mkdirSync(at("work/shop/api/src"));
  expect(look("work/shop/api/src")).toEqual(api);
  expect(saved("work/shop/api/src")).toEqual(api);
  expect(look("work/shop").file).toBeUndefined();
  write("work/.cairn.json", '{"project": "all"}');
  expect(saved("work/shop")).toEqual({ file: { name: "all", place: place("work") }, at: place("work") });
});

test("a committed .cairn.json has one place in all work trees", () => {
  repository("shop");
  write("shop/.cairn.json", '{"project": "till"}');
  write("shop/api/.cairn.json", '{"project": "api"}');
  git(at("shop"), "add", ".");
  git(at("shop"), "commit", "--quiet", "-m", "names");
  git(at("shop"), "worktree", "add", "--quiet", at("trees/next"), "-b", "next");
  expect(look("trees/next")).toEqual({ ...look("shop"), at: place("trees/next") });
  expect(look("trees/next/api")).toEqual({ ...look("shop/api"), at: place("trees/next/api") });
});

test("a broken .cairn.json is refused by its path", () => {
  repository("shop");
  write("shop/.cairn.json", "{");
  expect(() => gathered("shop", true)).toThrow(ProjectError);
  expect(() => gathered("shop")).toThrow(at("shop/.cairn.json"));
});

test("a .git that leads nowhere is no part of the repository around it, and is told", () => {
  repository("outer");
  write("outer/tree/.git", "gitdir: /nowhere/at/all\n");
  const { evidence, warnings } = gathered("outer/tree", true);
  expect(evidence).toEqual({ at: place("outer/tree") });
  expect(warnings).toEqual([expect.stringContaining(at("outer/tree/.git"))]);
  mkdirSync(at("outer/empty/.git"), { recursive: true });
  expect(look("outer/empty").at).toBe(place("outer"));
});

/** Somebody else: nobody. */
const OTHER = 65_534;

describe.skipIf(process.getuid?.() !== 0)("of somebody else (needs root, to give files away)", () => {
  const give = (...paths: string[]) => {
    for (const path of paths) chownSync(at(path), OTHER, OTHER);
  };

  test("a .cairn.json says nothing, and a repository neither, though one is around it", () => {
    repository("outer", "git@github.com:me/outer.git");
    repository("outer/theirs", "git@github.com:them/theirs.git");
    write("outer/theirs/.cairn.json", '{"project": "theirs"}');
    give("outer/theirs/.cairn.json", "outer/theirs", "outer/theirs/.git");
    const { evidence, warnings } = gathered("outer/theirs", true);
    expect(evidence).toEqual({ at: place("outer/theirs") });
    expect(warnings).toEqual([expect.stringContaining(`safe.directory ${at("outer/theirs")}`)]);
  });

  test("a repository that git was told to trust tells, and nothing is kept in it", () => {
    repository("theirs");
    give("theirs", "theirs/.git");
    const trusting = evidenceOf(at("theirs"), person([at("theirs")]), { save: true });
    expect(trusting.evidence).toEqual({ folder: place("theirs/.git"), at: place("theirs") });
    expect(trusting.warnings).toEqual([expect.stringContaining("cannot be written")]);
  });

  test("an id that is kept is not taken", () => {
    repository("shop");
    saved("shop");
    give("shop/.git/cairn/project.json");
    const { evidence, warnings } = gathered("shop", true);
    expect(evidence.kept).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining("belongs to somebody else")]);
  });
});
