import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import { proofOf } from "../../src/core/kernel/server-proof.ts";
import type { Embedder } from "../../src/core/ports/embedder.ts";
import { isBinary, temporaryFolder } from "../support/app.ts";
import { HERMETIC, openApp } from "../support/in-process.ts";

const folder = temporaryFolder();
const ROOT = resolve(import.meta.dir, "../..");
const CAIRN = isBinary ? [join(ROOT, "dist/cairn")] : [process.execPath, join(ROOT, "src/main.ts")];
const ENV = {
  ...HERMETIC,
  PATH: process.env.PATH ?? "",
  HOME: folder.path,
  XDG_CACHE_HOME: join(folder.path, "cache"),
};
const TOKEN = "the token of the server";
const NOWHERE = "http://127.0.0.1:9";

let folders = 0;
const aFolder = (): string => {
  const path = join(folder.path, `data-${++folders}`);
  mkdirSync(path);
  return path;
};
/** A data folder whose server is said to be at an address. */
function announcing(url: string): string {
  const data = aFolder();
  writeFileSync(join(data, "server.json"), JSON.stringify({ url, pid: process.pid, token: TOKEN }), { mode: 0o600 });
  return data;
}

interface Ran {
  readonly input?: string | ReadableStream;
  readonly env?: Readonly<Record<string, string>>;
}

async function hook(words: readonly string[], { input = "", env = {} }: Ran = {}) {
  const stdin = typeof input === "string" ? new Blob([input]) : input;
  const child = Bun.spawn([...CAIRN, "hook", ...words], {
    stdin,
    stdout: "pipe",
    stderr: "pipe",
    env: { ...ENV, ...env },
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

/** How often a hook may be late, which is silent by intent. */
const LATE_MAX = 20;
const SILENT = { code: 0, out: "", err: "" };
/** The same for a session that starts where there is a server, and it does not tell its rules. */
const UNREAD = { ...SILENT, out: "could not be read" };
const PROMPT = JSON.stringify({ session_id: "s", cwd: tmpdir(), prompt: "when do deploys go out on Tuesday?" });

/** What a session is told at its start; a process that begins too slowly to read what it is for says nothing, and is run again. */
async function startOf(flags: readonly string[]) {
  let ran = SILENT;
  for (let i = 0; i < LATE_MAX && ran.out === ""; i++) ran = await hook(["session-start", ...flags], { input: PROMPT });
  // Every harness reads JSON.
  const told = ran.out === "" ? "" : JSON.stringify(JSON.parse(ran.out));
  return { ...ran, out: told.includes(UNREAD.out) ? UNREAD.out : told };
}

/** A server that proves itself, then takes every request and does with it what a test wants. */
const answering = (fetch: () => Response | Promise<Response>) =>
  Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname !== "/api/v1/server-proof") return fetch();
      return Response.json({ proof: proofOf(TOKEN, searchParams.get("challenge") ?? "") });
    },
  });
const servers: Bun.Server<undefined>[] = [];
function aServer(fetch: () => Response | Promise<Response>): string {
  const server = answering(fetch);
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

describe("a hook is silent and exits 0, but for the word that rules could not be read as a session starts", () => {
  const refusal = { error: { code: "INVALID_API_KEY", message: "No." } };
  test.each([
    ["where the announced server is gone", () => announcing(NOWHERE)],
    ["where the server refuses", () => announcing(aServer(() => Response.json(refusal, { status: 401 })))],
    ["where the server fails", () => announcing(aServer(() => new Response("<html>", { status: 502 })))],
    ["where the server is told too much", () => announcing(aServer(() => new Response("", { status: 429 })))],
    ["where something else answers", () => announcing(aServer(() => Response.json({ hello: "world" })))],
    ["where the announcement is no address", () => announcing("nonsense")],
  ])("%s", async (_, dataOf) => {
    const flags = ["--harness", "claude", "--data", dataOf()];
    expect(await startOf(flags)).toEqual(UNREAD);
    for (const event of ["user-prompt", "session-end"])
      expect(await hook([event, ...flags], { input: PROMPT })).toEqual(SILENT);
  });

  test("where no server runs, at each event", async () => {
    const flags = ["--harness", "claude", "--data", aFolder()];
    for (const event of ["session-start", "user-prompt", "session-end"])
      expect(await hook([event, ...flags], { input: PROMPT })).toEqual(SILENT);
  });

  test("where the server never answers", async () => {
    const flags = ["--data", announcing(aServer(() => new Promise(() => {})))];
    for (const harness of ["claude", "cursor", "codex", "gemini"]) {
      expect(await startOf(["--harness", harness, ...flags])).toEqual(UNREAD);
    }
    for (const event of ["user-prompt", "session-end"])
      expect(await hook([event, ...flags], { input: PROMPT })).toEqual(SILENT);
  });

  test.each(["", "no json", "[]", '{"session_id": 5}', `{"prompt": "${"a".repeat(3_000_000)}`])(
    "where it is told %.20p",
    async (input) => expect(await hook(["user-prompt", "--data", aFolder()], { input })).toEqual(SILENT),
  );

  test("where nobody ends what it is told", async () => {
    const input = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{"session_id"')) });
    expect(await hook(["user-prompt", "--data", aFolder()], { input })).toEqual(SILENT);
  });

  test("but says why to whoever asks", async () => {
    const data = aFolder();
    const { code, out, err } = await hook(["user-prompt", "--debug", "--data", data], { input: PROMPT });
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(err).toContain("No server runs on this data folder.");
    expect((await hook(["user-prompt", "--debug", "--data", data], { input: "no json" })).err).not.toBe("");
  });
});

test.each([
  [["session-begin"], "session-start"],
  [["user-prompt", "--harness", "cluade"], "claude"],
  [["user-prompt", "--budget", "many"], "--budget"],
  [["user-prompt", "--debgu"], "--debug"],
  [[], "event"],
  [["user-prompt", "more"], "argument"],
])("a command written as %j is refused by 1, for 2 would stop its user's prompt", async (words, hint) => {
  const { code, out, err } = await hook(words);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(hint);
});

describe("with a server", () => {
  const data = join(folder.path, "served");
  const project = join(folder.path, "orchard");
  const Ready = z.object({ url: z.string() });
  const Answer = z.object({
    hookSpecificOutput: z.object({ hookEventName: z.string(), additionalContext: z.string() }),
  });
  let server: Bun.Subprocess<"ignore", "pipe", "ignore">;
  let url = "";
  beforeAll(async () => {
    mkdirSync(project);
    writeFileSync(join(project, ".cairn.json"), '{"project": "orchard"}');
    const flags = ["--port=0", "--ready-json", "--embedder=hash", `--data=${data}`];
    server = Bun.spawn([...CAIRN, "serve", ...flags], { stdin: "ignore", stdout: "pipe", stderr: "ignore", env: ENV });
    const { value } = await server.stdout.getReader().read();
    ({ url } = Ready.parse(JSON.parse(new TextDecoder().decode(value))));
    const body = JSON.stringify({ content: "Deploys go out every Tuesday at nine.", fleet_id: "orchard" });
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${url}/api/v1/memories`, { method: "POST", headers, body })).status).toBe(201);
  });
  afterAll(async () => {
    server.kill("SIGTERM");
    await server.exited;
    for (const one of servers) await one.stop(true);
    folder.remove();
  });

  const told = (session_id: string) =>
    JSON.stringify({ session_id, cwd: project, prompt: "when do deploys go out on Tuesday?" });
  const flags = ["--harness", "claude", "--data", data];
  /** What a hook says in the first of some sessions in which it has an answer: a machine that is busy may be late a few times. */
  async function answered(words: readonly string[], name: string, env: Readonly<Record<string, string>> = {}) {
    for (let i = 0; ; i++) {
      const session = told(`${name}-${i}`);
      const answer = await hook(words, { input: session, env });
      const isLate = answer.out === "" || answer.out.includes(UNREAD.out);
      if (!isLate || i === LATE_MAX) return { ...answer, session };
    }
  }

  test.each([
    ["that runs here", flags, {}],
    ["that CAIRN_URL names", ["--harness", "claude", "--data", join(folder.path, "none")], { elsewhere: true }],
    ["past a proxy that the machine has for the wide world", flags, { HTTP_PROXY: NOWHERE, http_proxy: NOWHERE }],
    ["past such a proxy with exceptions", flags, { HTTP_PROXY: NOWHERE, no_proxy: "example.org" }],
  ])("%s, a prompt is told what fits it, once", async (name, words, { elsewhere, ...env }: Record<string, unknown>) => {
    const all = elsewhere ? { CAIRN_URL: url } : z.record(z.string(), z.string()).parse(env);
    const once = await answered(["user-prompt", ...words], name, all);
    expect({ code: once.code, err: once.err }).toEqual({ code: 0, err: "" });
    const { hookEventName, additionalContext } = Answer.parse(JSON.parse(once.out)).hookSpecificOutput;
    expect(hookEventName).toBe("UserPromptSubmit");
    expect(additionalContext).toContain("Deploys go out every Tuesday at nine.");
    expect(additionalContext).toContain('project="orchard" known-from=".cairn.json"');
    expect(await hook(["user-prompt", ...words], { input: once.session, env: all })).toEqual(SILENT);
    expect(await hook(["session-end", ...words], { input: once.session, env: all })).toEqual(SILENT);
  });

  test("whoever asks is told which rows are near a prompt, and why they are told or not", async () => {
    const words = ["user-prompt", ...flags, "--debug"];
    const near = (input: string) => hook(words, { input }).then(({ err }) => err.split("\n"));
    const said = (why: string) =>
      new RegExp(`^cairn hook user-prompt: \\d[.\\d]*, ${why}: \\[\\S+\\] Deploys go out every`);
    expect(await near(told("why"))).toContainEqual(expect.stringMatching(said("told")));
    expect(await near(told("why"))).toContainEqual(expect.stringMatching(said("told before in this session")));
    const beside = JSON.stringify({
      session_id: "why",
      cwd: project,
      prompt: "which hat does the harbour master wear?",
    });
    expect(await near(beside)).toContainEqual(expect.stringMatching(said("less than 0\\.2")));
  });

  test("what sessions were told is kept in the cache, for its owner alone", async () => {
    await hook(["session-start", ...flags], { input: told("kept") });
    const hooks = join(ENV.XDG_CACHE_HOME, "cairn", "hooks");
    // One for each server that was asked.
    const kept = readdirSync(hooks).map((name) => join(hooks, name));
    expect(kept).not.toEqual([]);
    for (const path of [hooks, ...kept]) expect([path, statSync(path).mode & 0o077]).toEqual([path, 0]);
  });

  test("a budget bounds what is told", async () => {
    const { out } = await answered(["session-start", ...flags, "--budget", "700"], "bounded");
    expect(Answer.parse(JSON.parse(out)).hookSpecificOutput.additionalContext.length).toBeLessThanOrEqual(700);
  });

  test("a prompt is told what its words find while the model loads", async () => {
    const never = new Promise<never>(() => {});
    const embed: Embedder["embed"] = (texts, options) =>
      options.role === "query" ? never : hashEmbedder().embed(texts, options);
    const { app } = await openApp({ embedder: { ...hashEmbedder(), embed } });
    const content = "Deploys go out every Tuesday at nine.";
    await app.call("POST", "/api/v1/memories", { tenant_id: "default", content, fleet_id: "orchard" });
    const env = { CAIRN_URL: app.listen().url };
    // One that waits for the model is always late.
    const { out } = await answered(["user-prompt", "--harness", "claude"], "loading", env);
    expect(out).toContain("Found in Cairn for this prompt.");
    expect(out).toContain(content);
    await app.stop();
  });
});
