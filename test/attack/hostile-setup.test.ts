import { afterAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { CAIRN } from "../fault/server.ts";
import { temporaryFolder } from "../support/app.ts";

/** Against a hang alone. */
setDefaultTimeout(120_000);

const folder = temporaryFolder();
afterAll(() => folder.remove());
let [top, count] = ["", 0];
beforeEach(() => {
  top = join(folder.path, String(++count));
  put("home/.bashrc", "# shell\n");
  put("home/.claude.json", '{"token": "sk-secret"}');
  put("repo/.git/config", "");
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), text);
}
const at = (path: string): string => readFileSync(join(top, path), "utf8");
const link = (target: string, path: string) => {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  symlinkSync(join(top, target), join(top, path));
};
const kept = (): string[] => {
  const backups = join(top, "data/setup-backups");
  return existsSync(backups) ? readdirSync(backups).map((name) => join(backups, name)) : [];
};

/** `cairn setup` in the repository, its answer on both outputs. */
function setup(words: string) {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...CAIRN, "setup", ...words.split(" "), "--yes"], {
    cwd: join(top, "repo"),
    env: {
      HOME: join(top, "home"),
      PATH: "/nowhere",
      CAIRN_DATA: join(top, "data"),
      CAIRN_CACHE: join(folder.path, "cache"),
      BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(folder.path, "bun"),
    },
  });
  return { out: stdout.toString() + stderr.toString(), code: exitCode };
}

test.each([
  ["AGENTS.md", "home/.bashrc", "cursor --agents-md"],
  [".mcp.json", "home/.claude.json", "claude --project"],
  [".claude/settings.local.json", "home/.claude.json", "claude --project"],
  [".cursor/mcp.json", "home/new.json", "cursor --project"],
])("%s of a repository that is a link to ~/%s is neither followed nor replaced", (path, target, words) => {
  link(target, `repo/${path}`);
  const before = existsSync(join(top, target)) ? at(target) : null;
  const { out, code } = setup(words);
  expect(code).toBe(1);
  expect(out).toContain("it is a link, and links are not followed here");
  expect(out).not.toContain("sk-secret");
  expect(existsSync(join(top, target)) ? at(target) : null).toBe(before);
  expect(lstatSync(join(top, "repo", path)).isSymbolicLink()).toBe(true);
  expect(kept()).toEqual([]);
});

test.each([".claude", ".cursor"])("a folder %s of a repository that is a link is not gone through", (name) => {
  put(`home/${name}/settings.local.json`, '{"theirs": 1}');
  put(`home/${name}/mcp.json`, '{"theirs": 1}');
  link(`home/${name}`, `repo/${name}`);
  for (const words of ["", " --remove"]) {
    const { out } = setup(`${name === ".claude" ? "claude" : "cursor"} --project${words}`);
    expect(out).toContain("links in a repository are not followed");
  }
  expect(at(`home/${name}/settings.local.json`)).toBe('{"theirs": 1}');
  expect(readdirSync(join(top, "home", name)).sort()).toEqual(["mcp.json", "settings.local.json"]);
});

test("a file of a repository that is another name of one outside is left, and nothing of it is copied", () => {
  linkSync(join(top, "home/.claude.json"), join(top, "repo/.mcp.json"));
  const { out, code } = setup("claude --project");
  expect(code).toBe(1);
  expect(out).toContain("a hard link");
  expect(out).not.toContain("sk-secret");
  expect([at("home/.claude.json"), kept()]).toEqual(['{"token": "sk-secret"}', []]);
});

test("a pipe, a device and a file of gigabytes are refused at once", () => {
  Bun.spawnSync(["mkfifo", join(top, "repo/.mcp.json")]);
  expect(setup("claude --project").out).toContain("it is no file but a device or a pipe");
  Bun.spawnSync(["mkfifo", join(top, "repo/AGENTS.md.cairn-backup-20261123-120000")]);
  put("repo/AGENTS.md", "# Rules\n");
  expect(setup("cursor --agents-md").code).toBe(0);
  expect(setup("cursor --agents-md --remove").code).toBe(0);
  expect(at("repo/AGENTS.md")).toBe("# Rules\n");
  put("repo/.vscode/mcp.json", "{}");
  truncateSync(join(top, "repo/.vscode/mcp.json"), 5_000_000_000);
  expect(setup("vscode --project").out).toContain("more than 64 MiB");
});

test("a file that is nested without end is a fault of its own", () => {
  put("repo/.mcp.json", "[".repeat(200_000));
  const { out, code } = setup("claude --project");
  expect(code).toBe(1);
  expect(out).toContain("it is nested too deeply");
});

test("what a file of a repository held lies in Cairn's own folder, for its owner alone, until --remove gives it back", () => {
  put("repo/.mcp.json", '{"mcpServers": {"a": {"command": "a", "env": {"TOKEN": "sk-theirs"}}}}\n');
  chmodSync(join(top, "repo/.mcp.json"), 0o644);
  const before = at("repo/.mcp.json");
  expect(setup("claude --project --no-hooks").code).toBe(0);
  expect(readdirSync(join(top, "repo")).filter((name) => name.includes("backup"))).toEqual([]);
  const [backup = "", ...others] = kept();
  expect([readFileSync(backup, "utf8"), others]).toEqual([before, []]);
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(backup)).mode & 0o777).toBe(0o700);
  // Changed within its lines, so that only the backup has the very bytes.
  expect(setup("claude --project --remove").code).toBe(0);
  expect([at("repo/.mcp.json"), kept()]).toEqual([before, []]);
});

test("a backup that an older version made beside the file is still given back", () => {
  const before = '{ "mcpServers" : { } }\n';
  put("repo/.mcp.json", before);
  setup("claude --project --no-hooks");
  const [backup = ""] = kept();
  put("repo/.mcp.json.cairn-backup-20261123-120000", before);
  Bun.spawnSync(["rm", backup]);
  expect(setup("claude --project --remove").code).toBe(0);
  expect(at("repo/.mcp.json")).toBe(before);
  expect(readdirSync(join(top, "repo")).filter((name) => name.includes("backup"))).toEqual([]);
});

test("two repositories with a file of one name each get back their own", () => {
  for (const name of ["repo", "other"]) {
    put(`${name}/.git/config`, "");
    put(`${name}/AGENTS.md`, `# Rules of ${name}\n\n\n`);
  }
  setup("claude --agents-md");
  Bun.spawnSync(["mv", join(top, "repo"), join(top, "first")]);
  Bun.spawnSync(["mv", join(top, "other"), join(top, "repo")]);
  expect(setup("claude --agents-md").code).toBe(0);
  expect(at("repo/AGENTS.md")).toStartWith("# Rules of other");
  setup("claude --agents-md --remove");
  expect(at("repo/AGENTS.md")).toBe("# Rules of other\n\n\n");
});

test("a diff shows what a terminal would obey or hide, instead of passing it on", () => {
  const hidden = ["\u001b[2J", "\u009b31m", "\u202e", "\u2066", "\u200b", "\u{e0041}", "\u0007", "\r"];
  put("repo/AGENTS.md", `${hidden.map((one) => `a${one}b`).join(" ")}\n`);
  const { out } = setup("claude --agents-md --dry-run");
  for (const one of hidden) expect(out).not.toContain(one);
  for (const code of ["1b", "9b", "202e", "2066", "200b", "e0041", "7", "d"]) expect(out).toContain(`a\\u{${code}}`);
});

test("links of a person's own settings are followed as ever", () => {
  put("home/dotfiles/cursor.json", "{}\n");
  link("home/dotfiles/cursor.json", "home/.cursor/mcp.json");
  expect(setup("cursor --no-hooks").code).toBe(0);
  expect(at("home/dotfiles/cursor.json")).toContain("mcpServers");
  expect(lstatSync(join(top, "home/.cursor/mcp.json")).isSymbolicLink()).toBe(true);
});
