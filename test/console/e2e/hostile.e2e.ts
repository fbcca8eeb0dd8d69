import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { z } from "zod";
import { openBrowser, openPage } from "../../../scripts/browser/browser.ts";
import type { TestServer } from "../../../scripts/browser/server.ts";
import { startServer } from "../../../scripts/browser/server.ts";

let server: TestServer;
let browser: Browser;
before(async () => {
  server = await startServer();
  browser = await openBrowser();
});
after(() => Promise.all([browser?.close(), server?.stop()]));

const SCRIPT =
  '<script>document.title = "taken"</script><img src=x onerror="document.title = \'taken\'"> closes </script> here';
/** Right-to-left override: what follows would be read backwards. */
const BIDI = "The invoice is \u202efdp.exe of the client, and nothing else.";
const MARKUP = '<a href="javascript:document.title=1" style="position:fixed;inset:0">**bold** &lt;b&gt; {{7*7}}</a>';
const LONG = `A long one: ${"word ".repeat(1_990)}end`;

const shownAt = ["/memories", "/search?q=invoice%20client%20closes", "/", "/operations"];

test("hostile texts are shown as they were written, wherever they are shown", async () => {
  const ids: string[] = [];
  for (const content of [SCRIPT, BIDI, MARKUP, LONG]) {
    const memory = await server.call("POST", "/api/v1/memories", { content, fleet_id: '"><b>x', agent_id: "<i>a</i>" });
    ids.push(Written.parse(memory).id);
  }
  const { page, faults, hosts } = await openPage(browser);
  for (const path of [...shownAt, ...ids.map((id) => `/memories?id=${id}`)]) {
    await page.goto(`${server.url}${path}`);
    await page.locator("h1").waitFor();
    await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
    assert.notEqual(await page.title(), "taken");
    assert.equal(
      await page.locator("#console script, #console img, #console bdi a, #console bdi b, #console bdi i").count(),
      0,
      path,
    );
  }
  await page.goto(`${server.url}/memories?id=${ids[1]}`);
  await page.getByText("U+202E").first().waitFor();
  await page.goto(`${server.url}/memories?id=${ids[0]}`);
  await page.getByText('<script>document.title = "taken"</script>', { exact: false }).first().waitFor();
  await page.goto(`${server.url}/memories?id=${ids[3]}`);
  await page.getByText("word end", { exact: false }).first().waitFor();
  const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
  assert.ok(Number(overflow) <= 0, `the page is ${overflow} px too wide`);
  assert.deepEqual(faults, []);
  assert.deepEqual([...hosts], [new URL(server.url).host]);
});

const Written = z.object({ id: z.string() });
