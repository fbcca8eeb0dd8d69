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
});
after(() => Promise.all([browser?.close(), server?.stop()]));

test("the keyboard reaches every page, the search, the commands and the help", async () => {
  const { page, faults } = await openPage(browser);
  await page.goto(server.url);
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  for (const [key, name] of [
    ["m", "Memories"],
    ["k", "Keystones"],
    ["p", "Operations"],
    ["o", "Overview"],
  ] as const) {
    // Both at once: however long the page takes for the first, it is no pause between them.
    await Promise.all([page.keyboard.press("g"), page.keyboard.press(key)]);
    await page.getByRole("heading", { name, level: 1 }).waitFor();
  }
  await page.keyboard.press("/");
  await page.locator("#search-everything:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Command" }).fill("keyst");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Keystones", level: 1 }).waitFor();
  assert.deepEqual(faults, []);
});

test("light and dark are kept over a reload", async () => {
  const { page } = await openPage(browser);
  await page.goto(server.url);
  const theme = page.getByRole("button", { name: /^Theme/ });
  await theme.click();
  await theme.click();
  assert.equal(await theme.textContent(), "Theme: dark");
  await page.reload();
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
});

test("many windows share one stream, and the next goes on when the one that reads it is closed", async () => {
  const { page } = await openPage(browser);
  const context = page.context();
  const pages = [page, ...(await Promise.all(Array.from({ length: 8 }, () => context.newPage())))];
  for (const one of pages) await one.goto(server.url);
  for (const one of pages) await one.getByText("Live", { exact: true }).waitFor();
  const last = pages.at(-1);
  assert.ok(last);
  await page.close();
  await server.call("POST", "/api/v1/memories", { content: "Written while nine windows are open." });
  await last.locator("[data-figure=memories] strong").getByText("1", { exact: true }).waitFor();
  await context.close();
});
