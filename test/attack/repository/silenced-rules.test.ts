import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { proofOf } from "../../../src/core/kernel/server-proof.ts";
import type { Server } from "../../fault/server.ts";
import { aFolder, cleanUp, spawnServer } from "../../fault/server.ts";
import { temporaryFolder } from "../../support/app.ts";
import { cairnIn } from "../../support/command-line.ts";

// What lies in a repository, and what becomes of a server, must not make a session believe that there are no rules.

setDefaultTimeout(120_000);

const RULE = "Never push to the main branch.";
const UNREAD = "could not be read";
/** A hook that is late on a busy machine tells no rule; it is asked again, after a while in which the machine may rest. */
const TRIES = 20;
const PAUSE_MS = 1_000;

const data = aFolder();
const folder = temporaryFolder();
let server: Server;
beforeAll(async () => {
  server = await spawnServer({ folder: data });
  const rule = { doc_id: "no-push", title: "Pushes", content: RULE, scope: "tenant", weight: "high" };
  await server.client.ok(z.unknown(), "POST", "/api/v1/keystones", { body: { tenant_id: "default", ...rule } });
});
const doubles: Bun.Server<undefined>[] = [];
afterAll(async () => {
  for (const one of doubles) await one.stop(true);
  await cleanUp();
  folder.remove();
});

let count = 0;
/** A folder that holds one hostile file. */
function repository(path: string, write: (file: string) => void): string {
  const top = join(folder.path, String(++count));
  mkdirSync(dirname(join(top, path)), { recursive: true });
  write(join(top, path));
  return top;
}
const text = (words: string) => (file: string) => writeFileSync(file, words);

const REPOSITORIES = [
  ["a .cairn.json that is no JSON", () => repository(".cairn.json", text("{")), ".cairn.json"],
  ["a link to nowhere of that name", () => repository(".cairn.json", (file) => symlinkSync("nowhere", file)), "a link"],
  ["a folder of that name", () => repository(".cairn.json", (file) => mkdirSync(file)), ".cairn.json"],
  ["a name that no project may have", () => repository(".cairn.json", text('{"project": ""}')), ".cairn.json"],
] as const;

let sessions = 0;
interface HookOptions {
  readonly cwd: string;
  readonly session?: string;
  readonly from?: string;
  readonly env?: Readonly<Record<string, string>>;
}
async function hook(event: string, { cwd, session = `s${++sessions}`, from = data, env = {} }: HookOptions) {
  const input = JSON.stringify({ session_id: session, cwd, prompt: "may I push to the main branch?" });
  const ran = await cairnIn(from, cwd, env)(["hook", event, "--harness", "claude"], input);
  expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: "" });
  return ran.out;
}

/** What a hook says when it is not late. */
async function answered(event: string, options: HookOptions) {
  for (let i = 0; ; i++) {
    const out = await hook(event, options);
    if (i === TRIES || (out !== "" && !out.includes("did not answer in time"))) return out;
    await Bun.sleep(PAUSE_MS);
  }
}

describe.each(REPOSITORIES)("%s", (_what, make, named) => {
  test("leaves a session the rules that bind all, and says what is wrong", async () => {
    const cwd = make();
    const out = await answered("session-start", { cwd });
    expect(out).toContain(RULE);
    expect(out).toContain(named);
    expect(out).not.toContain("cairn-memory");
  });

  test("leaves them to a program that speaks MCP, older names and resources too; what is of a project is told and taken by none", async () => {
    const asked = (id: number, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params });
    const messages = [
      asked(1, "initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "demo", version: "1" },
      }),
      asked(2, "tools/call", { name: "keystones", arguments: {} }),
      asked(3, "tools/call", { name: "caura_keystones", arguments: {} }),
      asked(4, "resources/list"),
      asked(5, "resources/read", { uri: "cairn://keystones/no-push" }),
      asked(6, "tools/call", { name: "remember", arguments: { content: "A note that is of this project alone." } }),
      asked(7, "tools/call", { name: "list", arguments: {} }),
    ];
    const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
    const { out } = await cairnIn(data, make())(["mcp"], lines);
    const answer = (id: number) => out.split("\n").find((line) => line.includes(`"id":${id}`)) ?? "";
    for (const id of [1, 2, 3, 5]) {
      expect([id, answer(id)]).toEqual([id, expect.stringContaining(RULE)]);
      expect([id, answer(id)]).toEqual([id, expect.stringContaining(named)]);
    }
    expect(answer(4)).toContain("cairn://keystones/no-push");
    expect(answer(6)).toContain('"isError":true');
    // What is for everyone is read, and told to be no more.
    expect(answer(7)).toContain("Only what is for everyone was looked at");
    expect(answer(7)).toContain(named);
  });
});

test("a first prompt is told them, too, once; and the project when the file is mended", async () => {
  const cwd = repository(".cairn.json", text("{"));
  const session = "mended";
  expect(await answered("user-prompt", { cwd, session })).toContain(RULE);
  expect(await hook("user-prompt", { cwd, session })).toBe("");
  await server.client.ok(z.unknown(), "POST", "/api/v1/memories", {
    body: { tenant_id: "default", content: "We push to the main branch on Mondays.", fleet_id: "mended" },
  });
  writeFileSync(join(cwd, ".cairn.json"), '{"project": "mended"}');
  expect(await answered("user-prompt", { cwd, session })).toContain("on Mondays");
});

/** A server of an announcement that answers what a test wants. */
function announced(prove: boolean, fetch: (path: string) => Response): string {
  const token = "the token of the server";
  const double = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname !== "/api/v1/server-proof") return fetch(pathname);
      if (!prove) return new Response("", { status: 503 });
      return Response.json({ proof: proofOf(token, searchParams.get("challenge") ?? "") });
    },
  });
  doubles.push(double);
  const place = aFolder();
  const announcement = { url: `http://127.0.0.1:${double.port}`, pid: process.pid, token };
  writeFileSync(join(place, "server.json"), JSON.stringify(announcement), { mode: 0o600 });
  return place;
}

const row = {
  id: "m1",
  content: "Pushes to the main branch are reviewed.",
  created_at: "2026-01-01T00:00:00Z",
  status: "active",
  memory_type: "decision",
  fleet_id: null,
  visibility: "scope_org",
};
const busy = () => new Response("", { status: 503 });

describe("a session that starts while its rules cannot be read is told so", () => {
  const cwd = dirname(repository("a.txt", text("")));
  test.each<[what: string, from: () => string, env: Record<string, string>]>([
    ["as the server cannot prove itself", () => announced(false, () => Response.json({})), {}],
    ["as it refuses everything", () => announced(true, busy), {}],
    ["as it is gone", () => aFolder(), { CAIRN_URL: "http://127.0.0.1:9" }],
  ])("%s", async (_what, from, env) => {
    const out = await answered("session-start", { cwd, from: from(), env });
    expect(out).toContain(UNREAD);
    expect(out).toContain("cairn doctor");
  });

  test("as only they are refused; its prompts ask for them again", async () => {
    let isBusy = true;
    const from = announced(true, (path) => {
      if (path === "/api/v1/projects/resolve") return Response.json({ project: null, warnings: [] });
      if (path !== "/api/v1/keystones") return Response.json({ items: [row] });
      const data = { title: "Pushes", content: RULE, set_by: "person" };
      return isBusy ? busy() : Response.json({ count: 1, items: [{ doc_id: "no-push", data }] });
    });
    const session = "busy";
    const start = await answered("session-start", { cwd, from, session });
    expect(start).toContain(UNREAD);
    expect(start).toContain(row.content);
    isBusy = false;
    expect(await answered("user-prompt", { cwd, from, session })).toContain(RULE);
    expect(await hook("user-prompt", { cwd, from, session })).toBe("");
  });

  test("but nothing where there is no server", async () => {
    expect(await hook("session-start", { cwd, from: aFolder() })).toBe("");
  });
});
