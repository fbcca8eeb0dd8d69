import { expect, test } from "bun:test";
import { startWorker, type WorkerEvents } from "../../src/ai/worker/link.ts";
import type { LoadRequest } from "../../src/ai/worker/protocol.ts";

const URL_OF_DYING = new URL("./fixtures/dying-worker.ts", import.meta.url).href;
const NOTHING: LoadRequest = { kind: "load", models: [], later: [], runtimeFolder: null, threads: 1, isSpare: false };

/** Starts a worker, sends it one task once it is ready, and resolves with why it was lost. */
function loss(url: string, text: string): Promise<string> {
  const lost = Promise.withResolvers<string>();
  const events: WorkerEvents = {
    ready: () => link.run("any", [{ text }]),
    result: () => lost.reject(new Error("It answered.")),
    refused: lost.resolve,
    unserved: (_model, cause) => lost.resolve(cause),
    lost: lost.resolve,
  };
  const limits = { loadMs: 20_000, runMs: 300, stopMs: 100 };
  const link = startWorker(NOTHING, events, { url, limits });
  return lost.promise;
}

test("a worker that throws is lost, with the error's message", async () => {
  expect(await loss(URL_OF_DYING, "throw")).toContain("boom");
});

test("a worker that exits is lost", async () => {
  expect(await loss(URL_OF_DYING, "exit")).toContain("ended");
});

test("a worker that stays silent is lost", async () => {
  expect(await loss(URL_OF_DYING, "sleep")).toContain("did not answer");
});

test("a worker that does not exist is lost", async () => {
  const url = new URL("./fixtures/no-such-worker.ts", import.meta.url).href;
  expect((await loss(url, "any")).length).toBeGreaterThan(0);
});
