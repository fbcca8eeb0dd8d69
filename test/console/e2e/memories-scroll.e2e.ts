import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { z } from "zod";
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

/** What the folder was filled with. */
const ROWS = 100_000;
const ELEMENTS_MAX = 3_000;
/** Longest until all of it is loaded: against a hang. */
const END_MS = 300_000;

const Stats = z.object({ total: z.number() });
const Listed = z.object({ items: z.array(z.object({ id: z.string(), content: z.string() })) });
/** What a row shows of a content for certain. */
const SHOWN = 100;

/** The memory at a place of the list. */
async function memoryAt(offset: number) {
  const { items } = Listed.parse(await server.call("GET", `/api/v1/memories?limit=1&offset=${offset}`));
  const { id, content } = items[0] ?? assert.fail(`Nothing is at ${offset}.`);
  return { id, start: content.slice(0, SHOWN) };
}

test("a hundred thousand memories are scrolled to the end, of which the document holds few", async () => {
  const { total } = Stats.parse(await server.call("GET", "/api/v1/memories/stats"));
  assert.equal(total, ROWS);
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/memories`);
  const all = total.toLocaleString("en");
  await page.getByText(`loaded of ${all}`).waitFor();
  const rows = page.getByRole("region", { name: "Memories", exact: true }).getByRole("button");
  const [newest, oldest] = [await memoryAt(0), await memoryAt(total - 1)];
  await rows.first().filter({ hasText: newest.start }).waitFor();
  await page.keyboard.press("End");
  await page.getByText("Going to the end.").waitFor();
  await page.getByText(`${all} in all`, { exact: true }).waitFor({ timeout: END_MS });
  await page.getByText("Going to the end.").waitFor({ state: "detached" });
  await rows.last().filter({ hasText: oldest.start }).waitFor();
  const elements = await page.locator("*").count();
  assert.ok(elements < ELEMENTS_MAX, `${elements} elements`);
  await rows.last().click();
  await page.waitForURL(`${server.url}/memories?id=${oldest.id}`);
  await page.getByRole("heading", { name: "Details" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Home");
  await rows.first().filter({ hasText: newest.start }).waitFor();
  await page.getByText(`${all} in all`, { exact: true }).waitFor();
  await closeSound(watched, server);
});
