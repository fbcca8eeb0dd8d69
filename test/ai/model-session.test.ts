import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { nativeFiles } from "../../scripts/build/native-files.ts";
import { hostTarget } from "../../scripts/build/targets.ts";

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
  // The runtime has a thread of its own that sleeps, however many work.
  expect((await threadsOf(3)) - (await threadsOf(1))).toBe(2);
});

// From 1.29 on, the runtime's libraries report how they are used to their maker (`OneCollector`).
test("the runtime has no address to which it could send anything", () => {
  const { runtime } = nativeFiles(hostTarget());
  expect(runtime.length).toBeGreaterThan(1);
  expect(runtime.filter((path) => readFileSync(path).includes("OneCollector"))).toEqual([]);
});
