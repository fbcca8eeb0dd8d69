import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isBinary } from "../support/app.ts";

// The console in a real browser. Playwright does not run under Bun, so each file of e2e/ is bundled and run by Node, which every
// installation from npm has. Without a Chromium the tests are skipped, and counted as such.

const E2E = "test/console/e2e";
const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const LIMIT_MS = 240_000;

const chromium = process.env.CHROMIUM ?? NAMES.flatMap((name) => Bun.which(name) ?? []).at(0);
const files = readdirSync(E2E).filter((name) => name.endsWith(".e2e.ts"));
/** The executable, or the source as it lies here. */
const command = isBinary ? ["dist/cairn"] : [process.execPath, "src/main.ts"];

if (chromium === undefined)
  console.warn(
    `Skipped: the console's ${files.length} files of tests need Chromium (Debian: apt-get install chromium).`,
  );

describe("the console in Chromium", () => {
  let bundled = "";
  beforeAll(async () => {
    if (chromium === undefined) return;
    // Within the repository, where Node finds the packages.
    mkdirSync("dist", { recursive: true });
    bundled = mkdtempSync("dist/e2e-");
    await Bun.build({
      entrypoints: files.map((name) => join(E2E, name)),
      outdir: bundled,
      target: "node",
      packages: "external",
      naming: "[name].mjs",
    });
  });
  afterAll(() => {
    if (bundled !== "") rmSync(bundled, { recursive: true, force: true });
  });

  test.skipIf(chromium === undefined).each(files)(
    "%s",
    async (name) => {
      const child = Bun.spawn(
        ["node", "--test", "--test-reporter=spec", join(bundled, name.replace(/\.ts$/, ".mjs"))],
        {
          stdout: "pipe",
          stderr: "pipe",
          env: { ...process.env, CONSOLE_E2E: JSON.stringify({ chromium, command }), NODE_TEST_CONTEXT: undefined },
        },
      );
      const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
      if ((await child.exited) !== 0) throw new Error(`${out}\n${err}`);
      expect(out).toMatch(/pass [1-9]/);
    },
    LIMIT_MS,
  );
});
