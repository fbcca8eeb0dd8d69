import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { timed } from "../../../src/cli/doctor/connection.ts";
import { watchNetwork } from "../../../src/cli/doctor/network.ts";
import { runningServer } from "../../../src/cli/server/local.ts";
import { aSoundFolder, doctor, doctorWith } from "../doctor.ts";
import { cleanUp, spawnServer, until } from "../server.ts";

afterAll(cleanUp);

const isLinux = process.platform === "linux";
/** Of no process: beyond what Linux numbers them by. */
const NOBODY = 2 ** 22 + 1;

const announce = (folder: string, pid: number, url = "http://127.0.0.1:9") =>
  writeFileSync(join(folder, "server.json"), JSON.stringify({ url, pid, token: "none" }), { mode: 0o600 });

describe("the port", () => {
  test("that a stranger holds is found, and the stranger named", async () => {
    const stranger = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hello") });
    const { port } = stranger;
    const { code, bad, finding } = await doctorWith({ CAIRN_PORT: String(port) }, await aSoundFolder());
    await stranger.stop(true);
    expect({ code, bad }).toEqual({ code: 1, bad: ["server, port"] });
    expect(finding("server", "port")?.what).toContain(`127.0.0.1:${port} is taken`);
    // It may be the server of another folder: nobody is told to end it.
    expect(finding("server", "port")?.repair).toBe("cairn serve --port 0");
    if (isLinux) expect(finding("server", "port")?.what).toContain(`process ${process.pid}`);
  });
});

describe("what a server left behind", () => {
  const LEFT: readonly (readonly [string, number])[] = [
    ["is no more", NOBODY],
    ["is somebody else by now", process.pid],
  ];

  test.each(LEFT)("of which the process %s is found, and removed by --fix", async (_, pid) => {
    const folder = await aSoundFolder();
    announce(folder, pid);
    const found = await doctor(folder);
    expect({ code: found.code, bad: found.bad }).toEqual({ code: 1, bad: ["server, announcement"] });
    expect(found.finding("server", "announcement")).toMatchObject({ repair: `rm ${join(folder, "server.json")}` });
    expect(existsSync(join(folder, "server.json"))).toBe(true);
    const fixed = await doctor(folder, "--fix");
    expect({ code: fixed.code, bad: fixed.bad }).toEqual({ code: 0, bad: [] });
    expect(existsSync(join(folder, "server.json"))).toBe(false);
  });

  test("is not removed while the server runs", async () => {
    const folder = await aSoundFolder();
    const server = await spawnServer({ folder, embedder: "onnx" });
    const { code, repairs } = await doctor(folder, "--fix");
    expect({ code, repairs }).toEqual({ code: 0, repairs: [] });
    expect(runningServer({ data: folder, database: null })?.pid).toBe(server.pid);
    await server.terminate();
  });
});

test("a lock that a process has which cannot be called is found, and the process named", async () => {
  const folder = await aSoundFolder();
  const server = await spawnServer({ folder });
  rmSync(join(folder, "server.json"));
  const { code, finding } = await doctor(folder);
  expect(code).toBe(1);
  if (isLinux) expect(finding("server", "lock")?.what).toContain(`process ${server.pid}`);
  expect(finding("server", "open")?.what).toContain("Another Cairn is already using");
  expect(finding("round", "through the API")?.state).toBe("unseen");
  await server.terminate();
});

test("a server of another release is found", async () => {
  const folder = await aSoundFolder();
  const server = await spawnServer({ folder, embedder: "onnx" });
  const announced = runningServer({ data: folder, database: null });
  if (!announced) throw new Error("The server did not say where it is.");
  // Between the two stands what passes everything on, and changes one word of what the server says of itself.
  const between = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const body = request.body === null ? {} : { body: await request.text() };
      const headers = new Headers(request.headers);
      headers.delete("host");
      const reply = await fetch(`${announced.url}${pathname}${search}`, { method: request.method, headers, ...body });
      if (pathname !== "/api/v1/status") return reply;
      const status: unknown = await reply.json();
      return Response.json({ ...Object(status), release: "0.0.1" });
    },
  });
  writeFileSync(join(folder, "server.json"), JSON.stringify({ ...announced, url: `http://127.0.0.1:${between.port}` }));
  const { code, bad, finding } = await doctor(folder);
  await between.stop(true);
  expect({ code, bad }).toEqual({ code: 1, bad: ["server, release"] });
  expect(finding("server", "release")).toMatchObject({
    what: expect.stringContaining("The server is cairn 0.0.1"),
    repair: "cairn stop && cairn serve",
  });
  await server.terminate();
});

describe("an answer", () => {
  test("that nobody gives is a fault, and nothing that hangs on it is well", async () => {
    const folder = await aSoundFolder();
    const remote = { CAIRN_URL: "http://127.0.0.1:9" };
    const { code, findings, finding } = await doctorWith(remote, folder);
    expect(code).toBe(1);
    expect(finding("server", "status")?.what).toContain("No Cairn answers at http://127.0.0.1:9");
    expect(finding("data", "folder")?.state).toBe("unseen");
    expect(finding("data", "integrity")?.state).toBe("unseen");
    expect(finding("models", "loaded")?.state).toBe("unseen");
    expect(findings.some(({ section, state }) => section === "round" && state === "well")).toBe(false);
  });

  test("that does not come is waited for no longer than its time", async () => {
    const never = () => new Promise<never>(() => {});
    const { call, within } = timed({ via: "server", pid: null, call: never, within: () => never }, 20);
    for (const late of [call, within("any")]) {
      await expect(late("GET", "/api/v1/status")).rejects.toThrow("GET /api/v1/status was not answered within 0.02 s.");
    }
  });

  test("of a server without the key of its owner does for no round", async () => {
    const folder = await aSoundFolder();
    const server = await spawnServer({ folder, embedder: "onnx", flags: ["--api-key=a-key-of-the-owner"] });
    const url = `http://127.0.0.1:${server.port}`;
    const { code, finding } = await doctorWith({ CAIRN_URL: url, CAIRN_KEY: "another" }, folder);
    expect(code).toBe(1);
    expect(finding("round", "write")?.state).toBe("fault");
    expect(finding("data", "integrity")?.state).toBe("unseen");
    await server.terminate();
  });
});

describe.if(isLinux)("connections of a process", () => {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
  const { port } = listener;

  /** A process that serves, and calls somebody. */
  async function aCaller() {
    const program = `
      Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
      await Bun.connect({ hostname: "127.0.0.1", port: ${port}, socket: { data() {} } });
      console.log("connected");
      setInterval(() => {}, 1000);`;
    const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe", stderr: "inherit" });
    let said = "";
    void (async () => {
      for await (const chunk of child.stdout) said += new TextDecoder().decode(chunk);
    })();
    await until("it has connected", async () => said.includes("connected"));
    return child;
  }

  test("that it opened itself are found, and named where the owner configured them", async () => {
    const child = await aCaller();
    const watch = watchNetwork(child.pid);
    watch.end();
    const [strange] = watch.findings([], null);
    expect(strange).toMatchObject({ state: "fault", repair: `lsof -nP -a -p ${child.pid} -i` });
    expect(strange?.what).toContain(`to 127.0.0.1, port ${port}`);
    const endpoint = { name: "a language model", host: "127.0.0.1", port };
    const findings = watch.findings([endpoint], null);
    expect(findings.map(({ state }) => state)).toEqual(["note", "well"]);
    expect(findings[0]?.what).toContain("You configured a language model");
    child.kill();
    await child.exited;
    listener.stop(true);
  });

  test("that others opened to a server are none of its own", async () => {
    const folder = await aSoundFolder();
    const server = await spawnServer({ folder });
    const socket = await Bun.connect({ hostname: "127.0.0.1", port: server.port, socket: { data: () => {} } });
    const watch = watchNetwork(server.pid);
    watch.end();
    expect(watch.findings([], null).map(({ state }) => state)).toEqual(["well"]);
    socket.end();
    await server.terminate();
  });

  test("of a process that cannot be looked at are not told as none", () => {
    for (const pid of [NOBODY, null]) {
      const watch = watchNetwork(pid);
      watch.end();
      expect(watch.findings([], null).map(({ state }) => state)).toEqual(["unseen"]);
    }
  });
});
