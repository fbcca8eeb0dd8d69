import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OlderStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { z } from "zod";
import { DEFAULT_TOOLS } from "../../src/mcp/tools/all.ts";
import { isBinary, temporaryFolder } from "../support/app.ts";

const CAIRN = isBinary ? [join(process.cwd(), "dist/cairn")] : [process.execPath, join(process.cwd(), "src/main.ts")];
const folder = temporaryFolder();
let count = 0;
const aFolder = () => {
  const path = join(folder.path, `data-${++count}`);
  mkdirSync(path, { recursive: true });
  return path;
};
const env = (): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: folder.path,
  XDG_CONFIG_HOME: "/nonexistent",
  CAIRN_EMBEDDER: "hash",
  CAIRN_PORT: "0",
});

const Announced = z.object({ pid: z.int(), url: z.string() });
const announced = (data: string) => Announced.parse(JSON.parse(readFileSync(join(data, "server.json"), "utf8")));
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
/** Servers of a folder among all processes. */
function serversOf(data: string): number[] {
  const { stdout } = Bun.spawnSync(["ps", "-eo", "pid=,args="]);
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line.includes(` serve --data ${data}`))
    .map((line) => Number(line.trim().split(" ")[0]));
}
const used: string[] = [];
const forTest = () => {
  const data = aFolder();
  used.push(data);
  return data;
};
afterEach(async () => {
  for (const data of used.splice(0)) for (const pid of serversOf(data)) process.kill(pid, "SIGKILL");
});
afterAll(() => folder.remove());

const start = (data: string, flags: readonly string[] = [], cwd = folder.path) =>
  Bun.spawn([...CAIRN, "mcp", "--data", data, ...flags], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    env: env(),
    cwd,
  });

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "demo", version: "1" } },
};
const WITH_ROOTS = { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities: { roots: {} } } };
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };
const named = (root: string) => ({ jsonrpc: "2.0", id: "cairn-roots", result: { roots: [{ uri: `file://${root}` }] } });
const call = (id: number, name: string, given: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: given },
});
const lines = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join("");

/** Everything that a proxy answers to what is written and then closed. */
async function answersTo(proxy: ReturnType<typeof start>, text: string) {
  proxy.stdin.write(text);
  await proxy.stdin.end();
  const [out, err, code] = await Promise.all([
    new Response(proxy.stdout).text(),
    new Response(proxy.stderr).text(),
    proxy.exited,
  ]);
  const answers =
    out.trim() === ""
      ? []
      : out
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line));
  return { answers: new Map(answers.map((one) => [one.id, one])), err, code };
}

const LONG = 90_000;
const WITHIN_MS = 30_000;

async function until(isSo: () => boolean): Promise<void> {
  for (const deadline = performance.now() + WITHIN_MS; !isSo(); await Bun.sleep(50))
    expect(performance.now()).toBeLessThan(deadline);
}

test(
  "ten at once with no server start one, and nothing is left of them when their inputs close",
  async () => {
    const data = forTest();
    const proxies = Array.from({ length: 10 }, () => start(data));
    const all = await Promise.all(
      proxies.map((proxy, i) =>
        answersTo(proxy, lines(INITIALIZE, call(2, "remember", { content: `Note number ${i} of the ten.` }))),
      ),
    );
    for (const { answers, code } of all) {
      expect([code, answers.get(1).result.serverInfo.name]).toEqual([0, "cairn"]);
      expect(answers.get(2).result.structuredContent.saved[0].outcome).toBe("saved");
    }
    expect(serversOf(data)).toEqual([announced(data).pid]);
    for (const { pid } of proxies) expect(isAlive(pid)).toBe(false);
    expect(existsSync(join(data, "starting.lock"))).toBe(false);
  },
  LONG,
);

describe("a proxy", () => {
  test(
    "survives the end of the server, killed or stopped, between calls and within one",
    async () => {
      const data = forTest();
      const proxy = start(data);
      const reader = proxy.stdout.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      const next = async () => {
        while (!rest.includes("\n")) rest += (await reader.read()).value ?? "";
        const [line = "", ...more] = rest.split("\n");
        rest = more.join("\n");
        return JSON.parse(line);
      };
      const ask = (message: object) => {
        proxy.stdin.write(lines(message));
        return next();
      };
      expect((await ask(INITIALIZE)).result.serverInfo.name).toBe("cairn");
      await ask(call(2, "remember", { content: "The lighthouse lamp was changed in May." }));
      for (const signal of ["SIGTERM", "SIGKILL"] as const) {
        const { pid } = announced(data);
        process.kill(pid, signal);
        const answer = await ask(call(3, "search", { query: "lighthouse lamp" }));
        expect(answer.result.structuredContent.memories).toHaveLength(1);
      }
      const { pid } = announced(data);
      const saved = ask(call(4, "remember", { content: "The foghorn is tested on the first of the month." }));
      process.kill(pid, "SIGKILL");
      expect((await saved).result.structuredContent.saved[0].outcome).toBe("saved");
      const { result } = await ask(call(5, "list", {}));
      expect(result.structuredContent.memories).toHaveLength(2);
      await proxy.stdin.end();
      expect(await proxy.exited).toBe(0);
    },
    LONG,
  );

  test(
    "answers lines that are no messages with an error, and says nothing else",
    async () => {
      const { answers, code } = await answersTo(start(forTest()), `{\n\n"x"\n${lines(INITIALIZE)}`);
      expect([code, answers.get(null).error.code, answers.get(1).result.serverInfo.name]).toEqual([
        0,
        -32_700,
        "cairn",
      ]);
    },
    LONG,
  );

  test(
    "passes on a request whose params are no object, so that it is answered under its id",
    async () => {
      const ask = (id: number, params: unknown) => ({ jsonrpc: "2.0", id, method: "tools/call", params });
      const { answers } = await answersTo(start(forTest()), lines(ask(1, "words"), ask(2, ["words"]), ask(3, 7)));
      expect([1, 2, 3].map((id) => answers.get(id)?.error.code)).toEqual([-32_600, -32_600, -32_600]);
    },
    LONG,
  );

  test.each([
    ["ends within", '{"project": ', "JSON"],
    ["has no text for a name", '{"project": 7}', "expected string"],
    ["has a name of two lines", JSON.stringify({ project: "a\nb" }), "control characters"],
  ])(
    "in a folder whose .cairn.json %s saves nothing unless the call names a project, and tells what is for everyone alone",
    async (_, text, why) => {
      const [data, here] = [forTest(), aFolder()];
      const file = join(here, ".cairn.json");
      await Bun.write(file, text);
      const content = "Harbour fees rise in spring.";
      const calls = [call(2, "remember", { content }), call(3, "search", { query: "fees" }), call(4, "agents")];
      const named = call(5, "remember", { content, project: "harbour" });
      const { answers } = await answersTo(start(data, [], here), lines(INITIALIZE, ...calls, named));
      const [saved, found] = [answers.get(2).result, answers.get(3).result];
      expect([saved.isError, found.isError]).toEqual([true, undefined]);
      expect(found.structuredContent).toMatchObject({ project: null, memories: [] });
      for (const { content: said } of [saved, found])
        for (const part of [file, why]) expect(said[0].text).toContain(part);
      expect(answers.get(1).result.instructions).toContain(file);
      expect(answers.get(4).result.isError).toBeUndefined();
      expect(answers.get(5).result.structuredContent).toMatchObject({ project: "harbour", is_new_project: true });
    },
    LONG,
  );

  test(
    "takes the project from its flag, else from the client's roots, else from its folder",
    async () => {
      const data = forTest();
      const [here, root] = [aFolder(), aFolder()];
      await Bun.write(join(here, ".cairn.json"), '{"project": "here"}');
      await Bun.write(join(root, ".git", "config"), '[remote "origin"]\n\turl = git@example.com:team/root-repo.git\n');
      const list = call(2, "list");
      const projectSaid = async (flags: string[], text: string) =>
        (await answersTo(start(data, flags, here), text)).answers.get(2).result.structuredContent;
      expect(await projectSaid([], lines(INITIALIZE, list))).toMatchObject({
        project: "here",
        project_source: ".cairn.json",
      });
      expect(await projectSaid([], lines(WITH_ROOTS, INITIALIZED, named(root), list))).toMatchObject({
        project: "root-repo",
        project_source: "git remote",
      });
      expect(await projectSaid(["--project", "flagged"], lines(INITIALIZE, list))).toMatchObject({
        project: "flagged",
        project_source: "argument",
      });
    },
    LONG,
  );

  test.each(["tools/call", "resources/list"])(
    "has %s wait for the roots that its client was asked for, also where all came at once",
    async (method) => {
      const [data, here, root] = [forTest(), aFolder(), aFolder()];
      await Bun.write(join(root, ".cairn.json"), '{"project": "of-the-root"}');
      const rule = { doc_id: "of-root", title: "Root", content: "Knock first.", weight: "high" };
      await answersTo(start(data), lines(INITIALIZE));
      const set = await fetch(`${announced(data).url}/api/v1/keystones`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...rule, scope: "fleet", fleet_id: "of-the-root" }),
      });
      expect(set.ok).toBe(true);
      const proxy = start(data, [], here);
      const asked = call(2, "remember", { content: "The cellar door sticks in winter." });
      proxy.stdin.write(lines(WITH_ROOTS, INITIALIZED, { ...asked, method }));
      const seen: { id: unknown; method?: string; result?: unknown }[] = [];
      let rest = "";
      for await (const text of proxy.stdout.pipeThrough(new TextDecoderStream())) {
        const [last = "", ...earlier] = (rest + text).split("\n").reverse();
        rest = last;
        const messages = earlier.reverse().map((line) => JSON.parse(line));
        seen.push(...messages);
        if (!messages.some((one) => one.method === "roots/list")) continue;
        expect(seen.map(({ id }) => id)).not.toContain(2);
        proxy.stdin.write(lines(named(root)));
        await proxy.stdin.end();
      }
      expect(seen.map(({ id }) => id)).toEqual([1, "cairn-roots", 2]);
      expect(JSON.stringify(seen.at(-1)?.result)).toContain(
        method === "tools/call"
          ? '"project":"of-the-root","project_source":".cairn.json"'
          : "cairn://keystones/of-root",
      );
    },
    LONG,
  );

  test(
    "whose client never names its roots answers nevertheless, for the project of its folder",
    async () => {
      const [data, here] = [forTest(), aFolder()];
      await Bun.write(join(here, ".cairn.json"), '{"project": "here"}');
      const { answers } = await answersTo(start(data, [], here), lines(WITH_ROOTS, INITIALIZED, call(2, "list")));
      expect(answers.get(2).result.structuredContent).toMatchObject({ project: "here" });
      const early = await answersTo(start(data, [], here), lines(WITH_ROOTS, call(2, "list")));
      expect(early.answers.get(2).result.structuredContent).toMatchObject({ project: "here" });
    },
    LONG,
  );

  test(
    "whose server cannot start says why",
    async () => {
      const data = forTest();
      await Bun.write(join(data, "cairn.db"), "this is no database, whatever it is called".repeat(200));
      const { answers } = await answersTo(start(data), lines(INITIALIZE));
      expect(answers.get(1).error.message).toMatch(/could not be reached: .*is not a Cairn database/);
    },
    LONG,
  );

  test(
    "ends when whoever started it is gone",
    async () => {
      const data = forTest();
      // A pipe that stays open, so that the input does not end with the parent.
      Bun.spawnSync(["mkfifo", join(data, "input")]);
      const command = [...CAIRN, "mcp", "--data", data].map((word) => `'${word}'`).join(" ");
      const script = `exec 3<>'${join(data, "input")}'; ${command} <&3 & echo $!; wait`;
      const parent = Bun.spawn(["sh", "-c", script], {
        stdout: "pipe",
        stderr: "ignore",
        env: env(),
        cwd: folder.path,
      });
      const { value } = await parent.stdout.getReader().read();
      const pid = Number(new TextDecoder().decode(value).trim());
      // It knows its parent once it has answered anything.
      await Bun.write(join(data, "input"), lines(INITIALIZE));
      await until(() => existsSync(join(data, "server.json")));
      expect(isAlive(pid)).toBe(true);
      parent.kill("SIGKILL");
      await until(() => !isAlive(pid));
    },
    LONG,
  );
});

describe("over standard input and output the SDK's own client", () => {
  const server = (data: string) => ({
    command: CAIRN[0] ?? "",
    args: [...CAIRN.slice(1), "mcp", "--data", data],
    env: env(),
  });
  const names = DEFAULT_TOOLS.map(({ name }) => name);

  test(
    "of 2026-07-28 lists and calls tools",
    async () => {
      const client = new ModernClient({ name: "modern", version: "1" }, { versionNegotiation: { mode: "auto" } });
      await client.connect(new ModernStdio(server(forTest())));
      expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names);
      const { structuredContent } = await client.callTool({
        name: "remember",
        arguments: { content: "Ünïcode wörks: 日本語 too." },
      });
      expect(structuredContent).toMatchObject({ saved: [{ outcome: "saved" }] });
      await client.close();
    },
    LONG,
  );

  test(
    "of 2025 lists and calls tools",
    async () => {
      const client = new OlderClient({ name: "older", version: "1" });
      await client.connect(new OlderStdio(server(forTest())));
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names);
      const { structuredContent } = await client.callTool({
        name: "remember",
        arguments: { content: "Older clients are welcome here." },
      });
      expect(structuredContent).toMatchObject({ saved: [{ outcome: "saved" }] });
      await client.close();
    },
    LONG,
  );
});
