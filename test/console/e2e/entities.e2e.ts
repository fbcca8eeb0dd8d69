import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import type { WatchedPage } from "../../../scripts/browser/browser.ts";
import { openBrowser, openPage } from "../../../scripts/browser/browser.ts";
import { settled } from "../../../scripts/browser/sample.ts";
import type { TestServer } from "../../../scripts/browser/server.ts";
import { startServer } from "../../../scripts/browser/server.ts";
import { drawnTexts, noteDrawing, untilDrawn } from "../support/drawn.ts";
import { assertSound } from "../support/watched.ts";

let server: TestServer;
let browser: Browser;
before(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  for (const [name, type] of Object.entries(TYPES)) ids.set(name, await enter(name, type));
  for (const [from, relation_type, to] of RELATIONS) {
    const relation = { from_entity_id: ids.get(from), relation_type, to_entity_id: ids.get(to) };
    await server.call("POST", "/api/v1/relations/upsert", relation);
  }
  for (const content of STATEMENTS) await server.call("POST", "/api/v1/memories", { content });
  // What they name is read after they are stored.
  await settled(server);
});
after(() => Promise.all([browser?.close(), server?.stop()]));

const Named = z.object({ id: z.string(), canonical_name: z.string() });
const Detail = Named.extend({ aliases: z.array(z.string()), memory_count: z.number() });
const Around = z.object({
  nodes: z.array(Named),
  edges: z.array(z.unknown()),
  hops: z.record(z.string(), z.number()),
});

const TYPES = { Borealis: "project", "Ada Stone": "person", Kestrel: "technology", Oslo: "location" } as const;
const RELATIONS = [
  ["Ada Stone", "works_on", "Borealis"],
  ["Borealis", "runs_on", "Kestrel"],
  ["Kestrel", "lives_in", "Oslo"],
] as const;
const STATEMENTS = ["Borealis is paid for by the harbour office.", "The board wants Borealis finished in spring."];
const ids = new Map<string, string>();

const enter = async (canonical_name: string, entity_type: string): Promise<string> =>
  Named.parse(await server.call("POST", "/api/v1/entities/upsert", { canonical_name, entity_type })).id;
const detailOf = async (id: string | undefined) => Detail.parse(await server.call("GET", `/api/v1/entities/${id}`));
const addressOf = (name: string): string => `${server.url}/entities?id=${ids.get(name)}`;
const panel = (page: Page, name: string) =>
  page.getByRole("main").locator("section", { has: page.getByRole("heading", { name, level: 2, exact: true }) });
const titled = (page: Page, name: string) => page.getByRole("heading", { name, level: 1, exact: true });
/** What a page of one says under a heading of its facts. */
const fact = (page: Page, term: string) =>
  panel(page, "About")
    .locator("div", { has: page.getByText(term, { exact: true }) })
    .getByRole("definition");

/** The page of an entity, whose picture stands still from the start. */
async function openEntity(name: string): Promise<WatchedPage> {
  const watched = await openPage(browser);
  await watched.page.emulateMedia({ reducedMotion: "reduce" });
  await noteDrawing(watched.page);
  await watched.page.goto(addressOf(name));
  await titled(watched.page, name).waitFor();
  return watched;
}

test("entities are listed, found by name and by type, and lead to the page of one", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/entities`);
  const rows = page.getByRole("table").getByRole("link");
  await rows.first().waitFor();
  assert.deepEqual(new Set(await rows.allInnerTexts()), new Set(Object.keys(TYPES)));
  assert.equal(await rows.first().innerText(), "Borealis");
  await page.getByLabel("Search by name").fill("est");
  await page.getByText("1 entity shown").waitFor();
  assert.deepEqual(await rows.allInnerTexts(), ["Kestrel"]);
  await page.getByLabel("Type").selectOption("person");
  await page.getByText("No entity fits.").waitFor();
  await page.reload();
  await page.getByText("No entity fits.").waitFor();
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByText("4 entities shown").waitFor();
  await page.getByLabel("Type").selectOption("project");
  await page.getByText("1 entity shown").waitFor();
  assert.equal(new URL(page.url()).search, "?entity_type=project");
  await rows.first().click();
  await titled(page, "Borealis").waitFor();
  assert.equal(await fact(page, "Type").innerText(), "project");
  assert.equal(await fact(page, "Memories").innerText(), "2");
  const naming = panel(page, "Newest memories that name it").getByRole("link");
  await naming.nth(1).waitFor();
  assert.deepEqual(await naming.allInnerTexts(), STATEMENTS.toReversed());
  assertSound(watched, server);
});

test("one hop and two: the list and the picture name what the interface names", async () => {
  const watched = await openEntity("Ada Stone");
  const { page } = watched;
  const around = panel(page, "Neighbours");
  await around.getByText("As a list").click();
  for (const [hops, words] of [
    [2, "2 hops"],
    [1, "1 hop"],
  ] as const) {
    await around.getByRole("button", { name: words }).click();
    const told = Around.parse(
      await server.call("GET", `/api/v1/entities/${ids.get("Ada Stone")}/neighbours?hops=${hops}`),
    );
    const others = told.nodes.filter(({ id }) => id !== ids.get("Ada Stone"));
    assert.equal(others.length, hops);
    await around
      .getByRole("img", { name: new RegExp(`within ${words}, joined by ${told.edges.length} relation`) })
      .waitFor();
    const rows = await Promise.all(
      (await around.getByRole("row").all()).slice(1).map((row) => row.locator("th, td").allInnerTexts()),
    );
    assert.deepEqual(
      new Set(rows.map(([name, , , far]) => `${name} ${far}`)),
      new Set(others.map(({ id, canonical_name }) => `${canonical_name} ${told.hops[id]}`)),
    );
    await untilDrawn(
      page,
      told.nodes.map(({ canonical_name }) => canonical_name),
    );
  }
  assert.match(await around.getByRole("row", { name: /^Borealis/ }).innerText(), /Ada Stone works on Borealis/);
  const relation = panel(page, "Relations").getByRole("row", { name: /works on/ });
  assert.match(await relation.innerText(), /Ada Stone\s+works on\s+Borealis/);
  assertSound(watched, server);
});

test("the picture is zoomed and fitted, and what is pressed in it opens", async () => {
  const watched = await openEntity("Kestrel");
  const { page } = watched;
  const around = panel(page, "Neighbours");
  await around.getByRole("img").scrollIntoViewIfNeeded();
  const placeOf = async (name: string) => {
    const place = (await drawnTexts(page)).find(({ text }) => text === name);
    assert.ok(place, `${name} is not drawn`);
    return place;
  };
  /** Between two names that are drawn, in pixels. */
  const apart = async () => {
    const [one, other] = [await placeOf("Oslo"), await placeOf("Borealis")];
    return Math.hypot(one.x - other.x, one.y - other.y);
  };
  const press = (name: string) => around.getByRole("button", { name, exact: true }).click();
  await untilDrawn(page, ["Ada Stone", "Borealis", "Kestrel", "Oslo"]);
  const fitted = await apart();
  await press("Zoom in");
  const near = await apart();
  assert.ok(near > 1.2 * fitted, `${near} px apart after ${fitted}`);
  await press("Zoom out");
  await press("Zoom out");
  const far = await apart();
  assert.ok(far < 0.9 * fitted, `${far} px apart after ${fitted}`);
  await press("Fit");
  assert.equal(await apart(), fitted);
  const name = await placeOf("Oslo");
  // A node lies right above its name.
  await around.getByRole("img").click({ position: { x: name.x, y: name.y - 16 } });
  await titled(page, "Oslo").waitFor();
  await page.goBack();
  await titled(page, "Kestrel").waitFor();
  await page.getByRole("button", { name: "All entities" }).click();
  await titled(page, "Entities").waitFor();
  assertSound(watched, server);
});

test("an entity is renamed, keeps its former name beside the new one, and gets it back", async () => {
  const watched = await openEntity("Borealis");
  const { page } = watched;
  await page.getByRole("button", { name: "Rename or retype" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Northern Light");
  await page.getByRole("button", { name: "Save" }).click();
  // The way back stays for as long as one points at it.
  await page.getByRole("button", { name: "Undo" }).hover();
  await titled(page, "Northern Light").waitFor();
  await fact(page, "Other names").getByText("Borealis", { exact: true }).waitFor();
  const renamed = await detailOf(ids.get("Borealis"));
  assert.deepEqual(renamed.aliases, ["Borealis"]);
  assert.equal(renamed.memory_count, STATEMENTS.length);
  await page.getByRole("button", { name: "Undo" }).click();
  await titled(page, "Borealis").waitFor();
  assert.equal((await detailOf(ids.get("Borealis"))).canonical_name, "Borealis");
  assertSound(watched, server);
});

test("a name that another entity has is refused, and the two are merged instead", async () => {
  const doubled = await enter("The Kestrel Engine", "technology");
  const watched = await openEntity("Kestrel");
  const { page } = watched;
  await page.getByRole("button", { name: "Rename or retype" }).click();
  await page.getByLabel("Name", { exact: true }).fill("The Kestrel Engine");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("Another entity is called so already.").waitFor();
  assert.equal((await detailOf(ids.get("Kestrel"))).canonical_name, "Kestrel");
  await page.getByRole("button", { name: "Merge the two instead" }).click();
  const asked = page.getByRole("dialog", { name: "Merge another entity into Kestrel" });
  await asked.getByText("This cannot be undone.").waitFor();
  await asked.getByRole("button", { name: "Merge", exact: true }).click();
  await page.getByText("Merged.").waitFor();
  await fact(page, "Other names").getByText("The Kestrel Engine").waitFor();
  await assert.rejects(detailOf(doubled), /404/);
  assertSound(watched, server);
});

test("another entity is chosen by its name and merged: what it is related to comes with it", async () => {
  const double = await enter("A. Stone", "person");
  const lives = { from_entity_id: double, relation_type: "lives_in", to_entity_id: ids.get("Oslo") };
  await server.call("POST", "/api/v1/relations/upsert", lives);
  const watched = await openEntity("Ada Stone");
  const { page } = watched;
  await page.getByRole("button", { name: "Merge", exact: true }).click();
  const asked = page.getByRole("dialog");
  await asked.getByRole("searchbox").fill("stone");
  await asked.getByRole("button", { name: /^A\. Stone/ }).click();
  await asked.getByText("Relations that come with it: 1.").waitFor();
  await asked.getByRole("button", { name: "Merge", exact: true }).click();
  await panel(page, "Relations")
    .getByRole("row", { name: /lives in/ })
    .waitFor();
  await fact(page, "Other names").getByText("A. Stone").waitFor();
  await assert.rejects(detailOf(double), /404/);
  assertSound(watched, server);
});
