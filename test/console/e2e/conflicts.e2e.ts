import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { openBrowser, openPage } from "../../../scripts/browser/browser.ts";
import type { TestServer } from "../../../scripts/browser/server.ts";
import { startServer } from "../../../scripts/browser/server.ts";
import { assertSound } from "../support/watched.ts";

let server: TestServer;
let browser: Browser;
before(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
});
after(() => Promise.all([browser?.close(), server?.stop()]));

const PROJECTS = ["atlas", "beacon", "harbor"] as const;
const Written = z.object({ id: z.string() });
const Memory = z.object({ status: z.string() });
const Found = z.object({
  items: z.array(z.object({ older: z.object({ id: z.string() }), newer: z.object({ id: z.string() }) })),
});

/** Memories by what they say. */
const ids = new Map<string, string>();
const textOf = (project: string, port: number): string => `The API of ${project} listens on port ${port}.`;
const statusOf = async (project: string, port: number): Promise<string> =>
  Memory.parse(await server.call("GET", `/api/v1/memories/${ids.get(textOf(project, port))}`)).status;
const statusesOf = async (project: string) => [await statusOf(project, 8080), await statusOf(project, 9090)];
/** The projects of the findings in a state, as the interface says. */
async function projectsIn(state: string): Promise<string[]> {
  const { items } = Found.parse(await server.call("GET", `/api/v1/conflicts?state=${state}`));
  const isOf = ({ older, newer }: (typeof items)[number], project: string) =>
    older.id === ids.get(textOf(project, 8080)) && newer.id === ids.get(textOf(project, 9090));
  return items.map((item) => PROJECTS.find((project) => isOf(item, project)) ?? "none of these").sort();
}

const cards = (page: Page) => page.getByRole("region", { name: "Conflicts" }).getByRole("article");
const card = (page: Page, project: string) => cards(page).filter({ hasText: textOf(project, 9090) });
/** The card that has the focus. */
const focused = (page: Page, project: string) =>
  page.locator("article:focus").filter({ hasText: textOf(project, 9090) });
const opened = (page: Page, count: number) => page.getByRole("button", { name: `Open ${count}`, exact: true });

test("without findings the page says what would appear there", async () => {
  const watched = await openPage(browser);
  await watched.page.goto(`${server.url}/conflicts`);
  await watched.page.getByText("No conflict waits for you.", { exact: true }).waitFor();
  await watched.page.getByRole("button", { name: "Accepted" }).click();
  await watched.page.getByText("No finding was accepted.").waitFor();
  assertSound(watched, server);
});

test("two texts that clash appear as they are found, each with what clashes marked", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/conflicts`);
  await page.getByText("No conflict waits for you.", { exact: true }).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  for (const port of [8080, 9090]) {
    for (const project of PROJECTS) {
      const content = textOf(project, port);
      const memory = await server.call("POST", "/api/v1/memories?wait=searchable", { content, fleet_id: project });
      ids.set(content, Written.parse(memory).id);
    }
  }
  await opened(page, PROJECTS.length).waitFor();
  for (const project of PROJECTS) {
    assert.deepEqual(await card(page, project).locator("mark").allInnerTexts(), ["8080", "9090"]);
    assert.deepEqual(await statusesOf(project), ["conflicted", "active"]);
  }
  const atlas = card(page, "atlas");
  assert.match(await atlas.innerText(), /Older[\s\S]*conflicted[\s\S]*8080[\s\S]*Newer[\s\S]*active[\s\S]*9090/);
  await atlas.getByRole("link", { name: "Open the older memory" }).click();
  await page.waitForURL(`${server.url}/memories?id=${ids.get(textOf("atlas", 8080))}`);
  await page.goto(`${server.url}/conflicts?fleet_id=beacon`);
  await card(page, "beacon").waitFor();
  assert.equal(await cards(page).count(), 1);
  assertSound(watched, server);
});

test("a newer memory is accepted, for a reason that is kept, and that is undone", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/conflicts`);
  await opened(page, 3).waitFor();
  const atlas = card(page, "atlas");
  await atlas.getByRole("button", { name: "Give a reason" }).click();
  // Keys that decide are letters like others where one writes.
  await atlas.getByLabel("Reason").pressSequentially("about the new gateway");
  await atlas.getByRole("button", { name: "Accept" }).click();
  await page.getByText("Accepted: the newer memory holds.").waitFor();
  // The way back stays for as long as one points at it.
  await page.getByRole("button", { name: "Undo" }).hover();
  await atlas.waitFor({ state: "detached" });
  await opened(page, 2).waitFor();
  assert.deepEqual(await projectsIn("accepted"), ["atlas"]);
  assert.deepEqual(await statusesOf("atlas"), ["outdated", "active"]);
  const audit = JSON.stringify(await server.call("GET", "/api/v1/audit-log"));
  assert.ok(audit.includes("about the new gateway"));
  await page.getByRole("button", { name: "Undo" }).click();
  await atlas.waitFor();
  await opened(page, 3).waitFor();
  assert.deepEqual(await projectsIn("accepted"), []);
  assert.deepEqual(await statusesOf("atlas"), ["conflicted", "active"]);
  assertSound(watched, server);
});

test("both are said to stand, which gives the older one its status back, and that is undone", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/conflicts`);
  const beacon = card(page, "beacon");
  await beacon.getByRole("button", { name: "Both stand" }).click();
  await page.getByText("Both stand.", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Undo" }).hover();
  await beacon.waitFor({ state: "detached" });
  assert.deepEqual(await projectsIn("both_stand"), ["beacon"]);
  assert.deepEqual(await statusesOf("beacon"), ["active", "active"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await beacon.getByText("conflicted", { exact: true }).waitFor();
  assert.deepEqual(await projectsIn("both_stand"), []);
  assert.deepEqual(await statusesOf("beacon"), ["conflicted", "active"]);
  assertSound(watched, server);
});

test("keys decide about the card that has the focus, which goes on to the next one, until none is left", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/conflicts`);
  await opened(page, 3).waitFor();
  await page.keyboard.press("a");
  await page.keyboard.press("j");
  await focused(page, "harbor").waitFor();
  await page.keyboard.press("u");
  await page.keyboard.press("b");
  await focused(page, "beacon").waitFor();
  await page.keyboard.press("a");
  await focused(page, "atlas").waitFor();
  await page.keyboard.press("a");
  await page.getByText("No conflict waits for you.", { exact: true }).waitFor();
  await opened(page, 0).waitFor();
  assert.deepEqual(await projectsIn("both_stand"), ["harbor"]);
  assert.deepEqual(await projectsIn("accepted"), ["atlas", "beacon"]);
  assert.deepEqual(await statusesOf("beacon"), ["outdated", "active"]);
  assert.deepEqual(await statusesOf("harbor"), ["active", "active"]);
  await page.getByRole("button", { name: "Both stand" }).click();
  await card(page, "harbor").getByText("by the owner").waitFor();
  await page.locator("h1").click();
  await page.keyboard.press("j");
  await focused(page, "harbor").waitFor();
  await page.keyboard.press("u");
  await page.getByText("Of no finding it was said that both stand.").waitFor();
  await opened(page, 1).waitFor();
  assert.deepEqual(await projectsIn("open"), ["harbor"]);
  assert.deepEqual(await statusesOf("harbor"), ["conflicted", "active"]);
  assertSound(watched, server);
});

test("the focus goes on though the list changes before a decision is answered, and where another decides", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  const review = (project: string, decision: string) => {
    const [older_id, newer_id] = [8080, 9090].map((port) => ids.get(textOf(project, port)));
    return server.call("POST", "/api/v1/conflicts/review", { older_id, newer_id, decision });
  };
  for (const project of ["atlas", "beacon"]) await review(project, "reopen");
  await page.goto(`${server.url}/conflicts`);
  await opened(page, 3).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  await page.keyboard.press("j");
  await focused(page, "harbor").waitFor();
  await review("harbor", "both_stand");
  await focused(page, "beacon").waitFor();
  await review("harbor", "reopen");
  await card(page, "harbor").waitFor();
  await page.route("**/conflicts/review", async (route) => {
    await review("harbor", "both_stand");
    await card(page, "harbor").waitFor({ state: "detached" });
    await route.continue();
  });
  await card(page, "beacon").getByRole("button", { name: "Accept" }).click();
  await focused(page, "atlas").waitFor();
  await opened(page, 1).waitFor();
  assert.deepEqual(await projectsIn("accepted"), ["beacon"]);
  await focused(page, "atlas").waitFor();
  assertSound(watched, server);
});
