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

/** Words of so many letters fit on every line there is; what goes on for longer without a space may break anywhere. */
const WORD_MAX = 14;
const RUN_MAX = 30;
/** Words that stand on two lines. */
const BROKEN = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const broken = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest(".hidden-visually")) continue;
    for (const { 0: run, index: from } of node.data.matchAll(/\\S+/g))
      for (const { 0: word, index } of run.matchAll(/[\\p{L}\\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(node, from + index);
        range.setEnd(node, from + index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (run.length <= ${RUN_MAX} && word.length <= ${WORD_MAX} && lines.size > 1)
          broken.push(word + " in " + node.parentElement.outerHTML.slice(0, 200));
      }
  }
  return broken;
})()`;

/** Whether anything changes its looks by and by; what only appears after a while does not. */
const MOVES = "document.getAnimations().some(({ effect }) => effect.getTiming().duration > 0)";

/** What is wider than the room it has, of the document and of the part of it that scrolls. */
const TOO_WIDE = `["html", "body", "main"].flatMap((name) => {
  const { scrollWidth, clientWidth } = document.querySelector(name);
  return scrollWidth > clientWidth ? [name + ": " + scrollWidth + " px of " + clientWidth] : [];
})`;

/** What around the part that scrolls is taller than the window, and so would have a scrollbar of its own beside that one's. */
const TOO_TALL = `["html", "body"].flatMap((name) => {
  const { scrollHeight, clientHeight } = document.querySelector(name);
  return scrollHeight > clientHeight ? [name + ": " + scrollHeight + " px of " + clientHeight] : [];
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

for (const [width, height] of [
  [1440, 900],
  [360, 740],
] as const) {
  test(`only the page itself scrolls in a window of ${width} by ${height} px, not the frame around it too`, async () => {
    const watched = await openPage(browser, { width, height });
    const { page } = watched;
    for (const address of addresses) {
      await page.goto(`${server.url}${address}`);
      await opened(page);
      if (address === "/") await scrolledToMap(page);
      assert.deepEqual(Wide.parse(await page.evaluate(TOO_TALL)), [], address);
    }
    assertSound(watched, server);
  });
}

test("no word is broken in a window as narrow as a phone, names of agents among them", async () => {
  const watched = await openPage(browser, { width: 360 });
  const { page } = watched;
  for (const address of addresses) {
    await page.goto(`${server.url}${address}`);
    await opened(page);
    if (address === "/") await scrolledToMap(page);
    assert.deepEqual(Wide.parse(await page.evaluate(BROKEN)), [], address);
  }
  assertSound(watched, server);
});

test("the documentation of the interface does not scroll sideways on a phone", async () => {
  const { page } = await openPage(browser, { width: 360 });
  await page.goto(`${server.url}/api/docs`);
  await page.getByRole("heading", { name: "Error codes" }).waitFor();
  await page.locator(".opblock").first().waitFor();
  await page.locator(".opblock-summary-control").first().click();
  await page.locator(".opblock-body").first().waitFor();
  assert.deepEqual(Wide.parse(await page.evaluate(TOO_WIDE.replace(', "main"', ""))), []);
});

test("a mistyped address shows the console, which says that there is no such page", async () => {
  const watched = await openPage(browser, { width: 360 });
  const { page } = watched;
  for (const address of ["/memoris", "/memories/all", "/overview.html"]) {
    const response = await page.goto(`${server.url}${address}`);
    assert.equal(response?.status(), 404, address);
    await page.getByRole("heading", { name: "No such page" }).waitFor();
  }
  await page.getByRole("link", { name: "Back to the overview" }).click();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  assertSound(watched, server);
});

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
