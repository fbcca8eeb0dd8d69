import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { openBrowser, openPage } from "../../../scripts/browser/browser.ts";
import type { TestServer } from "../../../scripts/browser/server.ts";
import { startServer } from "../../../scripts/browser/server.ts";

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await startServer();
  browser = await openBrowser();
  await server.call("POST", "/api/v1/memories", { content: "The gate opens at nine.", agent_id: "anna" });
});
after(() => Promise.all([browser?.close(), server?.stop()]));

const statusOf = async (key: string): Promise<number> =>
  (await fetch(`${server.url}/api/v1/whoami`, { headers: { "X-API-Key": key } })).status;

test("a key is shown once, works, and is revoked", async () => {
  const { page, faults } = await openPage(browser);
  await page.goto(`${server.url}/access?tab=keys`);
  await page.getByLabel("Agent", { exact: true }).fill("builder");
  await page.getByLabel("Label").fill("for the test");
  await page.getByRole("button", { name: "Mint the key" }).click();
  const key = await page.getByRole("dialog").locator("code").first().innerText();
  assert.equal(await statusOf(key), 200);
  await page.getByRole("button", { name: "I have it" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.ok(!(await page.content()).includes(key));
  await page
    .getByRole("row", { name: /for the test/ })
    .getByRole("button")
    .click();
  await page.getByRole("button", { name: "Revoke it" }).click();
  await page.getByText("1 revoked key").waitFor();
  assert.equal(await statusOf(key), 401);
  assert.deepEqual(faults, []);
});

test("the trust of an agent is changed and taken back", async () => {
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/access?tab=agents`);
  const row = page.getByRole("row", { name: /^anna/ });
  await row.getByRole("button").click();
  await page.getByRole("dialog").getByLabel("Trust").selectOption("3");
  await page.getByRole("button", { name: "Save" }).click();
  // The way back stays for as long as one points at it.
  await page.getByRole("button", { name: "Undo" }).hover();
  await row.getByText("3, administers").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await row.getByText("1, standard").waitFor();
});

test("the audit log tells what was changed, by action", async () => {
  await server.call("PATCH", "/api/v1/settings", { audit: { keep_days: 400 } });
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/access?tab=audit&action=settings.change`);
  await page.locator("summary", { hasText: "settings.change" }).click();
  await page.getByRole("cell", { name: /400/ }).first().waitFor();
});

test("the key of an agent is told what it may not do", async () => {
  const minted = await server.call("POST", "/api/v1/keys", { agent_id: "anna", trust: 1 });
  assert.ok(typeof minted === "object" && minted !== null && "raw_key" in minted);
  const { raw_key } = minted;
  const { page, faults } = await openPage(browser);
  await page.addInitScript((key) => sessionStorage.setItem("cairn-key", String(key)), raw_key);
  for (const [address, told] of [
    ["/access?tab=keys", "Only an administrator may do this."],
    ["/access?tab=audit", "Only an administrator may do this."],
    ["/operations?tab=jobs", "Only an administrator may do this."],
    ["/operations?tab=backups", "A backup is for the owner of the machine."],
    ["/operations?tab=log", "The log is for the owner of the machine."],
  ] as const) {
    await page.goto(`${server.url}${address}`);
    await page.getByText(told).waitFor();
  }
  await page.goto(`${server.url}/access?tab=agents`);
  await page.getByRole("row", { name: /^anna/ }).waitFor();
  assert.deepEqual(faults, []);
});
