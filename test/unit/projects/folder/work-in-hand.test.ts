import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
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
    expect(workInHand(join(folder, "src"), person)).toEqual({
      branch: "feature/tide-curve",
      changed: version === "3" ? ["later.ts"] : [],
      subjects: ["Smooth it: less noise", "Draw the first curve"],
    });
    write("src/c.ts", "longer than before", new Date("2026-02-02T00:00:00Z"));
    write("a.ts", "A.ts", new Date("2026-02-01T00:00:00Z"));
    rmSync(join(folder, "src/gone.ts"));
    const changed = workInHand(folder, person)?.changed.filter((path) => path !== "later.ts");
    expect(changed).toEqual(["src/c.ts", "a.ts", "src/gone.ts"]);
  });

  test("is nothing before the first commit but the branch, and nothing outside a repository", () => {
    expect(workInHand(folder, person)).toEqual({ branch: "feature/tide-curve", changed: [], subjects: [] });
    expect(workInHand(root.path, person)).toBeNull();
  });

  test("is no branch where none is checked out", () => {
    git(folder, "commit", "-q", "--allow-empty", "-m", "First");
    git(folder, "checkout", "-q", "--detach");
    expect(workInHand(folder, person)).toMatchObject({ branch: null, subjects: ["First"] });
  });

  test("is that of a linked work tree, not of the first one", () => {
    git(folder, "commit", "-q", "--allow-empty", "-m", "First");
    const linked = `${folder}-linked`;
    git(folder, "worktree", "add", "-q", "-b", "fix/night", linked);
    expect(workInHand(linked, person)).toMatchObject({ branch: "fix/night" });
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
    const found = workInHand(folder, person);
    expect(found).toMatchObject({ branch: "feature/tide-curve", subjects: ["First"] });
    expect(found?.changed.length).toBeLessThan(2);
  });

  test("never leads out of the work tree", () => {
    writeFileSync(join(root.path, "outside"), "x");
    const name = Buffer.from("../outside\0");
    const entry = Buffer.alloc(Math.ceil((62 + name.length) / 8) * 8);
    name.copy(entry, 62);
    writeFileSync(join(folder, ".git/index"), Buffer.concat([Buffer.from("DIRC\0\0\0\u0002\0\0\0\u0001"), entry]));
    expect(workInHand(folder, person)?.changed).toEqual([]);
  });
});
