import type { Operation } from "../operation.ts";
import { accountOperations } from "./accounts.ts";
import { activityOperations } from "./activity.ts";
import { backupOperations } from "./backups.ts";
import { conflictOperations } from "./conflicts.ts";
import { documentOperations } from "./documents.ts";
import { entityOperations } from "./entities.ts";
import { forgeOperations } from "./forge.ts";
import { forgetOperations } from "./forget.ts";
import { integrityOperations } from "./integrity.ts";
import { interviewOperations } from "./interview.ts";
import { keystoneOperations } from "./keystones.ts";
import { memoryOperations } from "./memories.ts";
import { removalOperations } from "./memory-removal.ts";
import { textOperations } from "./memory-texts.ts";
import { observingOperations } from "./observing.ts";
import { outcomeOperations } from "./outcomes.ts";
import { moveOperations } from "./places/move.ts";
import { projectOperations } from "./projects/projects.ts";
import { reembedOperations } from "./reembed.ts";
import { retrievalOperations } from "./retrieval.ts";
import { settingsOperations } from "./settings.ts";
import { skillOperations } from "./skills.ts";
import { snapshotOperations } from "./snapshots.ts";
import { systemOperations } from "./system.ts";
import { toldOperations } from "./told/told.ts";
import { transferOperations } from "./transfer.ts";
import { trialOperations } from "./trials.ts";

/** Every operation of Cairn: routes, validation and documentation all come from this list. */
export const operations: readonly Operation[] = [
  ...memoryOperations,
  ...outcomeOperations,
  ...conflictOperations,
  ...interviewOperations,
  ...moveOperations,
  ...removalOperations,
  ...textOperations,
  ...toldOperations,
  ...retrievalOperations,
  ...activityOperations,
  ...entityOperations,
  ...keystoneOperations,
  ...settingsOperations,
  ...documentOperations,
  ...skillOperations,
  ...forgeOperations,
  ...projectOperations,
  ...accountOperations,
  ...systemOperations,
  ...observingOperations,
  ...integrityOperations,
  ...backupOperations,
  ...transferOperations,
  ...forgetOperations,
  ...snapshotOperations,
  ...reembedOperations,
  ...trialOperations,
];
