import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { personOf } from "../../../../src/projects/folder/person.ts";
import { workInHand } from "../../../../src/projects/folder/work-in-hand.ts";
import { temporaryFolder } from "../../../support/app.ts";
import { git } from "../../../support/git.ts";

const root = temporaryFolder();
afterAll(() => root.remove());
const person = personOf({});
let folder: string;
let count = 0;
const write = (path: string, text: string, at = new Date()) => {
  writeFileSync(join(folder, path), text);
  utimesSync(join(folder, path), at, at);
};
const inHand = (at: string, now = Date.now()) => workInHand(at, person, now);
/** Rounded, it is another second. */
const NEARLY_A_SECOND = 1_767_225_601 - 1e-7;
const LONG_AGO = new Date("2026-01-01T00:00:00Z");

beforeEach(() => {
  folder = join(root.path, `repository-${++count}`);
  mkdirSync(join(folder, "src"), { recursive: true });
  git(folder, "init", "-q", "-b", "feature/tide-curve");
});

describe("what is in hand in a work tree", () => {
  test.each(["2", "3", "4"])("is told from an index of version %s", (version) => {
    git(folder, "config", "index.version", version);
    for (const name of ["a.ts", "src/b.ts", "src/bc.ts", "src/c.ts", "src/gone.ts"]) write(name, name, LONG_AGO);
    git(folder, "add", ".");
    if (version === "3") {
      write("later.ts", "later");
      git(folder, "add", "--intent-to-add", "later.ts");
    }
    git(folder, "commit", "-q", "-m", "Draw the first curve");
    git(folder, "commit", "-q", "--allow-empty", "-m", "Smooth it: less noise");
    expect(inHand(join(folder, "src"))).toEqual({
      branch: "feature/tide-curve",
      changed: version === "3" ? ["later.ts"] : [],
      subjects: ["Smooth it: less noise", "Draw the first curve"],
    });
    write("src/c.ts", "longer than before", new Date("2026-02-02T00:00:00Z"));
    write("a.ts", "A.ts", new Date("2026-02-01T00:00:00Z"));
    rmSync(join(folder, "src/gone.ts"));
    const changed = inHand(folder)?.changed.filter((path) => path !== "later.ts");
    expect(changed).toEqual(["src/c.ts", "a.ts", "src/gone.ts"]);
  });

  test("is nothing before the first commit but the branch, and nothing outside a repository", () => {
    expect(inHand(folder)).toEqual({ branch: "feature/tide-curve", changed: [], subjects: [] });
    expect(inHand(root.path)).toBeNull();
  });

  test("is no branch where none is checked out", () => {
    git(folder, "commit", "-q", "--allow-empty", "-m", "First");
    git(folder, "checkout", "-q", "--detach");
    expect(inHand(folder)).toMatchObject({ branch: null, subjects: ["First"] });
  });

  test("is that of a linked work tree, not of the first one", () => {
    git(folder, "commit", "-q", "--allow-empty", "-m", "First");
    const linked = `${folder}-linked`;
    git(folder, "worktree", "add", "-q", "-b", "fix/night", linked);
    expect(inHand(linked)).toMatchObject({ branch: "fix/night" });
  });

  test.each<[string, Buffer]>([
    ["cut short", Buffer.from("DIRC\0\0\0\u0002\0\0\0\u0009abc")],
    ["that says that it has four thousand million files", Buffer.from("DIRC\0\0\0\u0002\xff\xff\xff\xff", "latin1")],
    ["of another version", Buffer.from("DIRC\0\0\0\u0009\0\0\0\u0001")],
    ["that is none", Buffer.from("#!/bin/sh\ntouch owned\n")],
    [
      "whose names are cut from nothing",
      Buffer.concat([
        Buffer.from("DIRC\0\0\0\u0004\0\0\0\u0001"),
        Buffer.alloc(62),
        Buffer.from([255, 255, 255, 127, 65, 0]),
      ]),
    ],
  ])("is as far as it can be read beside an index %s", (_, index) => {
    git(folder, "commit", "-q", "--allow-empty", "-m", "First");
    writeFileSync(join(folder, ".git/index"), index);
    const found = inHand(folder);
    expect(found).toMatchObject({ branch: "feature/tide-curve", subjects: ["First"] });
    expect(found?.changed.length).toBeLessThan(2);
  });

  test("is in no time beside an index of long names, or a log of one long line", () => {
    git(folder, "commit", "-q", "--allow-empty", "-m", "First");
    const entry = Buffer.alloc(62);
    entry.writeUInt32BE(0o100644, 24);
    const long = Buffer.concat([entry, Buffer.from([0]), Buffer.alloc(1_500_000, "/a"), Buffer.from([0])]);
    const short = Buffer.concat([entry, Buffer.from([0]), Buffer.from("a\0")]);
    const head = Buffer.from("DIRC\0\0\0\u0004\0\0\u0013\u0088");
    writeFileSync(
      join(folder, ".git/index"),
      Buffer.concat([head, long, ...Array.from({ length: 5_000 }, () => short)]),
    );
    writeFileSync(join(folder, ".git/logs/refs/heads/feature/tide-curve"), `${"\tcommit: ".repeat(7_000)}\r`);
    expect(inHand(folder)).toEqual({ branch: "feature/tide-curve", changed: [], subjects: [] });
  });

  test("leaves out what git itself does not look at, and what lies behind a link", () => {
    const outside = join(root.path, `outside-${count}`);
    mkdirSync(outside);
    for (const name of ["skipped.ts", "assumed.ts", "src/linked.ts", "z.ts"]) write(name, name, LONG_AGO);
    git(folder, "add", ".");
    git(folder, "update-index", "--skip-worktree", "skipped.ts");
    git(folder, "update-index", "--assume-unchanged", "assumed.ts");
    rmSync(join(folder, "src"), { recursive: true });
    symlinkSync(outside, join(folder, "src"));
    for (const name of ["skipped.ts", "assumed.ts", "src/linked.ts", "z.ts"]) write(name, "another text");
    expect(inHand(folder)?.changed).toEqual(["z.ts"]);
  });

  test("tells what was changed where a folder has become a file, and where times have fractions", () => {
    mkdirSync(join(folder, "d"));
    for (const name of ["d/a.ts", "z.ts", "y.ts"]) writeFileSync(join(folder, name), name);
    utimesSync(join(folder, "y.ts"), NEARLY_A_SECOND, NEARLY_A_SECOND);
    git(folder, "add", ".");
    rmSync(join(folder, "d"), { recursive: true });
    writeFileSync(join(folder, "d"), "a file");
    write("z.ts", "longer than before");
    expect(inHand(folder)?.changed).toEqual(["z.ts", "d/a.ts"]);
  });

  test("is what was committed lately on this branch, each as it was amended", () => {
    git(folder, "commit", "-q", "--allow-empty", "-m", "First");
    git(folder, "commit", "-q", "--allow-empty", "--amend", "-m", "First, mended");
    git(folder, "checkout", "-q", "-b", "other");
    git(folder, "commit", "-q", "--allow-empty", "-m", "Of another branch");
    git(folder, "checkout", "-q", "feature/tide-curve");
    expect(inHand(folder)?.subjects).toEqual(["First, mended"]);
    expect(inHand(folder, Date.now() + 30 * 86_400_000)?.subjects).toEqual([]);
  });

  test("never leads out of the work tree", () => {
    writeFileSync(join(root.path, "outside"), "x");
    const name = Buffer.from("../outside\0");
    const entry = Buffer.alloc(Math.ceil((62 + name.length) / 8) * 8);
    name.copy(entry, 62);
    writeFileSync(join(folder, ".git/index"), Buffer.concat([Buffer.from("DIRC\0\0\0\u0002\0\0\0\u0001"), entry]));
    expect(inHand(folder)?.changed).toEqual([]);
  });
});
