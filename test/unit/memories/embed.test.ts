import { describe, expect, test } from "bun:test";
import { hashEmbedder } from "../../../src/ai/hash-embedder.ts";
import { embedJobs, embedRows } from "../../../src/memories/embed.ts";
import type { EmbedOptions } from "../../../src/ports/embedder.ts";
import { aRow, TENANT } from "../../support/builders.ts";

const OPTIONS: EmbedOptions = { role: "passage", priority: "background" };

describe("jobs of stored rows", () => {
  test("name each row without a vector once, a hundred a job at most", () => {
    const waiting = Array.from({ length: 250 }, () => aRow());
    const jobs = embedJobs([...waiting, aRow({ embedded_by: "a-model" })]);
    expect(jobs.map(({ payload }) => payload.memory_ids.length)).toEqual([100, 100, 50]);
    expect(jobs.flatMap(({ payload }) => payload.memory_ids)).toEqual(waiting.map(({ id }) => id));
    expect(new Set(jobs.map(({ payload }) => payload.tenant_id))).toEqual(new Set([TENANT]));
  });

  test("are none when nothing waits", () => {
    expect(embedJobs([])).toEqual([]);
    expect(embedJobs([aRow({ embedded_by: "a-model" })])).toEqual([]);
  });
});

describe("the vectors of rows", () => {
  const embedder = hashEmbedder();
  const vectorOf = async (text: string): Promise<Float32Array | null> =>
    (await embedder.embed([text], OPTIONS))[0] ?? null;

  const before = (content: string) => ({ content, content_hash: "before" });
  const contextOf = async (text: string) => ({
    values: (await vectorOf(text)) ?? new Float32Array(),
    previous_hash: "before",
  });

  test("are each row's own, and that of it read after the row before, however they are mixed", async () => {
    const rows = [
      { memory: aRow({ content: "First row." }), previous: null },
      { memory: aRow({ content: "Second row." }), previous: before("First row.") },
      { memory: aRow({ content: "Third row." }), previous: null },
      { memory: aRow({ content: "Fourth row." }), previous: before("Third row.") },
    ];
    const vectors = await embedRows(embedder, rows, OPTIONS);
    expect(vectors).toEqual([
      { own: (await vectorOf("First row.")) ?? new Float32Array(), context: null },
      {
        own: (await vectorOf("Second row.")) ?? new Float32Array(),
        context: await contextOf("First row.\nSecond row."),
      },
      { own: (await vectorOf("Third row.")) ?? new Float32Array(), context: null },
      {
        own: (await vectorOf("Fourth row.")) ?? new Float32Array(),
        context: await contextOf("Third row.\nFourth row."),
      },
    ]);
  });

  test("of a long row are its own alone, and of a long row before only its end is read", async () => {
    const long = "tedious ".repeat(100);
    const [alone, after] = await embedRows(
      embedder,
      [
        { memory: aRow({ content: long }), previous: before("Before.") },
        { memory: aRow({ content: "Short." }), previous: before(`beginning ${long}`) },
      ],
      OPTIONS,
    );
    expect(alone?.context).toBeNull();
    expect(after?.context).toEqual(await contextOf(`${long.slice(-400)}\nShort.`));
  });

  test("of no rows are none", async () => {
    expect(await embedRows(embedder, [], OPTIONS)).toEqual([]);
  });
});
