import { base } from "./base.ts";
import { documentsPending } from "./documents-pending.ts";
import { documentsReadOnce } from "./documents-read-once.ts";
import { happened } from "./happened.ts";
import { judgedAnew, judgedInAnyLanguage } from "./judged-anew.ts";
import { keptTexts } from "./kept-texts.ts";
import { memoriesReadOnce } from "./memories-read-once.ts";
import { projects } from "./projects.ts";
import { silentVectors } from "./silent-vectors.ts";
import { skillApprovals } from "./skill-approvals.ts";
import { tellings } from "./tellings.ts";
import { wordsOfLanguages } from "./words-of-languages.ts";

/**
 * Ordered steps that take a database from nothing to the newest shape. A step is never edited once released; a
 * change of shape is a new step. The table `releases` counts the steps that a database has seen.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
  base,
  skillApprovals,
  happened,
  keptTexts,
  projects,
  wordsOfLanguages,
  documentsReadOnce,
  memoriesReadOnce,
  silentVectors,
  documentsPending,
  judgedAnew,
  judgedInAnyLanguage,
  tellings,
];
