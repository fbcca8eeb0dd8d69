import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Loaded before all tests: what a file registers when it is loaded by the first of several is done after that one alone.

const made: string[] = [];
afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A new folder that is removed once all tests have run. */
export function passingFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cairn-test-"));
  made.push(folder);
  return folder;
}
