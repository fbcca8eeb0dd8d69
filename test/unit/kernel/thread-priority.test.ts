import { expect, test } from "bun:test";
import { getPriority } from "node:os";

test.skipIf(process.platform !== "linux")(
  "a thread that yields does so alone: its process keeps its priority",
  async () => {
    const before = getPriority();
    const worker = new Worker(new URL("../../support/yielding-worker.ts", import.meta.url).href);
    const ofThread = await new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<number>) => resolve(data);
      worker.postMessage("yield");
    });
    worker.terminate();
    expect(ofThread).toBeGreaterThan(before);
    expect(getPriority()).toBe(before);
  },
);
