import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { aFolder, CAIRN, cleanUp } from "../../fault/server.ts";

/** Against a hang alone. */
setDefaultTimeout(120_000);
afterAll(cleanUp);

const HOLDERS = "test/binary/fixtures/clients";
const python = Bun.which("python3");
const COMMANDS = [
  [process.execPath, `${HOLDERS}/hold.mjs`],
  ...(python === null ? [] : [[python, `${HOLDERS}/hold.py`]]),
];

test.each(COMMANDS)(
  "an instance for tests takes no settings out of a folder that everybody writes into (%s)",
  async (...command) => {
    const shared = aFolder();
    const planted = join(shared, "cairn-testing-has-no-config", "cairn");
    mkdirSync(planted, { recursive: true });
    writeFileSync(join(planted, "config.json"), "of a neighbour");
    const binary = join(aFolder(), "cairn");
    writeFileSync(binary, `#!/bin/sh\nexec ${CAIRN.map((word) => `"${word}"`).join(" ")} "$@"\n`);
    chmodSync(binary, 0o755);
    const child = Bun.spawn(command, {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      env: {
        ...{ PATH: process.env.PATH, HOME: shared, TMPDIR: shared, CAIRN_BINARY: binary },
        ...{ PYTHONPATH: resolve("clients/testing"), PYTHONDONTWRITEBYTECODE: "1" },
      },
    });
    const first = (await child.stdout.getReader().read()).value;
    child.kill();
    await child.exited;
    expect(new TextDecoder().decode(first)).toContain('"url"');
  },
);
