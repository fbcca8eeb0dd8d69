import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { z } from "zod";
import { openBrowser, openPage } from "../../../scripts/browser/browser.ts";
import { startServer } from "../../../scripts/browser/server.ts";

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

const ADMIN = { "X-API-Key": "the-shared-key-of-this-test" };
const LOCKED = ["--ephemeral", "--no-standalone", `--api-key=${ADMIN["X-API-Key"]}`];

test("a server that is lost is told, what is shown stays, and the page goes on when it is back", async () => {
  const first = await startServer();
  const port = new URL(first.url).port;
  const { page } = await openPage(browser);
  await page.goto(`${first.url}/memories`);
  await page.getByRole("heading", { name: "Memories", level: 1 }).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  await first.stop();
  await page.getByText("The server does not answer.", { exact: false }).first().waitFor();
  assert.equal(await page.getByRole("heading", { name: "Memories", level: 1 }).isVisible(), true);
  const second = await startServer(["--ephemeral", `--port=${port}`, `--console-port=${port}`]);
  try {
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByText("The server does not answer.", { exact: false }).first().waitFor({ state: "detached" });
  } finally {
    await second.stop();
  }
});

test("a key is asked for, kept for the tab alone, and asked for again once it is revoked", async () => {
  const server = await startServer(LOCKED);
  try {
    const minted = await server.call("POST", "/api/v1/keys", { agent_id: "anna", trust: 3, admin: true }, ADMIN);
    const { id, raw_key } = Minted.parse(minted);
    const { page, faults } = await openPage(browser);
    await page.goto(server.url);
    await page.getByLabel("Key").fill("mc_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("INVALID_API_KEY").waitFor();
    const said = await page.getByRole("alert").innerText();
    assert.equal(said.match(/revoked|keys create/g)?.length, 2, said);
    await page.getByLabel("Key").fill(raw_key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    assert.deepEqual(await page.context().cookies(), []);
    await page.reload();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    const other = await page.context().newPage();
    await other.goto(server.url);
    await other.getByRole("button", { name: "Sign in" }).waitFor();
    await other.close();
    await server.call("DELETE", `/api/v1/keys/${id}`, undefined, ADMIN);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    assert.deepEqual(faults, []);
  } finally {
    await server.stop();
  }
});

const Minted = z.object({ id: z.string(), raw_key: z.string() });
