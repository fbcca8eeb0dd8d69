import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Server } from "../../fault/server.ts";
import { aFolder, cleanUp, spawnServer } from "../../fault/server.ts";

// Another account listens on [::1], which is `localhost` as well: its page has the origin that our page of that name would have.

setDefaultTimeout(60_000);
afterAll(cleanUp);

let server: Server;
beforeAll(async () => {
  server = await spawnServer({ folder: aFolder() });
});

const ask = (path: string, headers: Readonly<Record<string, string>>, method = "GET") =>
  fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    redirect: "manual",
    headers: { Host: `localhost:${server.port}`, ...headers },
  });

test("what a page of that name asks for is refused, keys or not", async () => {
  const origin = { Origin: `http://localhost:${server.port}` };
  const own = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" };
  for (const headers of [origin, own, { ...origin, ...own }, { ...own, "X-API-Key": "mc_any" }])
    for (const [path, method] of [["/api/v1/memories"], ["/api/v1/keys", "POST"], ["/mcp", "POST"]] as const) {
      const response = await ask(path, headers, method);
      expect([path, response.status]).toEqual([path, 403]);
      expect(await response.text()).toContain(`http://127.0.0.1:${server.port}`);
    }
});

test("a page that came encrypted is nobody's of this server, at no loopback address of it, unless it was allowed", async () => {
  const { port } = server;
  for (const name of ["localhost", "127.0.0.1", "127.9.9.9", "[::1]", "LOCALHOST"])
    for (const [path, method] of [["/api/v1/memories"], ["/api/v1/keys", "POST"], ["/mcp", "POST"]] as const) {
      const headers = { Host: `${name}:${port}`, Origin: `https://${name}:${port}` };
      const response = await ask(path, headers, method);
      expect([name, path, response.status]).toEqual([name, path, 403]);
      expect(await response.text()).toContain("ORIGIN_NOT_ALLOWED");
    }
  const Origin = "https://localhost:9443";
  const allowed = await spawnServer({ folder: aFolder(), flags: ["--allowed-origins", Origin] });
  const response = await fetch(`http://127.0.0.1:${allowed.port}/api/v1/memories`, {
    headers: { Host: "localhost:9443", Origin },
  });
  expect(response.status).toBe(200);
  await allowed.terminate();
});

test("a browser that opens a page is led to the address", async () => {
  for (const site of ["none", "same-origin", "cross-site"]) {
    const headers = { "Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };
    const response = await ask("/memories?q=tide", headers);
    const led = [response.status, response.headers.get("location")];
    expect(led).toEqual([307, `http://127.0.0.1:${server.port}/memories?q=tide`]);
  }
});

test("at the address itself, a browser opens pages and its pages ask", async () => {
  for (const Host of [`127.0.0.1:${server.port}`, "127.0.0.1"]) {
    const opens = { Host, "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };
    expect((await ask("/memories", { ...opens, Accept: "text/html" })).status).toBe(200);
    const asks = { Host, "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" };
    expect((await ask("/api/v1/memories", { ...asks, Origin: `http://${Host}` })).status).toBe(200);
  }
});

test("programs go on calling by that name", async () => {
  expect((await ask("/api/v1/memories", {})).status).toBe(200);
});
