import { describe } from "bun:test";
import type { Clock } from "../../../src/core/kernel/clock.ts";
import type { Storage } from "../../../src/core/ports/storage.ts";
import { subjectOf } from "../subject.ts";
import { describeChanges } from "./changes.ts";
import { describeContradictions } from "./contradictions.ts";
import { describeDocuments } from "./documents.ts";
import { describeEntities } from "./entities.ts";
import { describeForge } from "./forge.ts";
import { describeHits } from "./hits.ts";
import { describeInsert } from "./insert.ts";
import { describeJobs } from "./jobs.ts";
import { describePossible } from "./possible.ts";
import { describeReads } from "./reads.ts";
import { describeReviews } from "./reviews.ts";
import { describeRuns } from "./runs.ts";
import { describeSilent } from "./silent.ts";
import { describeSkills } from "./skills.ts";
import { describeTellings } from "./tellings.ts";
import { describeVectors } from "./vectors.ts";

/** What every storage engine promises, whatever it is made of. */
export function describeStorage(name: string, open: (clock: Clock) => Promise<Storage>): void {
  describe(name, () => {
    const subject = subjectOf(open);
    describeInsert(subject);
    describeReads(subject);
    describeHits(subject);
    describeRuns(subject);
    describeVectors(subject);
    describeSilent(subject);
    describeChanges(subject);
    describeTellings(subject);
    describeJobs(subject);
    describeDocuments(subject);
    describeContradictions(subject);
    describeReviews(subject);
    describePossible(subject);
    describeSkills(subject);
    describeForge(subject);
    describeEntities(subject);
  });
}
