import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Server } from "../../fault/server.ts";
import { aFolder, cleanUp, spawnServer } from "../../fault/server.ts";
import { mint } from "../../support/credentials.ts";

// Another account of the machine reaches the port of a server that asks nobody for a key.

setDefaultTimeout(60_000);
afterAll(cleanUp);

/** Only root may call as somebody else, and only Linux tells who calls. */
const canSwitch = process.platform === "linux" && process.getuid?.() === 0 && Bun.which("setpriv") && Bun.which("curl");
const NOBODY = 65_534;

/** Status and body of a call by an account that is neither root nor whoever runs the server. */
async function asNobody(url: string, ...options: readonly string[]): Promise<{ status: number; text: string }> {
  const curl = ["curl", "-s", "-w", "\n%{http_code}", ...options, url];
  const child = Bun.spawn(["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", ...curl], {
    stdout: "pipe",
  });
  const lines = (await new Response(child.stdout).text()).split("\n");
  return { status: Number(lines.at(-1)), text: lines.slice(0, -1).join("\n") };
}

const JSON_BODY = ["-H", "content-type: application/json", "-d"];
const MEMORY = JSON.stringify({ content: "The night porter wrote this without leave." });

describe.skipIf(!canSwitch)("without keys", () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = await spawnServer({ folder: aFolder() });
    url = `http://127.0.0.1:${server.port}`;
  });

  test("another account reads nothing, writes nothing, and is told why", async () => {
    await server.client.call("POST", "/api/v1/memories", { body: { content: "The safe opens with 4711 of course." } });
    for (const path of [
      "/api/v1/memories",
      "/api/v1/export",
      "/api/v1/health",
      "/metrics",
      "/",
      "/api/docs",
      "/nowhere",
    ]) {
      const { status, text } = await asNobody(`${url}${path}`);
      expect([path, status]).toEqual([path, 401]);
      expect(text).toContain("another one of this machine");
      expect(text).not.toContain("4711");
    }
    const ping = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    expect((await asNobody(`${url}/mcp`, ...JSON_BODY, ping)).status).toBe(401);
    expect((await asNobody(`${url}/api/v1/memories`, ...JSON_BODY, MEMORY)).status).toBe(401);
    expect((await asNobody(`${url}/api/v1/memories/`, "-X", "DELETE", "--path-as-is")).status).toBe(401);
    expect((await asNobody(`${url}/api/v1/../v1/memories`, "--path-as-is")).status).toBe(401);
    const { body } = await server.client.call("GET", "/api/v1/memories");
    expect(JSON.stringify(body)).toContain("4711");
    expect(JSON.stringify(body)).not.toContain("night porter");
  });

  test("nor by what only looks like a credential", async () => {
    for (const header of ["X-API-Key: mc_made-up", "X-API-Key: x", "X-Gateway-Secret: x", "Authorization: Bearer x"]) {
      const sent = ["-H", header, "-H", "X-Tenant-ID: default", "-H", "X-Org-Role: admin"];
      expect([header, (await asNobody(`${url}/api/v1/memories`, ...sent)).status]).toEqual([header, 401]);
    }
  });

  test("nor by leaving before it is looked at", async () => {
    const body = `POST /api/v1/memories HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${MEMORY.length}\r\n\r\n${MEMORY}`;
    for (let i = 0; i < 20; i++) {
      const script = `exec 3<>/dev/tcp/127.0.0.1/${server.port}; printf '%s' "$0" >&3; exec 3>&-`;
      const sh = ["bash", "-c", script, body];
      await Bun.spawn(["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", ...sh]).exited;
    }
    const { body: rows } = await server.client.call("GET", "/api/v1/memories");
    expect(JSON.stringify(rows)).not.toContain("night porter");
  });

  test("a key of its own lets it in as that key's agent", async () => {
    const { raw_key } = await mint(server.client, { agent_id: "porter", trust: 1 });
    const { status, text } = await asNobody(`${url}/api/v1/whoami`, "-H", `X-API-Key: ${raw_key}`);
    expect([status, JSON.parse(text).agent_id]).toEqual([200, "porter"]);
  });
});

test.skipIf(process.platform !== "linux")("who resets the connection is nobody, whatever account it was", async () => {
  const { port, client } = await spawnServer({ folder: aFolder() });
  const head = `Host: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${MEMORY.length}`;
  for (let i = 0; i < 20; i++) {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => {} } });
    socket.write(`POST /api/v1/memories HTTP/1.1\r\n${head}\r\n\r\n${MEMORY}`);
    // Not an end, but a reset: the address of the peer is gone with it, and the request is not.
    socket.terminate();
  }
  await Bun.sleep(500);
  const { body } = await client.call("GET", "/api/v1/memories");
  expect(JSON.stringify(body)).not.toContain("night porter");
});

test.skipIf(!canSwitch)("who starts it for every account has it answer every account", async () => {
  const { port } = await spawnServer({ folder: aFolder(), flags: ["--any-local-user"] });
  expect((await asNobody(`http://127.0.0.1:${port}/api/v1/memories`)).status).toBe(200);
});
