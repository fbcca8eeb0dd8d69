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

const Stored = z.object({ data: z.record(z.string(), z.unknown()), fleet_id: z.string().nullable() });
const put = (doc_id: string, data: object) =>
  server.call("POST", "/api/v1/documents", { collection: "customers", doc_id, data });
const read = async (doc_id: string) =>
  Stored.parse(await server.call("GET", `/api/v1/documents/${doc_id}?collection=customers`));

const toastIn = (page: Page, text: string) => page.getByRole("status").locator("div", { hasText: text });
/** The way back, which stays for as long as one points at it. */
const undo = (page: Page, text: string) => toastIn(page, text).getByRole("button", { name: "Undo" }).first();
const documentsIn = (page: Page) => page.getByRole("region", { name: "Documents of customers" });
const member = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

test("a document is written once its JSON is right, and stands open in its collection", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/documents`);
  await page.getByText("No documents yet.").waitFor();
  await page.getByRole("button", { name: "Write a document" }).click();
  await page.getByLabel("Collection", { exact: true }).fill("customers");
  await page.getByLabel("Key (doc_id)").fill("harbour-foods");
  await page.getByLabel("Summary", { exact: true }).fill("A wholesaler of fish at the harbour.");
  const json = page.getByLabel("Data: a JSON object");
  const save = page.getByRole("button", { name: "Save" });
  await json.fill('{ "tier": ');
  await page.getByRole("alert").getByText(/JSON/).waitFor();
  assert.equal(await save.isDisabled(), true);
  await json.fill('["gold"]');
  await page.getByRole("alert").getByText("It must be a JSON object").waitFor();
  await json.fill('{ "tier": "gold", "seats": 12 }');
  await save.click();
  await toastIn(page, "Written; search finds it.").first().waitFor();
  await page.getByRole("heading", { name: "harbour-foods", level: 2 }).waitFor();
  await page.getByText("found by search").waitFor();
  await documentsIn(page).getByRole("button", { name: "harbour-foods" }).waitFor();
  await page
    .getByRole("link", { name: /customers/ })
    .getByText("1")
    .waitFor();
  assert.deepEqual((await read("harbour-foods")).data, {
    tier: "gold",
    seats: 12,
    summary: "A wholesaler of fish at the harbour.",
  });
  await closeSound(watched, server);
});

test("an edit with a fault in its JSON is told and not saved; a right one is, with a way back", async () => {
  await put("mill-lane", { summary: "A bakery in Mill Lane.", tier: "silver" });
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/documents?collection=customers&doc_id=mill-lane`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.reload();
  const json = page.getByLabel("Data: a JSON object");
  const save = page.getByRole("button", { name: "Save" });
  await json.fill('{ "tier": "gold", }');
  await page.getByRole("alert").getByText(/JSON/).waitFor();
  assert.equal(await save.isDisabled(), true);
  assert.equal((await read("mill-lane")).data.tier, "silver");
  await json.fill('{ "summary": "A bakery in Mill Lane.", "tier": "gold" }');
  await page.getByRole("alert").waitFor({ state: "detached" });
  await save.click();
  await undo(page, "Saved.").hover();
  await page.getByText("gold", { exact: true }).waitFor();
  assert.equal((await read("mill-lane")).data.tier, "gold");
  await undo(page, "Saved.").click();
  await page.getByText("silver", { exact: true }).waitFor();
  assert.equal((await read("mill-lane")).data.tier, "silver");
  await closeSound(watched, server);
});

test("an edit does not overwrite what somebody else wrote meanwhile", async () => {
  await put("north-gate", { tier: "silver" });
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/documents?collection=customers&doc_id=north-gate&edit=1`);
  const json = page.getByLabel("Data: a JSON object");
  await json.fill('{ "tier": "mine" }');
  await page.getByText("Live", { exact: true }).waitFor();
  await put("north-gate", { tier: "theirs" });
  await page.getByText("Somebody changed this document since you began.").waitFor();
  assert.equal(await json.inputValue(), '{ "tier": "mine" }');
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").getByText("CONFLICT").waitFor();
  assert.equal((await read("north-gate")).data.tier, "theirs");
  await page.getByRole("button", { name: "Begin anew from that" }).click();
  assert.match(await json.inputValue(), /theirs/);
  await closeSound(watched, server);
});

test("documents are searched, found by equal members, and what another client writes comes by itself", async () => {
  await put("quay-books", { summary: "A bookshop on the quay.", seats: 3 });
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/documents`);
  await page.getByRole("searchbox", { name: "Search documents by meaning and keyword" }).fill("bookshop on the quay");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  const hits = page.getByRole("listitem").filter({ hasText: "score" });
  await hits.first().getByRole("button", { name: "customers / quay-books" }).click();
  await page.getByRole("heading", { name: "quay-books", level: 2 }).waitFor();
  assert.equal(member(page, "q"), "bookshop on the quay");
  await page.getByRole("button", { name: "Close the search" }).click();
  await put("late-comer", { summary: "A florist.", seats: 3 });
  await documentsIn(page).getByRole("button", { name: "late-comer" }).waitFor();
  await put("other-one", { summary: "A cobbler.", seats: 4 });
  await documentsIn(page).getByRole("button", { name: "other-one" }).waitFor();
  await page.getByText("Find by equal members").click();
  await page.getByLabel("Member 1").fill("seats");
  await page.getByLabel("Value 1").fill("3");
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await documentsIn(page).getByRole("button", { name: "other-one" }).waitFor({ state: "detached" });
  await page.getByText("2 documents", { exact: true }).waitFor();
  await closeSound(watched, server);
});

test("a deleted document is asked about, and written back by Undo", async () => {
  await put("to-go", { summary: "A lender of boats.", boats: ["red", "blue"] });
  const { data } = await read("to-go");
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/documents?collection=customers&doc_id=to-go`);
  const row = documentsIn(page).getByRole("button", { name: "to-go" });
  await row.waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this document?" });
  await dialog.getByText("its row id and its dates are lost", { exact: false }).waitFor();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await undo(page, "Deleted to-go.").hover();
  await row.waitFor({ state: "detached" });
  await assert.rejects(read("to-go"), /NOT_FOUND/);
  assert.equal(member(page, "doc_id"), null);
  await undo(page, "Deleted to-go.").click();
  await row.waitFor();
  assert.deepEqual((await read("to-go")).data, data);
  await closeSound(watched, server);
});

const Rule = z.object({ doc_id: z.string(), data: z.object({ title: z.string(), weight: z.number() }) });
const rulesOf = async () => z.array(Rule).parse(await server.call("GET", "/api/v1/keystones?fleet_id=harbour"));

test("rules are written, told in the order of their weight, and one that is deleted is brought back", async () => {
  const rule = { title: "Ask before deleting", content: "Ask the owner first.", scope: "tenant", weight: "med" };
  await server.call("POST", "/api/v1/keystones", { ...rule, doc_id: "ask-first" });
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/keystones`);
  await page.getByRole("button", { name: /Ask before deleting/ }).waitFor();
  const write = async (title: string, doc_id: string, weight: string, project: string | null) => {
    await page.getByRole("button", { name: "Write a rule" }).click();
    const save = page.getByRole("button", { name: "Save" });
    await page.getByLabel("Title").fill(title);
    await page.getByLabel("What it says").fill(`${title}, always.`);
    await page.getByLabel("Name (doc_id)").fill("Not a name");
    await page.getByRole("alert").waitFor();
    assert.equal(await save.isDisabled(), true);
    await page.getByLabel("Name (doc_id)").fill(doc_id);
    await page.getByLabel("Weight, 0 to 100").fill(weight);
    if (project !== null) {
      await page.getByLabel("Whom it binds", { exact: true }).last().selectOption("Whoever works in a project");
      await page.getByLabel("Project", { exact: true }).last().fill(project);
    }
    await save.click();
    await page.getByRole("heading", { name: title, level: 2 }).waitFor();
  };
  await write("Cite the ticket", "cite-tickets", "10", null);
  await write("No keys in memories", "no-keys", "90", "harbour");
  const told = ["No keys in memories", "Ask before deleting", "Cite the ticket"];
  assert.deepEqual(await page.locator("[data-row] strong").allTextContents(), told);
  assert.deepEqual(
    (await rulesOf()).map(({ data }) => data.weight),
    [90, 50, 10],
  );

  await page.getByRole("button", { name: "What an agent is told" }).click();
  await page.getByText("2 rules", { exact: true }).waitFor();
  await page.getByLabel("Project it works in").fill("harbour");
  await page.getByText("3 rules", { exact: true }).waitFor();
  assert.deepEqual(await page.getByRole("heading", { level: 3 }).allTextContents(), told);
  await page.getByText("Because it binds whoever works in project harbour.").waitFor();
  await page.getByRole("link", { name: "No keys in memories" }).click();

  const row = page.getByRole("button", { name: /No keys in memories, always/ });
  await row.waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await undo(page, "Deleted no-keys, which bound project harbour.").hover();
  await row.waitFor({ state: "detached" });
  assert.deepEqual(
    (await rulesOf()).map(({ doc_id }) => doc_id),
    ["ask-first", "cite-tickets"],
  );
  await undo(page, "Deleted no-keys, which bound project harbour.").click();
  await row.waitFor();
  assert.deepEqual(
    (await rulesOf()).map(({ doc_id }) => doc_id),
    ["no-keys", "ask-first", "cite-tickets"],
  );
  await closeSound(watched, server);
});
