import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, lchownSync, linkSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { requireOwnFolder } from "../../../src/core/kernel/files/own-folder.ts";
import { changeOwnFolder, closeOwnFile } from "../../../src/core/kernel/files/own-modes.ts";
import { proofOf } from "../../../src/core/kernel/server-proof.ts";
import { aFolder, CAIRN, cleanUp, firstLine } from "../../fault/server.ts";
import { as, folderOf, hasUsers, NEIGHBOUR } from "./users.ts";

// Somebody is asked to look at the data folder of another account, which that one may change at any moment: what is done there is
// done with the rights of whoever looks, who may be root.

setDefaultTimeout(120_000);
afterAll(cleanUp);

const isRoot = process.geteuid?.() === 0;
/** Whose links lead away. */
const [FOREIGN, OWN] = [isRoot ? NEIGHBOUR : (process.geteuid?.() ?? 0), process.geteuid?.() ?? 0];

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

function withMode(mode: number): string {
  const folder = aFolder();
  chmodSync(folder, mode);
  return folder;
}

/** A link in a folder of the other account. */
function linkTo(target: string): string {
  const link = join(isRoot ? folderOf(FOREIGN, 0o755) : aFolder(), "data");
  symlinkSync(target, link);
  lchownSync(link, FOREIGN, FOREIGN);
  return link;
}

/** What a command of this account says, and how it ends. */
async function cairn(words: readonly string[]) {
  const child = Bun.spawn([...CAIRN, ...words], {
    cwd: tmpdir(),
    env: { HOME: aFolder(), PATH: process.env.PATH, CAIRN_EMBEDDER: "hash", CAIRN_PORT: "0" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { said: out + err, code };
}

describe("the mode of a folder stays", () => {
  test.each([
    ["through a link, one for everybody", 0o1777],
    ["through a link, one of a group", 0o2775],
    ["through a link, one into which all may write", 0o777],
  ])("%s", async (_, mode) => {
    const folder = withMode(mode);
    chownSync(folder, OWN, isRoot ? 8 : (process.getgid?.() ?? 0));
    chmodSync(folder, mode);
    writeFileSync(join(folder, "cairn.db"), "", { mode: 0o600 });
    const link = linkTo(folder);
    for (const words of [["list"], ["doctor", "--fix"]]) {
      await cairn([...words, "--data", link]);
      expect([words, modeOf(folder)]).toEqual([words, mode]);
    }
    const behindLink = join(linkTo(dirname(folder)), basename(folder));
    for (const path of [link, behindLink]) {
      if ((mode & 0o002) !== 0) expect(() => requireOwnFolder(path)).toThrow("others may write into it");
      else if (isRoot) requireOwnFolder(path);
      expect(modeOf(folder)).toBe(mode);
    }
  });

  test("where it is one's own, and for everybody", () => {
    const folder = withMode(0o1777);
    expect(() => requireOwnFolder(folder)).toThrow("sticky");
    expect(modeOf(folder)).toBe(0o1777);
  });

  test("where the folder is refused for what is in it", () => {
    const folder = withMode(0o775);
    symlinkSync("/etc/hostname", join(folder, "cairn.db"));
    expect(() => requireOwnFolder(folder)).toThrow("is a link");
    expect(modeOf(folder)).toBe(0o775);
  });
});

test("a file is closed through no link and by no second name", () => {
  const folder = aFolder();
  const file = join(folder, "file");
  writeFileSync(file, "", { mode: 0o644 });
  symlinkSync(file, join(folder, "link"));
  expect([closeOwnFile(join(folder, "link")), modeOf(file)]).toEqual([false, 0o644]);
  linkSync(file, join(folder, "second"));
  expect([closeOwnFile(join(folder, "second")), modeOf(file)]).toEqual([false, 0o644]);
  rmSync(join(folder, "second"));
  expect([closeOwnFile(file), modeOf(file)]).toEqual([true, 0o600]);
});

test.skipIf(!isRoot)("what is somebody else's stays as it is", () => {
  const folder = folderOf(NEIGHBOUR, 0o777);
  const file = join(folder, "file");
  writeFileSync(file, "", { mode: 0o644 });
  chownSync(file, NEIGHBOUR, NEIGHBOUR);
  expect([closeOwnFile(file), changeOwnFolder(folder, () => 0o700)]).toEqual([false, "it belongs to somebody else"]);
  expect([modeOf(file), modeOf(folder)]).toEqual([0o644, 0o777]);
});

describe.skipIf(!hasUsers)("`cairn stop` in the folder of somebody else", () => {
  test("ends no process that its owner named", async () => {
    const token = "a token of the neighbour's";
    const proves = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) => Response.json({ proof: proofOf(token, new URL(url).searchParams.get("challenge") ?? "") }),
    });
    const named = Bun.spawn(["sleep", "60"]);
    try {
      const theirs = folderOf(NEIGHBOUR);
      const file = join(theirs, "server.json");
      writeFileSync(file, JSON.stringify({ url: proves.url.origin, pid: named.pid, token }), { mode: 0o600 });
      chownSync(file, NEIGHBOUR, NEIGHBOUR);
      const { said, code } = await cairn(["stop", "--data", theirs]);
      expect([code, said]).toEqual([1, expect.stringContaining("left alone")]);
      expect([named.exitCode, named.signalCode]).toEqual([null, null]);
    } finally {
      named.kill();
      await proves.stop(true);
    }
  });

  test.each([
    ["of its owner's goes on", NEIGHBOUR, 1],
    ["that root started there ends", 0, 0],
  ])("a server %s", async (_, user, code) => {
    const volume = folderOf(NEIGHBOUR);
    const words = [...CAIRN, "serve", "--data", volume, "--port", "0", "--ready-json"];
    const server = Bun.spawn(as(user, words), {
      cwd: tmpdir(),
      env: { HOME: volume, PATH: process.env.PATH, CAIRN_EMBEDDER: "hash" },
      stdout: "pipe",
      stderr: "ignore",
    });
    try {
      await firstLine(server.stdout);
      expect((await cairn(["stop", "--data", volume])).code).toBe(code);
      if (code === 0) expect(await server.exited).toBe(0);
      else expect(server.exitCode).toBeNull();
    } finally {
      server.kill();
      await server.exited;
    }
  });
});
