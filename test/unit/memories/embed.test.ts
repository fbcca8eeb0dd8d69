import { describe, expect, test } from "bun:test";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import { isSilent } from "../../../src/core/kernel/vectors.ts";
import type { Conversation, Embedder, EmbedOptions } from "../../../src/core/ports/embedder.ts";
import { embedJobs, embedRows } from "../../../src/memories/embed.ts";
import { aRow, TENANT } from "../../support/builders.ts";
import { unreadingEmbedder } from "../../support/other-embedder.ts";

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
      { memory: aRow({ content: "Ann: Second row." }), previous: before("Ben: First row.") },
      { memory: aRow({ content: "Third row." }), previous: null },
      { memory: aRow({ content: "Ben: Fourth row." }), previous: before("Ann: Third row.") },
    ];
    const vectors = await embedRows({ embedder }, rows, OPTIONS);
    expect(vectors).toEqual([
      { own: (await vectorOf("First row.")) ?? new Float32Array(), context: null },
      {
        own: (await vectorOf("Ann: Second row.")) ?? new Float32Array(),
        context: await contextOf("Ben: First row.\nAnn: Second row."),
      },
      { own: (await vectorOf("Third row.")) ?? new Float32Array(), context: null },
      {
        own: (await vectorOf("Ben: Fourth row.")) ?? new Float32Array(),
        context: await contextOf("Ann: Third row.\nBen: Fourth row."),
      },
    ]);
  });

  test("of a long row are its own alone, and of a long row before only its end is read", async () => {
    const long = "tedious ".repeat(100);
    const [alone, after] = await embedRows(
      { embedder },
      [
        { memory: aRow({ content: long }), previous: before("Before.") },
        { memory: aRow({ content: "Ann: Short." }), previous: before(`Ben: ${long}`) },
      ],
      OPTIONS,
    );
    expect(alone?.context).toBeNull();
    expect(after?.context).toEqual(await contextOf(`${long.slice(-400)}\nAnn: Short.`));
  });

  test("of turns that follow each other come from readings of two, each after the row before", async () => {
    const read: Conversation[] = [];
    const counting: Embedder = {
      ...embedder,
      embedTurns: (conversations, options) => {
        read.push(...conversations);
        return embedder.embedTurns(conversations, options);
      },
    };
    const turns = ["Ann: One.", "Ben: Two.", "Ann: Three.", "Four, which nobody says.", "Ben: Five.", "Ann: Six."];
    const memories = turns.map((content) => aRow({ content, content_hash: content }));
    const rows = memories.map((memory, i) => ({ memory, previous: memories[i - 1] ?? before("Ben: Zero.") }));
    const vectors = await embedRows({ embedder: counting }, rows, OPTIONS);
    expect(read).toEqual([
      { before: "Ben: Zero.", turns: ["Ann: One.", "Ben: Two."] },
      { before: "Ben: Two.", turns: ["Ann: Three."] },
      { before: "Ben: Five.", turns: ["Ann: Six."] },
    ]);
    expect(vectors.map(({ context }) => context?.previous_hash ?? null)).toEqual([
      "before",
      "Ann: One.",
      "Ben: Two.",
      null,
      null,
      "Ben: Five.",
    ]);
  });

  test("of a row that nobody says are its own alone, whatever stands before it, as are those of a label behind a note", async () => {
    const rows = [
      { memory: aRow({ content: "A note." }), previous: before("Ann: A turn.") },
      { memory: aRow({ content: "Staging: port 8080." }), previous: before("A note.") },
    ];
    expect((await embedRows({ embedder }, rows, OPTIONS)).map(({ context }) => context)).toEqual([null, null]);
  });

  test("are not read together where the model cannot read a row, and alone where it cannot read the two", async () => {
    const silent = "Ann: ⴰⵣⵓⵍ ⴼⵍⵍⴰⵡⵏ ⵜⴰⵎⴰⵣⵉⵖⵜ.";
    const long = `Ben: ${"A long row. ".repeat(5)}`;
    const rows = [
      { memory: aRow({ content: silent }), previous: before(long) },
      { memory: aRow({ content: "Ben: Yes." }), previous: before(silent) },
      { memory: aRow({ content: long }), previous: before(silent) },
    ];
    const vectors = await embedRows({ embedder: unreadingEmbedder() }, rows, OPTIONS);
    expect(vectors.map(({ own, context }) => [isSilent(own), context && context.values === own])).toEqual([
      [true, null],
      [false, true],
      [false, false],
    ]);
  });

  test("of no rows are none", async () => {
    expect(await embedRows({ embedder }, [], OPTIONS)).toEqual([]);
  });
});
