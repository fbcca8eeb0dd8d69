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
