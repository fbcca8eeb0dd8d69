import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { tmpdir } from "node:os";
import { listeningUsers, usersInTable } from "../../../src/core/kernel/sockets/listening-users.ts";
import { NOBODY, strangerAt } from "../../../src/core/kernel/sockets/stranger.ts";
import { aFolder, cleanUp, spawnServer } from "../../fault/server.ts";
import { cairnIn } from "../../support/command-line.ts";
import { as, hasUsers, NEIGHBOUR } from "./users.ts";

// A person's server is down, and another account of the machine has taken the port at which clients are told to find it.

setDefaultTimeout(120_000);
afterAll(cleanUp);

const KEY = "mc_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ";
/** Answers whatever it is asked, and writes what that was. */
const SCRIPT = `const hostname = process.env.WHERE;
const answer = { tenant_id: "default", items: [], memories: [], status: "ok", jsonrpc: "2.0", id: 1, result: {} };
const server = Bun.serve({ hostname, port: 0, fetch: async (request) => {
  console.log(request.method + " " + request.url + " " + JSON.stringify([...request.headers]) + await request.text());
  return Response.json(answer);
} });
console.log(server.port);`;

interface Stranger {
  readonly port: number;
  /** What it was told so far. */
  told(): string;
}

const children = new Set<Bun.Subprocess>();
afterAll(() => {
  for (const child of children) child.kill();
});

/** A program of another account that listens at a port of its choice. */
async function listenAs(user: number, hostname: string): Promise<Stranger> {
  const child = Bun.spawn(as(user, [process.execPath, "-e", SCRIPT]), {
    cwd: tmpdir(),
    env: { HOME: tmpdir(), PATH: process.env.PATH, WHERE: hostname },
    stdout: "pipe",
  });
  children.add(child);
  let said = "";
  const begun = Promise.withResolvers<void>();
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      said += decoder.decode(chunk, { stream: true });
      if (said.includes("\n")) begun.resolve();
    }
  })();
  await begun.promise;
  return { port: Number(said.split("\n")[0]), told: () => said.slice(said.indexOf("\n") + 1) };
}

const hook = JSON.stringify({ session_id: "s", cwd: "/", prompt: "What is the password of the staging database?" });
const message = { jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities: {}, protocolVersion: "x" } };

/** Every kind of client that the executable is, with what it is given to send and how it ends. */
const CLIENTS: readonly (readonly [words: string, input: string, code: number])[] = [
  ["search staging", "", 3],
  ["add The_staging_database_is_reset_at_two", "", 3],
  ["status", "", 3],
  ["export -", "", 3],
  ["doctor", "", 1],
  ["mcp", `${JSON.stringify(message)}\n`, 0],
  ["hook user-prompt --harness claude --debug", hook, 0],
];

describe.skipIf(!hasUsers)("a port that another account holds", () => {
  let stranger: Stranger;
  beforeAll(async () => {
    stranger = await listenAs(NEIGHBOUR, "0.0.0.0");
  });

  test.each(CLIENTS)("`cairn %s` tells it nothing, and says whose it is", async (words, input, code) => {
    for (const host of ["127.0.0.1", "localhost", "127.1", "[::ffff:127.0.0.1]"]) {
      const folder = aFolder();
      const env = { CAIRN_URL: `http://${host}:${stranger.port}`, CAIRN_KEY: KEY };
      const ran = await cairnIn(folder, folder, env)(words.split(" "), input);
      expect(stranger.told()).toBe("");
      expect(`${ran.out}${ran.err}`).toContain(`another account of this machine, number ${NEIGHBOUR}`);
      expect([host, ran.code]).toEqual([host, code]);
    }
  });

  test("nor do the addresses of flags, and of imports", async () => {
    const url = `http://127.0.0.1:${stranger.port}`;
    const folder = aFolder();
    const cases = [
      [["mcp", "--url", url], `${JSON.stringify(message)}\n`, "CAIRN_KEY"],
      [["hook", "user-prompt", "--harness", "claude", "--debug", "--url", url], hook, "CAIRN_KEY"],
      // The other is for the folder that is imported into.
      [["import", url], "", "CAIRN_IMPORT_KEY"],
    ] as const;
    for (const [words, input, variable] of cases) {
      const ran = await cairnIn(folder, folder, { [variable]: KEY })(words, input);
      expect(`${ran.out}${ran.err}`).toContain(`number ${NEIGHBOUR}`);
    }
    expect(stranger.told()).toBe("");
  });

  test("a hook without --debug says no more than that a session starts without its rules", async () => {
    const folder = aFolder();
    const env = { CAIRN_URL: `http://127.0.0.1:${stranger.port}`, CAIRN_KEY: KEY };
    const ran = await cairnIn(folder, folder, env)(["hook", "user-prompt", "--harness", "claude"], hook);
    expect(ran).toEqual({ out: "", err: "", code: 0 });
    const start = await cairnIn(folder, folder, env)(["hook", "session-start", "--harness", "claude"], hook);
    expect(start).toEqual({ out: expect.stringContaining("rules that hold here"), err: "", code: 0 });
    expect(stranger.told()).toBe("");
  });
});

test.skipIf(!hasUsers)("an account of a service and this one are told what they are asked", async () => {
  const folder = aFolder();
  for (const user of [1, 999, 61_184, process.getuid?.() ?? 0]) {
    const { port, told } = await listenAs(user, "127.0.0.1");
    const ran = await cairnIn(folder, folder, { CAIRN_URL: `http://127.0.0.1:${port}` })(["search", "staging"]);
    expect(told()).toContain("/api/v1/whoami");
    // It answers like none: that is found out by asking.
    expect([user, ran.err]).toEqual([user, expect.stringContaining("is no Cairn")]);
  }
});

test.skipIf(!hasUsers)("whoever listens is found at every address that leads there, by either way to ask", async () => {
  const cases = [
    ["127.0.0.1", ["127.0.0.1"], ["::1"]],
    ["::1", ["::1"], ["127.0.0.1"]],
    ["0.0.0.0", ["127.0.0.1", "127.9.9.9"], ["::1"]],
    ["::", ["127.0.0.1", "::1"], []],
  ] as const;
  for (const [hostname, led, others] of cases) {
    const { port } = await listenAs(NEIGHBOUR, hostname);
    for (const ask of [listeningUsers, usersInTable]) {
      for (const address of led) expect([address, ask({ address, port })]).toEqual([address, [NEIGHBOUR]]);
      for (const address of others) expect([address, ask({ address, port })]).toEqual([address, []]);
    }
    expect(strangerAt(`http://localhost:${port}`)).toBe(`number ${NEIGHBOUR}`);
  }
});

test.skipIf(!hasUsers)("a server of one's own at the very address goes before one of any address", async () => {
  const { port } = await listenAs(NEIGHBOUR, "::1");
  const own = Bun.serve({ hostname: "127.0.0.1", port, fetch: () => new Response("own") });
  try {
    for (const ask of [listeningUsers, usersInTable])
      expect(ask({ address: "127.0.0.1", port })).toEqual([process.getuid?.() ?? -1]);
    expect(strangerAt(`http://127.0.0.1:${port}`)).toBeNull();
    // A name that stands for both may lead to either.
    expect(strangerAt(`http://localhost:${port}`)).toBe(`number ${NEIGHBOUR}`);
  } finally {
    await own.stop(true);
  }
});

test("where nobody listens nothing is sent, and beyond this machine a client goes on", async () => {
  const { port, terminate } = await spawnServer({ folder: aFolder() });
  expect(strangerAt(`http://127.0.0.1:${port}`)).toBeNull();
  await terminate();
  // Whoever listens a moment later is not whom the question was about.
  expect(strangerAt(`http://127.0.0.1:${port}`)).toBe(NOBODY);
  const folder = aFolder();
  const ran = await cairnIn(folder, folder, { CAIRN_URL: `http://127.0.0.1:${port}` })(["search", "staging"]);
  expect([ran.code, ran.err]).toEqual([3, expect.stringContaining("No Cairn answers at")]);
  for (const url of ["https://example.org", "http://192.0.2.1:8000", "http://", "no address"])
    expect(strangerAt(url)).toBeNull();
});
