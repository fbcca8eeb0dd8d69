import { mkdirSync } from "node:fs";
import { z } from "zod";
import { PAGES } from "../../src/console/shell/pages.ts";
import { openBrowser, openPage } from "./browser.ts";
import { fillForPictures } from "./sample.ts";
import type { TestServer } from "./server.ts";
import { startServer } from "./server.ts";

const FOLDER = "docs/console";
/** Time for pictures to be drawn. */
const SETTLE_MS = 1_500;
const WIDTH = 1440;
const HEIGHT = 900;
/** Pages with more to show than fits into a window. */
const HEIGHTS: Readonly<Record<string, number>> = { "/": 2000, "/entities": 1300 };

const Shown = z.object({
  items: z.array(z.object({ newer: z.object({ id: z.string() }) })).min(1),
});
const Named = z.array(z.object({ id: z.string() })).min(1);
const Inbox = z.object({ items: z.array(z.object({ slug: z.string(), kind: z.string().nullable() })) });

/** What is opened on each page, where something is. */
async function openedOn(server: TestServer): Promise<Readonly<Record<string, string>>> {
  const [first] = Shown.parse(await server.call("GET", "/api/v1/conflicts")).items;
  const [entity] = Named.parse(await server.call("GET", "/api/v1/entities"));
  const { items } = Inbox.parse(await server.call("GET", "/api/v1/skills-inbox"));
  const update = items.find(({ kind }) => kind === "update");
  return {
    "/memories": `/memories?id=${first?.newer.id}`,
    "/search": "/search?q=when%20does%20atlas%20deploy%3F",
    "/documents": "/documents?collection=projects&doc_id=atlas",
    "/entities": `/entities?id=${entity?.id}`,
    "/skills": `/skills?slug=${encodeURIComponent(update?.slug ?? "")}`,
  };
}

const server = await startServer(["--ephemeral", "--embedder=onnx"]);
const browser = await openBrowser();
try {
  await fillForPictures(server);
  mkdirSync(FOLDER, { recursive: true });
  const opened = await openedOn(server);
  for (const scheme of ["light", "dark"] as const) {
    const { page } = await openPage(browser, { scheme, width: WIDTH, height: HEIGHT });
    for (const { path, name } of PAGES) {
      await page.setViewportSize({ width: WIDTH, height: HEIGHTS[path] ?? HEIGHT });
      await page.goto(`${server.url}${opened[path] ?? path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
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
