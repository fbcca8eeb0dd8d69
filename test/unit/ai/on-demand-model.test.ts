import { expect, test } from "bun:test";
import { onDemandModel } from "../../../src/ai/worker/on-demand-model.ts";

const KEEP_MS = 20;

const asked = async () => new Float32Array();

function counted(load = async () => ({ run: asked, release: async () => {} })) {
  let loads = 0;
  const gone = Promise.withResolvers<void>();
  const loading = () => {
    loads++;
    return load();
  };
  const model = onDemandModel(loading, { keepMs: KEEP_MS, gone: gone.resolve });
  return { model, loads: () => loads, gone: gone.promise };
}

test("a model is loaded when it is asked for, and once for many", async () => {
  const { model, loads } = counted();
  expect([loads(), model.isLoaded]).toEqual([0, false]);
  await Promise.all([model.get(), model.get()]);
  await model.get();
  expect([loads(), model.isLoaded]).toEqual([1, true]);
});

test("a model that nobody asks for any more is let go, and loaded again when it is asked for", async () => {
  const { model, loads, gone } = counted();
  await model.get();
  const alive = setTimeout(() => {}, 10_000);
  await gone;
  clearTimeout(alive);
  expect(model.isLoaded).toBe(false);
  await model.get();
  expect([loads(), model.isLoaded]).toEqual([2, true]);
});

test("a model that is let go is released first", async () => {
  let released = 0;
  const { model, gone } = counted(async () => ({ run: asked, release: async () => void released++ }));
  await model.get();
  await gone;
  expect(released).toBe(1);
});

test("a model that could not be loaded is not tried again", async () => {
  const { model, loads } = counted(() => Promise.reject(new Error("broken")));
  for (let i = 0; i < 2; i++) expect(await model.get().catch(String)).toContain("broken");
  expect([loads(), model.isLoaded]).toEqual([1, false]);
});
