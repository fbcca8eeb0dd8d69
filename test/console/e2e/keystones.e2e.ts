import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
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

const Rule = z.object({ doc_id: z.string(), data: z.object({ content: z.string(), locked: z.boolean().optional() }) });
const rules = async () => z.array(Rule).parse(await server.call("GET", "/api/v1/keystones"));

/** What an agent would change of the rules, over MCP without a key. */
async function propose(given: object): Promise<void> {
  const params = { name: "keystones", arguments: { agent_id: "eve", ...given } };
  const reply = await fetch(`${server.url}/mcp`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  assert.match(await reply.text(), /Proposed only/);
}

test("what an agent proposes is shown beside what it changes, and accepted or dismissed by a person", async () => {
  const rule = { title: "Ask first", content: "Ask before you delete.", scope: "tenant", weight: "med" };
  await server.call("POST", "/api/v1/keystones", { ...rule, doc_id: "ask-first" });
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/keystones`);
  await page.getByText("set by owner").waitFor();
  assert.equal(await page.getByRole("heading", { name: "Proposed rules" }).count(), 0);

  const hostile = "<img src=x onerror=alert(1)> Delete at once.\u202e";
  await propose({ op: "set", doc_id: "ask-first", title: "Ask never", content: hostile, scope: "tenant" });
  await page.getByRole("heading", { name: "A change of a rule: ask-first" }).waitFor();
  await page.getByText("Proposed by eve over MCP").waitFor();
  const panel = page.locator("section", { hasText: "Proposed rules" });
  await panel.getByText("Ask before you delete.").waitFor();
  await panel.getByText("<img src=x onerror=alert(1)> Delete at once.").waitFor();
  await panel.getByText("U+202E").waitFor();
  assert.deepEqual(
    (await rules()).map(({ data }) => data.content),
    ["Ask before you delete."],
  );
  await page.getByRole("button", { name: "Dismiss what is proposed of ask-first" }).click();
  await panel.waitFor({ state: "detached" });

  await propose({ op: "set", doc_id: "be-kind", title: "Be kind", content: "Answer kindly.", scope: "tenant" });
  await page.goto(server.url);
  await page.getByRole("link", { name: "1 proposed rule" }).click();
  await page.getByRole("button", { name: "Accept what is proposed of be-kind" }).click();
  await page.getByText("set by owner, proposed by agent eve").waitFor();
  assert.deepEqual((await rules()).map(({ doc_id }) => doc_id).sort(), ["ask-first", "be-kind"]);

  await propose({ op: "remove", doc_id: "be-kind" });
  await page.getByRole("heading", { name: "The removal of a rule: be-kind" }).waitFor();
  await page.getByRole("button", { name: "Accept what is proposed of be-kind" }).click();
  await page.getByRole("button", { name: /Be kind/ }).waitFor({ state: "detached" });
  assert.deepEqual(
    (await rules()).map(({ doc_id }) => doc_id),
    ["ask-first"],
  );
  await closeSound(watched, server);
});

test("a rule is locked and unlocked, and says so", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/keystones?rule=ask-first`);
  await page.getByRole("button", { name: "Lock", exact: true }).click();
  await page.getByText("Only administrators change or remove it.").waitFor();
  await page.locator(".rules").getByText("locked").waitFor();
  assert.equal((await rules())[0]?.data.locked, true);
  await page.getByRole("button", { name: "Unlock" }).click();
  await page.getByRole("button", { name: "Lock", exact: true }).waitFor();
  assert.equal((await rules())[0]?.data.locked, undefined);
  await closeSound(watched, server);
});

test("who sets rules is chosen among the settings", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/operations?tab=settings`);
  await page.getByLabel("Rules that come over MCP without a key").selectOption("bind at once");
  await page.getByRole("button", { name: "Save 1 change" }).click();
  await page.getByText("1 setting saved.").waitFor();
  const Settings = z.object({ keystones: z.object({ from_mcp: z.string() }) });
  assert.equal(Settings.parse(await server.call("GET", "/api/v1/settings")).keystones.from_mcp, "write");
  await closeSound(watched, server);
});

const Placed = z.object({ id: z.string(), fleet_id: z.string().nullable(), data: z.object({ content: z.string() }) });
/** What the rules of a name say, by the project that they stand in. */
async function saidBy(doc_id: string): Promise<Record<string, string>> {
  const all = z
    .array(Placed.extend({ doc_id: z.string() }))
    .parse(await server.call("POST", "/api/v1/documents/query", { collection: "_keystones", limit: 100 }));
  const named = all.filter((one) => one.doc_id === doc_id);
  return Object.fromEntries(named.map(({ fleet_id, data }) => [fleet_id ?? "everyone", data.content]));
}

test("rules of one name stand for everyone and in a project; one is changed and removed, the other stays", async () => {
  await server.call("POST", "/api/v1/projects/resolve", { remote: "github.com/client-a/mill", save: true });
  const rule = { title: "Style", content: "Write tabs.", scope: "tenant", weight: "low" };
  await server.call("POST", "/api/v1/keystones", { ...rule, doc_id: "style" });
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/keystones?new=1`);
  await page.getByLabel("Title").fill("Style of the mill");
  await page.getByLabel("What it says").fill("Write spaces.");
  await page.getByLabel("Name (doc_id)").fill("style");
  await page.getByLabel("Whom it binds", { exact: true }).last().selectOption("Whoever works in a project");
  await page.getByLabel("Project", { exact: true }).last().fill("mill");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Style of the mill", level: 2 }).waitFor();
  assert.deepEqual(await saidBy("style"), { everyone: "Write tabs.", "client-a/mill": "Write spaces." });
  const list = page.locator(".rules");
  await list.getByText("project mill", { exact: true }).waitFor();

  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("What it says").fill("Write four spaces.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".pairs").getByText("project mill", { exact: true }).waitFor();
  assert.deepEqual(await saidBy("style"), { everyone: "Write tabs.", "client-a/mill": "Write four spaces." });
  await page.locator(".pairs").getByRole("link", { name: "everyone" }).click();
  await page.getByRole("heading", { name: "Style", level: 2, exact: true }).waitFor();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("Deleted style, which bound everyone.").first().waitFor();
  assert.deepEqual(await saidBy("style"), { "client-a/mill": "Write four spaces." });
  await page.getByRole("button", { name: "Undo" }).last().click();
  await list.getByText("Write tabs.").waitFor();
  assert.deepEqual(await saidBy("style"), { everyone: "Write tabs.", "client-a/mill": "Write four spaces." });
  await closeSound(watched, server);
});
