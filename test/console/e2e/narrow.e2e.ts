import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { openBrowser, openPage } from "../../../scripts/browser/browser.ts";
import { fillForPictures } from "../../../scripts/browser/sample.ts";
import type { TestServer } from "../../../scripts/browser/server.ts";
import { startServer } from "../../../scripts/browser/server.ts";
import { PAGES } from "../../../src/console/shell/pages.ts";
import { assertSound } from "../support/watched.ts";

let server: TestServer;
let browser: Browser;
/** What is visited: every page, and what opens on some of them. */
let addresses: readonly string[] = [];
before(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  await fillForPictures(server);
  const content = `${"long".repeat(60)} https://example.test/${"path/".repeat(60)}`;
  const memory = Identified.parse(await server.call("POST", "/api/v1/memories", { content }));
  const [entity] = z.array(Identified).parse(await server.call("GET", "/api/v1/entities"));
  addresses = [
    ...PAGES.map(({ path }) => path),
    `/memories?id=${memory.id}`,
    `/entities?id=${entity?.id}`,
    "/search?q=when+does+atlas+deploy",
    "/documents?collection=projects&doc_id=atlas",
    "/operations?tab=settings",
  ];
});
after(() => Promise.all([browser?.close(), server?.stop()]));

const Identified = z.object({ id: z.string() });
const Listed = z.object({ items: z.array(Identified) });
const Wide = z.array(z.string());

/** Whether anything changes its looks by and by; what only appears after a while does not. */
const MOVES = "document.getAnimations().some(({ effect }) => effect.getTiming().duration > 0)";

/** What is wider than the room it has, of the document and of the part of it that scrolls. */
const TOO_WIDE = `["html", "body", "main"].flatMap((name) => {
  const { scrollWidth, clientWidth } = document.querySelector(name);
  return scrollWidth > clientWidth ? [name + ": " + scrollWidth + " px of " + clientWidth] : [];
})`;

async function opened(page: Page): Promise<void> {
  await page.locator("h1").waitFor();
  await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
}

/** On the overview, whose pictures come after its figures, the last of them once it is in sight. */
async function scrolledToMap(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Map of memories" }).scrollIntoViewIfNeeded();
  await page.getByRole("region", { name: "Clusters" }).waitFor();
}

for (const width of [360, 2560]) {
  test(`no page scrolls sideways in a window ${width} px wide`, async () => {
    const watched = await openPage(browser, { width });
    const { page } = watched;
    for (const address of addresses) {
      await page.goto(`${server.url}${address}`);
      await opened(page);
      if (address === "/") await scrolledToMap(page);
      assert.deepEqual(Wide.parse(await page.evaluate(TOO_WIDE)), [], address);
    }
    assertSound(watched, server);
  });
}

test("the menu of a narrow window opens, leads on, and is out of the way then", async () => {
  const watched = await openPage(browser, { width: 360 });
  const { page } = watched;
  await page.goto(server.url);
  const menu = page.getByRole("button", { name: "Menu" });
  const pages = page.getByRole("navigation", { name: "Pages" });
  await menu.waitFor();
  assert.equal(await pages.isVisible(), false);
  await menu.click();
  assert.equal(await menu.getAttribute("aria-expanded"), "true");
  for (const { name } of PAGES) await pages.getByRole("link", { name, exact: true }).waitFor();
  await pages.getByRole("link", { name: "Entities" }).click();
  await page.getByRole("heading", { name: "Entities", level: 1 }).waitFor();
  await pages.waitFor({ state: "hidden" });
  assert.equal(await menu.getAttribute("aria-expanded"), "false");
  assertSound(watched, server);
});

test("nothing moves by itself for who wants less motion", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  // The list never comes, so that the page goes on waiting for it.
  await page.route("**/api/v1/entities?*", () => {});
  for (const [reducedMotion, moves] of [
    ["no-preference", true],
    ["reduce", false],
  ] as const) {
    await page.emulateMedia({ reducedMotion });
    await page.goto(`${server.url}/entities`);
    await page.getByRole("status", { name: "Loading" }).waitFor();
    assert.equal(await page.evaluate(MOVES), moves, reducedMotion);
  }
  assertSound(watched, server);
});

test("j, k and Enter go through a list and open a row", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/entities`);
  const links = page.getByRole("table").getByRole("link");
  await links.nth(2).waitFor();
  const [first = "", second = "", third = ""] = await links.allInnerTexts();
  const focused = (name: string) => page.locator("a:focus", { hasText: name }).waitFor();
  await page.keyboard.press("j");
  await focused(first);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await focused(third);
  await page.keyboard.press("k");
  await focused(second);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: second, level: 1 }).waitFor();

  await page.goto(`${server.url}/memories`);
  const rows = page.getByRole("region", { name: "Memories", exact: true }).getByRole("button");
  await rows.nth(1).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/memories\?id=/);
  const { items } = Listed.parse(await server.call("GET", "/api/v1/memories?limit=2"));
  assert.equal(new URL(page.url()).searchParams.get("id"), items[1]?.id);
  assertSound(watched, server);
});
