import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { openBrowser, openPage } from "../../../scripts/browser/browser.ts";
import { fillSkills } from "../../../scripts/browser/sample.ts";
import type { TestServer } from "../../../scripts/browser/server.ts";
import { startServer } from "../../../scripts/browser/server.ts";
import { closeSound } from "../support/watched.ts";

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await startServer();
  browser = await openBrowser();
  await fillSkills(server);
});
after(() => Promise.all([browser?.close(), server?.stop()]));

const RESTORE = "Restore the staging database";
const DISK = "Free the disk of the build machine";

const Inbox = z.object({ items: z.array(z.object({ name: z.string(), slug: z.string() })) });
const waiting = async () => Inbox.parse(await server.call("GET", "/api/v1/skills-inbox")).items;
const Skill = z.object({ doc_id: z.string(), data: z.object({ status: z.string(), content: z.string() }) });
const skills = async () =>
  z.array(Skill).parse(await server.call("POST", "/api/v1/documents/query", { collection: "skills" }));

const listIn = (page: Page) => page.getByRole("region", { name: "Skills that wait" });
const rowIn = (page: Page, name: string) => listIn(page).getByRole("button", { name });
const openCard = async (page: Page, name: string) => {
  await page.goto(`${server.url}/skills`);
  await rowIn(page, name).click();
  await page.getByRole("heading", { name, level: 2 }).waitFor();
};
const toastIn = (page: Page, text: string) => page.getByRole("status").locator("div", { hasText: text });

test("an update that waits is opened from the inbox and shows the lines it adds and removes", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await openCard(page, RESTORE);
  await page.getByText("2 lines added, 1 line removed", { exact: true }).waitFor();
  assert.deepEqual(await page.getByRole("insertion").allTextContents(), [
    "+4. Stop the workers first.",
    "+13. Compare the counts of rows.",
  ]);
  assert.deepEqual(await page.getByRole("deletion").allTextContents(), ["−4. Step 4 of the restore."]);
  await page.getByText("3. Step 3 of the restore.").waitFor();
  await page.reload();
  await page.getByText("2 lines added, 1 line removed", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Whole text" }).click();
  await page.getByText("1. Step 1 of the restore.").waitFor();
  await page.getByRole("insertion").first().waitFor({ state: "detached" });
  await closeSound(watched, server);
});

test("what the scan found is listed, and marked in the text with a way to it", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${server.url}/skills`);
  await rowIn(page, DISK).getByText("scan: 1 to look at").waitFor();
  await rowIn(page, DISK).click();
  const finding = page.getByRole("listitem").filter({ hasText: "may hold a password" });
  await finding.getByText("warn", { exact: true }).waitFor();
  await finding.getByRole("button", { name: "line 6" }).click();
  assert.equal(await page.locator(":focus").textContent(), "finding 1");
  const mark = page.locator("mark");
  assert.match((await mark.textContent()) ?? "", /hunter2hunter2hunter2/);
  assert.match((await mark.getAttribute("title")) ?? "", /may hold a password/);
  await closeSound(watched, server);
});

test("an update that is approved leaves the inbox and is what is delivered", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await openCard(page, RESTORE);
  await page.getByText("2 lines added, 1 line removed", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await toastIn(page, `Approved: ${RESTORE} is delivered from now on.`).first().waitFor();
  await rowIn(page, RESTORE).waitFor({ state: "detached" });
  assert.deepEqual(
    (await waiting()).map(({ name }) => name),
    [DISK],
  );
  const active = (await skills()).filter(({ data }) => data.status === "active");
  assert.match(active.map(({ data }) => data.content).join(), /4\. Stop the workers first\./);
  await page.getByRole("button", { name: "Delivered", exact: true }).click();
  await page.getByRole("region", { name: "Skills", exact: true }).getByRole("button", { name: RESTORE }).click();
  await page.getByText("13. Compare the counts of rows.").waitFor();
  await page.getByText("Delivered to agents.").waitFor();
  await closeSound(watched, server);
});

test("a skill is rejected for a reason that must be given, and leaves the inbox", async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await openCard(page, DISK);
  await page.getByRole("button", { name: "Reject…" }).click();
  const dialog = page.getByRole("dialog", { name: "Reject this skill?" });
  const reject = dialog.getByRole("button", { name: "Reject", exact: true });
  assert.equal(await reject.isDisabled(), true);
  await dialog.getByLabel("Reason").fill("It names a password.");
  await dialog.getByLabel("Cool-off in days").fill("400");
  await dialog.getByRole("alert").getByText("A whole number from 1 to 365.").waitFor();
  assert.equal(await reject.isDisabled(), true);
  await dialog.getByLabel("Cool-off in days").fill("30");
  await reject.click();
  await toastIn(page, "Rejected.").first().waitFor();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Nothing waits for you.").waitFor();
  assert.deepEqual(await waiting(), []);
  const disk = (await skills()).find(({ doc_id }) => doc_id.endsWith("free-the-disk"));
  assert.equal(disk?.data.status, "rejected");
  await closeSound(watched, server);
});

test("a factory that is off is told, is switched on, and is switched off after it said what that means", async () => {
  const other = await startServer();
  try {
    const watched = await openPage(browser);
    const { page } = watched;
    await page.goto(`${other.url}/skills`);
    const isOff = page.getByRole("main").getByText("The skill factory is switched off.", { exact: true });
    await isOff.waitFor();
    await page.getByText("Off, skills are documents like any other").waitFor();
    await page.getByRole("button", { name: "Switch it on" }).click();
    await page.getByText("Nothing waits for you.").waitFor();
    await page.getByRole("button", { name: "Forge", exact: true }).click();
    await page.getByRole("button", { name: "Switch the factory off…" }).click();
    const dialog = page.getByRole("dialog", { name: "Switch the skill factory off?" });
    await dialog.getByText("Nothing is deleted", { exact: false }).waitFor();
    await dialog.getByRole("button", { name: "Switch it off" }).click();
    await isOff.waitFor();
    await closeSound(watched, other);
  } finally {
    await other.stop();
  }
});
