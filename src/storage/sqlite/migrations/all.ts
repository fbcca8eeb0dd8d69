import type { TextOf } from "../../../core/ports/storage.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { CodeStore } from "../vectors/code-tables.ts";
import { documentsPending } from "./after-0.1.0/documents-pending.ts";
import { documentsReadOnce } from "./after-0.1.0/documents-read-once.ts";
import { expiring } from "./after-0.1.0/expiring.ts";
import { generations } from "./after-0.1.0/generations.ts";
import { happened } from "./after-0.1.0/happened.ts";
import { imports } from "./after-0.1.0/imports.ts";
import { judgedAnew, judgedInAnyLanguage } from "./after-0.1.0/judged-anew.ts";
import { keptTexts } from "./after-0.1.0/kept-texts.ts";
import { projects } from "./after-0.1.0/projects.ts";
import { reviews } from "./after-0.1.0/reviews.ts";
import { skillApprovals } from "./after-0.1.0/skill-approvals.ts";
import { statedSubjects } from "./after-0.1.0/stated-subjects.ts";
import { tellings } from "./after-0.1.0/tellings.ts";
import { wordsOfLanguages } from "./after-0.1.0/words-of-languages.ts";
import { auditNumbers } from "./audit-numbers.ts";
import { base } from "./base.ts";
import { detection } from "./detection.ts";
import { entriesByFleet } from "./entries-by-fleet.ts";
import { erasure } from "./erasure.ts";
import { folderOwner } from "./folder-owner.ts";
import { forge } from "./forge.ts";
import { jobRanks } from "./job-ranks.ts";
import { liveAuthors } from "./live-authors.ts";
import { liveTwins } from "./live-twins.ts";
import { mentionNames } from "./mention-names.ts";
import type { Migration } from "./migrate.ts";
import { paraphrases } from "./paraphrases.ts";
import { readTwice } from "./read-twice.ts";
import { releases } from "./releases.ts";
import { replyOwners } from "./reply-owners.ts";
import { skills } from "./skills.ts";
import { statedClaims } from "./stated-claims.ts";
import { understanding } from "./understanding.ts";
import { waitingLinks } from "./waiting-links.ts";
import { wordsByReaders } from "./words-by-readers.ts";
import { wordsInPieces } from "./words-in-pieces.ts";

/**
 * Ordered steps that take a data file from nothing to the newest shape. A step is never edited once released;
 * a change of shape is a new step. `user_version` of the file counts the steps it has seen. `textOf` is of use where there
 * are documents already.
 */
export const migrations = (
  space: Pick<EmbedderSpace, "dimensions">,
  textOf: TextOf = () => null,
  codes: CodeStore = "sqlite-vec",
): readonly Migration[] => [
  base(space, codes),
  understanding,
  detection,
  paraphrases,
  skills,
  forge,
  jobRanks,
  liveAuthors,
  liveTwins,
  wordsByReaders,
  replyOwners,
  erasure,
  folderOwner,
  mentionNames,
  waitingLinks,
  auditNumbers,
  entriesByFleet,
  wordsInPieces(textOf),
  readTwice(space, codes),
  statedClaims,
  releases,
  // What 0.1.0 does not have.
  imports,
  expiring,
  generations(space, codes),
  reviews,
  statedSubjects,
  skillApprovals,
  happened,
  keptTexts,
  projects,
  wordsOfLanguages,
  documentsReadOnce,
  documentsPending,
  judgedAnew,
  judgedInAnyLanguage,
  tellings,
];
