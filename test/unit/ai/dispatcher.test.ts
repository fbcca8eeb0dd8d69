import { expect, test } from "bun:test";
import { createDispatcher, type Lane } from "../../../src/ai/worker/dispatcher.ts";
import type { ModelInput, ModelSpec } from "../../../src/ai/worker/protocol.ts";
import { AppError } from "../../../src/core/kernel/errors.ts";

const MODEL: ModelSpec = { id: "m", task: "embed", folder: "", max_tokens: 512, width: 1 };
const inputs = (...texts: string[]): ModelInput[] => texts.map((text) => ({ text }));
const LONG = "long ".repeat(200);
const BACKGROUND = { priority: "background" } as const;

/** A dispatcher whose slices are collected; `answer` replies to the last one of a lane with the length of each text. */
function dispatching(elapsed = () => 0) {
  const slices: Record<Lane, string[][]> = { front: [], back: [] };
  let wanted = 0;
  const outlets = {
    send: (lane: Lane, _: string, slice: readonly ModelInput[]) => slices[lane].push(slice.map(({ text }) => text)),
    wantsBack: () => wanted++,
  };
  const dispatcher = createDispatcher(outlets, elapsed);
  const answer = (loaded = false, lane: Lane = "front") =>
    dispatcher.settle(
      lane,
      Float32Array.from(slices[lane].at(-1) ?? [], (text) => text.length),
      loaded,
    );
  return { sent: slices.front, slices, dispatcher, answer, wanted: () => wanted };
}

test("nothing is sent before the worker is ready", async () => {
  const { sent, dispatcher, answer } = dispatching();
  const rows = dispatcher.submit(MODEL, inputs("early"), BACKGROUND);
  expect(sent).toEqual([]);
  dispatcher.open("front");
  answer();
  expect(await rows).toEqual([Float32Array.of(5)]);
});

test("small requests of many callers share a slice, and each gets its own rows in order", async () => {
  const { sent, dispatcher, answer } = dispatching();
  const first = dispatcher.submit(MODEL, inputs("ccc", "a"), BACKGROUND);
  const second = dispatcher.submit(MODEL, inputs("bb"), BACKGROUND);
  dispatcher.open("front");
  expect(sent).toHaveLength(1);
  answer();
  expect(await first).toEqual([Float32Array.of(3), Float32Array.of(1)]);
  expect(await second).toEqual([Float32Array.of(2)]);
});

test("an input with turns gets two rows a turn, and its neighbours theirs", async () => {
  const { sent, dispatcher } = dispatching();
  dispatcher.open("front");
  const talk = dispatcher.submit(MODEL, [{ text: "a", turns: ["b", "c"] }, { text: "alone" }], BACKGROUND);
  expect(sent).toEqual([["a", "alone"]]);
  dispatcher.settle("front", Float32Array.of(1, 2, 3, 4, 5), false);
  expect(await talk).toEqual([Float32Array.of(1, 2, 3, 4), Float32Array.of(5)]);
});

test("only one slice is in flight", async () => {
  const { sent, dispatcher, answer } = dispatching();
  dispatcher.open("front");
  const rows = dispatcher.submit(MODEL, inputs(`${LONG}1`, `${LONG}2`), BACKGROUND);
  expect(sent).toHaveLength(1);
  answer();
  expect(sent).toHaveLength(2);
  answer();
  expect(await rows).toHaveLength(2);
});

test("a refused slice fails its requests whole, and no others", async () => {
  const { sent, dispatcher, answer } = dispatching();
  dispatcher.open("front");
  const failing = dispatcher.submit(MODEL, inputs(`${LONG}1`, `${LONG}2`), BACKGROUND);
  const other = dispatcher.submit(MODEL, inputs("other"), BACKGROUND);
  dispatcher.refuse("front", new AppError("UNAVAILABLE", "No."));
  await expect(failing).rejects.toThrow("No.");
  expect(sent.at(-1)).toEqual(["other"]);
  answer();
  expect(await other).toHaveLength(1);
});

test("abandoning rejects what is in flight and what waits", async () => {
  const { dispatcher } = dispatching();
  dispatcher.open("front");
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
  dispatcher.open("front");
  void dispatcher.submit(MODEL, inputs(...rows), BACKGROUND);
  const quiet = sent.at(-1)?.length ?? 0;
  void dispatcher.submit(MODEL, inputs("a question"), { priority: "interactive" });
  answer();
  expect(sent.at(-1)).toEqual(["a question"]);
  answer();
  expect(sent.at(-1)?.length).toBeGreaterThan(0);
  expect(sent.at(-1)?.length).toBeLessThan(quiet / 2);
});

test("a question goes before rows that somebody waits for, and these before the rest", async () => {
  const { sent, dispatcher, answer } = dispatching();
  dispatcher.open("front");
  void dispatcher.submit(MODEL, inputs("at work"), BACKGROUND);
  void dispatcher.submit(MODEL, inputs("behind"), BACKGROUND);
  void dispatcher.submit(MODEL, inputs("a row"), { priority: "interactive" });
  void dispatcher.submit(MODEL, inputs("a question"), { priority: "question" });
  for (let i = 0; i < 3; i++) answer();
  expect(sent).toEqual([["at work"], ["a question"], ["a row"], ["behind"]]);
});

test("a row is refused for the questions that go before it, a question not for the rows behind it", async () => {
  let now = 0;
  const { dispatcher, answer } = dispatching(() => now);
  dispatcher.open("front");
  const submit = (priority: "question" | "interactive", patience_ms?: number) =>
    dispatcher.submit(MODEL, inputs(LONG), { priority, patience_ms });
  const first = submit("interactive");
  now += 100;
  answer();
  await first;
  void submit("interactive");
  void submit("interactive");
  const question = submit("question", 50);
  await expect(submit("interactive", 150)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  answer();
  answer();
  expect(await question).toHaveLength(1);
});

test("a request that would wait longer than its patience is refused at once, but never one that is next", async () => {
  let now = 0;
  const { dispatcher, answer } = dispatching(() => now);
  const ask = (text: string, patience_ms?: number) =>
    dispatcher.submit(MODEL, inputs(text), { priority: "interactive", patience_ms });
  dispatcher.open("front");
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
  dispatcher.open("front");
  const first = ask("loads the model");
  now += 600_000;
  answer(true);
  await first;
  const others = [ask(`${LONG}1`), ask(`${LONG}2`), ask(`${LONG}3`)];
  for (const _ of others) answer();
  expect(await Promise.all(others)).toHaveLength(3);
});

/** Nine slices of one long text each. */
const IMPORT = Array.from({ length: 9 }, (_, index) => `${index} ${LONG}`);

test("the back lane is wanted for much background work alone, and does its share", async () => {
  const { slices, dispatcher, answer, wanted } = dispatching();
  dispatcher.open("front");
  void dispatcher.submit(MODEL, inputs("little"), BACKGROUND);
  expect(wanted()).toBe(0);
  const rows = dispatcher.submit(MODEL, inputs(...IMPORT), BACKGROUND);
  expect(wanted()).toBeGreaterThan(0);
  dispatcher.open("back");
  expect([slices.front, slices.back]).toEqual([[["little"]], [[IMPORT[0] ?? ""]]]);
  for (let turn = 0; turn < IMPORT.length; turn++) answer(false, turn % 2 === 0 ? "front" : "back");
  answer();
  expect((await rows).map(([length]) => length)).toEqual(IMPORT.map(({ length }) => length));
});

test("while somebody asks, the front is kept free as long as there is a back", () => {
  let now = 1_000;
  const { slices, dispatcher, answer } = dispatching(() => now);
  for (const lane of ["front", "back"] as const) dispatcher.open(lane);
  const ask = (text: string) => dispatcher.submit(MODEL, inputs(text), { priority: "interactive" }).catch(() => {});
  void ask("who?");
  void dispatcher.submit(MODEL, inputs(...IMPORT), BACKGROUND).catch(() => {});
  answer();
  answer(false, "back");
  expect([slices.front.length, slices.back.length]).toEqual([1, 2]);
  void ask("when?");
  expect(slices.front.at(-1)).toEqual(["when?"]);
  now += 1_000;
  answer();
  expect(slices.front.at(-1)).toEqual([IMPORT[2] ?? ""]);
  dispatcher.abandon(new AppError("UNAVAILABLE", "Over."));
});

test("what a lane had in hand when it was shut goes to the other, before what came later", async () => {
  const { slices, dispatcher, answer } = dispatching();
  for (const lane of ["front", "back"] as const) dispatcher.open(lane);
  const rows = dispatcher.submit(MODEL, inputs(...IMPORT), BACKGROUND);
  dispatcher.shut("back");
  for (let turn = 0; turn < IMPORT.length; turn++) answer();
  expect(slices.front.flat().slice(0, 3)).toEqual([0, 1, 2].map((index) => IMPORT[index] ?? ""));
  expect(await rows).toHaveLength(IMPORT.length);
});
