import { openBrowser, openPage } from "../../browser/browser.ts";
import { setup, startServer } from "../../browser/server.ts";
import { toTable } from "../tables.ts";

const { folder = "", rows = "", loads = "15" } = setup.more;

const FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null";
const NOW = "performance.now()";

const server = await startServer([`--data=${folder}`]);
const browser = await openBrowser();
const paints: number[] = [];
const shown: number[] = [];
try {
  for (let i = 0; i < Number(loads); i++) {
    const { page } = await openPage(browser);
    await page.goto(server.url, { waitUntil: "commit" });
    await page.locator("[data-figure=memories] strong").waitFor();
    shown.push(Number(await page.evaluate(NOW)));
    paints.push(Number(await page.evaluate(FIRST_PAINT)));
    await page.context().close();
  }
} finally {
  await browser.close();
  await server.stop();
}
const at = (times: readonly number[], share: number): number =>
  Math.round(times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? Number.NaN);
const figures = [
  { name: "first contentful paint of Overview", rows: Number(rows), p50_ms: at(paints, 0.5), p95_ms: at(paints, 0.95) },
  { name: "memories counted on Overview", rows: Number(rows), p50_ms: at(shown, 0.5), p95_ms: at(shown, 0.95) },
];
console.log(JSON.stringify({ figures }));
console.log(
  toTable(
    ["figure", "rows", "p50 ms", "p95 ms"],
    figures.map(({ name, rows: held, p50_ms, p95_ms }) => [name, held, p50_ms, p95_ms]),
  ),
);
