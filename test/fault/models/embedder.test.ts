import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import type { Embedder, EmbedOptions } from "../../../src/core/ports/embedder.ts";
import { DocumentFindings, DocumentWritten } from "../../../src/core/schema/document.ts";
import { BulkResult, Memory, MemoryDetail } from "../../../src/core/schema/memory.ts";
import { MemoryPage } from "../../../src/core/schema/memory-query.ts";
import { RecallReply, SearchReply } from "../../../src/core/schema/retrieval.ts";
import { Status } from "../../../src/core/schema/system.ts";
import { fakeClock } from "../../support/clock.ts";
import type { InProcess, InProcessOptions } from "../../support/in-process.ts";
import { openApp } from "../../support/in-process.ts";

const HOUR_MS = 3_600_000;
const HANG_GUARD_MS = 180_000;
setDefaultTimeout(HANG_GUARD_MS);
/** What a job may take here: a hanging model must not make the test wait for minutes. */
const JOB_LIMIT_MS = 300;

type Embed = Embedder["embed"];
type Answer = (texts: readonly string[], vectors: Float32Array[], options: EmbedOptions) => Promise<Float32Array[]>;

const never = new Promise<never>(() => {});
const broken = (vector: Float32Array, index: number, value: number) => vector.with(index, value);

/** Every way to break the port's promise that the type system lets through, and one that it does not. */
const FAULTS: Readonly<Record<string, Answer>> = {
  "rejects with an error": async () => {
    throw new Error("the model is out of order");
  },
  "throws at once": () => {
    throw new TypeError("not even a promise");
  },
  "rejects with nothing": () => Promise.reject(undefined),
  "never answers and ignores its signal": () => never,
  "never answers but heeds its signal": (_texts, _vectors, { signal }) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
  "answers with too few vectors": async (_texts, vectors) => vectors.slice(1),
  "answers with too many vectors": async (_texts, vectors) => [...vectors, ...vectors],
  "answers with shorter vectors": async (_texts, vectors) => vectors.map((vector) => vector.slice(1)),
  "answers with longer vectors": async (_texts, vectors) => vectors.map((vector) => Float32Array.from([...vector, 0])),
  "answers with NaN": async (_texts, vectors) => vectors.map((vector) => broken(vector, 0, Number.NaN)),
  "answers with infinity": async (_texts, vectors) => vectors.map((vector) => broken(vector, 383, Infinity)),
  "answers with vectors of another scale": async (_texts, vectors) => vectors.map((vector) => vector.map((v) => v * 7)),
  "answers with something else": async (_texts, vectors) => JSON.parse(JSON.stringify(vectors)),
};

/** The hash embedder with a fault that can be switched on and off. */
function faultyEmbedder(answer: Answer) {
  const real = hashEmbedder();
  let healed = false;
  const embed: Embed = async (texts, options) =>
    real.embed(texts, { ...options, signal: new AbortController().signal });
  return {
    heal: () => {
      healed = true;
    },
    embedder: {
      ...real,
      embed: (texts, options) =>
        healed ? embed(texts, options) : answerWith(answer, texts, options, () => embed(texts, options)),
    } satisfies Embedder,
  };
}

/** Not an async function: a fault may throw before there is a promise. */
const answerWith = (
  answer: Answer,
  texts: readonly string[],
  options: EmbedOptions,
  vectors: () => Promise<Float32Array[]>,
): Promise<Float32Array[]> =>
  answer.length > 1 ? vectors().then((found) => answer(texts, found, options)) : answer(texts, [], options);

const opened: InProcess[] = [];
afterAll(async () => {
  await Promise.all(opened.map(({ app }) => app.stop()));
});

async function open(options: InProcessOptions): Promise<InProcess> {
  const app = await openApp(options);
  opened.push(app);
  return app;
}

const write = (content: string) => ({ body: { tenant_id: "default", agent_id: "ann", content } });
const about = (name: string) => `A long enough statement about ${name}.`;
const bulk = (names: readonly string[]) => ({
  body: { tenant_id: "default", items: names.map((name) => ({ content: about(name) })) },
});
const search = (query: string) => ({ body: { tenant_id: "default", query } });
const aDocument = {
  body: { tenant_id: "default", collection: "animals", doc_id: "numbat", data: { summary: "What the numbat eats." } },
};
const statusOf = ({ client }: InProcess): Promise<Status> => client.ok(Status, "GET", "/api/v1/status");
const codesOf = ({ warnings }: Pick<SearchReply, "warnings">) => warnings?.map(({ code }) => code) ?? [];

for (const [name, answer] of Object.entries(FAULTS)) {
  test.concurrent(`while the embedder ${name}, writes are kept, words are found, and all heals with it`, async () => {
    const clock = fakeClock();
    const { embedder, heal } = faultyEmbedder(answer);
    const app = await open({ clock, embedder, jobLimitMs: JOB_LIMIT_MS });
    await app.client.ok(BulkResult, "POST", "/api/v1/memories/bulk", bulk(["the quokka"]));

    const [written, found, recalled, document] = await Promise.all([
      app.client.ok(Memory, "POST", "/api/v1/memories", write("The wombat sleeps in building nine.")),
      app.client.ok(SearchReply, "POST", "/api/v1/search", search("quokka")),
      app.client.ok(RecallReply, "POST", "/api/v1/recall", search("quokka")),
      app.client.ok(DocumentWritten, "POST", "/api/v1/documents", aDocument),
    ]);
    expect(written.metadata).toEqual({ embedding_pending: true });
    expect(found.items.map(({ content, similarity }) => [content, similarity])).toEqual([[about("the quokka"), null]]);
    expect(codesOf(found)).toEqual(["semantic_search_unavailable", "embedding_pending"]);
    expect(recalled.summary).toContain(about("the quokka"));
    expect(codesOf(recalled)).toEqual(["semantic_search_unavailable", "embedding_pending"]);

    const documents = () => app.client.ok(DocumentFindings, "POST", "/api/v1/documents/search", search("numbat"));
    expect((await documents()).results.map(({ doc_id, similarity }) => [doc_id, similarity])).toEqual([
      [document.doc_id, 0],
    ]);

    await app.settle();
    expect((await statusOf(app)).jobs).toMatchObject({ due: 0, failing: 3 });

    heal();
    await app.settle();
    expect((await statusOf(app)).jobs?.failing).toBe(3); // Backing off: healing alone does not bring it forward.
    clock.advance(HOUR_MS);
    await app.settle();
    expect((await statusOf(app)).jobs).toMatchObject({ due: 0, failing: 0 });
    const healed = await app.client.ok(SearchReply, "POST", "/api/v1/search", search("quokka"));
    expect(codesOf(healed)).toEqual([]);
    expect(healed.items.map(({ similarity, metadata }) => [typeof similarity, metadata])).toEqual([
      ["number", null],
      ["number", null],
    ]);
    expect((await documents()).results[0]?.similarity).toBeGreaterThan(0);
  });
}

test("a text the model cannot read holds up neither its batch nor other jobs", async () => {
  const clock = fakeClock();
  const { embedder } = faultyEmbedder(async (texts, vectors) => {
    if (texts.some((text) => text.includes("poison"))) throw new Error("unreadable");
    return vectors;
  });
  const app = await open({ clock, embedder });
  const many = Array.from({ length: 40 }, (_, i) => (i === 3 || i === 4 ? `poison ${i}` : `apples ${i}`));
  for (const names of [many, ["pears", "plums"]]) {
    await app.client.ok(BulkResult, "POST", "/api/v1/memories/bulk", bulk(names));
  }
  await app.settle();

  const { items } = await app.client.ok(MemoryPage, "GET", "/api/v1/memories", { query: { limit: 100 } });
  const waiting = items.filter(({ metadata }) => metadata?.embedding_pending === true);
  expect(waiting.map(({ content }) => content).sort()).toEqual(["poison 3", "poison 4"].map(about));
  expect((await statusOf(app)).jobs).toMatchObject({ due: 0, failing: 1 });
});

test("a job that always fails waits longer each time, and never blocks a younger one", async () => {
  const clock = fakeClock();
  let tries = 0;
  const { embedder } = faultyEmbedder(async (texts, vectors) => {
    if (!texts.some((text) => text.includes("poison"))) return vectors;
    tries++;
    throw new Error("unreadable");
  });
  const app = await open({ clock, embedder });
  await app.client.ok(Memory, "POST", "/api/v1/memories", write("A single poison in the well."));
  const pauses: number[] = [];
  for (let waited = 0; pauses.length < 6; ) {
    const before = tries;
    await app.settle();
    if (tries > before) {
      pauses.push(waited);
      waited = 0;
    }
    clock.advance(250);
    waited += 250;
  }
  expect(pauses).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000]);

  const { id } = await app.client.ok(Memory, "POST", "/api/v1/memories", write("An ordinary sentence about pears."));
  await app.settle();
  const query = { tenant_id: "default" };
  const read = await app.client.ok(MemoryDetail, "GET", `/api/v1/memories/${id}`, { query });
  expect(read.embedding_stats?.non_zero).toBeGreaterThan(0);
});

test("a hanging model does not hold up the stop", async () => {
  const { embedder } = faultyEmbedder(() => never);
  const app = await open({ embedder });
  await app.client.ok(BulkResult, "POST", "/api/v1/memories/bulk", bulk(["anything"]));
  const running = app.app.runner.drain();
  await Bun.sleep(50); // The job is in hand: its handler waits for the model.
  await app.app.stop();
  expect(await running).toBe(1);
});
