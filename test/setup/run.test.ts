import { expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { strangeHooks } from "../../src/cli/doctor/project/hooks.ts";
import type { Harness, Machine } from "../../src/cli/setup/harness.ts";
import { HARNESS_NAMES, HARNESSES } from "../../src/cli/setup/harnesses.ts";
import { readJson } from "../../src/cli/setup/json-text.ts";
import { projectFolder } from "../../src/cli/setup/place.ts";
import { nameOfFolder } from "../../src/cli/setup/project-name.ts";
import { wantedFor } from "../../src/cli/setup/wish.ts";
import { personOf } from "../../src/projects/folder/person.ts";
import { sandbox, WISH } from "./support.ts";

const textIn = (folder: string, file: string) => readFileSync(join(folder, file), "utf8");
const jsonIn = (folder: string, file: string) => readJson(textIn(folder, file));

const THEIRS = {
  permissions: { allow: ["Bash"] },
  hooks: {
    SessionStart: [{ matcher: "startup", hooks: [{ type: "command", command: "echo hello" }] }],
    Stop: [{ hooks: [{ type: "command", command: "say done" }] }],
  },
};

test("hooks of others stay in their places, before and after", async () => {
  using box = sandbox();
  const { home } = box.machine;
  const before = `${JSON.stringify(THEIRS, null, 2)}\n`;
  box.put(join(home, ".claude/settings.json"), before);
  await box.run("claude");
  const { hooks, permissions } = jsonIn(home, ".claude/settings.json");
  expect(permissions).toEqual(THEIRS.permissions);
  expect(hooks).toMatchObject({
    SessionStart: [THEIRS.hooks.SessionStart[0], { hooks: [{ timeout: 5 }] }],
    Stop: THEIRS.hooks.Stop,
  });
  await box.run("claude", { remove: true });
  expect(textIn(home, ".claude/settings.json")).toBe(before);
});

test("an executable that moved takes the place of the old one, in entries and in hooks", async () => {
  using box = sandbox();
  const { home } = box.machine;
  await box.run("claude");
  await box.run("claude", { self: ["/new place/cairn"] });
  const settings = textIn(home, ".claude/settings.json");
  expect(settings).not.toContain("/opt/cairn");
  expect(settings.match(/'\/new place\/cairn' hook session-start --harness claude/g)).toHaveLength(1);
  expect(jsonIn(home, ".claude.json")).toMatchObject({ mcpServers: { cairn: { command: "/new place/cairn" } } });
});

test("how much hooks tell stands in what they call, and another level takes its place", async () => {
  using box = sandbox();
  const { home } = box.machine;
  const settings = () => textIn(home, ".claude/settings.json");
  await box.run("claude", { hooks: "quiet", flags: ["--data", "/d"] });
  expect(settings()).toContain("/opt/cairn/cairn hook user-prompt --data /d --level quiet --harness claude");
  const written = { name: "claude", machine: box.machine, self: WISH.self } as const;
  expect(strangeHooks(JSON.parse(settings()).hooks, written)).toEqual([]);
  await box.run("claude", { hooks: "generous" });
  expect(settings()).not.toContain("quiet");
  expect(settings()).toContain("hook session-start --level generous --harness claude");
  await box.run("claude");
  expect(settings()).not.toContain("--level");
});

test("--no-hooks takes back hooks that an earlier set-up wrote", async () => {
  using box = sandbox();
  await box.run("gemini");
  await box.run("gemini", { hooks: null });
  expect(jsonIn(box.machine.home, ".gemini/settings.json")).toEqual({
    mcpServers: { cairn: { command: "/opt/cairn/cairn", args: ["mcp"] } },
  });
});

test("what somebody added to our entry stays through another set-up", async () => {
  using box = sandbox();
  const file = join(box.machine.home, ".codex/config.toml");
  await box.run("codex");
  box.put(
    file,
    `${readFileSync(file, "utf8").replace('"mcp" ]', '"mcp", "--tools", "all" ]')}startup_timeout_sec = 30\n\n[mcp_servers.cairn.env]\nCAIRN_LOG_LEVEL = "debug"\n`,
  );
  const changed = readFileSync(file, "utf8");
  await box.run("codex");
  expect(readFileSync(file, "utf8")).toBe(changed);
  await box.run("codex", { self: ["/elsewhere/cairn"] });
  expect(Bun.TOML.parse(readFileSync(file, "utf8"))).toEqual({
    mcp_servers: {
      cairn: {
        command: "/elsewhere/cairn",
        args: ["mcp", "--tools", "all"],
        startup_timeout_sec: 30,
        env: { CAIRN_LOG_LEVEL: "debug" },
      },
    },
  });
});

test("a header that somebody added to their own settings stays; ours follow what is asked for", async () => {
  using box = sandbox();
  const file = join(box.machine.home, ".claude.json");
  const added = '"headers": {\n        "X-Tenant-ID": "acme",\n        "X-Cairn-Project": "shop",';
  await box.run("claude", { transport: "http", key: true });
  box.put(file, readFileSync(file, "utf8").replace('"headers": {', added));
  await box.run("claude", { transport: "http", key: true });
  expect(jsonIn(box.machine.home, ".claude.json")).toMatchObject({
    mcpServers: {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code fills it in.
      cairn: { headers: { "X-Tenant-ID": "acme", Authorization: "Bearer ${CAIRN_KEY}" } },
    },
  });
  expect(readFileSync(file, "utf8")).not.toContain("X-Cairn-Project");
});

test("an entry of that name that is not ours is neither written over nor taken away", async () => {
  using box = sandbox();
  const file = join(box.machine.home, ".cursor/mcp.json");
  const text = '{"mcpServers":{"cairn":{"command":"stone-counter","args":["--all"]}}}';
  box.put(file, text);
  const { units } = await box.run("cursor");
  expect(units[0]?.files[0]?.fault).toContain("mcpServers.cairn is there already and does not start Cairn");
  await box.run("cursor", { remove: true });
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("OpenCode of the second version, with its servers a level deeper, has the entry there", async () => {
  using box = sandbox();
  const text = '{\n  "mcp": {\n    "servers": {\n      "a": { "type": "local", "command": ["a"] }\n    }\n  }\n}\n';
  box.put(join(box.machine.home, ".config/opencode/opencode.jsonc"), text);
  await box.run("opencode");
  expect(jsonIn(box.machine.home, ".config/opencode/opencode.jsonc")).toMatchObject({
    mcp: { servers: { cairn: { command: ["/opt/cairn/cairn", "mcp"] } } },
  });
  await box.run("opencode", { remove: true });
  expect(textIn(box.machine.home, ".config/opencode/opencode.jsonc")).toBe(text);
});

test("bytes that are no text are left as they are", async () => {
  using box = sandbox();
  const file = join(box.machine.home, ".claude.json");
  writeFileSync(file, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
  const { units } = await box.run("claude");
  expect(units[0]?.files[0]).toMatchObject({
    action: "failed",
    fault: `${file}: it is no text in UTF-8. It was left as it is.`,
  });
  expect([...readFileSync(file)]).toEqual([0x7b, 0xff, 0xfe, 0x7d]);
});

test("a folder where a file belongs is a fault of that harness alone", async () => {
  using box = sandbox();
  mkdirSync(join(box.machine.home, ".cursor/mcp.json"), { recursive: true });
  mkdirSync(join(box.machine.home, ".gemini"));
  const { units } = await box.run("all");
  expect(units.map(({ name, files }) => [name, files[0]?.action])).toEqual([
    ["cursor", "failed"],
    ["gemini", "created"],
  ]);
});

test("a file that another program changes between the question and the answer is not written over", async () => {
  let file = "";
  using box = sandbox({
    agrees: async () => {
      writeFileSync(file, '{"theirs": 2}');
      return true;
    },
  });
  file = join(box.machine.home, ".claude.json");
  box.put(file, '{"theirs": 1}');
  const { units } = await box.run("claude");
  expect(units[0]?.files[0]?.fault).toContain("was changed by another program just now");
  expect(readFileSync(file, "utf8")).toBe('{"theirs": 2}');
});

test("through a link that leads nowhere its file is made, and --remove leaves just the link", async () => {
  using box = sandbox();
  const { home } = box.machine;
  const [link, target] = [join(home, ".claude.json"), join(home, "dotfiles/new/claude.json")];
  symlinkSync(target, link);
  await box.run("claude", { remove: true });
  await box.run("claude", { hooks: null });
  expect(readFileSync(target, "utf8")).toContain("mcpServers");
  await box.run("claude", { remove: true });
  expect([readdirSync(home), readlinkSync(link)]).toEqual([[".claude.json"], target]);
});

test("where one file of a harness cannot be written, those before it are put back as they were", async () => {
  using box = sandbox();
  const { home } = box.machine;
  const file = join(home, ".claude.json");
  // The second file would lie behind a link that leads nowhere.
  symlinkSync("nowhere", join(home, ".claude"));
  const expectUntouched = async (names: string[]) => {
    const { units, written } = await box.run("claude");
    expect([written, units[0]?.notes, readdirSync(home).sort()]).toEqual([false, [], names]);
    expect(units[0]?.files).toMatchObject([
      { file, action: "unchanged" },
      { action: "failed", fault: expect.stringContaining("a part of this path is a file, or a link") },
    ]);
  };
  await expectUntouched([".claude"]);
  box.put(file, '{"theirs": 1}');
  chmodSync(file, 0o640);
  await expectUntouched([".claude", ".claude.json"]);
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(['{"theirs": 1}', 0o640]);
});

test("a no leaves everything as it is", async () => {
  using box = sandbox({ agrees: async () => false });
  const { written } = await box.run("claude");
  expect([written, box.all()]).toEqual([false, {}]);
});

test("backups of one second do not write over each other, and keep the rights of the file", async () => {
  using box = sandbox();
  const file = join(box.machine.home, ".claude.json");
  box.put(file, "{}");
  chmodSync(file, 0o600);
  await box.run("claude", { hooks: null });
  const taken = "20261123-120002";
  box.put(`${file}.cairn-backup-${taken}`, "taken");
  await box.run("claude", { hooks: null, transport: "http" });
  const names = readdirSync(box.machine.home)
    .filter((name) => name.includes("backup"))
    .sort();
  expect(names).toEqual([
    ".claude.json.cairn-backup-20261123-120001",
    `.claude.json.cairn-backup-${taken}`,
    `.claude.json.cairn-backup-${taken}-2`,
  ]);
  expect(textIn(box.machine.home, `.claude.json.cairn-backup-${taken}`)).toBe("taken");
});

test("without its backups a file still loses ours, and what ours alone was in", async () => {
  using box = sandbox();
  const { home } = box.machine;
  box.put(join(home, ".claude.json"), '{\n  "numStartups": 7\n}\n');
  await box.run("claude");
  for (const name of readdirSync(home)) if (name.includes("backup")) rmSync(join(home, name));
  await box.run("claude", { remove: true });
  expect(box.all()).toEqual({ "home/.claude.json": '{\n  "numStartups": 7\n}\n' });
});

const machineOf = (platform: Machine["platform"], env: Machine["env"] = {}): Machine => ({
  platform,
  home: "/u",
  project: "/p",
  env,
});

test.each(["linux", "darwin", "win32"] as const)("the files of a user on %s", (platform) => {
  const env = platform === "win32" ? { APPDATA: "/u/AppData/Roaming" } : {};
  const files = HARNESS_NAMES.map((name) => [name, HARNESSES[name].entry(machineOf(platform, env), "user")?.file]);
  const config = platform === "win32" ? "/u/AppData/Roaming" : "/u/.config";
  expect(Object.fromEntries(files)).toEqual({
    claude: "/u/.claude.json",
    codex: "/u/.codex/config.toml",
    cursor: "/u/.cursor/mcp.json",
    vscode:
      platform === "darwin" ? "/u/Library/Application Support/Code/User/mcp.json" : `${config}/Code/User/mcp.json`,
    gemini: "/u/.gemini/settings.json",
    opencode: "/u/.config/opencode/opencode.json",
    windsurf: "/u/.codeium/windsurf/mcp_config.json",
    zed: platform === "win32" ? "/u/AppData/Roaming/Zed/settings.json" : "/u/.config/zed/settings.json",
    openclaw: "/u/.openclaw/openclaw.json",
  });
});

test("the files of a project, and those that variables move", () => {
  const machine = machineOf("linux", {
    CLAUDE_CONFIG_DIR: "/c",
    CODEX_HOME: "/x",
    XDG_CONFIG_HOME: "/g",
    OPENCLAW_STATE_DIR: "/o",
  });
  const fileOf = (harness: Harness, scope: "user" | "project") => harness.entry(machine, scope)?.file ?? null;
  expect(HARNESS_NAMES.map((name) => fileOf(HARNESSES[name], "project"))).toEqual([
    "/p/.mcp.json",
    "/p/.codex/config.toml",
    "/p/.cursor/mcp.json",
    "/p/.vscode/mcp.json",
    "/p/.gemini/settings.json",
    "/p/opencode.json",
    null,
    "/p/.zed/settings.json",
    null,
  ]);
  const moved = (["claude", "codex", "vscode", "opencode", "openclaw"] as const).map((name) =>
    fileOf(HARNESSES[name], "user"),
  );
  expect(moved).toEqual([
    "/c/.claude.json",
    "/x/config.toml",
    "/g/Code/User/mcp.json",
    "/g/opencode/opencode.json",
    "/o/openclaw.json",
  ]);
});

test.each([
  ["linux", ["/opt/it's here/cairn"], `'/opt/it'\\''s here/cairn' hook session-start --data '/d d' --harness claude`],
  [
    "win32",
    ["C:\\Program Files\\cairn.exe"],
    `"C:\\Program Files\\cairn.exe" hook session-start --data "/d d" --harness claude`,
  ],
] as const)("a hook's command is quoted as the shell of %s wants it", (platform, self, command) => {
  const files = wantedFor("claude", machineOf(platform), { ...WISH, self, flags: ["--data", "/d d"] });
  expect(JSON.stringify(files)).toContain(JSON.stringify(command));
});

test("a project begins where git or a name is, and not at home", () => {
  using box = sandbox();
  const { home } = box.machine;
  const person = { ...personOf({}), home };
  mkdirSync(join(home, ".git"), { recursive: true });
  mkdirSync(join(home, "work/shop/src/deep"), { recursive: true });
  expect(projectFolder(join(home, "work/shop/src/deep"), person)).toBe(join(home, "work/shop/src/deep"));
  mkdirSync(join(home, "work/shop/.git"));
  expect(projectFolder(join(home, "work/shop/src/deep"), person)).toBe(join(home, "work/shop"));
});

test.each([
  ["/w/My Shop!", "my-shop"],
  ["/w/.dotfiles", "dotfiles"],
  ["/", "project"],
  ["/w/Überblick", "uberblick"],
])("the folder %s is the project %s", (folder, name) => expect(nameOfFolder(folder)).toBe(name));
