import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { openBrowser, openPage } from "../../../scripts/browser/browser.ts";
import type { TestServer } from "../../../scripts/browser/server.ts";
import { setup, startServer } from "../../../scripts/browser/server.ts";
import { closeSound } from "../support/watched.ts";

let server: TestServer;
let browser: Browser;
before(async () => {
  const { folder = assert.fail("No filled folder was given.") } = setup.more;
  server = await startServer([`--data=${folder}`]);
  browser = await openBrowser();
});
after(() => Promise.all([browser?.close(), server?.stop()]));

test("memories that two repositories share are placed, and what is left is the project's own", async () => {
  await server.call("POST", "/api/v1/projects/resolve", { remote: "github.com/client-b/api", save: true });
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/projects?id=api`);
  await page.getByText("to be placed").waitFor();
  await page.getByText("whose 2 memories are that were written before").waitFor();
  await page.getByRole("link", { name: "Look at them" }).click();
  const list = page.getByRole("region", { name: "Memories", exact: true });
  await page.getByText("2 in all").waitFor();
  await page.getByRole("button", { name: "Choose several" }).click();
  await list.getByRole("button", { name: "The billing host" }).click();
  await page.getByRole("button", { name: "Move", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Move this memory" });
  await dialog.getByLabel("Move to").selectOption("client-b/api");
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await page.goto(`${server.url}/projects?id=api`);
  await page.getByText("whose 1 memory is that was written before").waitFor();
  await page.getByRole("button", { name: "What is left is its own" }).click();
  await page.getByText("to be placed").waitFor({ state: "detached" });
  await closeSound(watched, server);
});
