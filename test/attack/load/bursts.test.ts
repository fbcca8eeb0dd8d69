import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Server } from "../../fault/server.ts";
import { aFolder, cleanUp, spawnServer } from "../../fault/server.ts";
import { cairnIn } from "../../support/command-line.ts";
import { as, hasUsers, NEIGHBOUR } from "../neighbours/users.ts";

// Whoever is refused asks again and again: without waiting for answers, so that all others wait, and so that the log fills the disk.

setDefaultTimeout(120_000);
afterAll(cleanUp);

const REQUESTS = 20_000;
/** Answers that a burst may get before its connection ends: those of one turn, and what one more may hold. */
const ANSWERS_MAX = 2_048;
const LOG_MAX = 50_000;

/** Sends requests in one go, and writes how many answers came before the connection ended. */
const SCRIPT = `const [port, path] = process.argv.slice(-2);
const one = "GET " + path + " HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nAccept: text/html\\r\\n\\r\\n";
let answers = 0;
let left = Buffer.from(one.repeat(${REQUESTS}));
const send = (socket) => { left = left.subarray(Math.max(0, socket.write(left))); };
const end = () => { console.log(answers); process.exit(0); };
await Bun.connect({ hostname: "127.0.0.1", port: Number(port), socket: {
  open: send, drain: send, close: end, error: end,
  data: (_, bytes) => {
    answers += bytes.toString("latin1").split("HTTP/1.1 ").length - 1;
    if (answers === ${REQUESTS}) end();
  },
} });`;

async function burst(server: Server, path: string, user: number | null): Promise<number> {
  const words = [process.execPath, "-e", SCRIPT, String(server.port), path];
  const env = { HOME: tmpdir(), PATH: process.env.PATH };
  const child = Bun.spawn(user === null ? words : as(user, words), { cwd: tmpdir(), env, stdout: "pipe" });
  return Number(await new Response(child.stdout).text());
}

describe.each([
  ["without a key", ["--api-key", "k".repeat(40)], null],
  ["of another account", [], NEIGHBOUR],
] as const)("a burst %s", (_who, flags, user) => {
  test.skipIf(user !== null && !hasUsers)("ends with its connection, and is counted in the log", async () => {
    const server = await spawnServer({ folder: aFolder(), flags: [...flags] });
    for (const path of ["/api/v1/memories", "/nowhere", "/", "/api/docs", "/api/v1/../x", "/mcp"])
      expect([path, (await burst(server, path, user)) < ANSWERS_MAX]).toEqual([path, true]);
    await Bun.sleep(1_500);
    expect(server.log().length).toBeLessThan(LOG_MAX);
    expect(server.log()).toMatch(/"event":"requests".*"times":\d+/);
    await server.terminate();
  });
});

test("a few refusals keep their connection, and have a line each", async () => {
  const server = await spawnServer({ folder: aFolder(), flags: ["--api-key", "k".repeat(40)] });
  for (let i = 0; i < 5; i++) {
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/memories`);
    expect([answer.status, answer.headers.get("connection")]).toEqual([401, expect.not.stringContaining("close")]);
    await answer.text();
  }
  expect(server.log().match(/"event":"request",.*"status":401/g)).toHaveLength(5);
  await server.terminate();
});

test("the log of a server in the background keeps its newer half when it is full", async () => {
  const data = aFolder();
  const path = join(data, "server.log");
  const line = `${JSON.stringify({ event: "old" })}\n`;
  writeFileSync(path, line.repeat(Math.floor(4_999_900 / line.length)), { mode: 0o600 });
  const cairn = cairnIn(data, data, { CAIRN_PORT: "0" });
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  await cairn(["mcp"], `${JSON.stringify(list)}\n`);
  try {
    const { url } = z.object({ url: z.string() }).parse(JSON.parse(readFileSync(join(data, "server.json"), "utf8")));
    for (let i = 0; i < 5; i++) await (await fetch(`${url}/nowhere`)).text();
    const { size } = statSync(path);
    expect(size).toBeGreaterThan(2_000_000);
    expect(size).toBeLessThan(3_000_000);
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    expect(lines.every((one) => one.startsWith("{") || !one.includes("\0"))).toBe(true);
    expect(lines[0]).toBe(line.trimEnd());
    // A job may have ended since.
    expect(lines.slice(-10).join()).toContain("no_such_route");
  } finally {
    await cairn(["stop"]);
  }
});
