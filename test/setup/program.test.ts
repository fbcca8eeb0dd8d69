import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const MAIN = join(import.meta.dir, "..", "..", "src", "main.ts");
const PROGRAM =
  process.env.TARGET === "binary" ? [join(import.meta.dir, "..", "..", "dist", "cairn")] : [process.execPath, MAIN];
const folder = realpathSync(mkdtempSync(join(tmpdir(), "cairn-setup-program-")));
let home = "";
let count = 0;

beforeEach(() => {
  home = join(folder, `home ${++count}`);
  mkdirSync(join(home, "shop"), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `cairn setup ... --yes` in the folder of a project, without a terminal. */
const setup = (words: string, env: Record<string, string> = {}) => setupAsking(`${words} --yes`, env);

function setupAsking(words: string, env: Record<string, string> = {}) {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...PROGRAM, "setup", ...words.split(" ").filter(Boolean)], {
    cwd: join(home, "shop"),
    env: {
      HOME: home,
      PATH: "/nowhere",
      BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(folder, "bun"),
      CAIRN_CACHE: join(folder, "cache"),
      ...env,
    },
    stdin: "ignore",
  });
  return { out: stdout.toString(), err: stderr.toString(), code: exitCode };
}
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
};
const at = (path: string) => readFileSync(join(home, path), "utf8");
const json = (path: string) => JSON.parse(at(path));
const namesIn = (path: string) => readdirSync(join(home, path)).sort();

describe("cairn setup", () => {
  test("from an empty home, claude is set up with the command that runs this very program", () => {
    const { out, code } = setup("claude");
    expect(code).toBe(0);
    expect(out).toContain("+++ ");
    const { cairn } = json(".claude.json").mcpServers;
    expect(cairn.type).toBe("stdio");
    // What was written is run as a harness does.
    const told = Bun.spawnSync([cairn.command, ...cairn.args.slice(0, -1), "version"], { env: { HOME: home } });
    expect(told.stdout.toString()).toStartWith("cairn ");
    expect(cairn.args.at(-1)).toBe("mcp");
    expect(Object.keys(json(".claude/settings.json").hooks)).toEqual([
      "SessionStart",
      "UserPromptSubmit",
      "PreCompact",
      "SessionEnd",
    ]);
    expect(statSync(join(home, ".claude.json")).mode & 0o777).toBe(0o600);
  });

  test("each hook that is written runs as its harness runs it, and harms nothing without a server", () => {
    setup("claude --data data");
    const lists: { hooks: { command: string }[] }[][] = Object.values(json(".claude/settings.json").hooks);
    const commands = lists.flat().flatMap(({ hooks }) => hooks.map(({ command }) => command));
    expect(commands).toHaveLength(4);
    for (const command of commands) {
      expect(command).toContain(`--data '${join(home, "shop", "data")}'`);
      const told = JSON.stringify({ session_id: "s", cwd: join(home, "shop"), prompt: "when do we release" });
      const run = Bun.spawnSync(["/bin/sh", "-c", command], {
        stdin: Buffer.from(told),
        env: { HOME: home, CAIRN_CACHE: join(folder, "cache") },
      });
      expect([run.exitCode, run.stderr.toString()]).toEqual([0, ""]);
    }
  });

  test("a dry run shows the same change and writes nothing", () => {
    put(".claude.json", '{"numStartups": 3}\n');
    const before = namesIn("");
    const { out, code } = setup("claude --dry-run");
    expect(code).toBe(0);
    expect(out).toMatch(/^\+.*"cairn"/m);
    expect(out).toContain("Nothing was written: a dry run.");
    expect(namesIn("")).toEqual(before);
    expect(at(".claude.json")).toBe('{"numStartups": 3}\n');
  });

  test("a file that changes is kept beside, a second run says that there is nothing to do, --remove leaves no trace", () => {
    put(".claude.json", '{\n  "numStartups": 3\n}\n');
    const before = namesIn("");
    setup("claude");
    const [backup = ""] = namesIn("").filter((name) => name.includes("backup"));
    expect(backup).toMatch(/^\.claude\.json\.cairn-backup-\d{8}-\d{6}$/);
    expect(at(backup)).toBe('{\n  "numStartups": 3\n}\n');
    const after = at(".claude.json");
    const { out, code } = setup("claude");
    expect([out.includes("Nothing to change."), code, at(".claude.json")]).toEqual([true, 0, after]);
    expect(setup("claude --remove").code).toBe(0);
    expect([namesIn(""), at(".claude.json")]).toEqual([before, '{\n  "numStartups": 3\n}\n']);
    expect(setup("claude --remove").out).toContain("Nothing to change.");
  });

  test("of all, those that are found are set up; one with a broken file is left, named with line and column, and exit is 1", () => {
    put(".claude.json", '{\n  "a": 1\n  "b": 2\n}\n');
    mkdirSync(join(home, ".claude"));
    mkdirSync(join(home, ".gemini"));
    const { out, code } = setup("all");
    expect(code).toBe(1);
    expect(out).toContain(`${join(home, ".claude.json")}, line 3, column 3: comma expected. It was left as it is.`);
    expect(at(".claude.json")).toBe('{\n  "a": 1\n  "b": 2\n}\n');
    expect(namesIn(".claude")).toEqual([]);
    expect(json(".gemini/settings.json").mcpServers.cairn.args).toContain("mcp");
    expect(out).toMatch(/^zed: not found/m);
    expect(existsSync(join(home, ".config", "zed"))).toBe(false);
  });

  test("all says so when nothing is found here", () => {
    const { err, code } = setup("all");
    expect([code, err.includes("None of the harnesses was found here.")]).toEqual([1, true]);
  });

  test("a harness whose command is on the PATH is found", () => {
    const bin = join(home, "bin");
    put("bin/codex", "#!/bin/sh\n");
    chmodSync(join(bin, "codex"), 0o755);
    expect(setup("all", { PATH: bin }).code).toBe(0);
    expect(at(".codex/config.toml")).toContain("[mcp_servers.cairn]");
  });

  test("over HTTP the key stays in the environment", () => {
    const env = { CAIRN_KEY: "mc_secret", CAIRN_URL: "http://127.0.0.1:7788/" };
    const { out } = setup("cursor --http", env);
    expect(json(".cursor/mcp.json").mcpServers.cairn).toEqual({
      url: "http://127.0.0.1:7788/mcp",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills it in.
      headers: { Authorization: "Bearer ${env:CAIRN_KEY}" },
    });
    setup("codex --http", env);
    expect(at(".codex/config.toml")).toContain('bearer_token_env_var = "CAIRN_KEY"');
    expect(out + at(".cursor/mcp.json") + at(".codex/config.toml")).not.toContain("mc_secret");
    expect(setup("zed --http", env).out).toContain("by hand");
  });

  test("in a project its own files are written, and a file that names it; --remove of the last harness takes that, too", () => {
    expect(setup("claude --project --http").code).toBe(0);
    const headers = { "X-Cairn-Project": "shop", "X-Cairn-Project-Source": "setup" };
    expect(json("shop/.mcp.json").mcpServers.cairn.headers).toEqual(headers);
    expect(json("shop/.cairn.json").project).toBe("shop");
    expect(existsSync(join(home, "shop/.claude/settings.local.json"))).toBe(true);
    expect(existsSync(join(home, ".claude.json"))).toBe(false);
    setup("vscode --project");
    expect(json("shop/.vscode/mcp.json").servers.cairn.args.slice(-3)).toEqual(["mcp", "--project", "shop"]);
    setup("claude --project --remove");
    expect(namesIn("shop")).toEqual([".cairn.json", ".vscode"]);
    setup("vscode --project --remove");
    expect(namesIn("shop")).toEqual([]);
  });

  const CONFIG = "[core]\n\tbare = false\n";
  const REMOTE = '[remote "origin"]\n\turl = git@example.com:acme/web-store.git\n';

  test.each([
    ["with a remote", REMOTE],
    ["without one", ""],
  ])("a repository %s tells its project itself: it gets no file, and its entry no name, nor keeps one", (_, remote) => {
    setup("cursor --project --no-hooks");
    expect(json("shop/.cursor/mcp.json").mcpServers.cairn.args.slice(-2)).toEqual(["--project", "shop"]);
    rmSync(join(home, "shop/.cairn.json"));
    put("shop/.git/config", CONFIG + remote);
    setup("cursor --project --no-hooks");
    expect(json("shop/.cursor/mcp.json").mcpServers.cairn.args.at(-1)).toBe("mcp");
    expect(namesIn("shop")).toEqual([".cursor", ".git"]);
    setup("cursor --project --remove");
    expect(namesIn("shop")).toEqual([".git"]);
  });

  test.each([
    ["by its remote", REMOTE, "acme/web-store"],
    ["by its folder", "", "shop"],
  ])("over HTTP, where no folder is seen, a repository is named %s, by a file for all alike", (_, remote, name) => {
    put("shop/.git/config", CONFIG + remote);
    setup("cursor --project --http --no-hooks");
    expect(json("shop/.cursor/mcp.json").mcpServers.cairn.headers["X-Cairn-Project"]).toBe(name);
    expect(json("shop/.cairn.json").project).toBe(name);
    setup("cursor --project --remove");
    expect(namesIn("shop")).toEqual([".git"]);
  });

  test("a name that no header can carry is not sent in one", () => {
    put("shop/.cairn.json", '{"project":"Größe"}');
    const { err, code } = setup("claude --project --http");
    expect([code, err.includes("'Größe' cannot be sent over HTTP"), namesIn("shop")]).toEqual([
      1,
      true,
      [".cairn.json"],
    ]);
    expect(setup("claude --project").code).toBe(0);
  });

  test("a project that has its name keeps it", () => {
    put("shop/.cairn.json", '{"project":"kept"}');
    setup("gemini --project");
    expect(json("shop/.gemini/settings.json").mcpServers.cairn.args).toContain("kept");
    setup("gemini --project --remove");
    expect([namesIn("shop"), at("shop/.cairn.json")]).toEqual([[".cairn.json"], '{"project":"kept"}']);
  });

  test("AGENTS.md gets one block, once, and loses just that", () => {
    put("shop/AGENTS.md", "# Rules\r\n\r\nBe brief.");
    setup("claude --agents-md");
    const after = at("shop/AGENTS.md");
    expect(after).toMatch(/^# Rules\r\n\r\nBe brief\.\r\n\r\n<!-- cairn:start -->\r\n[\s\S]*<!-- cairn:end -->\r\n$/);
    setup("claude --agents-md");
    expect(at("shop/AGENTS.md")).toBe(after);
    setup("claude --agents-md --remove");
    expect([at("shop/AGENTS.md"), namesIn("shop")]).toEqual(["# Rules\r\n\r\nBe brief.", ["AGENTS.md"]]);
  });

  test("half a block is left to its owner", () => {
    put("shop/AGENTS.md", "a\n<!-- cairn:start -->\nb\n");
    const { out, code } = setup("claude --agents-md");
    expect([code, at("shop/AGENTS.md")]).toEqual([1, "a\n<!-- cairn:start -->\nb\n"]);
    expect(out).toContain("line 2");
  });

  test("a link stays a link, and what it leads to keeps its rights", () => {
    put("dotfiles/cursor.json", "{}\n");
    chmodSync(join(home, "dotfiles/cursor.json"), 0o640);
    mkdirSync(join(home, ".cursor"));
    symlinkSync("../dotfiles/cursor.json", join(home, ".cursor/mcp.json"));
    setup("cursor --no-hooks");
    expect(lstatSync(join(home, ".cursor/mcp.json")).isSymbolicLink()).toBe(true);
    expect(json("dotfiles/cursor.json").mcpServers.cairn.args).toContain("mcp");
    expect(statSync(join(home, "dotfiles/cursor.json")).mode & 0o777).toBe(0o640);
    expect(existsSync(join(home, ".cursor/hooks.json"))).toBe(false);
    setup("cursor --remove");
    expect([at("dotfiles/cursor.json"), namesIn("dotfiles"), namesIn(".cursor")]).toEqual([
      "{}\n",
      ["cursor.json"],
      ["mcp.json"],
    ]);
  });

  test.each(["claude", "claude --json"])("where nobody can be asked, `cairn setup %s` needs --yes", (words) => {
    const { err, code } = setupAsking(words);
    expect([code, namesIn("")]).toEqual([2, ["shop"]]);
    expect(err).toMatch(/^cairn: Nothing was written.*--yes.*--dry-run/);
    setup("claude");
    expect(setupAsking("claude").out).toContain("Nothing to change.");
    expect([setupAsking("claude --remove").code, existsSync(join(home, ".claude.json"))]).toEqual([2, true]);
  });

  test("what is no file is refused by what it is, and nothing of its harness is written", () => {
    symlinkSync(".claude.json", join(home, ".claude.json"));
    Bun.spawnSync(["mkfifo", join(home, ".mcp")]);
    mkdirSync(join(home, ".cursor"));
    symlinkSync(join(home, ".mcp"), join(home, ".cursor/mcp.json"));
    const before = namesIn("");
    for (const words of ["claude", "claude --remove"]) {
      const { out, code } = setup(words);
      expect([code, namesIn("")]).toEqual([1, before]);
      expect(out).toContain("a symbolic link of this path leads back to itself. It was left as it is.");
    }
    const { out, code } = setup("cursor");
    expect([code, namesIn(".cursor")]).toEqual([1, ["mcp.json"]]);
    expect(out).toContain("it is no file but a device or a pipe. It was left as it is.");
  });

  test("--json says the same to programs", () => {
    const { out, code } = setup("vscode --json");
    const { units, written } = JSON.parse(out);
    expect([code, written, units[0].name, units[0].files[0].action]).toEqual([0, true, "vscode", "created"]);
  });

  test.each([
    ["clude", "Did you mean 'cairn setup claude'?"],
    ["", "harness"],
    ["claude --http --stdio", "exclude each other"],
    ["windsurf --project", "no settings of a project"],
    ["claude --projct", "--project"],
  ])("`cairn setup %s` is refused with what to write", (words, told) => {
    const { err, code } = setup(words);
    expect(code).not.toBe(0);
    expect(err).toContain(told);
    expect(namesIn("")).toEqual(["shop"]);
  });
});
