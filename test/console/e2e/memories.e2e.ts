import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { openBrowser, openPage } from "../../../scripts/browser/browser.ts";
import type { TestServer } from "../../../scripts/browser/server.ts";
import { startServer } from "../../../scripts/browser/server.ts";
import { closeSound } from "../support/watched.ts";

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await startServer();
  browser = await openBrowser();
});
after(() => Promise.all([browser?.close(), server?.stop()]));

const Written = z.object({ id: z.string(), content: z.string(), memory_type: z.string(), status: z.string() });
const write = async (content: string, members: object = {}) =>
  Written.parse(await server.call("POST", "/api/v1/memories", { content, ...members }));
const read = async (id: string) => Written.parse(await server.call("GET", `/api/v1/memories/${id}`));

const listIn = (page: Page) => page.getByRole("region", { name: "Memories", exact: true });
const rowIn = (page: Page, content: string) => listIn(page).getByRole("button", { name: content });
const openedIn = (page: Page) => page.getByRole("complementary", { name: "Memory" });
const toastIn = (page: Page, text: string) => page.getByRole("status").locator("div", { hasText: text });
const member = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const idOf = (page: Page): string => member(page, "id") ?? assert.fail("No memory is open.");

test("a memory is written in the dialog, and stands open and on top of the list", async () => {
  await write("The canteen opens at eleven.", { memory_type: "fact" });
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/memories`);
  await rowIn(page, "The canteen opens at eleven.").waitFor();
  await page.getByRole("button", { name: "Write a memory" }).click();
  const dialog = page.getByRole("dialog", { name: "Write a memory" });
  assert.equal(await dialog.getByRole("button", { name: "Write", exact: true }).isDisabled(), true);
  await dialog.getByLabel("What is to be known").fill("We decided to bake on Mondays.");
  await dialog.getByLabel("Type", { exact: true }).selectOption("decision");
  await dialog.getByLabel("Project", { exact: true }).selectOption("another project…");
  await dialog.getByLabel("Name of the project").fill("bakery");
  await dialog.getByLabel("Agent", { exact: true }).fill("baker");
  await dialog.getByLabel("Visible to", { exact: true }).selectOption("everyone");
  await dialog.getByRole("button", { name: "Write", exact: true }).click();
  await toastIn(page, "The memory is written.").first().waitFor();
  await dialog.waitFor({ state: "detached" });
  await openedIn(page).getByText("We decided to bake on Mondays.").first().waitFor();
  await listIn(page).getByRole("button").first().getByText("We decided to bake on Mondays.").waitFor();
  assert.equal(member(page, "new"), null);
  assert.equal((await read(idOf(page))).memory_type, "decision");
  await closeSound(watched, server);
});

test("what another memory says already is refused in the dialog, with a way to that one", async () => {
  const { id } = await write("The oven takes nine minutes to heat.");
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/memories?new=1`);
  const dialog = page.getByRole("dialog", { name: "Write a memory" });
  await dialog.getByLabel("What is to be known").fill("The oven takes nine minutes to heat.");
  await dialog.getByRole("button", { name: "Write", exact: true }).click();
  await dialog.getByRole("alert").getByText("Another memory says this already.").waitFor();
  await dialog.getByRole("link", { name: "Open that memory" }).click();
  await dialog.waitFor({ state: "detached" });
  await openedIn(page).getByText("The oven takes nine minutes to heat.").first().waitFor();
  assert.equal(idOf(page), id);
  await closeSound(watched, server);
});

test("filters stand as chips and in the address, outlive a reload, and are taken off", async () => {
  await write("Plan: a second oven before winter.", { memory_type: "plan", fleet_id: "kitchen" });
  await write("Plan: a new till before summer.", { memory_type: "plan", fleet_id: "shop" });
  await write("The kitchen has two sinks.", { memory_type: "fact", fleet_id: "kitchen" });
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/memories`);
  await page.getByLabel("Add filter").selectOption("Type");
  await page.getByLabel("Type", { exact: true }).selectOption("plan");
  await rowIn(page, "The kitchen has two sinks.").waitFor({ state: "detached" });
  await page.getByLabel("Add filter").selectOption("Project");
  await page.getByLabel("Project", { exact: true }).selectOption("kitchen");
  await rowIn(page, "a new till").waitFor({ state: "detached" });
  await page.getByText("1 in all").waitFor();
  assert.deepEqual([member(page, "memory_type"), member(page, "fleet_id")], ["plan", "kitchen"]);
  await page.reload();
  await rowIn(page, "Plan: a second oven before winter.").waitFor();
  await page.getByText("1 in all").waitFor();
  await page.getByRole("button", { name: "Remove the filter Type" }).click();
  await rowIn(page, "The kitchen has two sinks.").waitFor();
  assert.equal(member(page, "memory_type"), null);
  await page.goBack();
  await page.getByRole("button", { name: "Remove the filter Type" }).waitFor();
  await page.getByRole("button", { name: "Clear all" }).click();
  await rowIn(page, "a new till").waitFor();
  await page.goto(`${server.url}/memories?memory_type=plan&fleet_id=nowhere`);
  await page.getByText("No memory fits these filters.").waitFor();
  await closeSound(watched, server);
});

test("a memory is opened from its row, edited, confirmed and archived, and its versions tell of it", async () => {
  const { id } = await write("The bread cools for an hour.", { weight: 0.5 });
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/memories`);
  await rowIn(page, "The bread cools for an hour.").click();
  const opened = openedIn(page);
  await opened.getByRole("button", { name: "Edit" }).click();
  assert.equal(idOf(page), id);
  const dialog = page.getByRole("dialog", { name: "Edit this memory" });
  await dialog.getByLabel("Content").fill("The bread cools for two hours.");
  await dialog.getByLabel("Weight").fill("0.9");
  await dialog.getByLabel("Metadata").fill("{ half");
  assert.equal(await dialog.getByRole("button", { name: "Save" }).isDisabled(), true);
  await dialog.getByLabel("Metadata").fill('{ "oven": 2 }');
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await opened.getByText("The bread cools for two hours.").first().waitFor();
  await rowIn(page, "The bread cools for two hours.").waitFor();
  for (const [verb, status] of [
    ["Confirm", "confirmed"],
    ["Archive", "archived"],
  ] as const) {
    await opened.getByRole("button", { name: verb }).click();
    await toastIn(page, `The memory is ${status}.`).first().waitFor();
    await rowIn(page, "The bread cools for two hours.").getByText(status).waitFor();
    assert.equal((await read(id)).status, status);
  }
  await opened.getByRole("heading", { name: "Versions and audit" }).waitFor();
  const versions = opened.getByRole("listitem");
  await versions.filter({ hasText: "Written" }).waitFor();
  await versions.filter({ hasText: "Changed" }).getByText("0.9").waitFor();
  await versions.filter({ hasText: "Status changed" }).filter({ hasText: "archived" }).waitFor();
  await closeSound(watched, server);
});

test("a deleted memory is brought back by Undo, into the list and for whoever reads it", async () => {
  const { id } = await write("The flour comes from the mill by the river.");
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/memories?id=${id}`);
  const row = rowIn(page, "The flour comes from the mill by the river.");
  await row.waitFor();
  await openedIn(page).getByRole("button", { name: "Delete" }).click();
  const undo = toastIn(page, "The memory is deleted.").getByRole("button", { name: "Undo" }).first();
  // The way back stays for as long as one points at it.
  await undo.hover();
  await row.waitFor({ state: "detached" });
  await openedIn(page).waitFor({ state: "detached" });
  await assert.rejects(read(id), /NOT_FOUND/);
  await undo.click();
  await row.waitFor();
  assert.equal((await read(id)).status, "active");
  await row.click();
  await openedIn(page).getByRole("listitem").filter({ hasText: "Restored" }).waitFor();
  await closeSound(watched, server);
});

test("what a correction puts in the place of a memory stands after it in its line of time", async () => {
  const { id } = await write("The market is held on Tuesdays.");
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/memories?id=${id}`);
  const opened = openedIn(page);
  await opened.getByText("It superseded no other memory, and none superseded it.").waitFor();
  await opened.getByRole("button", { name: "Correct" }).click();
  const dialog = page.getByRole("dialog", { name: "Correct this memory" });
  await dialog.getByLabel("What holds now").fill("The market is held on Fridays.");
  await dialog.getByRole("button", { name: "Correct" }).click();
  await dialog.waitFor({ state: "detached" });
  const steps = opened.getByRole("listitem").filter({ hasText: "The market is held on" });
  const present = steps.filter({ hasText: "this memory" });
  await present.getByText("The market is held on Fridays.").waitFor();
  assert.notEqual(idOf(page), id);
  await steps.first().getByRole("link", { name: "The market is held on Tuesdays." }).click();
  await present.getByText("The market is held on Tuesdays.").waitFor();
  await present.getByText("outdated").waitFor();
  await steps.last().getByRole("link", { name: "The market is held on Fridays." }).waitFor();
  assert.equal(idOf(page), id);
  await closeSound(watched, server);
});

test("what was imported says so, and who sees what is in no project", async () => {
  const records = [{ record: "memory", content: "The imported bell is cast in bronze." }];
  const reply = await server.call("POST", "/api/v1/import", { records });
  const { results } = z.object({ results: z.array(z.object({ id: z.string() })) }).parse(reply);
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/memories?id=${results[0]?.id}`);
  await openedIn(page).getByText("everyone, as it is in no project").waitFor();
  await openedIn(page).getByText("Imported", { exact: true }).waitFor();
  await closeSound(watched, server);
});

test("what another client writes and changes appears by itself", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/memories`);
  await page.getByText("Live", { exact: true }).waitFor();
  await page.getByRole("heading", { name: "Memories", level: 1 }).waitFor();
  const { id } = await write("The salt is kept in the dry store.");
  const row = listIn(page).getByRole("button").first();
  await row.getByText("The salt is kept in the dry store.").waitFor();
  await row.click();
  await openedIn(page).getByText("The salt is kept in the dry store.").first().waitFor();
  await server.call("PATCH", `/api/v1/memories/${id}`, { content: "The salt is kept on the top shelf." });
  await openedIn(page).getByText("The salt is kept on the top shelf.").first().waitFor();
  await row.getByText("The salt is kept on the top shelf.").waitFor();
  await closeSound(watched, server);
});

test("what is written before changes are followed appears once they are", async () => {
  await write("The vinegar stands beside the oil.");
  const watched = await openPage(browser);
  const { page } = watched;
  let letGo = () => {};
  const isHeld = new Promise<void>((done) => {
    letGo = done;
  });
  await page.route("**/api/v1/events", async (route) => {
    await isHeld;
    await route.continue();
  });
  await page.goto(`${server.url}/memories`);
  await rowIn(page, "The vinegar stands beside the oil.").waitFor();
  await write("The honey is kept by the window.");
  letGo();
  await rowIn(page, "The honey is kept by the window.").waitFor();
  await closeSound(watched, server);
});
