import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { openBrowser, openPage } from "../../../scripts/browser/browser.ts";
import { fillForPictures } from "../../../scripts/browser/sample.ts";
import type { TestServer } from "../../../scripts/browser/server.ts";
import { startServer } from "../../../scripts/browser/server.ts";
import { PAGES } from "../../../src/console/shell/pages.ts";

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await startServer();
  await fillForPictures(server);
  browser = await openBrowser();
});
after(() => Promise.all([browser?.close(), server?.stop()]));

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const Found = z.object({
  violations: z.array(
    z.object({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.object({ html: z.string() })) }),
  ),
});

/** What axe finds of weight on a page, with the first place of each. */
async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = Found.parse(await page.evaluate("axe.run(document, { resultTypes: ['violations'] })"));
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return grave.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)} (${nodes.length})`);
}

for (const { path, name } of PAGES) {
  test(`${name} has no serious fault of accessibility, light and dark`, async () => {
    const { page } = await openPage(browser, { bypassPolicy: true });
    await page.goto(`${server.url}${path}`);
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
    await page.addScriptTag({ path: axe });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await faultsOf(page), [], colorScheme);
    }
    await page.context().close();
  });
}
