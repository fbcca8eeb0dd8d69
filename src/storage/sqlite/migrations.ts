import type { TextOf } from "../../core/ports/storage.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Migration } from "./migrate.ts";
import { auditNumbers } from "./migrations/audit-numbers.ts";
import { base } from "./migrations/base.ts";
import { detection } from "./migrations/detection.ts";
import { entriesByFleet } from "./migrations/entries-by-fleet.ts";
import { erasure } from "./migrations/erasure.ts";
import { folderOwner } from "./migrations/folder-owner.ts";
import { forge } from "./migrations/forge.ts";
import { jobRanks } from "./migrations/job-ranks.ts";
import { liveAuthors } from "./migrations/live-authors.ts";
import { liveTwins } from "./migrations/live-twins.ts";
import { mentionNames } from "./migrations/mention-names.ts";
import { paraphrases } from "./migrations/paraphrases.ts";
import { readTwice } from "./migrations/read-twice.ts";
import { replyOwners } from "./migrations/reply-owners.ts";
import { skills } from "./migrations/skills.ts";
import { understanding } from "./migrations/understanding.ts";
import { waitingLinks } from "./migrations/waiting-links.ts";
import { wordsByReaders } from "./migrations/words-by-readers.ts";
import { wordsInPieces } from "./migrations/words-in-pieces.ts";

/**
 * Ordered steps that take a data file from nothing to the shape of `tables.ts`. A step is never edited once released;
 * a change of shape is a new step. `user_version` of the file counts the steps it has seen. `textOf` is of use where there
 * are documents already.
 */
export const migrations = (
  space: Pick<EmbedderSpace, "dimensions">,
  textOf: TextOf = () => null,
): readonly Migration[] => [
  base(space),
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
  readTwice(space),
];
