import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { requireOwnFolder } from "../../../src/core/kernel/files/own-folder.ts";
import { openPrivateFile, writePrivateFile } from "../../../src/core/kernel/files/private-files.ts";
import { aFolder, cleanUp } from "../../fault/server.ts";
import { folderOf, hasUsers, NEIGHBOUR, run, VICTIM } from "./users.ts";

// Whoever owns the folder of the data, or may write into it, reads every memory, and chooses what is written over.

/** Against a hang alone. */
setDefaultTimeout(120_000);
afterAll(cleanUp);

describe.skipIf(!hasUsers)("the data folder of a neighbour is refused", () => {
  let home: string;
  beforeEach(() => {
    home = folderOf(VICTIM);
    mkdirSync(join(home, "own"), { mode: 0o700 });
    chownSync(join(home, "own"), VICTIM, VICTIM);
    writeFileSync(join(home, "important.txt"), "mine");
    chownSync(join(home, "important.txt"), VICTIM, VICTIM);
  });

  const linkTo = (folder: string, name: string) => {
    symlinkSync(join(home, "important.txt"), join(folder, name));
    lchownSync(join(folder, name), NEIGHBOUR, NEIGHBOUR);
  };
  const STARTS = [
    ["serve"],
    ["add", "Deploys go out on Tuesdays."],
    ["import", "--from", "markdown", "notes.md"],
    ["mcp"],
  ];

  test.each(STARTS)("by %s, and its links are not gone through", (...words) => {
    writeFileSync(join(home, "notes.md"), "Deploys go out on Tuesdays.\n");
    const theirs = folderOf(NEIGHBOUR, 0o777);
    for (const name of ["server.json", "server.log", ".cairn-probe", "cairn.db.restored"]) linkTo(theirs, name);
    const { out, code } = run(home, [...words, "--data", theirs]);
    if (words[0] !== "mcp") expect([code, out]).toEqual([1, expect.stringContaining(`belongs to user ${NEIGHBOUR}`)]);
    expect(existsSync(join(theirs, "cairn.db"))).toBe(false);
    expect(readFileSync(join(home, "important.txt"), "utf8")).toBe("mine");
    expect(statSync(join(home, "important.txt")).mode & 0o777).toBe(0o644);
  });

  test("also where only a file in it is theirs", () => {
    const own = join(home, "own");
    writeFileSync(join(own, "cairn.db"), "");
    chownSync(join(own, "cairn.db"), NEIGHBOUR, NEIGHBOUR);
    const { out, code } = run(home, ["serve", "--data", own]);
    expect([code, out]).toEqual([1, expect.stringContaining("cairn.db belongs to user")]);
  });

  test("also by a set-up, which keeps there what a repository held", () => {
    const [repository, theirs] = [join(home, "shop"), join(home, "own", "setup-backups")];
    mkdirSync(join(repository, ".git"), { recursive: true });
    writeFileSync(join(repository, ".mcp.json"), '{"token": "secret"}\n');
    mkdirSync(theirs);
    for (const path of [join(repository, ".git"), join(repository, ".mcp.json"), repository])
      chownSync(path, VICTIM, VICTIM);
    chownSync(theirs, NEIGHBOUR, NEIGHBOUR);
    chmodSync(theirs, 0o777);
    const env = { CAIRN_DATA: join(home, "own") };
    const { out, code } = run(home, ["setup", "claude", "--project", "--no-hooks", "--yes"], env, repository);
    expect([code, out]).toEqual([1, expect.stringContaining("belongs to user")]);
    expect(readdirSync(theirs)).toEqual([]);
    expect(readFileSync(join(repository, ".mcp.json"), "utf8")).toBe('{"token": "secret"}\n');
  });

  test("also where it is root's, and others may write into it", () => {
    const open = folderOf(0, 0o1777);
    const { out, code } = run(home, ["serve", "--data", open]);
    expect([code, out]).toEqual([1, expect.stringContaining("others may write into it")]);
  });
});

describe("a folder of one's own", () => {
  test("is closed to others, and refused with a link in the place of a file of ours", () => {
    const folder = aFolder();
    chmodSync(folder, 0o777);
    requireOwnFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o755);
    symlinkSync("/etc/hostname", join(folder, "notes"));
    requireOwnFolder(folder);
    for (const name of ["cairn.db", "cairn.db-wal", ".cairn-probe", "server.json", "server.log", "starting.lock"]) {
      const own = aFolder();
      symlinkSync(join(folder, "elsewhere"), join(own, name));
      expect(() => requireOwnFolder(own)).toThrow(`${name} is a link`);
    }
  });

  test("within a sticky folder that everybody may write into is as good as any", () => {
    const shared = aFolder();
    chmodSync(shared, 0o1777);
    mkdirSync(join(shared, "own"), { mode: 0o700 });
    expect(() => requireOwnFolder(join(shared, "own"))).not.toThrow();
  });

  test("takes what is written whole, and through no link", () => {
    const folder = aFolder();
    const [target, link] = [join(folder, "target"), join(folder, "link")];
    writeFileSync(target, "mine");
    symlinkSync(target, link);
    expect(() => openPrivateFile(link, { empties: true })).toThrow();
    writePrivateFile(link, "state");
    expect([readFileSync(target, "utf8"), readFileSync(link, "utf8")]).toEqual(["mine", "state"]);
    expect(statSync(link).mode & 0o777).toBe(0o600);
  });
});

test.skipIf(process.geteuid?.() !== 0)(
  "root takes up the folder of somebody, as a container does, and goes through no link",
  () => {
    const volume = aFolder();
    chownSync(volume, VICTIM, VICTIM);
    expect(() => requireOwnFolder(volume)).not.toThrow();
    symlinkSync("/etc/hostname", join(volume, "server.json"));
    expect(() => requireOwnFolder(volume)).toThrow("is a link");
    const open = folderOf(VICTIM, 0o777);
    expect(() => requireOwnFolder(open)).toThrow("others may write into it");
  },
);
