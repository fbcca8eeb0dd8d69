import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { HARNESS_NAMES, HARNESSES } from "../../src/cli/setup/harnesses.ts";
import { openApp } from "../support/in-process.ts";

const ROOT = join(import.meta.dir, "..", "..");
const PROGRAM =
  process.env.TARGET === "binary" ? [join(ROOT, "dist", "cairn")] : [process.execPath, join(ROOT, "src", "main.ts")];
const folder = realpathSync(mkdtempSync(join(tmpdir(), "cairn-setup-elsewhere-")));
let home = "";
let count = 0;
beforeEach(() => {
  home = join(folder, `home-${++count}`);
  mkdirSync(join(home, "shop"), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = () => ({
  HOME: home,
  PATH: "/nowhere",
  CAIRN_CACHE: join(folder, "cache"),
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(folder, "bun"),
  XDG_CONFIG_HOME: join(home, ".config"),
});
function setup(words: string, env: Record<string, string> = {}) {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...PROGRAM, "setup", ...words.split(" "), "--yes"], {
    cwd: join(home, "shop"),
    env: { ...environment(), ...env },
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
/** Every file below a folder of the home, with its text. */
const all = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(home, path), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(join(home, path), file), readFileSync(file, "utf8")]),
  );
const IN_PROJECT = HARNESS_NAMES.filter(
  (name) => HARNESSES[name].entry({ platform: "linux", home: "/h", project: "/p", env: {} }, "project") !== null,
);

describe("files that others read", () => {
  test.each(IN_PROJECT)("have nothing of this machine in them (%s)", (name) => {
    const env = { CAIRN_URL: "http://127.0.0.1:7788", CAIRN_KEY: "mc_secret" };
    const { out, code } = setup(`${name} --project --agents-md --data data`, env);
    expect(code).toBe(0);
    const shared = Object.entries(all("shop")).filter(([file]) => !file.endsWith("settings.local.json"));
    expect(shared.length).toBeGreaterThan(1);
    for (const [file, text] of shared) {
      expect([file, text]).toEqual([file, expect.not.stringContaining(home)]);
      expect([file, text]).toEqual([file, expect.not.stringMatching(/7788|mc_secret|--data|bun|\/cairn"/)]);
    }
    expect(shared.map(([, text]) => text).join("\n")).toMatch(/"cairn",?[^/]{0,60}"mcp"/);
    for (const said of [
      "There is no `cairn` on the PATH",
      "CAIRN_DATA",
      "CAIRN_URL",
      "CAIRN_KEY",
      join(home, "shop", "data"),
    ])
      expect(out).toContain(said);
  });

  test("start what is on the PATH, with the server that holds for all", () => {
    const script = `#!/bin/sh\nexec ${PROGRAM.map((word) => `'${word}'`).join(" ")} "$@"\n`;
    put("bin/cairn", script);
    chmodSync(join(home, "bin/cairn"), 0o755);
    const env = { PATH: `${join(home, "bin")}:/usr/bin:/bin`, CAIRN_URL: "https://memory.example:8000/" };
    const { out } = setup("cursor --project", env);
    expect(out).not.toContain("on the PATH");
    const { command, args } = json("shop/.cursor/mcp.json").mcpServers.cairn;
    expect([command, args]).toEqual(["cairn", ["mcp", "--url", "https://memory.example:8000", "--project", "shop"]]);
    const told = Bun.spawnSync([command, "version"], { env: { ...environment(), PATH: env.PATH } });
    expect(told.stdout.toString()).toStartWith("cairn ");
    const [hook] = json("shop/.cursor/hooks.json").hooks.sessionStart;
    expect(hook.command).toBe("cairn hook session-start --url https://memory.example:8000 --harness cursor");
  });

  test("a person's own file in a project has the way to this program", () => {
    setup("claude --project --data data");
    const hooks = at("shop/.claude/settings.local.json");
    expect(hooks).toContain(PROGRAM.at(-1) ?? "");
    expect(hooks).toContain(`--data ${join(home, "shop", "data")}`);
  });

  test("over HTTP, an address of this machine is written and said to be one", () => {
    expect(setup("vscode --project --http").out).toContain("http://127.0.0.1:8000/mcp is this machine's");
    // A name that may stand for another address, or for one that is not listened on, is written as what is listened on.
    expect(setup("vscode --project --http", { CAIRN_HOST: "localhost" }).out).toContain("Nothing to change.");
    const env = { CAIRN_URL: "https://memory.example" };
    expect(setup("vscode --project --http", env).out).not.toContain("is this machine's");
  });
});

describe("over standard input and output", () => {
  test("the server that CAIRN_URL names is kept, for MCP and for hooks, and goes with it", async () => {
    const { app, client } = await openApp();
    const { url } = app.listen();
    expect(setup("claude", { CAIRN_URL: `${url}/` }).code).toBe(0);
    const { command, args } = json(".claude.json").mcpServers.cairn;
    expect(args.slice(-3)).toEqual(["mcp", "--url", url]);

    const proxy = Bun.spawn([command, ...args], { env: environment(), cwd: home, stdin: "pipe", stdout: "pipe" });
    const content = "The harbour gate is shut at ten.";
    const params = { name: "remember", arguments: { content, project: "shop" } };
    proxy.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`);
    await proxy.stdin.end();
    expect(await new Response(proxy.stdout).text()).toContain('"outcome":"saved"');
    const { body } = await client.call("GET", "/api/v1/memories", { query: { fleet_id: "shop" } });
    expect(JSON.stringify(body)).toContain(content);

    put("shop/.cairn.json", '{"project": "shop"}');
    const [{ hooks }] = json(".claude/settings.json").hooks.UserPromptSubmit;
    const prompt = "when is the harbour gate shut, at ten?";
    const told = Bun.spawn(["/bin/sh", "-c", `${hooks[0].command} --debug`], {
      env: { ...environment(), PATH: "/usr/bin:/bin" },
      stdin: Buffer.from(JSON.stringify({ session_id: "s", cwd: join(home, "shop"), prompt })),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [answer, said] = await Promise.all([new Response(told.stdout).text(), new Response(told.stderr).text()]);
    expect(`${answer}${said}`).toContain(content);
    await app.stop();

    put(".claude.json", at(".claude.json").replace('"--url"', '"--tools", "all", "--url"'));
    setup("claude");
    expect(json(".claude.json").mcpServers.cairn.args.slice(-3)).toEqual(["mcp", "--tools", "all"]);
    expect(at(".claude/settings.json")).not.toContain("--url");
  }, 60_000);

  test.each(HARNESS_NAMES)("so it is in the settings of %s, and --remove takes all of it back", (name) => {
    setup(name, { CAIRN_URL: "https://memory.example" });
    expect(Object.values(all("")).join("\n")).toMatch(/"mcp",\s*"--url",\s*"https:\/\/memory\.example"/);
    setup(`${name} --remove`);
    expect(Object.keys(all(""))).toEqual([]);
  });

  test("an address with a password is refused, for others read it", () => {
    const { err, code } = setup("claude", { CAIRN_URL: "https://me:secret@memory.example" });
    expect([code, err.includes("holds a password"), err.includes("secret"), Object.keys(all(""))]).toEqual([
      1,
      true,
      false,
      [],
    ]);
  });
});

describe("--remove", () => {
  test("of the last harness takes back the block in AGENTS.md without being told of it", () => {
    put("shop/AGENTS.md", "# Rules\n\nBe brief.\n");
    const before = all("");
    setup("claude --agents-md");
    setup("codex --project");
    setup("cursor");
    for (const words of ["claude --remove", "cursor --remove"]) {
      expect(setup(words).out).not.toContain("AGENTS.md");
      expect(at("shop/AGENTS.md")).toContain("cairn:start");
    }
    expect(setup("codex --project --remove").out).toContain("AGENTS.md");
    expect(all("")).toEqual(before);
    expect(setup("claude --remove").out).toContain("Nothing to change.");
  });

  test("says what it leaves in the other place, and how that goes", () => {
    setup("cursor");
    setup("cursor --project");
    expect(setup("cursor --remove").out).toContain(
      "cursor: its set-up in this project stays: cairn setup cursor --project --remove",
    );
    setup("cursor");
    expect(setup("cursor --project --remove").out).toContain("your own settings stays: cairn setup cursor --remove");
    expect(existsSync(join(home, "shop/.cursor"))).toBe(false);
  });

  test("leaves half a block in AGENTS.md to its owner, and goes on", () => {
    setup("cursor");
    put("shop/AGENTS.md", "a\n<!-- cairn:start -->\nb\n");
    const { code } = setup("cursor --remove");
    expect([code, existsSync(join(home, ".cursor")), at("shop/AGENTS.md")]).toEqual([
      0,
      false,
      "a\n<!-- cairn:start -->\nb\n",
    ]);
  });
});

test.each(["mcp", "hook user-prompt"])("`cairn %s --url` refuses what is no address", (words) => {
  const { stderr, exitCode } = Bun.spawnSync(
    [...PROGRAM, ...words.split(" "), "--url", "memory.example", ...(words === "mcp" ? [] : ["--debug"])],
    {
      env: environment(),
      stdin: Buffer.from("{}"),
    },
  );
  expect(stderr.toString()).toContain("no address");
  expect(exitCode).not.toBe(2 * Number(words.startsWith("hook")));
});
