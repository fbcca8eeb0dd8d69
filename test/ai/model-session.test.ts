import { expect, test } from "bun:test";
import { platform } from "node:os";
import { join } from "node:path";

const FIXTURE = join(import.meta.dir, "fixtures", "session-threads.ts");

/** Threads that work on a model which may have so many, in a process of its own. */
async function threadsOf(allowed: number): Promise<number> {
  const child = Bun.spawn([process.execPath, FIXTURE, String(allowed)], { stdout: "pipe", stderr: "inherit" });
  const text = await new Response(child.stdout).text();
  expect(await child.exited).toBe(0);
  return Number(text);
}

// The kernel lists a process's threads in a folder on Linux alone.
test.if(platform() === "linux")("a model works with as many threads as it is given", async () => {
  expect([await threadsOf(1), await threadsOf(3)]).toEqual([1, 3]);
});
