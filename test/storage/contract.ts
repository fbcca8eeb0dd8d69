import { describe } from "bun:test";
import type { Clock } from "../../src/core/kernel/clock.ts";
import type { Storage } from "../../src/core/ports/storage.ts";
import { describeChanges } from "./contract-changes.ts";
import { describeContradictions } from "./contract-contradictions.ts";
import { describeDocuments } from "./contract-documents.ts";
import { describeEntities } from "./contract-entities.ts";
import { describeForge } from "./contract-forge.ts";
import { describeHits } from "./contract-hits.ts";
import { describeInsert } from "./contract-insert.ts";
import { describeJobs } from "./contract-jobs.ts";
import { describeReads } from "./contract-reads.ts";
import { describeRuns } from "./contract-runs.ts";
import { describeSkills } from "./contract-skills.ts";
import { describeVectors } from "./contract-vectors.ts";
import { subjectOf } from "./subject.ts";

/** What every storage engine promises, whatever it is made of. */
export function describeStorage(name: string, open: (clock: Clock) => Storage): void {
  describe(name, () => {
    const subject = subjectOf(open);
    describeInsert(subject);
    describeReads(subject);
    describeHits(subject);
    describeRuns(subject);
    describeVectors(subject);
    describeChanges(subject);
    describeJobs(subject);
    describeDocuments(subject);
    describeContradictions(subject);
    describeSkills(subject);
    describeForge(subject);
    describeEntities(subject);
  });
}
