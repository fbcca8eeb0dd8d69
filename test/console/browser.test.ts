import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fill } from "../../scripts/bench/fill.ts";
import type { Bundled } from "../../scripts/browser/node.ts";
import { bundleForNode, findChromium, NO_CHROMIUM, settingOf } from "../../scripts/browser/node.ts";
import { isBinary } from "../support/app.ts";

// The console in a real browser. Without a Chromium the tests are skipped, and counted as such.

const E2E = "test/console/e2e";
/** For a file and those that it waits for; filling a folder takes most of it. */
const LIMIT_MS = 480_000;
/** Files at a time: each waits for its browser more than it computes. */
const AT_ONCE = 3;
/** Files that are given a data folder filled with so many made-up memories. */
const FILLED_ROWS: Readonly<Record<string, number>> = { "memories-scroll.e2e.ts": 100_000 };

const hasBrowser = findChromium() !== null;
const files = readdirSync(E2E).filter((name) => name.endsWith(".e2e.ts"));
/** The executable, or the source as it lies here. */
const command = isBinary ? ["dist/cairn"] : [process.execPath, "src/main.ts"];

if (!hasBrowser) console.warn(`Skipped: ${files.length} files of tests of the console; each ${NO_CHROMIUM}.`);

describe("the console in Chromium", () => {
  let bundled: Bundled | null = null;
  const folders: string[] = [];
  beforeAll(async () => {
    if (hasBrowser) bundled = await bundleForNode(files.map((name) => join(E2E, name)));
  });
  afterAll(() => {
    bundled?.remove();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  /** What a file is told besides the browser and the server. */
  async function givenTo(name: string): Promise<Record<string, string>> {
    const rows = FILLED_ROWS[name];
    if (rows === undefined) return {};
    const folder = mkdtempSync(join(tmpdir(), "cairn-console-"));
    folders.push(folder);
    await fill(folder, { rows, embedder: "hash" });
    return { folder };
  }

  const lanes = new Map<number, Promise<void>>();
  /** Runs a file once those before it in its lane are done. */
  const inLane = (lane: number, name: string): Promise<void> => {
    const own = (lanes.get(lane) ?? Promise.resolve()).then(() => run(name));
    lanes.set(
      lane,
      own.catch(() => {}),
    );
    return own;
  };
  const run = async (name: string) => {
    const given = await givenTo(name);
    const child = Bun.spawn(["node", "--test", "--test-reporter=spec", bundled?.pathOf(join(E2E, name)) ?? ""], {
      stdout: "pipe",
      stderr: "pipe",
      env: settingOf(command, given),
    });
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    if ((await child.exited) !== 0) throw new Error(`${out}\n${err}`);
    expect(out).toMatch(/pass [1-9]/);
  };
  for (const [place, name] of files.entries())
    test.skipIf(!hasBrowser).concurrent(name, () => inLane(place % AT_ONCE, name), LIMIT_MS);
});
