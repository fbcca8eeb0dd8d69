import assert from "node:assert/strict";
import type { WatchedPage } from "../../../scripts/browser/browser.ts";
import type { TestServer } from "../../../scripts/browser/server.ts";

/** Asserts that nothing failed in a tab and that it asked its own server alone, and closes it. */
export async function closeClean({ page, faults, hosts }: WatchedPage, server: TestServer): Promise<void> {
  assert.deepEqual(faults, []);
  assert.deepEqual([...hosts], [new URL(server.url).host]);
  await page.context().close();
}
