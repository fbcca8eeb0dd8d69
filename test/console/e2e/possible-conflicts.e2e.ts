import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { z } from "zod";
import { openBrowser, openPage } from "../../../scripts/browser/browser.ts";
import type { TestServer } from "../../../scripts/browser/server.ts";
import { startServer } from "../../../scripts/browser/server.ts";
import { assertSound } from "../support/watched.ts";

let server: TestServer;
let browser: Browser;
before(async () => {
  [server, browser] = await Promise.all([startServer(["--ephemeral", "--embedder=onnx"]), openBrowser()]);
});
after(() => Promise.all([browser?.close(), server?.stop()]));

const Written = z.object({ id: z.string() });
const Memory = z.object({ status: z.string() });
const Found = z.object({ items: z.array(z.object({ result: z.string() })) });

const OLDER = "Ottilie sends the newsletter every two weeks, on Tuesdays.";
const NEWER = "The newsletter of Ottilie becomes monthly: first Tuesday, texts by the Thursday before.";

const write = async (content: string): Promise<string> =>
  Written.parse(await server.call("POST", "/api/v1/memories", { content, fleet_id: "bac" })).id;
const statusOf = async (id: string): Promise<string> =>
  Memory.parse(await server.call("GET", `/api/v1/memories/${id}`)).status;
const resultsOf = async (state: string): Promise<string[]> =>
  Found.parse(await server.call("GET", `/api/v1/conflicts?state=${state}`)).items.map(({ result }) => result);

test("a possible conflict leaves both memories live, is told on the page, and is decided with one key", async () => {
  const [older, newer] = [await write(OLDER), await write(NEWER)];
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/conflicts`);
  const card = page.getByRole("article").filter({ hasText: NEWER });
  await card.getByText("both hold until somebody decides").waitFor();
  await page.getByText("1 of the open ones are merely possible").waitFor();
  assert.deepEqual(await resultsOf("open"), ["possible"]);
  assert.deepEqual([await statusOf(older), await statusOf(newer)], ["active", "active"]);
  await page.keyboard.press("j");
  await page.locator("article:focus").filter({ hasText: NEWER }).waitFor();
  await page.keyboard.press("a");
  await page.getByText("Accepted: the newer memory holds.").waitFor();
  await card.waitFor({ state: "detached" });
  assert.deepEqual([await statusOf(older), await statusOf(newer)], ["outdated", "active"]);
  assertSound(watched, server);
});
