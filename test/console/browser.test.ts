import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bundled } from "../../scripts/browser/node.ts";
import { bundleForNode, findChromium, NO_CHROMIUM, settingOf } from "../../scripts/browser/node.ts";
import { isBinary } from "../support/app.ts";
import { fillRows } from "./support/many-rows.ts";
import { fillSharedName } from "./support/shared-name.ts";

// The console in a real browser. Without a Chromium the tests are skipped, and counted as such.

const E2E = "test/console/e2e";
/** For a file and those that it waits for: against a hang. Filling a folder takes most of it, minutes on a busy machine. */
const LIMIT_MS = 1_800_000;
/** Files at a time: each waits for its browser more than it computes. */
const AT_ONCE = 3;
/** Files that are given a data folder, and what fills it. */
const FILLED: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  "memories-scroll.e2e.ts": (folder) => fillRows(folder, 100_000),
  "shared-name.e2e.ts": fillSharedName,
};

const hasBrowser = findChromium() !== null;
const files = readdirSync(E2E).filter((name) => name.endsWith(".e2e.ts"));
/** The executable, or the source as it lies here. */
const command = isBinary ? ["dist/cairn"] : [process.execPath, "src/main.ts"];

if (!hasBrowser) console.warn(`Skipped: ${files.length} files of tests of the console; each ${NO_CHROMIUM}.`);

describe("the console in Chromium", () => {
  const folders: string[] = [];
  const done = new Map(files.map((name) => [name, Promise.withResolvers<void>()]));
  let bundled: Bundled | null = null;
  beforeAll(async () => {
    if (!hasBrowser) return;
    bundled = await bundleForNode(files.map((name) => join(E2E, name)));
    // What takes longest begins first.
    const queue = files.toSorted((a, b) => Number(b in FILLED) - Number(a in FILLED));
    for (let place = 0; place < AT_ONCE; place++) void runAll(queue);
  });
  afterAll(() => {
    bundled?.remove();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  /** Runs one file after another, beside whoever else takes from the queue. */
  async function runAll(queue: string[]): Promise<void> {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const { promise, resolve, reject } = done.get(name) ?? Promise.withResolvers<void>();
      promise.catch(() => {});
      await run(name).then(resolve, reject);
    }
  }

  /** What a file is told besides the browser and the server. */
  async function givenTo(name: string): Promise<Record<string, string>> {
    const fill = FILLED[name];
    if (fill === undefined) return {};
    const folder = mkdtempSync(join(tmpdir(), "cairn-console-"));
    folders.push(folder);
    await fill(folder);
    return { folder };
  }

  async function run(name: string): Promise<void> {
    const given = await givenTo(name);
    const child = Bun.spawn(["node", "--test", "--test-reporter=spec", bundled?.pathOf(join(E2E, name)) ?? ""], {
      stdout: "pipe",
      stderr: "pipe",
      env: settingOf(command, given),
    });
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    if ((await child.exited) !== 0) throw new Error(`${out}\n${err}`);
    expect(out).toMatch(/pass [1-9]/);
  }

  test.skipIf(!hasBrowser).each(files)("%s", async (name) => await done.get(name)?.promise, LIMIT_MS);
});
