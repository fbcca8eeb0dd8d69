import { expect, test } from "bun:test";
import { createModelWorker } from "../../src/ai/worker/model-worker.ts";
import type { ModelSpec } from "../../src/ai/worker/protocol.ts";

const MODEL: ModelSpec = { id: "any", task: "embed", folder: "nowhere", max_tokens: 8, width: 1 };

/** A worker whose preparation is counted and fails, so that no thread is started. */
function open() {
  let prepared = 0;
  const prepare = () => {
    prepared++;
    throw new Error("no such model.");
  };
  const worker = createModelWorker({ prepare, advice: "Look.", elapsed: () => performance.now() });
  return { worker, prepared: () => prepared };
}

const ask = ({ worker }: ReturnType<typeof open>) =>
  worker.run(MODEL, [{ text: "hello" }], { priority: "interactive" });

test("a model begins to load by itself, but not while the server that has it starts", async () => {
  const opened = open();
  expect(opened.prepared()).toBe(0);
  expect(opened.worker.state(MODEL).phase).toBe("loading");
  const reason = await opened.worker.ready().catch((error: unknown) => error);
  expect(reason).toMatchObject({ code: "UNAVAILABLE" });
  expect(opened.prepared()).toBe(1);
});

test("a model that is asked something begins to load at once, and once", async () => {
  const opened = open();
  const refused = ask(opened).catch((error: unknown) => error);
  expect(opened.prepared()).toBe(1);
  expect(await refused).toMatchObject({ code: "UNAVAILABLE" });
  await ask(opened).catch(() => undefined);
  await Bun.sleep(60);
  expect(opened.prepared()).toBe(1);
});

test("a model that is closed before it began never loads", async () => {
  const opened = open();
  await opened.worker.close();
  await Bun.sleep(60);
  expect(opened.prepared()).toBe(0);
  expect(opened.worker.state(MODEL)).toMatchObject({ phase: "failed" });
});
