import { expect, test } from "bun:test";
import { cachedEmbedder } from "../../src/ai/models/cached-embedder.ts";
import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import { AppError } from "../../src/core/kernel/errors.ts";
import type { Embedder } from "../../src/core/ports/embedder.ts";
import { describeEmbedder, PASSAGE, QUERY } from "./contract.ts";

describeEmbedder("the cached embedder", () => cachedEmbedder(hashEmbedder(), 100));

/** A real embedder that counts what it is asked and can be told to fail. */
function counting(): { embedder: Embedder; asked: string[]; failNext(): void } {
  const inner = hashEmbedder();
  const asked: string[] = [];
  let fails = false;
  return {
    asked,
    failNext: () => {
      fails = true;
    },
    embedder: {
      ...inner,
      async embed(texts, options) {
        asked.push(...texts);
        await Bun.sleep(1);
        if (!fails) return inner.embed(texts, options);
        fails = false;
        throw new AppError("UNAVAILABLE", "Not now.");
      },
    },
  };
}

test("a question asked before is not computed again", async () => {
  const { embedder, asked } = counting();
  const cached = cachedEmbedder(embedder, 10);
  const [first] = await cached.embed(["a"], QUERY);
  const again = await cached.embed(["a", "b", "a"], QUERY);
  expect(asked).toEqual(["a", "b"]);
  expect(again[2]).toEqual(first ?? new Float32Array());
});

test("identical questions asked at once are computed once", async () => {
  const { embedder, asked } = counting();
  const cached = cachedEmbedder(embedder, 10);
  await Promise.all(Array.from({ length: 50 }, () => cached.embed(["same"], QUERY)));
  expect(asked).toEqual(["same"]);
});

test("passages are never remembered", async () => {
  const { embedder, asked } = counting();
  const cached = cachedEmbedder(embedder, 10);
  await cached.embed(["a"], PASSAGE);
  await cached.embed(["a"], PASSAGE);
  expect(asked).toEqual(["a", "a"]);
});

test("a failure reaches everyone who waits and is not remembered", async () => {
  const { embedder, failNext } = counting();
  const cached = cachedEmbedder(embedder, 10);
  failNext();
  const waiting = await Promise.allSettled([cached.embed(["a"], QUERY), cached.embed(["a"], QUERY)]);
  expect(waiting.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await cached.embed(["a"], QUERY)).toHaveLength(1);
});

test("one caller's abort leaves the others their answer", async () => {
  const { embedder, asked } = counting();
  const cached = cachedEmbedder(embedder, 10);
  const controller = new AbortController();
  const left = cached.embed(["a"], { ...QUERY, signal: controller.signal });
  const stayed = cached.embed(["a"], QUERY);
  controller.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  expect(await stayed).toHaveLength(1);
  expect(asked).toEqual(["a"]);
});

test("a question that nobody waits for any more is given up, and asked anew by the next caller", async () => {
  const signals: AbortSignal[] = [];
  const inner: Embedder = {
    ...hashEmbedder(),
    embed: (texts, options) => {
      if (options.signal) signals.push(options.signal);
      return signals.length > 1 ? hashEmbedder().embed(texts, options) : Promise.withResolvers<never>().promise;
    },
  };
  const cached = cachedEmbedder(inner, 10);
  const callers = [new AbortController(), new AbortController()];
  const waiting = callers.map(({ signal }) => cached.embed(["a"], { ...QUERY, signal }));
  callers[0]?.abort(new Error("gone"));
  await expect(waiting[0]).rejects.toThrow("gone");
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  callers[1]?.abort(new Error("gone too"));
  await expect(waiting[1]).rejects.toThrow("gone too");
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(await cached.embed(["a"], QUERY)).toHaveLength(1);
});

test("what a caller does to its vector does not reach the next one", async () => {
  const cached = cachedEmbedder(hashEmbedder(), 10);
  const [mine] = await cached.embed(["a"], QUERY);
  mine?.fill(0);
  const [next] = await cached.embed(["a"], QUERY);
  expect(Math.hypot(...(next ?? []))).toBeCloseTo(1, 5);
});
