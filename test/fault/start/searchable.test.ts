import { expect, test } from "bun:test";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { becomeReady } from "../../../src/startup/ready.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { HERMETIC, openApp } from "../../support/in-process.ts";
import { heldEmbedder } from "../../support/other-embedder.ts";

/** Looks after which the last row is read. */
const LOOKS = 12;

test("who waits until all is searchable looks ever more seldom, as each look counts all that is left", async () => {
  const held = heldEmbedder(hashEmbedder());
  const { app, client } = await openApp({ embedder: held.embedder });
  held.hold();
  await memoriesApi(client).bulk([{ content: "A crate of ropes." }]);
  const { storage } = app.services;
  const looks: number[] = [];
  const countAllPending = () => {
    if (looks.push(performance.now()) === LOOKS) held.release();
    return storage.memories.countAllPending();
  };
  Object.assign(app.services, { storage: { ...storage, memories: { ...storage.memories, countAllPending } } });
  const drained = app.runner.drain();
  const config = await loadConfig(HERMETIC, ["--ephemeral", "--ready-when=searchable"]);
  let isReady = false;
  await becomeReady(app, config, () => {
    isReady = true;
  });
  expect(isReady).toBe(true);
  const gaps = looks.slice(1).map((at, i) => at - (looks[i] ?? 0));
  expect(gaps[LOOKS - 2] ?? 0).toBeGreaterThan(2 * (gaps[0] ?? Number.POSITIVE_INFINITY));
  await drained;
  await app.stop();
});
