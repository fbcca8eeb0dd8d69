import assert from "node:assert/strict";
import type { WatchedPage } from "../../../scripts/browser/browser.ts";
import type { TestServer } from "../../../scripts/browser/server.ts";

/** Holds that nothing went wrong on a page, and that it asked its own server alone. */
export function assertSound({ faults, hosts }: WatchedPage, server: TestServer): void {
  assert.deepEqual(faults, []);
  assert.deepEqual([...hosts], [new URL(server.url).host]);
}

/** The same, and closes the tab. */
export async function closeSound(watched: WatchedPage, server: TestServer): Promise<void> {
  assertSound(watched, server);
  await watched.page.context().close();
}
