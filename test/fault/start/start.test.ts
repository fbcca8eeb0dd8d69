import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Version } from "../../../src/core/schema/system.ts";
import { temporaryFolder } from "../../support/app.ts";
import { checkData, cleanUp, openData, runToEnd, spawnServer } from "../server.ts";

const HANG_GUARD_MS = 180_000;

afterAll(cleanUp);

/** Side by side: each start has a folder of its own, and mostly waits. */
function testIn(name: string, body: (folder: string) => Promise<void>): void {
  test.concurrent(
    name,
    async () => {
      const folder = temporaryFolder();
      try {
        await body(folder.path);
      } finally {
        folder.remove();
      }
    },
    HANG_GUARD_MS,
  );
}

const dataIn = (folder: string): string => join(folder, "data");
const serve = (folder: string, ...flags: readonly string[]) => [
  "serve",
  "--embedder=hash",
  "--port=0",
  `--data=${dataIn(folder)}`,
  ...flags,
];

/** A refusal to start: one line for people, exit code 1, nothing for programs that wait for the ready line. */
async function expectRefusal(
  args: readonly string[],
  says: readonly RegExp[],
  { env = {}, code = 1 }: Pick<Refused, "env" | "code"> = {},
): Promise<void> {
  const ended = await runToEnd(args, env);
  const { stderr } = ended;
  expect({ stdout: ended.stdout, code: ended.code }).toEqual({ stdout: "", code });
  const lines = stderr.trim().split("\n");
  expect(lines.length).toBe(1);
  expect(lines[0]).toStartWith("cairn: ");
  expect(lines[0]).not.toMatch(/\bat .*:\d+:\d+|undefined|\[object/);
  for (const phrase of says) expect(lines[0]).toMatch(phrase);
}

interface Refused {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly file?: string;
  /** 2 for what is written wrongly; 1 unless given. */
  readonly code?: number;
  readonly says: readonly RegExp[];
}

/** One for each place a setting comes from; what each setting may be is for the unit tests. */
const REFUSED: Readonly<Record<string, Refused>> = {
  "an unknown flag": { flags: ["--prot=1"], code: 2, says: [/unknown flag '--prot'/i, /--port/] },
  "an unknown variable": { env: { CAIRN_PROT: "1" }, says: [/unknown variable 'CAIRN_PROT'/i, /CAIRN_PORT/] },
  "an unknown key in the config file": { file: '{"prot": 1}', says: [/unknown config key 'prot'/i, /port/] },
  "a config file that is no JSON": { file: "port = 1", says: [/config\.json is not a JSON object/] },
  "a port out of range": { flags: ["--port=70000"], code: 2, says: [/port/] },
  "a flag without its value": { flags: ["--port"], code: 2, says: [/port/] },
  "an address that is not ours": { flags: ["--host=192.0.2.1", "--insecure-no-auth"], says: [/cannot listen on 192/i] },
};

for (const [name, { flags = [], env = {}, code = 1, file, says }] of Object.entries(REFUSED)) {
  testIn(`${name} is refused at the start, saying what to change`, async (folder) => {
    const path = join(folder, "config.json");
    if (file !== undefined) writeFileSync(path, file);
    await expectRefusal(serve(folder, ...(file === undefined ? [] : [`--config=${path}`]), ...flags), says, {
      env,
      code,
    });
  });
}

testIn("a port that another program listens on is refused, naming the way out", async (folder) => {
  const other = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  const says = [/cannot listen/i, new RegExp(String(other.port)), /--port/];
  await expectRefusal(serve(folder, `--port=${other.port}`), says);
  other.stop(true);
});

testIn("a port that another Cairn listens on is refused", async (folder) => {
  const first = await spawnServer({ folder: join(folder, "first") });
  await expectRefusal(serve(folder, `--port=${first.port}`), [/cannot listen/i, /--port/]);
  expect(await first.terminate()).toBe(0);
});

for (const embedder of ["hash", "onnx"] as const) {
  testIn(
    `a second server on the same folder is refused and leaves the first one alone (${embedder})`,
    async (folder) => {
      const first = await spawnServer({ folder: dataIn(folder), embedder });
      const says = [/another cairn/i, new RegExp(dataIn(folder)), /--data/];
      await expectRefusal(serve(folder, `--embedder=${embedder}`), says);
      await first.client.ok(Version, "GET", "/api/v1/version");
      expect(await first.terminate()).toBe(0);
      checkData(dataIn(folder));
    },
  );
}

testIn("a folder whose owner was killed is free again at once", async (folder) => {
  const first = await spawnServer({ folder });
  await first.kill();
  const second = await spawnServer({ folder });
  expect(await second.terminate()).toBe(0);
});

testIn("a data path that is a file is refused", async (folder) => {
  writeFileSync(dataIn(folder), "not a folder");
  await expectRefusal(serve(folder), [new RegExp(dataIn(folder)), /cannot be made/, /--data/]);
});

testIn("a data file that is no database is refused and left as it is", async (folder) => {
  mkdirSync(dataIn(folder));
  const file = join(dataIn(folder), "cairn.db");
  const content = "This is somebody's diary.\n".repeat(400);
  writeFileSync(file, content);
  await expectRefusal(serve(folder), [/not a cairn database/i, /--data/]);
  expect(await Bun.file(file).text()).toBe(content);
});

testIn("a data file of a newer Cairn is refused and left as it is", async (folder) => {
  const server = await spawnServer({ folder: dataIn(folder) });
  expect(await server.terminate()).toBe(0);
  const db = openData(dataIn(folder));
  db.exec("pragma user_version = 9999");
  db.close();
  await expectRefusal(serve(folder), [/newer cairn/i]);
  const after = new Database(join(dataIn(folder), "cairn.db"), { readonly: true });
  expect(after.query("pragma user_version").values()).toEqual([[9999]]);
  after.close();
});

testIn("a start that is refused for its settings leaves no folder behind", async (folder) => {
  await expectRefusal(serve(folder, "--prot=1"), [/--prot/], { code: 2 });
  expect(readdirSync(folder)).toEqual([]);
});
