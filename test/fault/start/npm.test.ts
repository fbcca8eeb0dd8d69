import { afterAll, expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { isBinary } from "../../support/app.ts";
import { HERMETIC } from "../../support/in-process.ts";
import { aFolder, cleanUp, until } from "../server.ts";

const ROOT = resolve(import.meta.dir, "../../..");
const STARTING_MS = 60_000;
const started: { npm: Bun.Subprocess; server: number }[] = [];
afterAll(async () => {
  for (const { npm, server } of started)
    for (const pid of [npm.pid, server]) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  await cleanUp();
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Runs a script of package.json, and waits until its server says where it is: as one JSON line in a file. */
async function run(...words: string[]) {
  const told = join(aFolder(), "ready.json");
  const env = { HOME: process.env.HOME ?? "/", PATH: process.env.PATH ?? "", ...HERMETIC };
  const npm = Bun.spawn(["npm", ...words], {
    cwd: ROOT,
    stdin: "ignore",
    stdout: Bun.file(told),
    stderr: "ignore",
    env,
  });
  const readyLine = async () => /^\{.*"event":"ready".*\}$/m.exec(await Bun.file(told).text());
  await until("the server is ready", async () => (await readyLine()) !== null);
  const server: number = JSON.parse((await readyLine())?.[0] ?? "{}").pid;
  started.push({ npm, server });
  return { npm, server };
}

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const;

test.skipIf(isBinary).each(SIGNALS)(
  "a server of npm start ends when npm ends by %s",
  async (signal) => {
    const { npm, server } = await run("start", "--", "--ephemeral", "--port=0", "--embedder=hash", "--ready-json");
    expect(isAlive(server)).toBe(true);
    npm.kill(signal);
    await until("the server is gone", async () => !isAlive(server));
    await npm.exited;
  },
  STARTING_MS,
);

test.skipIf(isBinary).each(SIGNALS)(
  "a server that a test started ends when npm test ends by %s",
  async (signal) => {
    const { npm, server } = await run("test", "--", "./test/fault/waiting.ts");
    expect(isAlive(server)).toBe(true);
    npm.kill(signal);
    await until("the server is gone", async () => !isAlive(server));
    await npm.exited;
  },
  STARTING_MS,
);
