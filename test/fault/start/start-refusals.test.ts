import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { memoriesApi } from "../../support/api/memories.ts";
import { aFolder, cleanUp, runToEnd, spawnServer, until } from "../server.ts";

afterAll(cleanUp);

const isLinux = process.platform === "linux";
const start = (...flags: string[]) => runToEnd(["serve", "--embedder=hash", ...flags]);

test("a port that is taken is refused with the process that has it", async () => {
  const server = await spawnServer({ folder: aFolder() });
  const { stderr, code } = await start("--ephemeral", `--port=${server.port}`);
  expect(code).toBe(1);
  expect(stderr).toContain(`127.0.0.1:${server.port}`);
  if (isLinux) expect(stderr).toMatch(new RegExp(`process ${server.pid} \\(.*main\\.ts serve.*\\) listens there`));
  await server.terminate();
});

test("a folder that is taken is refused with the process that has it", async () => {
  const folder = aFolder();
  const server = await spawnServer({ folder });
  const { stderr, code } = await start("--port=0", `--data=${folder}`);
  expect(code).toBe(1);
  expect(stderr).toContain(folder);
  expect(stderr).toContain(`process ${server.pid}`);
  if (isLinux) expect(stderr).toContain("main.ts serve");
  await server.terminate();
});

test("a file given for the folder of the data is called one", async () => {
  const path = join(aFolder(), "notes.txt");
  await Bun.write(path, "x");
  expect((await start("--port=0", `--data=${path}`)).stderr).toMatch(/notes\.txt cannot be made \(it is a file\)/);
  const below = await start("--port=0", `--data=${join(path, "data")}`);
  expect(below.stderr).toMatch(/a part of this path is a file/);
});

test("a start that failed prints one line of JSON to whoever waits for one", async () => {
  const seed = join(aFolder(), "seed.jsonl");
  await Bun.write(seed, "no JSON");
  const starts: [string[], string, number, Record<string, string>?][] = [
    [["--ready-json", "--port=abc"], "CONFIG_INVALID", 2],
    [["--port=abc"], "CONFIG_INVALID", 2, { CAIRN_READY_JSON: "true" }],
    [["--ready-json"], "CONFIG_INVALID", 1, { CAIRN_PORT: "abc" }],
    [["--ready-json", "--ephemeral", "--port=0", `--seed=${seed}`], "SEED_INVALID", 1],
    [["--ready-json", "--port=0", "--data=/dev/null/x"], "UNAVAILABLE", 1],
  ];
  for (const [flags, code, exit, env] of starts) {
    const ended = await runToEnd(["serve", "--embedder=hash", ...flags], env);
    const lines = ended.stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([{ event: "failed", code, message: expect.any(String) }]);
    expect(ended.code).toBe(exit);
    expect(ended.stderr).toContain(JSON.parse(lines[0] ?? "").message);
  }
});

test("a seed is refused with its line where a memory has no such member", async () => {
  const seed = join(aFolder(), "seed.jsonl");
  await Bun.write(seed, '{"content":"The quay is long."}\n{"content":"The quay is wide.","memory_typ":"fact"}\n');
  const { code, stderr } = await runToEnd(["serve", "--embedder=hash", "--ephemeral", "--port=0", `--seed=${seed}`]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(
      "Line 2 of the seed file cannot be loaded: a memory has no 'memory_typ': did you mean 'memory_type'?",
    ),
  ]);
});

test("a server that was stopped says why and how long it ran", async () => {
  const server = await spawnServer({ folder: aFolder() });
  expect(await server.terminate("SIGINT")).toBe(0);
  const last = JSON.parse(server.log().trim().split("\n").at(-1) ?? "");
  expect(last).toMatchObject({ level: "info", event: "stopped", why: "SIGINT" });
  expect(last.ran_s).toBeGreaterThanOrEqual(0);
});

test("the log holds lines of the level that was asked for and above", async () => {
  const logOf = async (level: string) => {
    const server = await spawnServer({ folder: aFolder(), flags: ["--log-level", level] });
    await server.client.call("GET", "/api/v1/version");
    await server.terminate();
    return server.log();
  };
  expect(await logOf("silent")).toBe("");
  expect(await logOf("error")).toBe("");
  expect(await logOf("info")).toContain('"event":"request"');

  const server = await spawnServer({ folder: aFolder(), flags: ["--log-level", "debug"] });
  await memoriesApi(server.client).write();
  await until("the log tells of a job", async () => server.log().includes('"level":"debug","event":"job taken up"'));
  await server.terminate();
});

test("the licences are printed whatever else is set", async () => {
  const { stdout, code } = await runToEnd(["licenses"], { CAIRN_PROT: "1" });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^onnxruntime-node [\d.]+ \(MIT\)$/m);
});
