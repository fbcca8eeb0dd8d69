import { test } from "bun:test";
import { aFolder, spawnServer } from "./server.ts";

// No test of its own: npm.test.ts runs it, and ends it while its server runs.
const LONG_MS = 50_000;

test(
  "waits for longer than anybody will",
  async () => {
    const { pid } = await spawnServer({ folder: aFolder() });
    process.stdout.write(`${JSON.stringify({ event: "ready", pid })}\n`);
    await Bun.sleep(LONG_MS);
  },
  LONG_MS,
);
