import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
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

const Settings = z.object({ memories: z.object({ deleted_grace_days: z.number() }) });

const RECORDS = 3_000;
const BAD_LINE = 2_500;
/** An export of which one record cannot be stored. */
const exported = (): Buffer => {
  const lines = Array.from({ length: RECORDS }, (_, i) =>
    JSON.stringify({ record: "memory", content: i === BAD_LINE - 2 ? "" : `Statement ${i} of topic ${i * 7}.` }),
  );
  const header = { record: "export", format: 1, release: "0.1.0", exported_at: "2026-01-02T00:00:00.000Z" };
  const ends = [JSON.stringify(header), ...lines, JSON.stringify({ record: "end", counts: { memory: RECORDS } })];
  return Buffer.from(ends.join("\n"));
};

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.getByLabel("File to import").setInputFiles({ name, mimeType: "application/x-ndjson", buffer });
/** How many of each outcome the page tells. */
const counted = async (page: Page, outcome: string): Promise<number> => {
  const figure = page.locator(".figure", { hasText: new RegExp(`\\d${outcome}$`) });
  return Number((await figure.locator("strong").innerText()).replaceAll(",", ""));
};

test("an import is tried out, cancelled between batches, and goes on in another tab", async () => {
  const { page, faults } = await openPage(browser);
  await page.goto(`${server.url}/operations?tab=import`);
  await choose(page, "other.json", Buffer.from('{"messages":[]}'));
  await page.getByText("is no export of Cairn").waitFor();

  await choose(page, "all.jsonl", exported());
  await page.getByRole("button", { name: "Dry run" }).click();
  await page.getByRole("heading", { name: "The dry run: nothing is stored yet" }).waitFor();
  assert.equal(await counted(page, "stored"), RECORDS - 1);
  assert.equal(await counted(page, "refused"), 1);

  // Held up after the first batch, until it is cancelled.
  let batches = 0;
  let letGo = () => {};
  const cancelled = new Promise<void>((done) => {
    letGo = done;
  });
  await page.route("**/api/v1/import", async (route) => {
    batches += 1;
    if (batches > 1) await cancelled;
    await route.continue();
  });
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText(/[1-9]\d* of 3,000 entries/).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  letGo();
  await page.getByRole("heading", { name: "Cancelled" }).waitFor();
  const stored = await counted(page, "stored");
  assert.ok(stored > 0 && stored < RECORDS - 1, `${stored} are stored`);
  assert.deepEqual(faults, []);

  const next = await openPage(browser);
  await next.page.goto(`${server.url}/operations?tab=import`);
  await choose(next.page, "all.jsonl", exported());
  await next.page.getByRole("button", { name: `Go on after the first ${stored.toLocaleString("en")}` }).click();
  await next.page.getByRole("heading", { name: "Imported" }).waitFor();
  assert.equal(await counted(next.page, "stored"), RECORDS - 1 - stored);
  const [download] = await Promise.all([
    next.page.waitForEvent("download"),
    next.page.getByRole("button", { name: "Download 1 line" }).click(),
  ]);
  const told = JSON.parse(await readFile(await download.path(), "utf8"));
  assert.deepEqual([told.line, told.outcome], [BAD_LINE, "refused"]);
  assert.deepEqual(next.faults, []);
});

test("an export is saved whole", async () => {
  await server.call("POST", "/api/v1/memories", { content: "The export must hold this." });
  const { page, faults } = await openPage(browser);
  await page.goto(`${server.url}/operations?tab=import`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export", exact: true }).click(),
  ]);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\n");
  assert.equal(JSON.parse(lines.at(-1) ?? "").record, "end");
  assert.ok(lines.some((line) => line.includes("The export must hold this.")));
  assert.deepEqual(faults, []);
});

test("the indexes are checked", async () => {
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/operations?tab=health`);
  await page.getByRole("button", { name: "Check the indexes" }).click();
  await page.getByText("Rows and indexes agree").waitFor();
});

test("a setting that does not fit is told beside it; one that is saved can be taken back", async () => {
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/operations?tab=settings`);
  const days = page.getByLabel("Deleted memories stay");
  await days.fill("99999");
  await page.getByRole("button", { name: "Save 1 change" }).click();
  await page.locator(".field", { has: days }).getByRole("alert").waitFor();
  await days.fill("40");
  await page.getByRole("button", { name: "Save 1 change" }).click();
  await page.getByText("1 setting saved.").waitFor();
  assert.equal(await days.inputValue(), "40");
  const taken = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.getByRole("button", { name: "Undo" }).click();
  await taken;
  const { memories } = Settings.parse(await server.call("GET", "/api/v1/settings"));
  assert.equal(memories.deleted_grace_days, 30);
});

test("the log grows, filtered by text, without what the page itself asks for", async () => {
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/operations?tab=log&q=listKeys`);
  await page.getByText("No line of the last minutes fits.").waitFor();
  await server.call("GET", "/api/v1/keys");
  await page.locator(".log-line", { hasText: "operation=listKeys" }).waitFor();
  await page.goto(`${server.url}/operations?tab=log`);
  await page.locator(".log-line").first().waitFor();
  assert.equal(await page.locator(".log-line", { hasText: "operation=recentLogs" }).count(), 0);
});
