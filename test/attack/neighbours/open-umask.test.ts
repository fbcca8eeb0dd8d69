import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { aFolder, CAIRN, cleanUp } from "../../fault/server.ts";

/** Against a hang alone. */
setDefaultTimeout(120_000);
afterAll(cleanUp);

test("a set-up where everything made is everybody's makes no folder into which others may write", () => {
  const home = aFolder();
  mkdirSync(join(home, "shop", ".git"), { recursive: true, mode: 0o755 });
  const setup = (...words: string[]) =>
    Bun.spawnSync(["sh", "-c", 'umask 0; exec "$@"', "sh", ...CAIRN, "setup", ...words, "--yes"], {
      cwd: join(home, "shop"),
      env: { PATH: process.env.PATH, HOME: home, CAIRN_CACHE: join(home, "cache") },
    });
  for (const name of ["claude", "cursor", "zed"]) expect(setup(name).exitCode).toBe(0);
  expect(setup("cursor", "--project").exitCode).toBe(0);
  const mode = (path: string) => (statSync(join(home, path)).mode & 0o777).toString(8);
  expect([".claude", ".cursor", ".config", ".config/zed"].map(mode)).toEqual(["700", "700", "700", "700"]);
  expect(mode("shop/.cursor")).toBe("755");
});
