import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CAIRN, cleanUp, firstLine } from "../../fault/server.ts";
import { isBinary } from "../../support/app.ts";
import { as, folderOf, hasUsers, NEIGHBOUR } from "./users.ts";

// A sandbox, or a container that does without root, is a namespace of users: whom it does not know has one number there, which
// may be the very number that Cairn has in it.

setDefaultTimeout(120_000);
afterAll(cleanUp);

/** Whoever runs Cairn; the number under which unknown accounts are seen. */
const [OWNER, UNKNOWN] = [65_532, 65_534];

/** A command line of the owner, in a namespace of users where the owner has another number and nobody else any. */
const inside = (user: number, words: readonly string[]): string[] =>
  as(OWNER, ["unshare", "-U", `--map-user=${user}`, `--map-group=${user}`, ...words]);

const hasNamespaces =
  hasUsers && Bun.which("unshare") !== null && Bun.spawnSync(inside(1000, ["true"]), { cwd: tmpdir() }).exitCode === 0;

const envOf = (home: string) => ({
  HOME: home,
  PATH: process.env.PATH,
  CAIRN_EMBEDDER: "hash",
  CAIRN_PORT: "0",
  CAIRN_CACHE: join(home, "cache"),
});

/** What a command says that is to end by itself. */
function ran(words: readonly string[], home: string) {
  const { stdout, stderr, exitCode } = Bun.spawnSync(words.slice(), {
    cwd: home,
    env: envOf(home),
    stdin: "ignore",
    timeout: 20_000,
  });
  return { out: stdout.toString() + stderr.toString(), code: exitCode };
}

const statusOf = (words: readonly string[], url: string): string =>
  ran([...words, ...["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", url]], tmpdir()).out;

describe.skipIf(!hasNamespaces)("in a namespace of users", () => {
  test.each([
    [1000, { owner: "200", neighbour: "401" }],
    [0, { owner: "200", neighbour: "401" }],
    // Nobody there tells the owner from the neighbour.
    [UNKNOWN, { owner: "401", neighbour: "401" }],
  ])("as %d, a server without keys answers nobody whom it does not know", async (user, told) => {
    const home = folderOf(OWNER);
    const server = Bun.spawn(inside(user, [...CAIRN, "serve", "--ephemeral", "--ready-json"]), {
      cwd: home,
      env: envOf(home),
      stdout: "pipe",
      stderr: "ignore",
    });
    try {
      const url = `${JSON.parse((await firstLine(server.stdout)) ?? "{}").url}/api/v1/memories`;
      expect({ owner: statusOf(as(OWNER, []), url), neighbour: statusOf(as(NEIGHBOUR, []), url) }).toEqual(told);
    } finally {
      server.kill();
      await server.exited;
    }
  });

  test.each([1000, 0, UNKNOWN])("as %d, the data folder of somebody unknown is refused", (user) => {
    const home = folderOf(OWNER);
    const theirs = folderOf(NEIGHBOUR);
    chownSync(theirs, NEIGHBOUR, OWNER);
    chmodSync(theirs, 0o2775);
    const { out, code } = ran(inside(user, [...CAIRN, "add", "Deploys go out on Tuesdays.", "--data", theirs]), home);
    expect([code, out]).toEqual([1, expect.stringContaining("does not know")]);
    expect(existsSync(join(theirs, "cairn.db"))).toBe(false);
  });

  test.each([1000, 0])("as %d, one's own folder does, and not with a file of somebody unknown", (user) => {
    const home = folderOf(OWNER);
    const data = join(home, "data");
    const add = inside(user, [...CAIRN, "add", "Deploys go out on Tuesdays.", "--data", data]);
    expect(ran(add, home)).toEqual({ out: expect.any(String), code: 0 });
    writeFileSync(join(data, "planted"), "");
    chownSync(join(data, "planted"), NEIGHBOUR, NEIGHBOUR);
    expect(ran(add, home)).toEqual({ out: expect.stringContaining("does not know"), code: 1 });
  });

  test.skipIf(isBinary).each([
    [1000, true],
    [UNKNOWN, false],
  ])("as %d, repositories of somebody unknown say nothing", (user, ownMaySay) => {
    const [own, theirs] = [OWNER, NEIGHBOUR].map((one) => folderOf(one, 0o755));
    for (const [folder, one] of [
      [own, OWNER],
      [theirs, NEIGHBOUR],
    ] as const) {
      mkdirSync(join(folder ?? "", ".git"));
      chownSync(join(folder ?? "", ".git"), one, one);
    }
    const script = `const { mayRepositorySay, personOf } = await import(${JSON.stringify(`${import.meta.dir}/../../../src/projects/folder/person.ts`)});
      const said = ${JSON.stringify([own, theirs])}.map((one) => mayRepositorySay(one, [one + "/.git"], personOf({})));
      console.log(JSON.stringify(said));`;
    const { out } = ran(inside(user, [process.execPath, "-e", script]), own ?? "");
    expect(JSON.parse(out)).toEqual([ownMaySay, false]);
  });
});
