import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page, Request } from "playwright-core";
import { z } from "zod";
import { openBrowser, openPage } from "../../../scripts/browser/browser.ts";
import { settled } from "../../../scripts/browser/sample.ts";
import type { TestServer } from "../../../scripts/browser/server.ts";
import { startServer } from "../../../scripts/browser/server.ts";

const Written = z.object({ id: z.string() });
const NOTES = 12;
/** Not before so long without a key the page asks. */
const TYPING_PAUSE_MS = 400;
const CLOCK_AHEAD_MS = 60_000;

let server: TestServer;
let browser: Browser;
let train = "";
let secret = "";
before(async () => {
  server = await startServer();
  browser = await openBrowser();
  const write = async (content: string, members: object = {}) =>
    Written.parse(await server.call("POST", "/api/v1/memories?wait=searchable", { content, ...members })).id;
  train = await write("The release train leaves on Tuesdays at ten.", { fleet_id: "atlas", agent_id: "planner" });
  secret = await write("The planner's own note on the release train.", {
    agent_id: "planner",
    visibility: "scope_agent",
  });
  for (let i = 0; i < NOTES; i++) await write(`Note ${i}: the nightly export of release ${i} took ${i} minutes.`);
  await settled(server);
});
after(() => Promise.all([browser?.close(), server?.stop()]));

const Asked = z.object({ query: z.string() });
/** The question that a request asks; null for any other request. */
const questionOf = (request: Request): string | null =>
  new URL(request.url()).pathname === "/api/v1/search" ? Asked.parse(request.postDataJSON()).query : null;

/** The questions that a page sends from now on; one that is asked again, as memories changed, counts once. */
function questionsOf(page: Page): Set<string> {
  const questions = new Set<string>();
  page.on("request", (request) => {
    const question = questionOf(request);
    if (question !== null) questions.add(question);
  });
  return questions;
}

const member = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

test("a question that is typed is asked at a pause, stands in the address, and its best row is explained", async () => {
  const { page, faults } = await openPage(browser);
  const questions = questionsOf(page);
  await page.clock.install();
  await page.goto(`${server.url}/search`);
  await page.getByText("Ask what your agents would be told").waitFor();
  const box = page.getByRole("searchbox", { name: "Question" });
  // No pause in the typing, however long the machine takes for a key.
  await page.clock.pauseAt(new Date(Date.now() + CLOCK_AHEAD_MS));
  await box.pressSequentially("release ");
  assert.equal(questions.size, 0);
  await page.clock.runFor(TYPING_PAUSE_MS);
  for (let ms = 0; ms < TYPING_PAUSE_MS && (await page.evaluate("location.search")) === ""; ms++)
    await page.clock.runFor(1);
  // The page has had no time yet to do what it does after a frame was painted.
  await box.pressSequentially("train");
  const asked = page.waitForRequest((request) => questionOf(request) === "release train");
  await page.clock.resume();
  // The address has it before it is asked.
  await asked;
  const first = page.locator(".found").first();
  await first.getByText("The release train leaves on Tuesdays at ten.").waitFor();
  await page.waitForURL(`${server.url}/search?q=release+train`);
  assert.equal(await box.inputValue(), "release train");
  assert.deepEqual([...questions], ["release", "release train"]);
  assert.equal(member(page, "q"), "release train");
  await first.getByRole("list", { name: "What counted for and against it" }).waitFor();
  const why = first.getByRole("button", { name: "Why here?" });
  await why.click();
  assert.equal(await why.getAttribute("aria-expanded"), "false");
  await page.reload();
  assert.equal(await why.getAttribute("aria-expanded"), "false");
  await first.locator("[data-row]").click();
  await page.waitForURL(`${server.url}/memories?id=${train}`);
  assert.deepEqual(faults, []);
});

test("a memory that ranks too low is followed to where it falls, and brought in by what is proposed", async () => {
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/search?q=release+train`);
  await page.locator(".left-out-row").first().click();
  await page.locator(".step.is-failed", { hasText: "There is no room for it" }).waitFor();
  await page.getByRole("button", { name: /^Return \d+$/ }).click();
  await page.locator(".verdict.good", { hasText: "It is returned" }).waitFor();
  assert.equal(await page.locator(".found").count(), Number(member(page, "top_k")));
});

test("what the options keep out names the options to change", async () => {
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/search?q=release+train&why=${train}&fleet_ids=borealis&memory_type=plan`);
  await page.getByRole("button", { name: "Search in all projects" }).click();
  await page.getByRole("button", { name: "Drop the type" }).click();
  await page.locator(".verdict.good").waitFor();
  assert.equal(member(page, "fleet_ids"), null);
  assert.equal(member(page, "memory_type"), null);
});

test("what is private to an agent is found by that agent alone", async () => {
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/search?q=own+note+on+the+release+train&why=${secret}`);
  await page.getByText("It may be private to another agent").waitFor();
  const agent = page.getByLabel("As the agent", { exact: true });
  await agent.fill("planner");
  await agent.press("Enter");
  await page.locator(".verdict.good").waitFor();
  assert.equal(member(page, "caller_agent_id"), "planner");
});

test("a recall is made when it is asked for, and its citations lead to the rows", async () => {
  const { page } = await openPage(browser, { width: 360 });
  await page.goto(`${server.url}/search?q=When+does+the+release+train+leave`);
  await page.locator(".found").first().waitFor();
  assert.equal(await page.locator(".search-recall").count(), 0);
  await page.getByRole("checkbox", { name: "Recall beside it" }).check();
  await page.getByRole("button", { name: "Recall", exact: true }).click();
  await page.getByRole("button", { name: "Cited: number 1" }).click();
  await page.locator(`#found-${train}:focus`).waitFor();
  assert.equal(member(page, "view"), null);
});

test("as of a day before all of it nothing was found, and all of it came since", async () => {
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/search?q=release+train&valid_at=2020-01-01&compare=1`);
  await page.getByText("Nothing was found.", { exact: true }).waitFor();
  await page.locator(".compare-list li", { hasText: "came" }).first().waitFor();
  await page.getByRole("button", { name: "Drop “As of”" }).click();
  await page.locator(".found").first().waitFor();
});
