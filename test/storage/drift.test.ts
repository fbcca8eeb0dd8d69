import { afterAll, test } from "bun:test";
import * as fc from "fast-check";
import { temporaryFolder } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";
import { namingOf, sameAnswer } from "./drift/compare.ts";
import { allOfDocuments, documentQuestions, documentSteps } from "./drift/document-steps.ts";
import { allOfEntities, entityQuestions, entitySteps } from "./drift/entity-steps.ts";
import { allOfMemories, memoryQuestions } from "./drift/memory-questions.ts";
import { memorySteps } from "./drift/memory-steps.ts";
import type { Step, World } from "./drift/world.ts";
import { pauses } from "./drift/world.ts";
import { ENGINES } from "./engines.ts";

/** More of them are tried with a larger number. */
const RUNS = Number(process.env.DRIFT_RUNS ?? 25);
const SEED = Number(process.env.DRIFT_SEED ?? Date.now() % 1_000_000);
/** A shortest sequence is looked for no longer than so. */
const LIMIT_MS = Number(process.env.DRIFT_LIMIT_MS ?? 120_000);

const root = temporaryFolder();
afterAll(() => root.remove());

/** The engines that are held against each other. */
const COMPARED = ENGINES.filter(({ name }) => ["sqlite in memory", "postgres"].includes(name));

const openWorlds = (): Promise<World[]> =>
  Promise.all(
    COMPARED.map(async ({ name, open }) => {
      const clock = fakeClock();
      return { name, clock, storage: await open(clock, root.path), claimed: [] };
    }),
  );

/** Tells every store the same, and asks after it; throws with all that was told where two answer differently. */
async function compare(steps: readonly Step[]): Promise<void> {
  const worlds = await openWorlds();
  const stores = worlds.map((world) => [world, namingOf()] as const);
  const told: string[] = [];
  try {
    for (const step of steps) {
      told.push(step.text);
      await sameAnswer(step, stores);
    }
  } catch (error) {
    throw new Error(`${told.join("\n")}\nanswers differ to the last: ${String(error)}`);
  } finally {
    for (const { storage } of worlds) await storage.close();
  }
}

/** What is told, what is asked after it, and what is read at last. */
interface Part {
  readonly name: string;
  readonly steps: fc.Arbitrary<Step>;
  readonly questions: fc.Arbitrary<Step>;
  readonly all: readonly Step[];
}

const MEMORIES = { text: "all of memories", run: allOfMemories };
const PARTS: readonly Part[] = [
  { name: "memories", steps: memorySteps, questions: memoryQuestions, all: [MEMORIES] },
  {
    name: "documents",
    steps: documentSteps,
    questions: documentQuestions,
    all: [{ text: "all of documents", run: allOfDocuments }],
  },
  {
    name: "entities",
    steps: fc.oneof({ arbitrary: memorySteps, weight: 1 }, { arbitrary: entitySteps, weight: 3 }),
    questions: entityQuestions,
    all: [MEMORIES, { text: "all of entities", run: allOfEntities }],
  },
];

const several = (steps: fc.Arbitrary<Step>, maxLength: number) => fc.array(steps, { maxLength, size: "max" });

test.each(PARTS)(
  "engines that are told the same of $name answer the same",
  async ({ steps, questions, all }) => {
    const told = several(fc.oneof({ arbitrary: steps, weight: 10 }, { arbitrary: pauses, weight: 1 }), 20);
    const property = fc.asyncProperty(told, several(questions, 30), (first, then) =>
      compare([...first, ...then, ...all]),
    );
    const out = await fc.check(property, { numRuns: RUNS, seed: SEED, interruptAfterTimeLimit: LIMIT_MS });
    if (out.failed) throw new Error(`DRIFT_SEED=${out.seed}\n${String(out.errorInstance)}`);
  },
  LIMIT_MS * 2,
);
