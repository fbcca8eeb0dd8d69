import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { Whoami } from "../../src/core/schema/system.ts";
import { createClient } from "../support/api/client.ts";
import { isBinary, temporaryFolder } from "../support/app.ts";
import { HERMETIC } from "../support/in-process.ts";

const folder = temporaryFolder();
const running: Bun.Subprocess[] = [];
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await Promise.all(running.map(({ exited }) => exited));
  folder.remove();
});

const CAIRN = isBinary ? ["dist/cairn"] : [process.execPath, "src/main.ts"];
const env = { ...HERMETIC, HOME: process.env.HOME ?? tmpdir(), PATH: process.env.PATH ?? "" };
let folders = 0;
const aFolder = (): string => join(folder.path, `data-${++folders}`);

async function cairn(data: string, ...words: string[]) {
  const child = Bun.spawn([...CAIRN, ...words, `--data=${data}`], { stdout: "pipe", stderr: "pipe", env });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out: out.trimEnd(), err: err.trimEnd(), code };
}

const Ready = z.object({ url: z.string(), pid: z.int() });

/** A server on the folder, once it is ready. */
async function serve(data: string, ...flags: string[]) {
  const command = [...CAIRN, "serve", "--port=0", "--ready-json", "--embedder=hash", `--data=${data}`, ...flags];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "ignore", env });
  running.push(child);
  const { value } = await child.stdout.getReader().read();
  const { url } = Ready.parse(JSON.parse(new TextDecoder().decode(value)));
  const local = url.replace("0.0.0.0", "127.0.0.1");
  const client = createClient((path, init) => fetch(`${local}${path}`, init));
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    child.kill(signal);
    await child.exited;
  };
  const whoami = async (key: string) => {
    const { status, body } = await client.call("GET", "/api/v1/whoami", { headers: { "X-API-Key": key } });
    return status === 200 ? Whoami.parse(body).agent_id : status;
  };
  return { url, end, whoami };
}

const KEY = /^mc_[A-Za-z0-9_-]{43}$/;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Creates, lists and revokes a key of an agent on the folder; what the server says of it meanwhile. */
async function lifeOfAKey(data: string, whoami: (key: string) => Promise<unknown>) {
  const created = await cairn(data, "keys", "create", "--agent=ada", "--fleet=blue", "--trust=2", "--label=a label");
  expect({ ...created, out: "" }).toEqual({ out: "", err: expect.stringMatching(/agent 'ada', trust 2/), code: 0 });
  expect(created.out).toMatch(KEY);
  const id = UUID.exec(created.err)?.[0] ?? "";
  const listed = await cairn(data, "keys", "list");
  expect([listed.code, listed.err]).toEqual([0, ""]);
  expect(listed.out).toMatch(new RegExp(`^${id}\\t.*\\tada\\t.*\\ttrust 2\\t.*\\tin use$`, "m"));
  expect(listed.out).not.toContain(created.out);
  const before = await whoami(created.out);
  expect(await cairn(data, "keys", "revoke", id)).toMatchObject({ out: id, code: 0 });
  expect((await cairn(data, "keys", "list")).out).toMatch(new RegExp(`^${id}\\t.*\\trevoked$`, "m"));
  return { before, after: await whoami(created.out) };
}

describe("cairn keys", () => {
  test("makes, lists and ends keys through the running server, which obeys at once", async () => {
    const data = aFolder();
    const server = await serve(data, "--no-standalone");
    expect(await lifeOfAKey(data, server.whoami)).toEqual({ before: "ada", after: 401 });
    const { mode } = statSync(join(data, "server.json"));
    expect(mode & 0o777).toBe(0o600);
    await server.end("SIGTERM");
    expect(existsSync(join(data, "server.json"))).toBe(false);
  }, 180_000);

  test("does the same in the folder when no server runs, and a server started later obeys", async () => {
    const data = aFolder();
    expect(await cairn(data, "keys", "list")).toEqual({
      out: "",
      err: expect.stringContaining("No keys yet"),
      code: 0,
    });
    const kept = await cairn(data, "keys", "create", "--agent=eve");
    const presented: string[] = [];
    await lifeOfAKey(data, async (key) => presented.push(key));
    const server = await serve(data, "--no-standalone");
    expect([await server.whoami(kept.out), await server.whoami(presented[0] ?? "")]).toEqual(["eve", 401]);
    await server.end("SIGTERM");
  }, 180_000);

  test("is not led astray by what a killed server left behind, whoever has its process id now", async () => {
    const data = aFolder();
    await (await serve(data)).end("SIGKILL");
    const left = join(data, "server.json");
    const announced = z.looseObject({ token: z.string() }).parse(JSON.parse(readFileSync(left, "utf8")));
    expect((await cairn(data, "keys", "create")).out).toMatch(KEY);
    writeFileSync(left, JSON.stringify({ ...announced, url: "http://127.0.0.1:9", pid: process.pid }));
    expect((await cairn(data, "keys", "create")).out).toMatch(KEY);
    writeFileSync(left, '{"url":');
    expect((await cairn(data, "keys", "create")).out).toMatch(KEY);
  }, 180_000);

  test("makes administrators, and keys of other tenants", async () => {
    const data = aFolder();
    const admin = await cairn(data, "keys", "create", "--admin", "--tenant=acme");
    const id = UUID.exec(admin.err)?.[0] ?? "";
    expect(admin).toMatchObject({ err: expect.stringMatching(/tenant 'acme', trust 3, administrator/), code: 0 });
    expect((await cairn(data, "keys", "list")).err).toContain("No keys yet");
    expect((await cairn(data, "keys", "list", "--tenant=acme")).out).toContain("(tenant)");
    expect((await cairn(data, "keys", "revoke", id)).code).toBe(1);
    expect(await cairn(data, "keys", "revoke", id, "--tenant=acme")).toMatchObject({ out: id, code: 0 });
  }, 180_000);

  test.each([
    [["keys", "craete"], 2, "`cairn keys create`"],
    [["keys", "create", "ada"], 2, "cairn help keys"],
    [["keys", "revoke"], 2, "argument 'id'"],
    [["keys", "create", "--trust=7"], 2, "--trust is 0, 1, 2 or 3"],
    [["keys", "create", "--agnet", "ada"], 2, "'--agent'"],
    [["keys", "revoke", crypto.randomUUID()], 1, "No such key"],
    [["keys", "revoke", "7"], 2, "UUID"],
    [["serve", "--agent=ada"], 2, "Unknown flag '--agent'"],
  ])("refuses %j with %d and a word on what to do, and prints no key", async (words, status, hint) => {
    const { out, err, code } = await cairn(aFolder(), ...words);
    expect([out, code]).toEqual(["", status]);
    expect(err).toStartWith("cairn: ");
    expect(err).toContain(hint);
  });

  test("opens the door beyond this machine, which stays shut without one", async () => {
    const data = aFolder();
    const refused = await cairn(data, "serve", "--host=0.0.0.0", "--port=0", "--embedder=hash");
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.err).toContain("cairn keys create");
    const { out } = await cairn(data, "keys", "create", "--agent=ada");
    const server = await serve(data, "--host=0.0.0.0");
    expect([await server.whoami(out), await server.whoami("anything")]).toEqual(["ada", 401]);
    await server.end("SIGTERM");
  }, 180_000);
});
