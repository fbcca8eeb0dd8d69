import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Embedder, EmbedOptions } from "../../src/core/ports/embedder.ts";

export const PASSAGE: EmbedOptions = { role: "passage", priority: "background" };
export const QUERY: EmbedOptions = { role: "query", priority: "interactive" };

const TEXTS = [
  "Maria moved from Lisbon to Berlin in 2021.",
  "ok",
  "The deploy of the payment service was rolled back on Friday because a migration failed half way through.",
  "Zürich, 北京 and мир 🎉",
  "The backup runs every night at two; it is kept for ninety days and copied to a second region every Sunday.",
] as const;

export const cosine = (a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

const largestDifference = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  Math.max(...Array.from(a ?? [Number.NaN], (value, index) => Math.abs(value - (b?.[index] ?? Number.NaN))));

/** What every embedder promises, whatever computes its vectors. */
export function describeEmbedder(name: string, open: () => Embedder): void {
  describe(name, () => {
    let embedder: Embedder;
    beforeAll(async () => {
      embedder = open();
      await embedder.ready();
    });
    afterAll(() => embedder.close());

    test("a ready embedder says so", () => {
      expect(embedder.state()).toMatchObject({ phase: "ready" });
    });

    test("every text gets one unit vector of the stated dimensions", async () => {
      const vectors = await embedder.embed(TEXTS, PASSAGE);
      expect(vectors.map((vector) => vector.length)).toEqual(TEXTS.map(() => embedder.dimensions));
      for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      expect(embedder.center.length).toBe(embedder.dimensions);
    });

    test("the same text gets the same vector", async () => {
      const [first] = await embedder.embed([TEXTS[0]], PASSAGE);
      const [second] = await embedder.embed([TEXTS[0]], PASSAGE);
      expect(second).toEqual(first ?? new Float32Array());
    });

    test("a batch gives each text the vector it gets alone, in order", async () => {
      const batch = await embedder.embed(TEXTS, PASSAGE);
      for (const [index, text] of TEXTS.entries()) {
        const [alone] = await embedder.embed([text], PASSAGE);
        expect(largestDifference(alone, batch[index])).toBeLessThan(1e-3);
      }
    });

    const TALK = { before: TEXTS[0], turns: [TEXTS[2], TEXTS[3], TEXTS[4]] };

    test("every turn of a conversation gets two unit vectors, in order, in any company", async () => {
      const talks = [TALK, { before: "", turns: ["ok"] }, { before: TEXTS[4], turns: [TEXTS[0]] }];
      const together = await embedder.embedTurns(talks, PASSAGE);
      expect(together.map((turns) => turns.length)).toEqual([3, 1, 1]);
      for (const [i, talk] of talks.entries()) {
        const [alone = []] = await embedder.embedTurns([talk], PASSAGE);
        for (const [nth, { own, context }] of alone.entries()) {
          for (const vector of [own, context]) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
          expect(largestDifference(own, together[i]?.[nth]?.own)).toBeLessThan(1e-3);
          expect(largestDifference(context, together[i]?.[nth]?.context)).toBeLessThan(1e-3);
        }
      }
    });

    test("a turn's own vector is of its own words, its context of the turn before as well", async () => {
      const [turns = []] = await embedder.embedTurns([TALK], PASSAGE);
      const words = await embedder.embed([TALK.before, ...TALK.turns], PASSAGE);
      for (const [i, { own, context }] of turns.entries()) {
        expect(cosine(own, words[i + 1])).toBeGreaterThan(cosine(own, words[i]));
        expect(cosine(context, words[i])).toBeGreaterThan(cosine(own, words[i]));
      }
    });

    test("turns longer than any model reads get their vectors", async () => {
      const long = "word ".repeat(4_000);
      const [turns = []] = await embedder.embedTurns([{ before: long, turns: ["short", long, long] }], PASSAGE);
      expect(turns.flatMap(({ own, context }) => [Math.hypot(...own), Math.hypot(...context)])).toHaveLength(6);
    });

    test("no vector shares its memory with another", async () => {
      const [first, second] = await embedder.embed(["one", "two"], QUERY);
      expect(first?.buffer.byteLength).toBe(embedder.dimensions * 4);
      expect(first?.buffer).not.toBe(second?.buffer);
    });

    test("no texts give no vectors", async () => {
      expect(await embedder.embed([], PASSAGE)).toEqual([]);
    });

    test.each([
      ["empty", ""],
      ["blank", " \n\t"],
      ["of 20,000 characters", "lorem ipsum ".repeat(1_667)],
      ["of one word of 20,000 characters", "x".repeat(20_000)],
      ["with a NUL and lone surrogates", "a\u0000b \ud800 c \udc00"],
      ["with the model's own special tokens", "[CLS] [PAD] [SEP] [MASK] [UNK]"],
    ])("a text that is %s gets a unit vector", async (_, text) => {
      const [vector] = await embedder.embed([text], PASSAGE);
      expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5);
    });

    test("a row about the question is nearer than one that is not", async () => {
      const [question] = await embedder.embed(["Which city did Maria move to?"], QUERY);
      const [related, unrelated] = await embedder.embed([TEXTS[0], TEXTS[4]], PASSAGE);
      expect(cosine(question, related)).toBeGreaterThan(cosine(question, unrelated));
    });

    test("an aborted request rejects with the signal's reason", async () => {
      const reason = new Error("The caller left.");
      const before = embedder.embed(["never"], { ...QUERY, signal: AbortSignal.abort(reason) });
      await expect(before).rejects.toBe(reason);
    });

    test("a closed embedder refuses", async () => {
      const closed = open();
      await closed.close();
      await closed.close();
      await expect(closed.embed(["late"], QUERY)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    });
  });
}
