import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, readlinkSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aFolder, CAIRN, cleanUp } from "../fault/server.ts";
import { isBinary } from "../support/app.ts";
import { openedIn } from "./opens.ts";

// From source the runtime is a developer's own, and reads what it likes; the executable runs wherever somebody works.

afterAll(cleanUp);

const EVIL = 'require("node:fs").writeFileSync(process.env.EVIL_MARK ?? "ran", "");';
/** What runtimes, package managers and bundlers look for in a folder, each with something that would tell. */
const BAITS: Readonly<Record<string, string>> = {
  "bunfig.toml":
    'preload = ["./evil.ts"]\n[run]\npreload = ["./evil.ts"]\n[define]\n"process.env.CAIRN_URL" = "\'http://127.0.0.1:9\'"\n',
  ".bunfig.toml": 'preload = ["./evil.ts"]\n',
  ".env":
    "CAIRN_URL=http://127.0.0.1:9\nCAIRN_KEY=mc_stolen\nCAIRN_LLM_BASE_URL=http://127.0.0.1:9/v1\nCAIRN_LLM_MODEL=m\nCAIRN_BOGUS=1\nBUN_OPTIONS=--preload ./evil.ts\n",
  "tsconfig.json": '{"compilerOptions": {"paths": {"*": ["./evil.ts"]}, "jsxImportSource": "evil"}}',
  "jsconfig.json": '{"compilerOptions": {"paths": {"*": ["./evil.ts"]}}}',
  "package.json": '{"name": "evil", "type": "module", "main": "./evil.ts", "imports": {"#*": "./evil.ts"}}',
  "evil.ts": EVIL,
  "index.ts": EVIL,
  "bun.lock": "{}",
  ".npmrc": "registry=http://127.0.0.1:9\n",
  "config.json": '{"port": 9}',
  "cairn.json": '{"port": 9}',
  "node_modules/pg-native/index.js": EVIL,
  "node_modules/sharp/index.js": EVIL,
  "node_modules/onnxruntime-node/index.js": EVIL,
  "vec0.so": "no library",
  "libonnxruntime.so.1": "no library",
};
for (const kind of ["local", "development", "production", "test", "development.local", "production.local"])
  Object.assign(BAITS, { [`.env.${kind}`]: BAITS[".env"] });

/** What Cairn itself reads there: the folder's project. */
const OWN = [".cairn.json"];

let hostile: string;
let home: string;
let mark: string;
beforeEach(() => {
  hostile = realpathSync(aFolder());
  home = aFolder();
  mark = join(home, "evil-ran");
  for (const [name, text] of Object.entries(BAITS)) {
    mkdirSync(join(hostile, name, ".."), { recursive: true });
    writeFileSync(join(hostile, name), text);
  }
  writeFileSync(join(hostile, ".cairn.json"), '{"project": "orchard"}');
});
afterEach(() => run(["stop"]));

const environment = () => ({
  PATH: process.env.PATH ?? "",
  HOME: home,
  EVIL_MARK: mark,
  CAIRN_EMBEDDER: "hash",
  CAIRN_PORT: "0",
});

async function run(words: readonly string[], input = "") {
  const child = Bun.spawn([...CAIRN, ...words], {
    cwd: hostile,
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
    env: environment(),
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { out, err, code: await child.exited };
}

const PROMPT = JSON.stringify({ session_id: "s", prompt: "when do deploys go out?" });
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
const COMMANDS: readonly (readonly [string, readonly string[], string])[] = [
  ["version", ["version"], ""],
  ["help", ["help"], ""],
  ["status", ["status"], ""],
  ["hook session-start", ["hook", "session-start"], PROMPT],
  ["hook user-prompt", ["hook", "user-prompt"], PROMPT],
  ["add", ["add", "Deploys go out every Tuesday at nine."], ""],
  ["search", ["search", "deploys"], ""],
  ["keystones", ["keystones"], ""],
  ["mcp", ["mcp"], PING],
  ["migrate", ["migrate", "--to", "postgres://nobody@127.0.0.1:9/none"], ""],
];

describe.skipIf(!isBinary)("in a hostile folder the executable", () => {
  test.each(COMMANDS)("runs none of its code and opens none of its files: %s", async (_, words, input) => {
    const opened = openedIn(hostile);
    const { err } = await run(words, input);
    expect(err).not.toContain("CAIRN_BOGUS");
    expect(existsSync(mark)).toBe(false);
    if (opened !== null) expect(opened.end().filter((name) => !OWN.includes(name))).toEqual([]);
  });

  test("takes no setting from a .env: nothing goes to the address that it names", async () => {
    const asked: string[] = [];
    const keep = ({ url }: Request) => {
      asked.push(url);
      return new Response("{}");
    };
    const stranger = Bun.serve({ port: 0, fetch: keep });
    const text = `CAIRN_URL=http://127.0.0.1:${stranger.port}\nCAIRN_KEY=k\n`;
    for (const name of Object.keys(BAITS).filter((one) => one.startsWith(".env")))
      writeFileSync(join(hostile, name), text);
    for (const [, words, input] of COMMANDS) await run(words, input);
    await stranger.stop(true);
    expect(asked).toEqual([]);
  });

  test("starts a server that is neither in that folder nor configured by it", async () => {
    const { out } = await run(["mcp"], PING);
    expect(out).toContain('"id":1');
    const status: unknown = JSON.parse((await run(["status", "--json"])).out);
    expect(status).toMatchObject({ running: true, llm: { configured: false } });
    if (process.platform !== "linux") return;
    const { pid } = Object(status);
    const data = join(home, ".local", "share", "cairn");
    expect(readlinkSync(`/proc/${pid}/cwd`)).toBe(realpathSync(data));
    expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain("CAIRN_LLM_BASE_URL");
  });
});

describe.skipIf(!isBinary)("settings are taken from nowhere that others choose", () => {
  const status = async (env: Readonly<Record<string, string>>) => {
    const child = Bun.spawn([...CAIRN, "config", "--json"], {
      cwd: hostile,
      stdout: "pipe",
      stderr: "pipe",
      env: { PATH: process.env.PATH ?? "", HOME: home, ...env },
    });
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return { out, err, code: await child.exited };
  };

  test("relative paths of XDG lie in no folder one happens to be in", async () => {
    for (const name of ["data", "config", "cache"]) mkdirSync(join(hostile, name, "cairn"), { recursive: true });
    writeFileSync(join(hostile, "config", "cairn", "config.json"), '{"port": 9999}');
    const { out, code } = await status({ XDG_CONFIG_HOME: "config", XDG_DATA_HOME: "data", XDG_CACHE_HOME: "./cache" });
    expect(code).toBe(0);
    expect(out).not.toContain("9999");
    expect(out).not.toContain(hostile);
  });

  test("a config file that others may write is refused, with what to do", async () => {
    const place = join(home, ".config", "cairn");
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "config.json"), '{"port": 9999}');
    expect((await status({})).out).toContain("9999");
    chmodSync(join(place, "config.json"), 0o666);
    const { err, code } = await status({});
    expect(code).toBe(1);
    expect(err).toContain(`Others than you can change ${join(place, "config.json")}`);
    expect((await status({ CAIRN_CONFIG: join(place, "config.json") })).code).toBe(0);
  });
});
