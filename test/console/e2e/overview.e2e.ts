import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { openBrowser, openPage } from "../../../scripts/browser/browser.ts";
import { fillForPictures } from "../../../scripts/browser/sample.ts";
import type { TestServer } from "../../../scripts/browser/server.ts";
import { startServer } from "../../../scripts/browser/server.ts";
import { assertSound } from "../support/watched.ts";

let empty: TestServer;
let filled: TestServer;
let browser: Browser;
before(async () => {
  [empty, filled, browser] = await Promise.all([startServer(), startServer(), openBrowser()]);
  await fillForPictures(filled);
});
after(() => Promise.all([browser?.close(), empty?.stop(), filled?.stop()]));

const Stats = z.object({ total: z.number(), by_type: z.record(z.string(), z.number()) });
const Rows = z.array(z.unknown());
const Collections = z.object({ collections: z.array(z.object({ count: z.number() })) });
const Conflicts = z.object({ open_count: z.number() });
const Activity = z.object({
  days: z.array(z.object({ day: z.string(), total: z.number(), by_agent: z.record(z.string(), z.number()) })),
});
const MapOfMemories = z.object({
  points: z.array(z.object({ id: z.string(), cluster: z.number() })),
  clusters: z.array(z.object({ id: z.number(), size: z.number(), words: z.array(z.string()) })),
});
const Memory = z.object({ content: z.string() });

const statsOf = async (server: TestServer) => Stats.parse(await server.call("GET", "/api/v1/memories/stats"));
/** The part of the page under a heading. */
const panel = (page: Page, name: string) =>
  page.getByRole("main").locator("section", { has: page.getByRole("heading", { name, level: 2 }) });
/** The link that tells a figure, once it is this one. */
const figure = (page: Page, name: string, value: number) =>
  page.getByRole("main").getByRole("link", { name: new RegExp(`^${name}\\s*${value}(?!\\d)`) });

test("an empty server says how to begin, with its own address, and its welcome goes with the first memory", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(empty.url);
  await page.getByRole("heading", { name: "Welcome: there are no memories yet" }).waitFor();
  const copy = page.getByRole("button", { name: "Copy: cairn setup claude" }).first();
  await copy.click();
  await page.getByText("Copied.").waitFor();
  assert.equal(await page.evaluate("navigator.clipboard.readText()"), "cairn setup claude");
  const welcome = panel(page, "Welcome: there are no memories yet");
  await welcome.getByText('cairn add "').waitFor();
  await welcome.getByText('cairn search "').waitFor();
  const wiring = panel(page, "Connect an agent");
  await wiring.getByText(`claude mcp add --transport http cairn ${empty.url}/mcp`, { exact: true }).waitFor();
  await wiring.getByRole("button", { name: "curl" }).click();
  const command = await wiring.getByText(/^curl .*\/api\/v1\/memories /).innerText();
  const [, address, body] = /^curl -s (\S+) .* -d '(.+)'$/s.exec(command) ?? [];
  assert.equal(address, `${empty.url}/api/v1/memories`);
  await empty.call("POST", "/api/v1/memories", JSON.parse(body ?? ""));
  await figure(page, "Memories", 1).waitFor();
  await page.getByRole("heading", { name: /^Welcome/ }).waitFor({ state: "detached" });
  assertSound(watched, empty);
});

test("the figures are those of the interface, and what waits leads to where it waits", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  const { total, by_type } = await statsOf(filled);
  const agents = Rows.parse(await filled.call("GET", "/api/v1/agents"));
  const fleets = Rows.parse(await filled.call("GET", "/api/v1/fleets"));
  const { collections } = Collections.parse(await filled.call("GET", "/api/v1/documents/collections"));
  const { open_count } = Conflicts.parse(await filled.call("GET", "/api/v1/conflicts"));
  assert.ok(open_count > 1 && collections.length > 0);
  await page.goto(filled.url);
  await figure(page, "Memories", total).waitFor();
  await figure(page, "Agents", agents.length).waitFor();
  await figure(page, "Projects", fleets.length).waitFor();
  const documents = collections.reduce((sum, { count }) => sum + count, 0);
  await figure(page, "Documents", documents).waitFor();
  const types = page.getByRole("list", { name: "Memories by type" }).getByRole("listitem");
  await types.first().waitFor();
  const told = (await types.allInnerTexts()).map((text) => text.split(/\s+/));
  assert.deepEqual(Object.fromEntries(told.map(([type, value]) => [type, Number(value)])), by_type);
  await panel(page, "Waiting").getByRole("link", { name: "2 skills" }).waitFor();
  await panel(page, "Waiting")
    .getByRole("link", { name: `${open_count} conflicts` })
    .click();
  await page.getByRole("heading", { name: "Conflicts", level: 1 }).waitFor();
  await page
    .getByRole("article")
    .nth(open_count - 1)
    .waitFor();
  assertSound(watched, filled);
});

test("the table of what was written on which day says what the interface says", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(filled.url);
  const written = panel(page, "Memories written by day");
  for (const days of [30, 90]) {
    await written.getByRole("button", { name: `${days} days` }).click();
    await written.getByRole("img", { name: new RegExp(`last ${days} days`) }).waitFor();
    const table = written.getByRole("table");
    if (!(await table.isVisible())) await written.getByText("As a table").click();
    await table.getByRole("row").nth(days).waitFor();
    const [head = [], ...rows] = await Promise.all(
      (await table.getByRole("row").all()).map((row) => row.locator("th, td").allInnerTexts()),
    );
    const query = new URLSearchParams({
      days: `${days}`,
      utc_offset_minutes: `${-new Date().getTimezoneOffset()}`,
    });
    const activity = Activity.parse(await filled.call("GET", `/api/v1/activity?${query}`));
    const full = new Intl.DateTimeFormat("en", { dateStyle: "full" });
    assert.deepEqual(
      rows,
      activity.days.map(({ day, total, by_agent }) => {
        const named = head.slice(1).filter((name) => name !== "all others");
        const own = named.map((name) => by_agent[name] ?? 0);
        const others = total - own.reduce((sum, value) => sum + value, 0);
        const cells = head.includes("all others") ? [...own, others] : own;
        return [full.format(new Date(`${day}T00:00`)), ...cells.map(String)];
      }),
    );
    assert.ok(activity.days.some(({ total }) => total > 0));
    assert.ok(head.includes("builder"));
  }
  assertSound(watched, filled);
});

test("the map is asked for once it is in sight, and its clusters lead to memories", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  const asked: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/api/v1/memories/map") asked.push(request.url());
  });
  await page.goto(filled.url);
  await panel(page, "Age and freshness").getByRole("table").first().waitFor();
  await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
  assert.deepEqual(asked, []);
  await page.getByRole("heading", { name: "Map of memories" }).scrollIntoViewIfNeeded();
  const clusters = page.getByRole("region", { name: "Clusters" });
  await clusters.waitFor();
  assert.equal(asked.length, 1);
  const told = MapOfMemories.parse(await filled.call("GET", "/api/v1/memories/map"));
  await page.getByRole("application", { name: `Map of ${told.points.length} memories` }).waitFor();
  const buttons = clusters.getByRole("button");
  assert.deepEqual(
    (await buttons.allInnerTexts()).map((text) => text.split(/\s+/).at(-1)),
    told.clusters.map(({ size }) => String(size)),
  );
  const [first] = told.clusters;
  assert.ok(first);
  await buttons.first().click();
  const links = clusters.getByRole("link");
  await links.nth(first.size - 1).waitFor();
  assert.equal(await links.count(), first.size);
  const preview = await links.first().innerText();
  await links.first().click();
  await page.getByRole("heading", { name: "Memories", level: 1 }).waitFor();
  const id = new URL(page.url()).searchParams.get("id");
  assert.ok(told.points.some((point) => point.id === id && point.cluster === first.id));
  const { content } = Memory.parse(await filled.call("GET", `/api/v1/memories/${id}`));
  assert.ok(content.startsWith(preview.replace(/…$/, "")), `“${preview}” begins “${content}”`);
  assertSound(watched, filled);
});

test("what another client writes is counted without a reload", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  const { total } = await statsOf(filled);
  await page.goto(filled.url);
  await figure(page, "Memories", total).waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  let loads = 0;
  page.on("load", () => loads++);
  await filled.call("POST", "/api/v1/memories", { content: "The lantern room is locked at night." });
  await figure(page, "Memories", total + 1).waitFor();
  assert.equal(loads, 0);
  assertSound(watched, filled);
});
