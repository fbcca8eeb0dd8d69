import { expect, test } from "bun:test";
import { createDispatcher } from "../../../src/ai/worker/dispatcher.ts";
import type { ModelInput, ModelSpec } from "../../../src/ai/worker/protocol.ts";
import { AppError } from "../../../src/core/kernel/errors.ts";

const MODEL: ModelSpec = { id: "m", task: "embed", folder: "", max_tokens: 512, width: 1 };
const inputs = (...texts: string[]): ModelInput[] => texts.map((text) => ({ text }));
const LONG = "long ".repeat(200);
const BACKGROUND = { priority: "background" } as const;

/** A dispatcher whose slices are collected; `answer` replies to the last one with the length of each text. */
function dispatching(elapsed = () => 0) {
  const sent: string[][] = [];
  const dispatcher = createDispatcher((_, slice) => sent.push(slice.map(({ text }) => text)), elapsed);
  const answer = (loaded = false) =>
    dispatcher.settle(
      Float32Array.from(sent.at(-1) ?? [], (text) => text.length),
      loaded,
    );
  return { sent, dispatcher, answer };
}

test("nothing is sent before the worker is ready", async () => {
  const { sent, dispatcher, answer } = dispatching();
  const rows = dispatcher.submit(MODEL, inputs("early"), BACKGROUND);
  expect(sent).toEqual([]);
  dispatcher.open();
  answer();
  expect(await rows).toEqual([Float32Array.of(5)]);
});

test("small requests of many callers share a slice, and each gets its own rows in order", async () => {
  const { sent, dispatcher, answer } = dispatching();
  const first = dispatcher.submit(MODEL, inputs("ccc", "a"), BACKGROUND);
  const second = dispatcher.submit(MODEL, inputs("bb"), BACKGROUND);
  dispatcher.open();
  expect(sent).toHaveLength(1);
  answer();
  expect(await first).toEqual([Float32Array.of(3), Float32Array.of(1)]);
  expect(await second).toEqual([Float32Array.of(2)]);
});

test("only one slice is in flight", async () => {
  const { sent, dispatcher, answer } = dispatching();
  dispatcher.open();
  const rows = dispatcher.submit(MODEL, inputs(`${LONG}1`, `${LONG}2`), BACKGROUND);
  expect(sent).toHaveLength(1);
  answer();
  expect(sent).toHaveLength(2);
  answer();
  expect(await rows).toHaveLength(2);
});

test("a refused slice fails its requests whole, and no others", async () => {
  const { sent, dispatcher, answer } = dispatching();
  dispatcher.open();
  const failing = dispatcher.submit(MODEL, inputs(`${LONG}1`, `${LONG}2`), BACKGROUND);
  const other = dispatcher.submit(MODEL, inputs("other"), BACKGROUND);
  dispatcher.refuse(new AppError("UNAVAILABLE", "No."));
  await expect(failing).rejects.toThrow("No.");
  expect(sent.at(-1)).toEqual(["other"]);
  answer();
  expect(await other).toHaveLength(1);
});

test("abandoning rejects what is in flight and what waits", async () => {
  const { dispatcher } = dispatching();
  dispatcher.open();
  const all = [LONG, LONG].map((text) => dispatcher.submit(MODEL, inputs(text), BACKGROUND));
  dispatcher.abandon(new AppError("UNAVAILABLE", "Gone."));
  const settled = await Promise.allSettled(all);
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("background slices get shorter while somebody is asking", () => {
  const { sent, dispatcher, answer } = dispatching();
  const rows = Array.from(
    { length: 40 },
    (_, index) => `Row number ${index} of an import, of about twenty tokens in all, or a few more.`,
  );
  dispatcher.open();
  void dispatcher.submit(MODEL, inputs(...rows), BACKGROUND);
  const quiet = sent.at(-1)?.length ?? 0;
  void dispatcher.submit(MODEL, inputs("a question"), { priority: "interactive" });
  answer();
  expect(sent.at(-1)).toEqual(["a question"]);
  answer();
  expect(sent.at(-1)?.length).toBeGreaterThan(0);
  expect(sent.at(-1)?.length).toBeLessThan(quiet / 2);
});

test("a request that would wait longer than its patience is refused at once, but never one that is next", async () => {
  let now = 0;
  const { dispatcher, answer } = dispatching(() => now);
  const ask = (text: string, patience_ms?: number) =>
    dispatcher.submit(MODEL, inputs(text), { priority: "interactive", patience_ms });
  dispatcher.open();
  const slow = ask(LONG);
  now += 700;
  answer();
  await slow;
  const [running, waiting, patient] = [ask(`${LONG}1`, 1_000), ask(`${LONG}2`, 1_000), ask(`${LONG}3`, 1_000)];
  await expect(ask("one too many", 1_000)).rejects.toThrow("more to read");
  const others = [ask("no hurry"), ask("some patience", 2_000)];
  now += 60_000;
  for (let i = 0; i < 5; i++) answer();
  expect(await Promise.all([running, waiting, patient, ...others])).toHaveLength(5);
  const [next] = [ask("alone", 1_000), answer()];
  expect(await next).toHaveLength(1);
});

test("a model that is loaded with its first slice does not count as slow", async () => {
  let now = 0;
  const { dispatcher, answer } = dispatching(() => now);
  const ask = (text: string) => dispatcher.submit(MODEL, inputs(text), { priority: "interactive", patience_ms: 1_000 });
  dispatcher.open();
  const first = ask("loads the model");
  now += 600_000;
  answer(true);
  await first;
  const others = [ask(`${LONG}1`), ask(`${LONG}2`), ask(`${LONG}3`)];
  for (const _ of others) answer();
  expect(await Promise.all(others)).toHaveLength(3);
});
