import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import { byteLength } from "../../src/core/kernel/text.ts";
import type { TraceRow } from "../../src/core/ports/forge-store.ts";
import type { Cluster } from "../../src/forge/cluster.ts";
import { agentsOf, clusterTraces, runsOf } from "../../src/forge/cluster.ts";
import { distil, sentencesOf } from "../../src/forge/distil.ts";
import { tracesOf } from "../../src/forge/traces.ts";
import { OFFICE } from "../http/fixtures/forge-office.ts";

/** Only against a hang: nothing here is about time. */
setDefaultTimeout(120_000);

const embedder = hashEmbedder();
const { center } = embedder;
const vectorsOf = async (texts: readonly string[]) =>
  new Map(
    (await embedder.embed(texts, { role: "passage", priority: "background" })).map((vector, i) => [
      texts[i] ?? "",
      vector,
    ]),
  );

const rowOf = (fields: Partial<TraceRow>, vector: Float32Array | null): TraceRow => ({
  id: "m",
  run_id: "r",
  agent_id: "ada",
  fleet_id: null,
  content: "",
  status: "active",
  contradicted_by: null,
  metadata: null,
  created_at: "2026-03-01T12:00:00.000Z",
  entity_ids: [],
  vector,
  ...fields,
});

async function rowsOf(
  runs: readonly { run_id: string; agent_id: string; rows: readonly string[] }[],
): Promise<TraceRow[]> {
  const all = runs.flatMap(({ run_id, agent_id, rows }) =>
    rows.map((content, i) => ({
      id: `${run_id}-${i}`,
      run_id,
      agent_id,
      content,
      created_at: `2026-03-0${1 + i}T12:00:00.000Z`,
    })),
  );
  const vectors = await vectorsOf(all.map(({ content }) => content));
  return all.map((row) => rowOf(row, vectors.get(row.content) ?? null));
}

const officeRows = await rowsOf(OFFICE);
const names = (clusters: readonly Cluster[]) =>
  clusters.map(({ members, failed }) => [members.map(({ run_id }) => run_id), failed.map(({ run_id }) => run_id)]);
const expected = names(await clusterTraces(await tracesOf(officeRows), center));

test("neither the order of rows nor that of runs changes a cluster", async () => {
  expect(expected.length).toBeGreaterThan(3);
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(officeRows, { minLength: officeRows.length }), async (rows) => {
      expect(names(await clusterTraces(await tracesOf(rows), center))).toEqual(expected);
    }),
    { numRuns: 15 },
  );
});

test("a run that is given twice adds nothing", async () => {
  const traces = await tracesOf(officeRows);
  await fc.assert(
    fc.asyncProperty(fc.subarray(traces, { minLength: 1 }), async (twice) => {
      expect(names(await clusterTraces([...traces, ...twice], center))).toEqual(expected);
    }),
    { numRuns: 15 },
  );
});

test("a run that failed, or of which nobody knows, is never a member, whatever else there is", async () => {
  const traces = await tracesOf(officeRows);
  await fc.assert(
    fc.asyncProperty(fc.subarray(traces), async (some) => {
      for (const { members, failed } of await clusterTraces(some, center)) {
        expect(members.every(({ label }) => label === "success")).toBe(true);
        expect(failed.every(({ label }) => label === "failure")).toBe(true);
        expect(runsOf(members)).toBeGreaterThan(1);
      }
    }),
    { numRuns: 25 },
  );
});

test("agents that share a run count as one run", async () => {
  const [first, second] = OFFICE.filter(({ procedure }) => procedure === "certificate");
  const shared = [first, second].flatMap((run) => (run ? [{ ...run, run_id: "shared" }] : []));
  const members = await tracesOf(
    shared.flatMap(({ agent_id, rows }) =>
      rows.map((content, i) => rowOf({ id: `${agent_id}${i}`, run_id: "shared", agent_id, content }, null)),
    ),
  );
  expect([runsOf(members), agentsOf(members).length]).toEqual([1, 2]);
});

const certificates =
  (await clusterTraces(await tracesOf(officeRows), center))[0] ?? expect.unreachable("There is no cluster.");
const vectors = await vectorsOf(sentencesOf(certificates));

test("the same cluster gives the same draft, within its bounds, whatever the cap on its description", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 400 }), async (description_max_bytes) => {
      const source = { vectors, center, description_max_bytes };
      const draft = await distil(certificates, source);
      expect(draft).not.toBeNull();
      expect(await distil(certificates, source)).toEqual(draft);
      expect(byteLength(draft?.description ?? "")).toBeLessThanOrEqual(description_max_bytes);
      expect(draft?.slug).toMatch(/^[a-z0-9][a-z0-9._-]{0,99}$/);
      expect(draft?.cites.length).toBeLessThanOrEqual(20);
      expect(draft?.steps.length).toBeLessThanOrEqual(15);
    }),
    { numRuns: 10 },
  );
});

/** Everything that a memory may hold: words of work, marks, other scripts, and what no pattern expects. */
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          "stopped",
          "the",
          "replica",
          "I",
          "we",
          "and",
          "then",
          ";",
          ",",
          ".",
          ":",
          "(",
          ")",
          "->",
          "failed",
          "not",
          "OPS-1",
          "a.b.c",
          "--",
          "<x>",
          "\n",
          "1.",
          "was",
          "is to be",
          "https://",
          "'",
          "ing",
          "\u00e9",
          "\u66f4\u65b0",
        ),
        fc.string({ maxLength: 6 }),
      ),
      { maxLength: 60 },
    )
    .map((words) => words.join(" ")),
  fc.constantFrom("a", ".", "-", "a.", "a-", "a ", "is ", "1,", "A. ", "<", "the ").map((part) => part.repeat(500)),
);

test("whatever agents write, a draft keeps its form or there is none", async () => {
  const aRun = (i: number) => fc.array(anyText, { minLength: 1, maxLength: 4 }).map((rows) => ({ i, rows }));
  await fc.assert(
    fc.asyncProperty(fc.tuple(aRun(0), aRun(1), aRun(2)), async (runs) => {
      const members = await tracesOf(
        runs.flatMap(({ i, rows }) =>
          rows.map((content, k) => rowOf({ id: `${i}-${k}`, run_id: `r${i}`, agent_id: `a${i}`, content }, null)),
        ),
      );
      const draft = await distil(
        { fleet_id: null, members, failed: members },
        { vectors: new Map(), center, description_max_bytes: 160 },
      );
      if (!draft) return;
      expect(draft.slug).toMatch(/^[a-z0-9][a-z0-9._-]{0,99}$/);
      expect(byteLength(draft.content)).toBeLessThan(40_000);
      expect(byteLength(draft.description)).toBeLessThanOrEqual(160);
    }),
    { numRuns: 150 },
  );
});
