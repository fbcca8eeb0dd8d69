import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { startCairn } from "../../clients/testing/cairn.mjs";
import { openAiLlm } from "../../src/ai/llm/openai.ts";
import { aFolder, cleanUp } from "../fault/server.ts";
import { cairnIn } from "../support/command-line.ts";

/** Only against a hang: each case starts processes. */
setDefaultTimeout(120_000);

const KEY = "mc_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ";

/** Whatever arrives where nothing of ours is to arrive, headers and body. */
const arrived: string[] = [];
const stranger = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: async (request) => {
    arrived.push(`${request.method} ${request.url} ${JSON.stringify([...request.headers])} ${await request.text()}`);
    return Response.json({ tenant_id: "default", items: [], memories: [], status: "ok" });
  },
});
const elsewhere = `http://127.0.0.1:${stranger.port}`;
let status = 307;
/** What a person named, and what sends every call on, with a password of its own in the address. */
const named = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: ({ url }) => {
    const { pathname } = new URL(url);
    const Location = `http://me:hidden@127.0.0.1:${stranger.port}${pathname}?token=hidden`;
    return new Response("", { status, headers: { Location } });
  },
});
const asked = `http://127.0.0.1:${named.port}`;
afterAll(async () => {
  await Promise.all([stranger.stop(true), named.stop(true), cleanUp()]);
});

const hook = JSON.stringify({ session_id: "s", cwd: "/", prompt: "What is the password of the staging database?" });
const message = { jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities: {}, protocolVersion: "x" } };
const OWN = { CAIRN_URL: asked, CAIRN_KEY: KEY };

/** Every kind of client that the executable is, with what it is given to send. */
const CLIENTS: readonly (readonly [words: string, input: string, env: Readonly<Record<string, string>>])[] = [
  ["search staging", "", OWN],
  ["add The_staging_database_is_reset_at_two", "", OWN],
  ["export -", "", OWN],
  ["doctor", "", OWN],
  ["mcp", `${JSON.stringify(message)}\n`, OWN],
  ["hook user-prompt --harness claude --debug", hook, OWN],
  [`import ${asked}`, "", { CAIRN_IMPORT_KEY: KEY }],
];

test.each(CLIENTS)("`cairn %s` sends nothing to where its server leads, and names the place", async (...client) => {
  const [words, input, env] = client;
  for (status of [301, 302, 303, 307, 308]) {
    const folder = aFolder();
    const run = () => cairnIn(folder, folder, env)(words.split(" "), input);
    let { out, err } = await run();
    // A hook gives up early where the machine is busy.
    while (err.includes("no answer within")) ({ out, err } = await run());
    expect(arrived).toEqual([]);
    expect(`${out}${err}`).toContain(`leads to ${elsewhere}/`);
    expect(`${out}${err}`).not.toMatch(/hidden|mc_abc/);
  }
});

test("a language model's server gets neither key nor texts passed on", async () => {
  const llm = openAiLlm({ base_url: asked, model: "any", api_key: KEY });
  const sent = llm.complete(
    { prompt: "private words", max_tokens: 5, temperature: 0 },
    { signal: AbortSignal.timeout(9_000) },
  );
  expect(await sent.catch(String)).toContain("redirects");
  llm.close();
  expect(arrived).toEqual([]);
});

/** An executable that says it is ready at the address that leads elsewhere. */
function pretender(): string {
  const path = join(aFolder(), "cairn");
  writeFileSync(path, `#!/bin/sh\necho '{"event":"ready","url":"${asked}"}'\nexec sleep 600\n`);
  chmodSync(path, 0o755);
  return path;
}

test("the clients for tests take a redirect for a refusal", async () => {
  const binary = pretender();
  const words = "The staging database is reset at two.";
  for (status of [302, 307]) {
    expect(await startCairn({ binary, seed: [words] }).catch(String)).toContain(`leads to ${elsewhere}`);
    if (!Bun.which("python3")) continue;
    const script = `import cairn_testing\ncairn_testing.Cairn(seed=["${words}"])`;
    const python = Bun.spawn(["python3", "-c", script], {
      env: { ...process.env, CAIRN_BINARY: binary, PYTHONPATH: resolve("clients/testing") },
      stderr: "pipe",
    });
    expect(await new Response(python.stderr).text()).toContain(`${status} It leads to 127.0.0.1:${stranger.port}`);
  }
  expect(arrived).toEqual([]);
});
