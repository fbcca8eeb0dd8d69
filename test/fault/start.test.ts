import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Version } from "../../src/schema/system.ts";
import { temporaryFolder } from "../support/app.ts";
import { checkData, killAll, openData, runToEnd, spawnServer } from "./server.ts";

const HANG_GUARD_MS = 60_000;

afterAll(killAll);

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const serve = (...flags: readonly string[]) => ["serve", "--embedder=hash", "--port=0", ...flags];
const here = (): string => `--data=${join(folder.path, "data")}`;

/** A refusal to start: one line for people, exit code 1, nothing for programs that read the ready line. */
async function expectRefusal(
  args: readonly string[],
  says: readonly RegExp[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { stdout, stderr, code } = await runToEnd(args, env);
  expect({ stdout, code }).toEqual({ stdout: "", code: 1 });
  const lines = stderr.trim().split("\n");
  expect(lines.length).toBe(1);
  expect(lines[0]).toStartWith("cairn: ");
  expect(lines[0]).not.toMatch(/\bat .*:\d+:\d+|undefined|\[object/);
  for (const phrase of says) expect(lines[0]).toMatch(phrase);
}

function config(content: string): string {
  const path = join(folder.path, "config.json");
  writeFileSync(path, content);
  return `--config=${path}`;
}

interface Refused {
  readonly args?: () => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly says: readonly RegExp[];
}

const REFUSED: Readonly<Record<string, Refused>> = {
  "an unknown flag": { args: () => ["--prot=1"], says: [/unknown flag '--prot'/i, /--port/] },
  "an unknown negated flag": { args: () => ["--no-standalon"], says: [/unknown flag/i, /standalone/] },
  "an unknown variable": { env: { CAIRN_PROT: "1" }, says: [/unknown variable 'CAIRN_PROT'/i, /CAIRN_PORT/] },
  "an unknown key in the config file": {
    args: () => [config('{"prot": 1}')],
    says: [/unknown config key 'prot'/i, /port/],
  },
  "a config file that is no JSON": { args: () => [config("port = 1")], says: [/config\.json is not a JSON object/] },
  "a config file that is not there": {
    args: () => ["--config=/nowhere/x.json"],
    says: [/\/nowhere\/x\.json does not exist/],
  },
  "a port that is no number": { args: () => ["--port=http"], says: [/port/] },
  "a port out of range": { env: { CAIRN_PORT: "70000" }, says: [/port/] },
  "a port of nothing": { env: { CAIRN_PORT: "" }, says: [/port/i] },
  "a flag without its value": { args: () => ["--port"], says: [/port/] },
  "a data flag without its value": { args: () => ["--data"], says: [/data/] },
  "a word that is no command": { args: () => ["now"], says: [/'now' is one word too many/] },
  "an address that is not ours": {
    args: () => ["--host=192.0.2.1", "--insecure-no-auth"],
    says: [/cannot listen on 192\.0\.2\.1/i],
  },
};

for (const [name, { args = () => [], env = {}, says }] of Object.entries(REFUSED)) {
  test(`${name} is refused at the start, saying what to change`, async () => {
    const named = args();
    const port = name.includes("port") || name.includes("value") ? [] : ["--port=0"];
    await expectRefusal(["serve", "--embedder=hash", here(), ...port, ...named], says, env);
  });
}

test("a port that another program listens on is refused, naming the way out", async () => {
  const other = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  await expectRefusal(serve(here(), `--port=${other.port}`), [
    /cannot listen/i,
    new RegExp(String(other.port)),
    /--port/,
  ]);
  other.stop(true);
});

test("a port that another Cairn listens on is refused", async () => {
  const first = await spawnServer({ folder: join(folder.path, "first") });
  await expectRefusal(serve(here(), `--port=${first.port}`), [/cannot listen/i, /--port/]);
  expect(await first.terminate()).toBe(0);
});

for (const embedder of ["hash", "onnx"] as const) {
  test(
    `a second server on the same folder is refused and leaves the first one alone (${embedder})`,
    async () => {
      const first = await spawnServer({ folder: folder.path, embedder });
      const second = ["serve", "--port=0", `--embedder=${embedder}`, `--data=${folder.path}`];
      await expectRefusal(second, [/another cairn/i, new RegExp(folder.path), /--data/]);
      await first.client.ok(Version, "GET", "/api/v1/version");
      expect(await first.terminate()).toBe(0);
      checkData(folder.path);
    },
    HANG_GUARD_MS,
  );
}

test("a folder whose owner was killed is free again at once", async () => {
  const first = await spawnServer({ folder: folder.path });
  await first.kill();
  const second = await spawnServer({ folder: folder.path });
  expect(await second.terminate()).toBe(0);
});

test("a data path that is a file is refused", async () => {
  writeFileSync(join(folder.path, "data"), "not a folder");
  await expectRefusal(serve(here()), [/data/]);
});

test("a data file that is no database is refused and left as it is", async () => {
  const data = join(folder.path, "data");
  mkdirSync(data);
  const content = "This is somebody's diary.\n".repeat(400);
  writeFileSync(join(data, "cairn.db"), content);
  await expectRefusal(serve(here()), [/not a cairn database/i, /--data/]);
  expect(await Bun.file(join(data, "cairn.db")).text()).toBe(content);
});

test("a data file of a newer Cairn is refused and left as it is", async () => {
  const data = join(folder.path, "data");
  const server = await spawnServer({ folder: data });
  expect(await server.terminate()).toBe(0);
  const db = openData(data);
  db.exec("pragma user_version = 9999");
  db.close();
  await expectRefusal(serve(here()), [/newer cairn/i]);
  const after = new Database(join(data, "cairn.db"), { readonly: true });
  expect(after.query("pragma user_version").values()).toEqual([[9999]]);
  after.close();
});

test("a start that is refused leaves no folder behind", async () => {
  await expectRefusal(["serve", here(), "--prot=1"], [/--prot/]);
  expect(readdirSync(folder.path)).toEqual([]);
});
