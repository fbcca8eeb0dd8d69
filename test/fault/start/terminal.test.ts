import { afterAll, expect, test } from "bun:test";
import { resolve } from "node:path";
import { isBinary } from "../../support/app.ts";
import { HERMETIC } from "../../support/in-process.ts";
import { aFolder, CAIRN, cleanUp, until } from "../server.ts";

afterAll(cleanUp);
const ROOT = resolve(import.meta.dir, "../../..");

/** What a terminal shows of a server, from its start until it was told to stop. */
async function shownBy(env: Readonly<Record<string, string>>): Promise<string> {
  const decoder = new TextDecoder();
  let shown = "";
  const terminal = new Bun.Terminal({
    cols: 120,
    rows: 40,
    data: (_, bytes) => {
      shown += decoder.decode(bytes, { stream: true });
    },
  });
  const words = ["serve", "--data", aFolder(), "--port", "0", "--embedder", "hash"];
  const child = Bun.spawn([...CAIRN, ...words], {
    terminal,
    env: { ...HERMETIC, HOME: "/nonexistent", PATH: process.env.PATH ?? "", ...env },
  });
  try {
    await until("it is ready", async () => shown.includes("in another terminal"));
    child.kill();
    await child.exited;
  } finally {
    child.kill("SIGKILL");
    terminal.close();
  }
  return Bun.stripANSI(shown);
}

test("on a terminal a server shows its greeting, and no lines for programs below it", async () => {
  expect(await shownBy({})).not.toContain('"level"');
});

test("nor does it leave out what was asked for", async () => {
  expect(await shownBy({ CAIRN_LOG_LEVEL: "info" })).toContain('"stopped"');
});

test.skipIf(isBinary)(
  "npx, which the greeting of npm start names, calls this program in its folder",
  async () => {
    const child = Bun.spawn(["npx", "--offline", "cairn", "version"], {
      cwd: ROOT,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      // What npm does once it has installed is done already, and other tests read what it would write anew.
      env: { HOME: aFolder(), PATH: process.env.PATH ?? "", npm_config_ignore_scripts: "true" },
    });
    const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    expect([code, out]).toEqual([0, expect.stringMatching(/^cairn \d/)]);
  },
  180_000,
);
