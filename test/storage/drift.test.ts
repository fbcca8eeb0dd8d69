import { afterAll, beforeAll, describe, test } from "bun:test";
import * as fc from "fast-check";
import { storagePolicies } from "../../src/startup/storage-policies.ts";
import { temporaryFolder } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";
import * as accounts from "./drift/account-steps.ts";
import { Drift, sameAnswers } from "./drift/compare.ts";
import * as conflicts from "./drift/conflict-steps.ts";
import * as documents from "./drift/document-steps.ts";
import * as entities from "./drift/entity-steps.ts";
import * as jobs from "./drift/job-steps.ts";
import * as memories from "./drift/memory-questions.ts";
import { memorySteps, plainMemorySteps } from "./drift/memory-steps.ts";
import * as skills from "./drift/skill-steps.ts";
import type { PlainStep, PlainWorld, Step, World } from "./drift/world.ts";
import { pauses } from "./drift/world.ts";
import { ENGINES } from "./engines.ts";
import { openOracle } from "./oracle/oracle.ts";

// What a failure prints can be told again with its seed. DRIFT_RUNS=500 DRIFT_MS=600000 looks for long.

const RUNS = Number(process.env.DRIFT_RUNS ?? 12);
const SEED = Number(process.env.DRIFT_SEED ?? Date.now() % 1_000_000);
/** Of each part no more are tried after so long, however slow the machine is. */
const TRIED_MS = Number(process.env.DRIFT_MS ?? 7_000);
/** A shortest sequence is looked for no longer than so. */
const SHRINK_MS = 60_000;
const HANG_GUARD_MS = 120_000;

const root = temporaryFolder();
afterAll(() => root.remove());

/** The engines that are held against each other. */
const COMPARED = ENGINES.filter(({ name }) => ["sqlite in memory", "postgres"].includes(name));

async function compare(steps: readonly Step[]): Promise<void> {
  await withEngines((worlds) => sameAnswers(steps, worlds));
}
const compareWithOracle = (steps: readonly PlainStep[]): Promise<void> =>
  withEngines(async (engines) => {
    const clock = fakeClock();
    const oracle = { name: "the oracle", clock, storage: openOracle(clock, storagePolicies), claimed: [] };
    await sameAnswers<PlainWorld["storage"]>(steps, [oracle, ...engines]);
  });

async function withEngines(use: (worlds: readonly World[]) => Promise<void>): Promise<void> {
  const worlds = await Promise.all(
    COMPARED.map(async ({ name, open }) => {
      const clock = fakeClock();
      return { name, clock, storage: await open(clock, root.path), claimed: [] };
    }),
  );
  try {
    await use(worlds);
  } finally {
    for (const { storage } of worlds) await storage.close();
  }
}

// To open a database for the first time takes longer than all that is tried in it.
beforeAll(() => compare([]), HANG_GUARD_MS);

/** What is told, what is asked after it, and what is read at last. */
interface Part<OneStep> {
  readonly name: string;
  readonly steps: fc.Arbitrary<OneStep>;
  readonly questions: fc.Arbitrary<OneStep>;
  readonly all: readonly OneStep[];
}

const MEMORIES = { text: "all of memories", run: memories.allOfMemories };
const VECTORS = { text: "all of vectors", run: memories.allOfVectors };
const DOCUMENTS = { text: "all of documents", run: documents.allOfDocuments };
const ACCOUNTS = { text: "all of accounts", run: accounts.allOfAccounts };
/** Last, as it takes the jobs away. */
const JOBS = { text: "all of jobs", run: jobs.allOfJobs };

/** Steps of one kind among others, so that they meet something. */
const among = <OneStep>(steps: fc.Arbitrary<OneStep>, ...others: fc.Arbitrary<OneStep>[]): fc.Arbitrary<OneStep> =>
  fc.oneof({ arbitrary: steps, weight: 2 * others.length }, ...others.map((arbitrary) => ({ arbitrary, weight: 1 })));

const PARTS: readonly Part<Step>[] = [
  {
    name: "memories",
    steps: memorySteps,
    questions: memories.memoryQuestions,
    all: [MEMORIES, VECTORS, ACCOUNTS, JOBS],
  },
  {
    name: "documents and skills",
    steps: among(documents.documentSteps, skills.skillSteps),
    questions: among(documents.documentQuestions, skills.skillQuestions),
    all: [DOCUMENTS, { text: "all of skills", run: skills.allOfSkills }, ACCOUNTS, JOBS],
  },
  {
    name: "entities",
    steps: among(entities.entitySteps, memorySteps),
    questions: entities.entityQuestions,
    all: [MEMORIES, { text: "all of entities", run: entities.allOfEntities }, ACCOUNTS, JOBS],
  },
  {
    name: "conflicts",
    steps: among(conflicts.conflictSteps, memorySteps),
    questions: among(conflicts.conflictQuestions, skills.skillQuestions),
    all: [MEMORIES, VECTORS, { text: "all of conflicts", run: conflicts.allOfConflicts }, ACCOUNTS, JOBS],
  },
  {
    name: "accounts and jobs",
    steps: among(accounts.accountSteps, jobs.jobSteps, memorySteps, documents.documentSteps, entities.entitySteps),
    questions: among(accounts.accountQuestions, jobs.jobQuestions),
    all: [MEMORIES, DOCUMENTS, ACCOUNTS, JOBS],
  },
];

const PLAIN_PARTS: readonly Part<PlainStep>[] = [
  {
    name: "memories",
    steps: plainMemorySteps,
    questions: memories.plainMemoryQuestions,
    all: [MEMORIES, ACCOUNTS],
  },
  {
    name: "documents and accounts",
    steps: among(documents.plainDocumentSteps, accounts.plainAccountSteps),
    questions: among(documents.plainDocumentQuestions, accounts.plainAccountQuestions),
    all: [DOCUMENTS, ACCOUNTS],
  },
];

const several = <T>(steps: fc.Arbitrary<T>, maxLength: number) => fc.array(steps, { maxLength, size: "max" });

/** Tries sequences, and throws with the shortest that fails. */
async function tryAll<OneStep>(
  { steps, questions, all }: Part<OneStep & { readonly text: string }>,
  use: (steps: readonly OneStep[]) => Promise<void>,
): Promise<void> {
  const told = several(steps, 20);
  /** Where something failed, only what failed is asked: that is found again much sooner. */
  const propertyOf = (asked: (text: string) => boolean) =>
    fc.asyncProperty(told, several(questions, 25), (first, then) =>
      use([...first, ...[...then, ...all].filter(({ text }) => asked(text))]),
    );
  const tried = { numRuns: RUNS, seed: SEED, interruptAfterTimeLimit: TRIED_MS, endOnFailure: true };
  const found = await fc.check(
    propertyOf(() => true),
    tried,
  );
  // Without an error none was tried to its end in that time.
  if (!found.failed || found.errorInstance === null) return;
  const failed = found.errorInstance instanceof Drift ? found.errorInstance.told.at(-1) : undefined;
  const again = { seed: SEED, path: found.counterexamplePath ?? "", interruptAfterTimeLimit: SHRINK_MS };
  const shortest = await fc.check(
    propertyOf((text) => text === failed),
    again,
  );
  throw new Error(`DRIFT_SEED=${SEED}\n${String(shortest.errorInstance ?? found.errorInstance)}`);
}

/** Now and then time goes by. */
const withPauses = <OneStep>(part: Part<OneStep | PlainStep>): Part<OneStep | PlainStep> => ({
  ...part,
  steps: fc.oneof({ arbitrary: part.steps, weight: 10 }, { arbitrary: pauses, weight: 1 }),
});

describe("what is told of the same to every store is answered the same:", () => {
  test.each(PARTS)("$name, by each engine", (part) => tryAll(withPauses(part), compare), TRIED_MS + HANG_GUARD_MS);
  test.each(PLAIN_PARTS)(
    "$name, by each engine and a list in memory",
    (part) => tryAll(withPauses(part), compareWithOracle),
    TRIED_MS + HANG_GUARD_MS,
  );
});
