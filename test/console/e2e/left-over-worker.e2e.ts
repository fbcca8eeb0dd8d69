import assert from "node:assert/strict";
import type { Server } from "node:http";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openBrowser, openPage } from "../../../scripts/browser/browser.ts";
import type { TestServer } from "../../../scripts/browser/server.ts";
import { startServer } from "../../../scripts/browser/server.ts";

// A repository that was looked at in the browser before left a worker for the address that Cairn listens on later.

/** Answers `/theft` with what the API says to it, and lets everything else through. */
const WORKER = `
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  event.respondWith(pathname === "/theft" ? theft() : fetch(event.request));
});
async function theft() {
  const calls = [["GET", "/api/v1/memories"], ["POST", "/api/v1/memories"], ["POST", "/api/v1/keys"], ["POST", "/mcp"], ["GET", "/"]];
  const told = [];
  for (const [method, path] of calls) {
    const body = method === "POST" ? { body: "{}", headers: { "Content-Type": "application/json" } } : {};
    told.push(await fetch(path, { method, ...body }).then(async (response) => [response.status, await response.text()]));
  }
  return new Response(JSON.stringify(told));
}`;
const PAGE = '<!doctype html><title>A preview</title><script>navigator.serviceWorker.register("/worker.js")</script>';

const preview = (): Server =>
  createServer(({ url }, response) => {
    const isWorker = url === "/worker.js";
    response.setHeader("Content-Type", isWorker ? "text/javascript" : "text/html");
    response.end(isWorker ? WORKER : PAGE);
  });

const listening = (server: Server, port: number) =>
  new Promise<number>((resolve) => {
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
    });
  });
const closed = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

/** A tab in which such a worker stands for a port that nobody listens on any more. */
async function haunted(): Promise<{ page: Page; port: number }> {
  const server = preview();
  const port = await listening(server, 0);
  const { page } = await openPage(browser);
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.waitForFunction("navigator.serviceWorker.controller !== null");
  await closed(server);
  return { page, port };
}

/** What the worker has of the API, in the page that is open. */
const theft = (page: Page): Promise<string> => page.evaluate(async () => await (await fetch("/theft")).text());

async function servedAt(port: number, flags: readonly string[] = []): Promise<TestServer> {
  const server = await startServer(["--ephemeral", `--port=${port}`, ...flags]);
  await server.call("POST", "/api/v1/memories", { content: "The safe opens with 4711." });
  return server;
}

test("a worker of before has nothing of the API, and the console stands at a port of its own", async () => {
  const { page, port } = await haunted();
  const server = await servedAt(port);
  try {
    const told = await theft(page);
    assert.doesNotMatch(told, /4711/);
    const [reads] = JSON.parse(told);
    assert.equal(reads[0], 403);
    assert.match(reads[1], /ORIGIN_NOT_ALLOWED/);
    await page.goto(`${server.url}/memories?q=safe#x`);
    await page.getByText("The safe opens with 4711.").first().waitFor();
    const { port: own, pathname, search, hash } = new URL(page.url());
    assert.notEqual(own, String(port));
    assert.deepEqual([pathname, search, hash], ["/memories", "?q=safe", "#x"]);
    await page.goto(`http://127.0.0.1:${own}/`);
    await page.getByText(`http://127.0.0.1:${port}/mcp`).first().waitFor();
    // Typed, an address of programs is answered as well.
    assert.match((await (await page.goto(`${server.url}/api/v1/memories`))?.text()) ?? "", /4711/);
  } finally {
    await server.stop();
  }
});

test("the browser is rid of the worker once it came by", async () => {
  const { page, port } = await haunted();
  const server = await servedAt(port, [`--console-port=${port}`]);
  try {
    assert.match(await theft(page), /4711/, "on one port with programs the worker speaks as the console");
    await page.goto(`${server.url}/`);
    await page.waitForFunction("navigator.serviceWorker.getRegistrations().then((left) => left.length === 0)");
  } finally {
    await server.stop();
  }
});

test("where the console's port cannot be reached, a person is told why and what to do", async () => {
  const { page, port } = await haunted();
  const server = await servedAt(port);
  try {
    await page.context().route(/:6[1-5]\d{3}\//, (route) => route.abort());
    // The first time the browser itself says that nobody answers there.
    await page.goto(server.url).catch(() => {});
    await page.waitForTimeout(2_000);
    await page.goto(server.url);
    await page.getByText("It cannot be reached from here.").waitFor();
    await page.getByText(`--console-port ${port}`).waitFor();
    assert.match((await page.getByRole("link").getAttribute("href")) ?? "", /^http:\/\/127\.0\.0\.1:6\d{4}\/$/);
  } finally {
    await server.stop();
  }
});
