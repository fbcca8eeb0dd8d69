import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { Problem } from "../../../src/core/schema/problem.ts";
import type { Server } from "../../fault/server.ts";
import { aFolder, cleanUp, spawnServer } from "../../fault/server.ts";
import { ask as raw } from "../../support/api/raw-request.ts";
import { as, hasUsers, NEIGHBOUR } from "./users.ts";

// Another program that listened at the address of Cairn before may have left a service worker there, which speaks to Cairn as a
// page of its own would. What a browser sends from there is told here as browsers send it; `left-over-worker.e2e.ts` has one do it.

setDefaultTimeout(60_000);
afterAll(cleanUp);

type Sent = Readonly<Record<string, string>>;
const from = (site: string, mode: string, dest: string): Sent => ({
  "Sec-Fetch-Site": site,
  "Sec-Fetch-Mode": mode,
  "Sec-Fetch-Dest": dest,
  Accept: "text/html,*/*;q=0.8",
});
const OPENS = from("none", "navigate", "document");
const ASKS = from("same-origin", "cors", "empty");

/** A port that nobody has just now. */
async function freePort(): Promise<number> {
  const socket = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port = 0 } = socket;
  await socket.stop(true);
  return port;
}

interface Asked {
  readonly method?: string;
  readonly body?: string;
}
const ask = (port: number, path: string, headers: Sent = {}, init: Asked = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual", headers, ...init });
const errorOf = async (response: Response) => Problem.parse(await response.json()).error;

/** The console's port, as a browser is sent there, or told where those before never came. */
async function consolePortOf({ port }: Pick<Server, "port">): Promise<number> {
  const response = await ask(port, "/", OPENS);
  const told = response.headers.get("location") ?? /href="(http[^"]+)"/.exec(await response.text())?.[1] ?? "";
  return Number(/^http:\/\/127\.0\.0\.1:(\d+)\/$/.exec(told)?.[1]);
}
/** The page for browsers that were sent there and did not come. */
async function pageOfMissed(port: number, path: string, headers: Sent = OPENS): Promise<Response> {
  for (;;) {
    const response = await ask(port, path, headers);
    if (response.status === 200) return response;
    await Bun.sleep(100);
  }
}
const isOpen = (port: number): Promise<boolean> =>
  ask(port, "/api/v1/health").then(
    () => true,
    () => false,
  );
const started = async (flags: readonly string[] = [], folder = aFolder()) =>
  spawnServer({ folder, flags: [`--port=${await freePort()}`, ...flags] });

describe("at the address of programs", () => {
  let server: Server;
  beforeAll(async () => {
    server = await started();
  });

  test("whatever a page or worker of that address asks for is refused, and told where the console is", async () => {
    const calls = [
      ["/api/v1/memories"],
      ["/api/v1/memories", "POST"],
      ["/api/v1/keys", "POST"],
      ["/mcp", "POST"],
      ["/api/docs/script.js"],
      ["/"],
    ] as const;
    const own = await consolePortOf(server);
    for (const headers of [
      ASKS,
      from("same-origin", "no-cors", "image"),
      from("same-origin", "navigate", "iframe"),
      from("none", "cors", "empty"),
      { ...ASKS, "X-API-Key": "mc_any" },
      { ...ASKS, Origin: `http://127.0.0.1:${server.port}` },
      { ...ASKS, Host: "127.0.0.1:9" },
    ])
      for (const [path, method = "GET"] of calls) {
        const sameOrigin = "Host" in headers ? {} : { Host: `127.0.0.1:${server.port}` };
        const response = await ask(server.port, path, { ...sameOrigin, ...headers }, { method });
        const { code, message } = await errorOf(response);
        expect([path, response.status, code]).toEqual([path, 403, "ORIGIN_NOT_ALLOWED"]);
        expect(message).toContain(`http://127.0.0.1:${own}/`);
      }
  });

  test("a form is refused", async () => {
    const sent = { ...from("same-origin", "navigate", "document"), Origin: `http://127.0.0.1:${server.port}` };
    const response = await ask(server.port, "/api/v1/memories", sent, { method: "POST", body: "content=x" });
    expect(response.status).toBe(403);
  });

  test.each([
    ["none", "document"],
    ["same-origin", "document"],
    ["same-site", "document"],
    ["cross-site", "document"],
    ["same-origin", "empty"],
  ])("a browser that opens a page (%s, %s) is sent to the console's own port", async (site, dest) => {
    const response = await ask(server.port, '/memories?q="<b>&x=1', from(site, "navigate", dest));
    const led = response.headers.get("location") ?? "";
    expect([response.status, new URL(led).pathname, new URL(led).search]).toEqual([
      307,
      "/memories",
      "?q=%22%3Cb%3E&x=1",
    ]);
    expect(Number(new URL(led).port)).toBe(await consolePortOf(server));
  });

  test("one that was sent there and never came is told why, and what to do, until one came", async () => {
    const missed = await started();
    const own = await consolePortOf(missed);
    const response = await pageOfMissed(missed.port, '/memories?q="<b>&x=1');
    const page = await response.text();
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(page).toContain(`href="http://127.0.0.1:${own}/memories?q=%22%3Cb%3E&amp;x=1"`);
    expect(page).toContain(`--console-port ${missed.port}`);
    expect(page).not.toContain("<b>");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`connect-src http://127.0.0.1:${own};`);
    const [, script = ""] = /<script>([\s\S]*)<\/script>/.exec(page) ?? [];
    expect(policy).toContain(`'sha256-${new Bun.CryptoHasher("sha256").update(script).digest("base64")}'`);
    await ask(own, "/", OPENS);
    expect((await ask(missed.port, "/", OPENS)).status).toBe(307);
  });

  test("what a person types that is no page is asked for there", async () => {
    const own = await consolePortOf(server);
    const response = await ask(server.port, "/api/v1/status?x=1", OPENS);
    const led = [response.status, response.headers.get("location")];
    expect(led).toEqual([307, `http://127.0.0.1:${own}/api/v1/status?x=1`]);
  });

  test("the name localhost leads there as well", async () => {
    const response = await ask(server.port, "/memories", { ...OPENS, Host: `localhost:${server.port}` });
    expect(response.headers.get("location")).toBe(`http://127.0.0.1:${server.port}/memories`);
  });

  test("programs go on, whatever they accept", async () => {
    for (const headers of [{}, { "Sec-Fetch-Mode": "cors" }, { Accept: "text/html" }])
      for (const path of ["/", "/api/v1/memories", "/metrics", "/api/docs"])
        expect([path, (await ask(server.port, path, headers)).status]).toEqual([path, 200]);
  });

  test("the script of a worker that was left there ends it", async () => {
    const own = await consolePortOf(server);
    const sent = { ...from("same-origin", "same-origin", "serviceworker"), "Service-Worker": "script" };
    for (const [port, host] of [
      [server.port, `127.0.0.1:${server.port}`],
      [server.port, `localhost:${server.port}`],
      [own, `127.0.0.1:${own}`],
    ] as const)
      for (const path of ["/sw.js", "/", "/any/where/worker.js?v=3"]) {
        const response = await ask(port, path, { ...sent, Host: host });
        const type = response.headers.get("content-type");
        expect([path, response.status, type]).toEqual([path, 200, "text/javascript; charset=utf-8"]);
        expect(await response.text()).toContain("registration.unregister()");
      }
    const rebound = await ask(server.port, "/sw.js", { ...sent, Host: "evil.example" });
    expect((await errorOf(rebound)).code).toBe("HOST_NOT_ALLOWED");
  });
});

describe("origins and names that were allowed", () => {
  test("go on as they did", async () => {
    const Origin = "https://app.example.org";
    const { port } = await started([`--allowed-origins=${Origin}`, "--allowed-hosts=cairn.internal"]);
    const allowed = await ask(port, "/api/v1/memories", { ...from("cross-site", "cors", "empty"), Origin });
    expect(allowed.status).toBe(200);
    const behindProxy = { Host: "cairn.internal" };
    expect((await ask(port, "/api/v1/memories", { ...ASKS, ...behindProxy })).status).toBe(200);
    const page = await ask(port, "/", { ...OPENS, ...behindProxy });
    expect(await page.text()).toContain("<title>Cairn");
    expect(page.headers.get("content-security-policy")).toContain("connect-src 'self'");
  });
});

describe("at the console's own port", () => {
  let server: Server;
  let own: number;
  beforeAll(async () => {
    server = await started();
    own = await consolePortOf(server);
  });

  test("a browser has the console, and its page asks", async () => {
    const page = await ask(own, "/memories", OPENS);
    expect(page.headers.get("content-security-policy")).toContain("connect-src 'self'");
    const Origin = `http://127.0.0.1:${own}`;
    const body = JSON.stringify({ content: "Deploys go out on Tuesdays." });
    const sent = { ...ASKS, Origin, "Content-Type": "application/json" };
    expect((await ask(own, "/api/v1/memories", sent, { method: "POST", body })).status).toBe(201);
    const { items } = z
      .object({ items: z.array(z.object({})) })
      .parse(await (await ask(own, "/api/v1/memories", ASKS)).json());
    expect(items).toHaveLength(1);
    expect((await ask(own, "/api/docs", OPENS)).status).toBe(200);
  });

  test("it says where programs call", async () => {
    const front = await ask(own, "/", { ...ASKS, Accept: "application/json" });
    expect(await front.json()).toMatchObject({ api: `http://127.0.0.1:${server.port}` });
    expect(await (await ask(server.port, "/")).json()).not.toHaveProperty("api");
  });

  test("a page of the address of programs, or of another port, is a stranger", async () => {
    const encrypted = `https://127.0.0.1:${own}`;
    for (const Origin of [
      `http://127.0.0.1:${server.port}`,
      "http://127.0.0.1:3000",
      encrypted,
      "http://evil.example",
    ]) {
      const sent = { ...from("same-site", "cors", "empty"), Origin };
      expect((await errorOf(await ask(own, "/api/v1/memories", sent))).code).toBe("ORIGIN_NOT_ALLOWED");
    }
    for (const sent of [from("same-site", "no-cors", "empty"), from("same-site", "navigate", "iframe")])
      expect((await ask(own, "/api/v1/memories", sent)).status).toBe(403);
  });

  test("no other Host is answered", async () => {
    for (const Host of [`127.0.0.1:${server.port}`, "127.0.0.1", `10.0.0.1:${own}`, `evil.example:${own}`])
      expect([Host, (await errorOf(await ask(own, "/", { Host }))).code]).toEqual([Host, "HOST_NOT_ALLOWED"]);
    const named = await ask(own, "/memories", { ...OPENS, Host: `localhost:${own}` });
    expect(named.headers.get("location")).toBe(`http://127.0.0.1:${own}/memories`);
  });

  test("only the page that leads there learns whether it answers", async () => {
    const missed = await started();
    const own = await consolePortOf(missed);
    const page = await (await pageOfMissed(missed.port, "/")).text();
    const [, probe = ""] = /data-probe="http:\/\/127\.0\.0\.1:\d+([^"]+)"/.exec(page) ?? [];
    const blind = from("same-site", "no-cors", "empty");
    const told = await ask(own, probe, blind);
    expect([told.status, told.headers.get("cross-origin-resource-policy")]).toEqual([204, "cross-origin"]);
    for (const path of ["/api/v1/health", `${probe}0`, "/"]) {
      const refused = await ask(own, path, blind);
      expect([refused.status, refused.headers.get("cross-origin-resource-policy")]).toEqual([403, "same-origin"]);
    }
  });

  test("addresses with dots are refused as everywhere", async () => {
    for (const path of ["/api/v1/memories/%2e%2e", "/api/v1/memories/x/../..", "/.."]) {
      const { status } = await raw(own, `DELETE ${path}`, [`Host: 127.0.0.1:${own}`]);
      expect([path, status]).toEqual([path, 400]);
    }
  });

  test.skipIf(!hasUsers)("another account of the machine is a stranger", () => {
    const curl = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}"];
    for (const path of ["/", "/api/v1/memories"]) {
      const { stdout } = Bun.spawnSync(as(NEIGHBOUR, [...curl, `http://127.0.0.1:${own}${path}`]));
      expect([path, stdout.toString()]).toEqual([path, "401"]);
    }
  });
});

describe("the port", () => {
  test("is the folder's own for good, and nobody else can know it", async () => {
    const [folder, another] = [aFolder(), aFolder()];
    const first = await started([], folder);
    const own = await consolePortOf(first);
    expect(own).toBeGreaterThanOrEqual(61_000);
    const file = join(folder, "server.secret");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toMatch(/^[0-9a-f]{64}$/);
    await first.terminate();
    expect(await isOpen(own)).toBe(false);
    const second = await started([], folder);
    expect(await consolePortOf(second)).toBe(own);
    expect(await consolePortOf(await started([], another))).not.toBe(own);
  });

  test("is opened when a browser comes, and at once where one came before", async () => {
    const folder = aFolder();
    const first = await started([], folder);
    expect(await (await ask(first.port, "/")).json()).toBeDefined();
    expect(existsSync(join(folder, "server.secret"))).toBe(false);
    const own = await consolePortOf(first);
    await first.terminate();
    await started([], folder);
    while (!(await isOpen(own))) await Bun.sleep(20);
  });

  test("is the next one where another program has it", async () => {
    const folder = aFolder();
    const first = await started([], folder);
    const own = await consolePortOf(first);
    await first.terminate();
    const other = Bun.serve({ port: own, hostname: "127.0.0.1", fetch: () => new Response("other") });
    const second = await started([], folder);
    expect(await consolePortOf(second)).toBe(own === 65_535 ? 61_000 : own + 1);
    await other.stop(true);
  });

  test("can be named, and the same as that of programs shares it", async () => {
    const named = await freePort();
    expect(await consolePortOf(await started([`--console-port=${named}`]))).toBe(named);
    const port = await freePort();
    for (const flags of [[`--port=${port}`, `--console-port=${port}`], ["--port=0"]]) {
      const shared = await spawnServer({ folder: aFolder(), flags });
      expect((await ask(shared.port, "/api/v1/memories", ASKS)).status).toBe(200);
      expect(await (await ask(shared.port, "/", OPENS)).text()).toContain("<title>Cairn");
      expect(await consolePortOf(shared)).toBeNaN();
    }
  });

  test("that another program has is told of", async () => {
    const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("other") });
    const { port } = await started([`--console-port=${other.port}`]);
    const { code, message } = await errorOf(await ask(port, "/", OPENS));
    expect([code, message]).toEqual(["UNAVAILABLE", expect.stringContaining("--console-port")]);
    expect((await ask(port, "/api/v1/memories")).status).toBe(200);
    await other.stop(true);
  });

  test("leaves nothing behind where all is kept in memory", async () => {
    const folder = aFolder();
    const server = await started(["--ephemeral"], folder);
    expect(await consolePortOf(server)).toBeGreaterThanOrEqual(61_000);
    expect(existsSync(join(folder, "server.secret"))).toBe(false);
  });
});
