import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CAIRN } from "../fault/server.ts";
import { temporaryFolder } from "../support/app.ts";

/** Against a hang alone. */
setDefaultTimeout(300_000);

const folder = temporaryFolder();
afterAll(() => folder.remove());
let top = "";
let count = 0;
beforeEach(() => {
  top = join(folder.path, String(++count));
  mkdirSync(join(top, "home"), { recursive: true });
});

const put = (path: string, text: string): string => {
  const file = join(top, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const remote = (name: string) => `[remote "origin"]\n\turl = git@example.com:team/${name}.git\n`;

/** A command in a folder, as a person with another home folder runs it. */
function run(words: readonly string[], { cwd, input = "", env = {} }: { cwd: string; input?: string; env?: object }) {
  const startedAt = performance.now();
  const child = Bun.spawnSync([...CAIRN, ...words], {
    cwd,
    stdin: Buffer.from(input),
    env: {
      HOME: join(top, "home"),
      PATH: process.env.PATH ?? "",
      CAIRN_CACHE: join(folder.path, "cache"),
      BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(folder.path, "bun"),
      ...env,
    },
  });
  const took = performance.now() - startedAt;
  const { exitCode, stdout, stderr, resourceUsage } = child;
  return { code: exitCode, out: stdout.toString(), err: stderr.toString(), took, bytes: resourceUsage?.maxRSS ?? 0 };
}

/** The project that a set-up in a folder would write, read from what it says it would do. */
function projectIn(cwd: string, env: object = {}): string | null {
  const { out, err } = run(["setup", "cursor", "--project", "--http", "--no-hooks", "--dry-run"], { cwd, env });
  expect(err).toBe("");
  return /"X-Cairn-Project": "([^"]*)"/.exec(out)?.[1] ?? null;
}

const hook = (cwd: string) =>
  run(["hook", "session-start", "--debug"], { cwd, input: JSON.stringify({ session_id: "s", cwd }) });

describe("a file of a repository keeps no hook waiting", () => {
  const long = "x".repeat(1_000_000);
  test.each([
    ["200 KB of empty lines", ".git/config", "\n".repeat(200_000)],
    ["a remote before 200 KB of empty lines", ".git/config", `${remote("heron")}${"\n".repeat(200_000)}`],
    ["a long url that ends in space", ".git/config", `[remote "origin"]\n\turl = ${" ".repeat(1_000_000)}x`],
    ["a long url of slashes", ".git/config", `[remote "origin"]\n\turl = a${"/".repeat(150_000)}x`],
    ["a long url of colons", ".git/config", `[remote "origin"]\n\turl = ${":".repeat(1_000_000)}/x`],
    ["a name without an end", ".git/config", `[remote "${long}`],
    ["thousands of sections in a line", ".git/config", '[remote "a"]'.repeat(100_000)],
    ["a value that goes on and on", ".git/config", `[remote "origin"]\n\turl = ${"\\\n".repeat(500_000)}`],
    ["a .git of spaces", ".git", `gitdir:${" ".repeat(1_000_000)}`],
    ["a .git of empty lines", ".git", "\n".repeat(1_000_000)],
  ])("%s", (_what, path, text) => {
    const plain = dirname(put("plain/a.txt", ""));
    put("repo/a.txt", "");
    put(`repo/${path}`, text);
    hook(plain);
    const [usual, hostile] = [hook(plain), hook(join(top, "repo"))];
    expect(hostile.code).toBe(0);
    // A hook that reads it in quadratic time takes a hundred times as long.
    expect(hostile.took).toBeLessThan(5 * Math.max(usual.took, 400));
  });

  test.each([".cairn.json", ".git", ".git/config", ".git/commondir"])("a pipe in place of %s", (path) => {
    const place = dirname(put("repo/a.txt", ""));
    mkdirSync(dirname(join(place, path)), { recursive: true });
    Bun.spawnSync(["mkfifo", join(place, path)]);
    if (path.endsWith("commondir")) {
      mkdirSync(join(place, "../linked"));
      put("linked/.git", `gitdir: ${join(place, ".git")}`);
      expect(hook(join(top, "linked")).code).toBe(0);
    }
    expect(hook(place).code).toBe(0);
  });
});

test("a .cairn.json of 1.5 GB is refused for its size and not held in memory", () => {
  const plain = dirname(put("plain/a.txt", ""));
  const file = put("repo/.cairn.json", '{"project": "heron"}');
  truncateSync(file, 1_500_000_000);
  const [usual, hostile] = [hook(plain), hook(join(top, "repo"))];
  expect(hostile.err).toContain("more than 64 KiB");
  expect(hostile.bytes - usual.bytes).toBeLessThan(100_000_000);
});

test("a .cairn.json that is a link is not followed, and nothing of where it leads is told", () => {
  const secret = put("home/secret", "hunter2: a secret of this person");
  const repo = dirname(put("repo/a.txt", ""));
  symlinkSync(secret, join(repo, ".cairn.json"));
  const { err } = hook(repo);
  expect(err).toContain("it is a link");
  expect(err).not.toContain("hunter2");
  const other = dirname(put("other/.cairn.json", "hunter2: a secret"));
  expect(hook(other).err).toContain("it is no JSON");
  expect(hook(other).err).not.toContain("hunter2");
});

test.each<[how: string, config: string, name: string]>([
  [
    "as git writes it",
    '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.com/a/heron.git\n\tfetch = x\n',
    "a/heron",
  ],
  ["with a port of an address", '[remote "origin"]\n url = ssh://git@[::1]:22/a/Heron.git/\n', "a/Heron"],
  [
    "with quotes, comments and lines that go on",
    '[Remote "origin"] ; ours\r\n\tURL = "git@h:a/her" \\\r\n  # b\n',
    "a/her",
  ],
  ["in one line", '[remote "origin"] url = h:src/heron', "src/heron"],
  ["the only remote", '[remote "upstream"]\nurl = host:heron\n[branch "main"]\nremote = upstream\n', "heron"],
  ["the first of several", `${remote("heron")}[remote "z"]\nurl = a/b\n${remote("other")}`, "team/heron"],
  ["beyond much else", `${'[branch "a"]\n\tremote = z\n'.repeat(400)}${remote("heron")}`, "team/heron"],
])("the remote of a git configuration %s names the project", (_how, config, name) => {
  const repo = dirname(put("repo/a.txt", ""));
  put("repo/.git/config", config);
  expect(projectIn(repo)).toBe(name);
});

/** Somebody else: nobody. */
const OTHER = 65_534;
const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot)("what belongs to somebody else names no project (needs root, to give files away)", () => {
  const give = (...paths: string[]) => {
    for (const path of paths) chownSync(join(top, path), OTHER, OTHER);
  };

  test("a .cairn.json above, in a folder that everybody may write into", () => {
    const place = dirname(put("shared/mine/a.txt", ""));
    put("shared/.cairn.json", '{"project": "theirs"}');
    chmodSync(join(top, "shared"), 0o1777);
    give("shared/.cairn.json");
    expect(projectIn(place)).toBe("mine");
  });

  test("a broken one of theirs refuses nothing", () => {
    const place = dirname(put("shared/mine/a.txt", ""));
    put("shared/.cairn.json", "{");
    give("shared", "shared/.cairn.json");
    expect(hook(place).err).not.toContain(".cairn.json");
  });

  test.each([
    ["a repository above", ["shared/.git", "shared/.git/config"]],
    ["a repository whose work tree is theirs", ["shared"]],
  ])("%s", (_what, theirs) => {
    const place = dirname(put("shared/mine/a.txt", ""));
    put("shared/.git/config", remote("theirs"));
    expect(projectIn(place)).toBe("team/theirs");
    give(...theirs);
    expect(projectIn(place)).toBe("mine");
  });

  test("a work tree of ours whose history is theirs", () => {
    const place = dirname(put("mine/.git", "gitdir: ../theirs"));
    put("theirs/config", remote("theirs"));
    expect(projectIn(place)).toBe("team/theirs");
    give("theirs");
    expect(projectIn(place)).toBe("mine");
  });

  test("a repository of theirs is of no project, also not of one around it", () => {
    put("ours/.git/config", remote("ours"));
    const place = dirname(put("ours/vendor/.git/config", remote("theirs")));
    give("ours/vendor/.git", "ours/vendor");
    expect(hook(dirname(place)).err).not.toContain("theirs");
    expect(projectIn(dirname(place))).toBe("vendor");
  });

  test("but a file of theirs within a folder of ours does", () => {
    const place = dirname(put("ours/.cairn.json", '{"project": "herons"}'));
    give("ours/.cairn.json");
    expect(projectIn(place)).toBe("herons");
  });

  test("a repository that git was told to trust, and one of the user who became root, name theirs", () => {
    const place = dirname(put("shared/a.txt", ""));
    put("shared/.git/config", remote("heron"));
    give("shared", "shared/.git");
    expect(projectIn(place)).toBe("shared");
    expect(projectIn(place, { SUDO_UID: String(OTHER) })).toBe("team/heron");
    expect(projectIn(place, { SUDO_UID: "1" })).toBe("shared");
    put("home/.gitconfig", `[safe]\n\tdirectory = ${place}\n`);
    expect(projectIn(place)).toBe("team/heron");
    put("home/.gitconfig", `[safe]\n\tdirectory = ${place}\n\tdirectory =\n`);
    expect(projectIn(place)).toBe("shared");
  });
});
