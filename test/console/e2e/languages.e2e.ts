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

const FAMILY = "👩‍👩‍👧‍👦";
/** How a browser reads what a script of the page finds. */
const directionOf = (found: string): string => `getComputedStyle(${found}).direction`;
const HEBREW = "הפגישה עם Ines נדחתה ליום חמישי";

test("texts keep their direction and their characters, and are of no language that the page knows", async () => {
  for (const content of [FAMILY.repeat(90), HEBREW]) await server.call("POST", "/api/v1/memories", { content });
  const { page, faults } = await openPage(browser);
  await page.goto(`${server.url}/memories`);
  const cut = await page.getByText(FAMILY).first().textContent();
  assert.match(cut ?? "", new RegExp(`^(?:${FAMILY})+…$`, "u"));
  const hebrew = page.locator("bdi", { hasText: HEBREW }).first();
  const shown = `[...document.querySelectorAll("bdi")].find((one) => one.textContent === ${JSON.stringify(HEBREW)})`;
  assert.equal(await page.evaluate(directionOf(shown)), "rtl");
  assert.equal(await hebrew.getAttribute("lang"), "");
  await page.locator("#search-everything").fill(HEBREW);
  assert.equal(await page.evaluate(directionOf('document.getElementById("search-everything")')), "rtl");
  assert.deepEqual(faults, []);
});

test("days are told as whoever looks tells them", async () => {
  const { page } = await openPage(browser, { locale: "de-DE" });
  await page.goto(`${server.url}/memories`);
  const year = new Intl.DateTimeFormat("de-DE", { dateStyle: "full" }).format(Date.now()).replace(/^.*? /, "");
  const month = /\p{L}+ \d{4}$/u.exec(year)?.[0] ?? "";
  await page.locator(`time[title*="${month}"]`).first().waitFor();
});

test("the Enter that takes a word from an input method runs no command", async () => {
  const { page } = await openPage(browser);
  await page.goto(server.url);
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  const typed = page.getByRole("combobox", { name: "Command" });
  await typed.waitFor();
  const input = await page.context().newCDPSession(page);
  await input.send("Input.imeSetComposition", { text: "けんさく", selectionStart: 4, selectionEnd: 4 });
  await page.keyboard.press("Enter");
  await typed.waitFor();
  await input.send("Input.insertText", { text: "検索" });
  assert.equal(await typed.inputValue(), "検索");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Search", level: 1 }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("q"), "検索");
});
