import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
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

const Named = z.object({ id: z.string() });
const idOf = async (path: string, body: unknown): Promise<string> =>
  Named.parse(await server.call("POST", path, body)).id;

test("what is typed stays when the memory is changed or deleted elsewhere, which is told", async () => {
  const id = await idOf("/api/v1/memories", { content: "The library opens at nine." });
  const { page, faults } = await openPage(browser);
  await page.goto(`${server.url}/memories?id=${id}`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const content = page.getByRole("textbox", { name: "Content" });
  await content.fill("The library opens at ten.");
  await server.call("PATCH", `/api/v1/memories/${id}`, { content: "The library opens at noon." });
  await page.getByText("This memory was changed since you began.", { exact: false }).waitFor();
  assert.equal(await content.inputValue(), "The library opens at ten.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("dialog").getByText("PRECONDITION_FAILED", { exact: true }).first().waitFor();
  await page.getByRole("dialog").getByText("The library opens at noon.", { exact: false }).first().waitFor();
  assert.equal(Said.parse(await server.call("GET", `/api/v1/memories/${id}`)).content, "The library opens at noon.");
  await page.getByRole("button", { name: "Begin anew from that" }).click();
  assert.equal(await content.inputValue(), "The library opens at noon.");
  await content.fill("The library opens at one.");
  await server.call("DELETE", `/api/v1/memories/${id}`);
  await page.getByRole("complementary", { name: "Memory" }).getByText("NOT_FOUND", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("dialog").getByText("NOT_FOUND", { exact: true }).first().waitFor();
  assert.equal(await content.inputValue(), "The library opens at one.");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).waitFor({ state: "detached" });
  assert.deepEqual(faults, []);
});

const Said = z.object({ content: z.string() });

test("what a memory said before an edit is shown, and brought back with one click", async () => {
  const id = await idOf("/api/v1/memories", { content: "The archive is in the cellar." });
  await server.call("PATCH", `/api/v1/memories/${id}`, { content: "The archive is in the attic." });
  const { page, faults } = await openPage(browser);
  await page.goto(`${server.url}/memories?id=${id}`);
  const earlier = page.getByRole("region", { name: "Earlier texts" });
  await earlier.getByText("The archive is in the cellar.").waitFor();
  await earlier.getByRole("button", { name: "Bring it back" }).click();
  await earlier.getByText("The archive is in the attic.").waitFor();
  assert.equal(Said.parse(await server.call("GET", `/api/v1/memories/${id}`)).content, "The archive is in the cellar.");
  assert.deepEqual(faults, []);
});

test("how often hooks told a memory stands beside it, once they did", async () => {
  const id = await idOf("/api/v1/memories", { content: "The lantern of the pier is lit at dusk." });
  const { page, faults } = await openPage(browser);
  await page.goto(`${server.url}/memories?id=${id}`);
  await page.getByText("Content hash", { exact: true }).waitFor();
  assert.equal(await page.getByText("Told by hooks").count(), 0);
  await server.call("POST", "/api/v1/memories/told", { told: [id] });
  await page.getByText(/^Told by hooks 1 time, not known whether taken up, last on /).waitFor();
  await server.call("POST", "/api/v1/memories/told", { told: [id], watched: [id], used: [id] });
  await page.getByText(/^Told by hooks 2 times, taken up 1 time, last on /).waitFor();
  assert.deepEqual(faults, []);
});

test("who changes the type of an entity does not take back the name that it was given meanwhile", async () => {
  const id = await idOf("/api/v1/entities/upsert", { canonical_name: "Harbour Bridge", entity_type: "unknown" });
  const { page, faults } = await openPage(browser);
  await page.goto(`${server.url}/entities?id=${id}`);
  await page.getByRole("button", { name: "Rename or retype" }).click();
  await server.call("PATCH", `/api/v1/entities/${id}`, { canonical_name: "Old Harbour Bridge" });
  await page.getByRole("heading", { name: "Old Harbour Bridge", level: 1, includeHidden: true }).waitFor();
  await page.getByLabel("Type", { exact: true }).selectOption("location");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const { canonical_name, entity_type } = Told.parse(await server.call("GET", `/api/v1/entities/${id}`));
  assert.deepEqual({ canonical_name, entity_type }, { canonical_name: "Old Harbour Bridge", entity_type: "location" });
  assert.deepEqual(faults, []);
});

const Told = z.object({ canonical_name: z.string(), entity_type: z.string() });

const DOTS = "/documents?collection=a&doc_id=.";

test("an id that no address can hold is told as none, and asks for nothing else", async () => {
  const { page, faults } = await openPage(browser);
  for (const path of [...["", ".", ".."].map((id) => `/memories?id=${id}`), "/entities?id=.", DOTS]) {
    await page.goto(`${server.url}${path}`);
    await page.getByText("NO_SUCH_NAME").first().waitFor();
  }
  assert.deepEqual(faults, []);
});

test("what is no number changes no setting, and does not lift a limit", async () => {
  await server.call("PATCH", "/api/v1/settings", { memories: { deleted_grace_days: 12 } });
  const { page, faults } = await openPage(browser);
  await page.goto(`${server.url}/operations?tab=settings`);
  const days = page.locator("input[type=number]").first();
  await days.fill("12");
  await days.press("End");
  await days.pressSequentially("e-");
  await page.getByText("Settings of the tenant").click();
  assert.equal(await days.inputValue(), "12");
  await page.getByRole("button", { name: "Nothing changed" }).waitFor();
  assert.deepEqual(faults, []);
});
