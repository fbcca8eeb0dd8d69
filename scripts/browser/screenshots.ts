import { mkdirSync } from "node:fs";
import { PAGES } from "../../src/console/shell/pages.ts";
import { openBrowser, openPage } from "./browser.ts";
import { fillForPictures } from "./sample.ts";
import { startServer } from "./server.ts";

const FOLDER = "docs/console";
/** Time for pictures to be drawn. */
const SETTLE_MS = 1_500;
/** What is shown of a page beside its own address. */
const SHOWN: Readonly<Record<string, string>> = {
  "/search": "/search?q=when%20does%20atlas%20deploy%3F",
  "/documents": "/documents?collection=projects&doc_id=atlas",
};

const server = await startServer(["--ephemeral", "--embedder=onnx"]);
const browser = await openBrowser();
try {
  await fillForPictures(server);
  mkdirSync(FOLDER, { recursive: true });
  for (const scheme of ["light", "dark"] as const) {
    const { page } = await openPage(browser, { scheme, width: 1440, height: 900 });
    for (const { path, name } of PAGES) {
      await page.goto(`${server.url}${SHOWN[path] ?? path}`);
      await page.getByRole("heading", { name, level: 1 }).waitFor();
      await page.waitForTimeout(SETTLE_MS);
      const file = `${FOLDER}/${name.toLowerCase()}${scheme === "dark" ? "-dark" : ""}.png`;
      await page.screenshot({ path: file });
      console.log(file);
    }
  }
} finally {
  await browser.close();
  await server.stop();
}
