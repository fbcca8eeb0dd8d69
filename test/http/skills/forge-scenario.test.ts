import { afterAll, beforeAll, expect, test } from "bun:test";
import { z } from "zod";
import type { ForgeRun } from "../../../src/core/schema/forge.ts";
import { docIdsOf, documentsApi } from "../../support/api/documents.ts";
import { forgeApi } from "../../support/api/forge.ts";
import { aSkill, skillsApi } from "../../support/api/skills.ts";
import { fakeClock } from "../../support/clock.ts";
import { holder } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";
import { DOCUMENTS } from "../fixtures/documents-corpus.ts";
import rawQuestions from "../fixtures/forge-questions.json";
import rawRuns from "../fixtures/forge-runs.json";

// The model itself, and text as agents write it: forty runs of six agents over five procedures, and work that nobody repeats.
const RUNS = z
  .array(
    z.object({
      run_id: z.string(),
      agent_id: z.string(),
      procedure: z.string().nullable(),
      outcome: z.enum(["success", "failure", "unknown"]),
      memories: z.array(z.string()),
    }),
  )
  .parse(rawRuns);
const QUESTIONS = z
  .array(z.object({ procedure: z.string(), questions: z.array(z.string()), expected_skill: z.boolean() }))
  .parse(rawQuestions);
const EXPECTED = QUESTIONS.filter(({ expected_skill }) => expected_skill);

/** Skills that people wrote, and documents of other collections, among which a distilled skill must be found. */
const OTHER_SKILLS: readonly (readonly [slug: string, summary: string])[] = [
  ["book-a-meeting-room", "Use when a meeting with guests needs a room and a screen."],
  ["water-the-plants", "Use when the plants of the office have to be watered while everybody is away."],
  ["renew-a-licence", "Use when the licence of a tool runs out and has to be renewed with its vendor."],
  ["order-a-laptop", "Use when a colleague needs a new laptop."],
  ["review-a-query", "Use when a database query is slow and has to be made faster."],
];
const DOCUMENTS_EVERY = 20;

const HANG_GUARD_MS = 600_000;
const clock = fakeClock();
const app = await openApp({ clock, flags: ["--embedder=onnx"] });
afterAll(() => app.app.stop());
const forge = forgeApi(app.client, clock);
let told: ForgeRun;

beforeAll(async () => {
  await app.app.services.embedder.ready();
  await forge.enable();
  await forge.write(RUNS.map(({ memories, ...run }) => ({ ...run, rows: memories })));
  for (const [slug, summary] of OTHER_SKILLS)
    await skillsApi(app.client).write(slug, {
      source: "manual",
      status: "active",
      summary,
      content: aSkill(slug).content,
    });
  for (const { collection, doc_id, summary, notes } of DOCUMENTS.filter((_, i) => i % DOCUMENTS_EVERY === 0))
    await documentsApi(app.client).put(collection, doc_id, { summary, notes });
  await app.settle();
  await forge.trigger();
  await app.settle();
  told = await forge.last();
}, HANG_GUARD_MS);

const count = (outcome: string) => RUNS.filter((run) => run.outcome === outcome).length;
const procedureOf = (run_id: string) => RUNS.find((run) => run.run_id === run_id)?.procedure;
const Evidence = z.object({ run_ids: z.array(z.string()) });

/** The procedures whose runs a skill was drawn from. */
async function sources(): Promise<Map<string, Set<string | null | undefined>>> {
  const skills = await forge.skills();
  return new Map(
    skills.map(({ doc_id, data }) => [doc_id, new Set(Evidence.parse(data.evidence).run_ids.map(procedureOf))]),
  );
}

test("every run is judged as a person would judge it", () => {
  expect(told).toMatchObject({
    traces: RUNS.length,
    successes: count("success"),
    failures: count("failure"),
    unknown: count("unknown"),
    error: null,
  });
});

test("exactly the procedures with enough runs of enough agents become a skill, each one, and nothing else does", async () => {
  const drawn = [...(await sources()).values()].map((procedures) => [...procedures]);
  expect(drawn.map((procedures) => procedures.length)).toEqual(EXPECTED.map(() => 1));
  expect(drawn.flat().sort()).toEqual(EXPECTED.map(({ procedure }) => procedure).sort());
  expect(told.clusters.filter(({ outcome }) => outcome === "skipped").map(({ reason }) => reason)).toEqual([
    "diversity",
    "volume",
  ]);
});

test("no failed run is a source of a skill, and each skill warns of how they failed", async () => {
  for (const { data } of await forge.skills()) {
    const { run_ids } = Evidence.parse(data.evidence);
    expect(RUNS.filter((run) => run_ids.includes(run.run_id) && run.outcome !== "success")).toEqual([]);
    expect(String(data.content)).toContain("A run failed: ");
  }
});

test(
  "once approved, each skill is found first for its own task in other words",
  async () => {
    const skills = await sources();
    const reviewers = skillsApi(app.client);
    for (const doc_id of skills.keys()) await reviewers.act(doc_id, "approve");
    await app.settle();
    const reader = documentsApi(await holder(app.client, { agent_id: "reader" }));
    const missed: string[] = [];
    for (const { procedure, questions } of EXPECTED) {
      for (const question of questions) {
        const [first = ""] = docIdsOf((await reader.search(question)).results);
        if (!skills.get(first)?.has(procedure)) missed.push(`${question} -> ${first}`);
      }
    }
    expect(missed).toEqual([]);
  },
  HANG_GUARD_MS,
);
