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

const Resolved = z.object({ project: z.object({ id: z.string() }) });
/** The project of a repository, as the first save there makes it. */
const projectOf = async (remote: string): Promise<string> =>
  Resolved.parse(await server.call("POST", "/api/v1/projects/resolve", { remote, save: true })).project.id;
const Written = z.object({ id: z.string(), fleet_id: z.string().nullable(), visibility: z.string() });
const write = async (content: string, members: object) =>
  Written.parse(await server.call("POST", "/api/v1/memories", { content, ...members }));
const read = async (id: string) => Written.parse(await server.call("GET", `/api/v1/memories/${id}`));

const member = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const listIn = (page: Page) => page.getByRole("region", { name: "Memories", exact: true });
const rowIn = (page: Page, content: string) => listIn(page).getByRole("button", { name: content });
const openedIn = (page: Page) => page.getByRole("complementary", { name: "Memory" });
const toastIn = (page: Page, text: string) => page.getByRole("status").locator("div", { hasText: text });

test("rows say which project they are from, and are narrowed to one or to what is for everyone", async () => {
  const shop = await projectOf("github.com/client-a/web-shop");
  await write("The shop is deployed on Mondays.", { fleet_id: shop });
  await write("Invoices are due within a month.", { no_fleet: true });
  await write("The depot opens at six.", { fleet_id: "depot" });
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/memories`);
  await rowIn(page, "The shop is deployed").getByText("web-shop", { exact: true }).waitFor();
  await rowIn(page, "Invoices are due").getByText("for everyone", { exact: true }).waitFor();
  await rowIn(page, "The depot opens").getByText("depot", { exact: true }).waitFor();
  const choose = async (option: string) => {
    await page.getByLabel("Add filter").selectOption("Project");
    await page.getByLabel("Project", { exact: true }).selectOption(option);
  };
  await choose("what is for everyone");
  await page.getByText("1 in all").waitFor();
  await rowIn(page, "Invoices are due").waitFor();
  assert.equal(member(page, "shared_only"), "true");
  await page.getByRole("button", { name: "Remove the filter Project" }).click();
  await choose("web-shop");
  await rowIn(page, "Invoices are due").waitFor({ state: "detached" });
  await rowIn(page, "The shop is deployed").waitFor();
  assert.equal(member(page, "fleet_id"), shop);

  await page.goto(`${server.url}/search?q=which+day+is+it+deployed`);
  const found = page.locator(".found");
  const shown = found.filter({ hasText: "The shop is deployed" });
  await shown.getByText("web-shop", { exact: true }).waitFor();
  await page.getByLabel("Project", { exact: true }).selectOption("what is for everyone");
  await shown.waitFor({ state: "detached" });
  assert.equal(member(page, "shared_only"), "1");
  await page.getByLabel("Project", { exact: true }).selectOption("web-shop");
  await shown.waitFor();
  assert.deepEqual([member(page, "shared_only"), member(page, "fleet_ids")], [null, encodeURIComponent(shop)]);
  await closeSound(watched, server);
});

test("what is written for everyone belongs to no project, whatever its agent's is", async () => {
  await write("The baker bakes.", { agent_id: "baker", fleet_id: "bakery" });
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/memories?new=1`);
  const dialog = page.getByRole("dialog", { name: "Write a memory" });
  await dialog.getByLabel("What is to be known").fill("Flour is bought in May.");
  await dialog.getByLabel("Agent", { exact: true }).fill("baker");
  await dialog.getByLabel("Project", { exact: true }).selectOption("for everyone");
  await dialog.getByRole("button", { name: "Write", exact: true }).click();
  await openedIn(page).getByText("Flour is bought in May.").first().waitFor();
  const { fleet_id, visibility } = await read(member(page, "id") ?? "");
  assert.deepEqual([fleet_id, visibility], [null, "scope_org"]);
  await closeSound(watched, server);
});

test("a project is renamed and gets another name, with a way back", async () => {
  const id = await projectOf("github.com/client-b/till");
  await write("The till closes at eight.", { fleet_id: id });
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/projects`);
  await page.getByRole("button", { name: "till", exact: true }).click();
  assert.equal(member(page, "id"), id);
  await page.getByText("github.com/client-b/till").last().waitFor();
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("cash-desk");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "cash-desk", level: 2 }).waitFor();
  await page.getByRole("button", { name: "Add a name" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("depot-of-nobody");
  await dialog.getByRole("button", { name: "Save" }).click();
  const pair = page.locator(".pairs > div", { hasText: "Names that mean it" });
  await pair.getByText("depot-of-nobody").waitFor();
  await toastIn(page, "depot-of-nobody means it as well.").getByRole("button", { name: "Undo" }).click();
  await pair.getByText("depot-of-nobody").waitFor({ state: "detached" });
  await pair.getByText("cash-desk").waitFor();
  await page.getByRole("link", { name: "1", exact: true }).click();
  await rowIn(page, "The till closes at eight.").getByText("cash-desk", { exact: true }).waitFor();
  await closeSound(watched, server);
});

test("a name that another project has is refused, and why", async () => {
  await projectOf("github.com/client-c/press");
  await projectOf("github.com/client-c/van");
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/projects?id=client-c%2Fvan`);
  await page.getByRole("button", { name: "Add a name" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("press");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("'press' means project 'client-c/press' already.").waitFor();
  await closeSound(watched, server);
});

/** Moves what is open, or chosen, to a project by its option. */
async function move(page: Page, option: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: /^Move/ });
  await dialog.getByLabel("Move to").selectOption(option);
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
}

test("a memory is moved to a project, to a new one and to everyone, and its history tells of it", async () => {
  const forge = await projectOf("github.com/client-d/forge");
  const { id } = await write("The anvil weighs ninety kilos.", { fleet_id: "smithy" });
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/memories?id=${id}`);
  const opened = openedIn(page);
  const field = opened.locator(".pairs > div", { hasText: "Project" });
  await field.getByText("smithy").waitFor();
  await opened.getByRole("button", { name: "Move to another project" }).click();
  await move(page, "forge");
  await toastIn(page, "The memory moved to project forge.").first().waitFor();
  await field.getByText("forge").waitFor();
  assert.equal((await read(id)).fleet_id, forge);
  await rowIn(page, "The anvil weighs").getByText("forge", { exact: true }).waitFor();
  const entry = opened.getByRole("listitem").filter({ hasText: "Moved" });
  await entry.getByText("smithy").waitFor();
  await entry.getByText("forge", { exact: true }).waitFor();

  await opened.getByRole("button", { name: "Move to another project" }).click();
  await page.getByLabel("Move to", { exact: true }).selectOption("another project…");
  await page.getByLabel("Name of the project").fill("hammer-works");
  await page.getByRole("dialog").getByRole("button", { name: "Move", exact: true }).click();
  await field.getByText("hammer-works").waitFor();
  await opened.getByRole("button", { name: "Move to another project" }).click();
  await move(page, "for everyone");
  await field.getByText("for everyone", { exact: true }).waitFor();
  const { fleet_id, visibility } = await read(id);
  assert.deepEqual([fleet_id, visibility], [null, "scope_org"]);
  await closeSound(watched, server);
});

test("what does not move says why, and leads to what says the same there", async () => {
  const same = "The quay floods in March.";
  const there = await write(same, { fleet_id: "harbour" });
  const { id } = await write(same, { fleet_id: "river" });
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/memories?id=${id}`);
  await openedIn(page).getByRole("button", { name: "Move to another project" }).click();
  await move(page, "river");
  await page.getByRole("dialog").getByText("It belongs to project river already.").waitFor();
  await move(page, "harbour");
  await page.getByRole("dialog").getByText("another memory says the same there already").waitFor();
  await page.getByRole("link", { name: "open that memory" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await openedIn(page).locator(".pairs > div", { hasText: "Project" }).getByText("harbour").waitFor();
  assert.equal(member(page, "id"), there.id);
  assert.equal((await read(id)).fleet_id, "river");
  await closeSound(watched, server);
});

const Minted = z.object({ raw_key: z.string() });

test("what may not move is refused with the reason", async () => {
  const { raw_key } = Minted.parse(await server.call("POST", "/api/v1/keys", { agent_id: "pilot", trust: 1 }));
  const body = { content: "The pilot keeps a private log.", agent_id: "pilot", visibility: "scope_agent" };
  const own = Written.parse(await server.call("POST", "/api/v1/memories", body, { "X-API-Key": raw_key }));
  const watched = await openPage(browser);
  const { page } = watched;
  await page.addInitScript((key) => sessionStorage.setItem("cairn-key", String(key)), raw_key);
  await page.goto(`${server.url}/memories?id=${own.id}`);
  await openedIn(page).getByRole("button", { name: "Move to another project" }).click();
  await move(page, "for everyone");
  await page
    .getByRole("dialog")
    .getByRole("listitem")
    .filter({ hasText: /It stays: \w+/ })
    .waitFor();
  await closeSound(watched, server);
});

test("several that are chosen move at once, and those that stay are told", async () => {
  await write("The ferry leaves at noon.", { fleet_id: "pier" });
  const texts = ["The ferry leaves at noon.", "The ferry takes bicycles.", "The ferry is painted white."];
  for (const text of texts) await write(text, { fleet_id: "lake" });
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/memories?fleet_id=lake`);
  await page.getByText("3 in all").waitFor();
  await page.getByRole("button", { name: "Choose several" }).click();
  await page.getByRole("button", { name: "Choose all that are loaded" }).click();
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await move(page, "pier");
  await toastIn(page, "2 memories moved to project pier.").first().waitFor();
  const dialog = page.getByRole("dialog", { name: /^Move/ });
  await dialog.getByRole("listitem").filter({ hasText: "another memory says the same there already" }).waitFor();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await page.getByText("1 memory chosen").waitFor();
  await rowIn(page, "The ferry takes bicycles.").waitFor({ state: "detached" });
  await page.goto(`${server.url}/memories?fleet_id=pier`);
  await page.getByText("3 in all").waitFor();
  await closeSound(watched, server);
});

test("a project, and a name that only requests use, become part of another one after a confirmation", async () => {
  const [old, dock] = [await projectOf("github.com/client-e/old-dock"), await projectOf("github.com/client-e/dock")];
  const { id } = await write("The crane lifts nine tons.", { fleet_id: old });
  await write("The tide is high at six.", { fleet_id: "dock-notes" });
  const watched = await openPage(browser);
  const { page } = watched;
  const dialog = page.getByRole("dialog");
  const confirm = async (moved: number) => {
    const merge = dialog.getByRole("button", { name: "Merge", exact: true });
    assert.equal(await merge.isDisabled(), true);
    await dialog.getByLabel("The project that stays").selectOption("dock");
    await dialog.getByText("This cannot be undone.").waitFor();
    await merge.click();
    await toastIn(page, `Merged: ${moved} moved.`).first().waitFor();
    await dialog.waitFor({ state: "detached" });
  };
  await page.goto(`${server.url}/projects?id=${encodeURIComponent(old)}`);
  await page.getByRole("button", { name: "Merge", exact: true }).click();
  await confirm(1);
  await page.getByRole("heading", { name: "dock", level: 2, exact: true }).waitFor();
  assert.equal(member(page, "id"), dock);
  assert.equal((await read(id)).fleet_id, dock);
  await page.getByText("github.com/client-e/old-dock").last().waitFor();

  await page.getByText("Names that only requests use").click();
  await page.getByRole("button", { name: "Merge dock-notes into a project" }).click();
  await confirm(1);
  await page.getByRole("button", { name: "Merge dock-notes into a project" }).waitFor({ state: "detached" });
  await page.locator(".pairs").getByRole("link", { name: "2", exact: true }).waitFor();
  await closeSound(watched, server);
});
